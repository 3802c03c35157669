// SPDX-License-Identifier: MIT
#include "matrix/render.h"
#include "matrix/page.h"
#include <algorithm>
#include <nlohmann/json.hpp>

namespace pumice::matrix {
namespace {

using json = nlohmann::ordered_json;

std::string join(const std::vector<std::string>& v) {
  std::string s;
  for (auto& x : v) s += (s.empty() ? "" : ", ") + x;
  return s;
}

json sources(const std::vector<Source>& all) {
  json a = json::array();
  for (auto& s : all) a.push_back({{"page", s.page}, {"read", s.date}});
  return a;
}

json item(const Item& i) {
  return {{"subject", i.subject},   {"asked", i.asked},   {"verdict", verdict_name(i.verdict)},     {"reason", i.reason},
          {"listed", i.listed},     {"sources", sources(i.sources)}, {"contradictions", i.contradictions}};
}

json items(const Answer& a) {
  json all = json::array();
  for (auto& i : a.items) all.push_back(item(i));
  return all;
}

json asked(const Query& q) {
  json f = json::object();
  for (auto& [name, version] : q.frameworks) f[name] = version;
  return {{"card", q.card}, {"rocm", q.rocm}, {"os", q.os}, {"kernel", q.kernel}, {"driver", q.driver}, {"frameworks", f}};
}

} // namespace

json to_json(const Matrix& m, const Query& q, const Answer& a) {
  return {{"format", "pumice-matrix-check-1"}, {"data_read", m.read}, {"query", asked(q)}, {"verdict", verdict_name(a.verdict)}, {"items", items(a)}};
}

json to_json(const std::string& from, const std::string& to, const std::vector<Change>& changes) {
  json all = json::array();
  for (auto& c : changes) all.push_back({{"category", c.category}, {"component", c.component}, {"before", c.before}, {"after", c.after}});
  return {{"format", "pumice-matrix-diff-1"}, {"from", from}, {"to", to}, {"changes", all}};
}

json to_json(const std::vector<Contradiction>& list) {
  json all = json::array();
  for (auto& c : list) {
    json claims = json::array();
    for (auto& [values, s] : c.claims) claims.push_back({{"values", values}, {"page", s.page}, {"read", s.date}});
    all.push_back({{"rocm", c.release}, {"category", c.category}, {"component", c.component}, {"claims", claims}, {"note", c.note}});
  }
  return {{"format", "pumice-matrix-contradictions-1"}, {"contradictions", all}};
}

json to_json(const Matrix& m, const std::vector<Step>& steps) {
  json all = json::array();
  json best = nullptr;
  for (auto& s : steps) {
    if (best.is_null() && s.answer.verdict == Verdict::supported) best = s.release;
    all.push_back({{"rocm", s.release}, {"verdict", verdict_name(s.answer.verdict)}, {"items", items(s.answer)}});
  }
  return {{"format", "pumice-matrix-suggest-1"}, {"data_read", m.read}, {"suggested", best}, {"releases", all}};
}

json everything(const Matrix& m) {
  json facts = json::array(), cards = json::array(), firmware = json::array(), kernels = json::array();
  for (auto& f : m.facts)
    facts.push_back({{"rocm", f.release}, {"category", f.category}, {"component", f.component}, {"values", f.values},
                     {"condition", f.condition}, {"page", f.source.page}, {"read", f.source.date}});
  for (auto& c : m.card_os)
    cards.push_back({{"rocm", c.release}, {"cards", c.cards}, {"gfx", c.gfx}, {"os", c.os}, {"kernel", c.kernel}, {"page", c.source.page}, {"read", c.source.date}});
  for (auto& f : m.firmware)
    firmware.push_back({{"rocm", f.release}, {"cards", f.cards}, {"firmware", f.firmware}, {"drivers", f.drivers}, {"page", f.source.page}, {"read", f.source.date}});
  for (auto& k : m.kernels)
    kernels.push_back({{"os", k.version}, {"kernels", k.kernels}, {"glibc", k.glibc}, {"page", k.source.page}, {"read", k.source.date}});
  return {{"format", "pumice-matrix-list-1"}, {"data_read", m.read}, {"releases", m.releases}, {"components", facts},
          {"cards", cards}, {"firmware", firmware}, {"kernels", kernels}};
}

std::string to_text(const Query& q, const Answer& a) {
  std::string s = std::string(verdict_name(a.verdict)) + "\n";
  for (auto& i : a.items) {
    s += "  " + std::string(verdict_name(i.verdict)) + ": " + i.subject + (i.subject == "release" ? "" : " " + i.asked) +
         (i.subject == "release" ? " " + q.rocm : "") + " - " + i.reason + "\n";
    if (i.verdict != Verdict::supported && !i.listed.empty()) s += "      listed: " + join(i.listed) + "\n";
    for (auto& src : i.sources) s += "      source: " + src.page + " (read " + src.date + ")\n";
    for (auto& c : i.contradictions) {
      std::string text = "      note: " + c;
      for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 7) text.replace(at, 1, "\n      ");
      s += text + "\n";
    }
  }
  return s;
}

std::string to_text(const std::vector<Change>& changes) {
  std::string s, category;
  for (auto& c : changes) {
    if (c.category != category) s += (category.empty() ? "" : "\n") + c.category + "\n", category = c.category;
    if (c.category == "os" || c.category == "gpu") {
      std::string gone, come;
      for (auto& v : c.before)
        if (std::find(c.after.begin(), c.after.end(), v) == c.after.end()) gone += (gone.empty() ? "" : ", ") + v;
      for (auto& v : c.after)
        if (std::find(c.before.begin(), c.before.end(), v) == c.before.end()) come += (come.empty() ? "" : ", ") + v;
      if (!come.empty()) s += "  new:  " + come + "\n";
      if (!gone.empty()) s += "  gone: " + gone + "\n";
      continue;
    }
    auto show = [](const std::vector<std::string>& v) { return v.empty() ? std::string("(not listed)") : join(v); };
    s += "  " + c.component + ": " + show(c.before) + " -> " + show(c.after) + "\n";
  }
  return s.empty() ? "no difference in what the pages list\n" : s;
}

std::string to_text(const std::vector<Contradiction>& all) {
  std::string s;
  for (auto& c : all) {
    s += "ROCm " + c.release + " " + c.component + "\n";
    for (auto& [values, source] : c.claims) s += "  " + (values.empty() ? "(nothing)" : values) + "  [" + source.page + ", read " + source.date + "]\n";
  }
  return s.empty() ? "no page contradicts another\n" : s;
}

std::string to_text(const std::vector<Step>& steps) {
  std::string s;
  const Step* best = nullptr;
  for (auto& x : steps)
    if (x.answer.verdict == Verdict::supported && !best) best = &x;
  s += best ? "suggested: ROCm " + best->release + "\n" : "no release in the data supports all of this\n";
  for (auto& x : steps) {
    s += "  ROCm " + x.release + ": " + verdict_name(x.answer.verdict);
    std::string why;
    for (auto& i : x.answer.items)
      if (i.verdict != Verdict::supported) why += (why.empty() ? "" : "; ") + i.subject + ": " + i.reason;
    s += (why.empty() ? "" : " (" + why + ")") + std::string("\n");
  }
  return s;
}

std::string to_html(const Matrix& m) {
  json all = everything(m);
  all["contradictions"] = to_json(contradictions(m))["contradictions"];
  std::string data = all.dump(), page(kPage);
  // "</" inside of a script element would end it.
  for (size_t at = 0; (at = data.find("</", at)) != std::string::npos; at += 3) data.insert(at + 1, "\\");
  size_t at = page.find("@DATA@");
  return page.replace(at, 6, data);
}

} // namespace pumice::matrix
