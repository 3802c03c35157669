// SPDX-License-Identifier: MIT
#include "compiler/hipify/chinese.h"
#include "compiler/hipify/embedded_rows.h"

namespace pumice::hipify {
namespace {

using std::string_view;

struct Phrase {
  string_view english, chinese;
};

const std::vector<Phrase>& phrases() {
  static const std::vector<Phrase> all = [] {
    std::vector<Phrase> out;
    for (string_view text = embedded_rows("chinese"); !text.empty();) {
      size_t end = text.find('\n');
      string_view line = text.substr(0, end);
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
      if (size_t tab = line.find('\t'); tab != line.npos && line[0] != '#')
        out.push_back({line.substr(0, tab), line.substr(tab + 1)});
    }
    return out;
  }();
  return all;
}

/// Shortest texts for the stars first; `held` gets one text per star.
bool fits(string_view pattern, string_view text, std::vector<string_view>& held) {
  size_t star = pattern.find('*');
  if (star == pattern.npos)
    return pattern == text;
  if (text.substr(0, star) != pattern.substr(0, star))
    return false;
  string_view rest = pattern.substr(star + 1), next = rest.substr(0, rest.find('*'));
  text.remove_prefix(star);
  for (size_t n = 1; n <= text.size(); ++n) {
    if (text.substr(n, next.size()) != next)
      continue;
    held.push_back(text.substr(0, n));
    if (fits(rest, text.substr(n), held))
      return true;
    held.pop_back();
  }
  return false;
}

std::string translate_phrase(string_view english, int depth) {
  for (const Phrase& p : phrases()) {
    std::vector<string_view> held;
    if (!fits(p.english, english, held))
      continue;
    std::string out;
    for (size_t i = 0; i < p.chinese.size(); ++i) {
      char mark = p.chinese[i];
      size_t n = i + 1 < p.chinese.size() ? size_t(p.chinese[i + 1] - '1') : 9;
      if ((mark != '$' && mark != '@') || n >= held.size()) {
        out += mark;
        continue;
      }
      std::string inner = mark == '@' && depth < 2 ? translate_phrase(held[n], depth + 1) : "";
      out += inner.empty() ? std::string(held[n]) : inner;
      ++i;
    }
    return out;
  }
  return {};
}

} // namespace

std::string phrase_in_chinese(string_view english) { return english.size() > 400 ? "" : translate_phrase(english, 0); }

ChineseText in_chinese(const Finding& f) {
  const CodeRow& row = *f.code;
  ChineseText out;
  string_view what = f.message;
  std::string why = ": " + std::string(row.why);
  bool reason = what.ends_with(why);
  if (reason)
    what.remove_suffix(why.size());
  std::string said = what == row.title ? std::string(row.title_zh) : phrase_in_chinese(what);
  out.message = said.empty() ? std::string(row.title_zh) + "（" + std::string(what) + "）" : said;
  if (reason)
    out.message += "：" + std::string(row.why_zh);
  out.suggestion = f.suggestion == row.suggestion ? std::string(row.suggestion_zh) : phrase_in_chinese(f.suggestion);
  if (out.suggestion.empty())
    out.suggestion = f.suggestion;
  return out;
}

} // namespace pumice::hipify
