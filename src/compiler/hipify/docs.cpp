// SPDX-License-Identifier: MIT
// One document per kind of row: findings, arguments, headers, PTX, libraries, build files, and coverage of the names.
#include "compiler/hipify/docs.h"
#include "compiler/hipify/embedded_rows.h"
#include "compiler/hipify/translate.h"
#include <map>

namespace pumice::hipify {
namespace {

std::string cell(std::string_view s) {
  std::string out;
  for (char c : s)
    out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out.empty() ? "-" : out;
}
std::string code(std::string_view s) { return s.empty() ? "-" : "`" + cell(s) + "`"; }
std::string block(std::string_view s) {
  std::string out;
  for (size_t i = 0; i < s.size(); ++i) {
    if (s[i] == '\\' && i + 1 < s.size() && s[i + 1] == 'n') {
      out += '\n';
      ++i;
    } else {
      out += s[i];
    }
  }
  return out;
}
constexpr const char* kNote =
    "<!-- Generated from src/compiler/hipify/rows by `hipify --docs docs/migration`; change the rows. -->\n\n";

std::string findings_document(const Tables& t) {
  std::string out = "# Findings of hipify\n\n" + std::string(kNote);
  out += "Each finding reads `file:line:column: [code] what: why; what to do`. Errors do not compile or have no counterpart, "
         "warnings may give other results (or, where they say so, do not compile), notes are for information.\n\n";
  for (const CodeRow& r : t.codes()) {
    out += "## " + std::string(r.code) + " " + std::string(r.title) + "\n\n";
    out += "Class `" + std::string(r.group) + "`, ";
    out += r.severity == Severity::error ? "error" : r.severity == Severity::warning ? "warning" : "note";
    out += ". Why: " + std::string(r.why) + ". What to do: " + std::string(r.suggestion) + ".\n\n";
    if (!r.before.empty())
      out += "Before:\n```cuda\n" + block(r.before) + "\n```\nAfter:\n```cpp\n" + block(r.after) + "\n```\n\n";
  }
  return out;
}

std::string chinese_findings_document(const Tables& t) {
  std::string out = "# hipify 的问题代码\n\n" + std::string(kNote);
  out += "每条问题的格式为 `文件:行:列: [代码] 内容: 原因; 处理办法`（消息本身为英文；`pumice migrate` 的页面有中文）。"
         "error 无法编译或没有对应，warning 结果可能不同（有说明的则无法编译），note 仅供参考。示例见 [findings.md](findings.md)。\n\n";
  out += "| 代码 | 类别 | 严重程度 | 内容 | 原因 | 处理办法 |\n|---|---|---|---|---|---|\n";
  for (const CodeRow& r : t.codes())
    out += "| " + std::string(r.code) + " | `" + std::string(r.group) + "` | " +
           (r.severity == Severity::error ? "错误" : r.severity == Severity::warning ? "警告" : "提示") + " | " + cell(r.title_zh) +
           " | " + cell(r.why_zh) + " | " + cell(r.suggestion_zh) + " |\n";
  return out;
}

std::string arguments_document(const Tables& t) {
  std::string out = "# Calls whose arguments change\n\n" + std::string(kNote);
  out += "Before and after are the translator's own work on a call with arguments a0, a1, ...\n\n";
  out += "| CUDA call | target | translated |\n|---|---|---|\n";
  std::string_view last;
  for (size_t i = 0; i < t.arguments().size(); ++i) {
    const ArgumentRow& r = t.arguments()[i];
    if (r.function == last)
      continue;
    last = r.function;
    for (ArgumentTarget target : {ArgumentTarget::hip, ArgumentTarget::roc}) {
      size_t count = 0;
      for (size_t k = i; k < t.arguments().size() && t.arguments()[k].function == r.function; ++k) {
        const ArgumentRow& rule = t.arguments()[k];
        if (rule.target != target)
          continue;
        size_t need = rule.action == ArgumentAction::rename   ? rule.index
                      : rule.action == ArgumentAction::append ? rule.index
                                                              : size_t(rule.index) + 1;
        if (rule.action == ArgumentAction::order) {
          size_t n = 0;
          need = 0;
          for (char c : std::string(rule.text) + " ") {
            if (c == ' ') {
              need = std::max(need, n + 1);
              n = 0;
            } else {
              n = n * 10 + size_t(c - '0');
            }
          }
        }
        count = std::max(count, need);
      }
      if (count == 0)
        continue;
      std::string call(r.function);
      call += "(";
      for (size_t a = 0; a < count; ++a)
        call += (a ? ", a" : "a") + std::to_string(a);
      call += ");";
      Options o;
      o.experimental = true;
      o.insert_main_header = false;
      o.libraries = target == ArgumentTarget::roc ? Libraries::roc : Libraries::hip;
      o.miopen = target == ArgumentTarget::roc;
      std::string body = "void f() { " + call + " }";
      std::string made = translate(body, o).text;
      out += "| " + code(call) + " | " + (target == ArgumentTarget::roc ? "roc" : "HIP") + " | " +
             code(std::string_view(made).substr(11, made.size() - 13)) + " |\n";
    }
  }
  return out;
}

std::string headers_document(const Tables& t) {
  std::string out = "# Headers\n\n" + std::string(kNote) + "| CUDA | HIP | roc libraries | finding | note |\n|---|---|---|---|---|\n";
  for (const HeaderRow& r : t.headers())
    out += "| " + code(r.cuda) + " | " + (r.kind == HeaderKind::dropped ? "(dropped)" : code(r.hip)) + " | " + code(r.roc) +
           " | " + cell(r.code) + " | " + cell(r.note) + " |\n";
  return out;
}

std::string ptx_document(const Tables& t) {
  std::string out = "# Inline PTX\n\n" + std::string(kNote) +
                    "`$0` is the destination, `$1` and so on the sources. Instructions without a row are findings (P002, P003).\n\n"
                    "| PTX | HIP | note |\n|---|---|---|\n";
  for (const PtxRow& r : t.ptx())
    out += "| " + code(r.pattern) + " | " + code(r.replacement) + " | " + cell(r.note) + " |\n";
  return out;
}

std::string behaviours_document(const Tables& t) {
  std::string out = "# Names that behave differently\n\n" + std::string(kNote) +
                    "| name | finding | what | what to do |\n|---|---|---|---|\n";
  for (const BehaviourRow& r : t.behaviours())
    out += "| " + code(r.name) + " | " + cell(r.code) + " | " + cell(r.what.empty() ? t.code(r.code).title : r.what) + " | " +
           cell(r.suggestion.empty() ? t.code(r.code).suggestion : r.suggestion) + " |\n";
  return out;
}

std::string libraries_document(const Tables& t) {
  std::string out = "# Libraries\n\n" + std::string(kNote) + "Coverage of the names by library and section.\n\n";
  out += "| library | section | names | HIP | roc libraries |\n|---|---|---|---|---|\n";
  struct Count {
    size_t all = 0, hip = 0, roc = 0;
  };
  std::vector<std::pair<std::pair<std::string_view, std::string_view>, Count>> list;
  std::map<std::pair<std::string_view, std::string_view>, size_t> where;
  for (const NameRow& r : t.names()) {
    auto [it, fresh] = where.try_emplace({r.library, r.section}, list.size());
    if (fresh)
      list.push_back({it->first, {}});
    Count& c = list[it->second].second;
    ++c.all;
    c.hip += r.hip_support != Support::none;
    c.roc += r.roc_support != Support::none;
  }
  for (const auto& [key, c] : list)
    out += "| " + cell(key.first) + " | " + cell(key.second) + " | " + std::to_string(c.all) + " | " + std::to_string(c.hip) +
           " | " + std::to_string(c.roc) + " |\n";
  out += "\nIdentifiers without a row, by prefix:\n\n| prefix | library | counterpart | finding |\n|---|---|---|---|\n";
  for (const LibraryRow& r : t.libraries())
    out += "| " + code(r.prefix) + " | " + cell(r.library) + " | " + cell(r.counterpart) + " | " + cell(r.code) + " |\n";
  return out;
}

std::string build_document() {
  std::string out = "# Build files\n\n" + std::string(kNote) + "| word | HIP |\n|---|---|\n";
  std::string_view text = embedded_rows("build");
  while (!text.empty()) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    size_t tab = line.find('\t');
    if (!line.empty() && line[0] != '#' && tab != line.npos)
      out += "| " + code(line.substr(0, tab)) + " | " + cell(line.substr(tab + 1)) + " |\n";
  }
  return out;
}

std::string names_document(const Tables& t) {
  std::string out = "# Names\n\n" + std::string(kNote) +
                    "Every CUDA name with its counterparts. Since: the first HIP release that has it.\n";
  std::string_view library, section;
  for (const NameRow& r : t.names()) {
    if (r.library != library || r.section != section) {
      if (r.library != library)
        out += "\n## " + std::string(r.library) + "\n";
      library = r.library;
      section = r.section;
      out += "\n### " + std::string(r.section) + "\n\n| CUDA | HIP | since | roc | state |\n|---|---|---|---|---|\n";
    }
    const char* state = r.hip_support == Support::none           ? "no counterpart"
                        : r.hip_support == Support::deprecated   ? "deprecated"
                        : r.hip_support == Support::experimental ? "experimental"
                                                                 : "";
    out += "| " + code(r.cuda) + " | " + (r.hip == "@empty" ? "(nothing)" : code(r.hip)) + " | " + cell(r.hip_since) + " | " + code(r.roc) + " | " + cell(state) +
           " |\n";
  }
  return out;
}

} // namespace

std::vector<std::pair<std::string, std::string>> rule_documents() {
  const Tables& t = Tables::get();
  return {{"findings.md", findings_document(t)},     {"findings.zh.md", chinese_findings_document(t)},
          {"arguments.md", arguments_document(t)},
          {"headers.md", headers_document(t)},       {"ptx.md", ptx_document(t)},
          {"behaviours.md", behaviours_document(t)}, {"libraries.md", libraries_document(t)},
          {"build-files.md", build_document()},      {"names.md", names_document(t)}};
}

} // namespace pumice::hipify
