// SPDX-License-Identifier: MIT
#include "matrix/check.h"
#include "matrix/version.h"
#include <algorithm>
#include <map>
#include <set>

namespace pumice::matrix {
namespace {

std::string join(const std::vector<std::string>& v, const char* sep = ", ") {
  std::string s;
  for (auto& x : v) s += (s.empty() ? "" : sep) + x;
  return s;
}

void cite(Item& i, const Source& s) {
  for (auto& have : i.sources)
    if (have.page == s.page) return;
  i.sources.push_back(s);
}

template <class T> void add_once(std::vector<T>& v, const T& x) {
  if (std::find(v.begin(), v.end(), x) == v.end()) v.push_back(x);
}

bool newer_than_data(const Matrix& m, const std::string& release) { return compare(release, m.newest) > 0; }

/// Nothing is known of this release.
std::string no_data(const Matrix& m, const Query& q) {
  if (newer_than_data(m, q.rocm)) return "ROCm " + q.rocm + " is newer than this data (read in " + m.read + ")";
  return "no page read for this data names it for ROCm " + q.rocm;
}

Item release_item(const Matrix& m, const Query& q) {
  Item i{"release", "ROCm " + q.rocm, Verdict::unknown, "", {}, {}, {}};
  auto see = [&](const std::string& pattern, const Source& s) {
    if (!covers(pattern, q.rocm)) return;
    i.verdict = Verdict::supported;
    cite(i, s);
  };
  for (auto& f : m.facts)
    if (f.category != "kfd") see(f.release, f.source);
  for (auto& c : m.card_os) see(c.release, c.source);
  if (i.verdict == Verdict::supported) {
    i.reason = "a release that the pages describe";
  } else {
    i.reason = no_data(m, q);
    i.listed = m.releases;
  }
  return i;
}

Item card_item(const Matrix& m, const Query& q) {
  Item i{"card", q.card, Verdict::unknown, "", {}, {}, {}};
  std::string gfx = gfx_of(q.card);
  if (gfx.empty()) {
    i.reason = "\"" + q.card + "\" is no AMD Instinct card or gfx target known here";
    return i;
  }
  bool any = false, by_gfx = false, by_name = false, named_others = false;
  bool is_name = lower(q.card).rfind("gfx", 0) != 0;
  for (auto& f : m.facts) {
    if (f.category != "gpu" || !covers(f.release, q.rocm)) continue;
    any = true;
    add_once(i.listed, f.component);
    if (f.component == gfx) by_gfx = true, cite(i, f.source);
  }
  for (auto& c : m.card_os) {
    if (!covers(c.release, q.rocm)) continue;
    any = true;
    add_once(i.listed, c.gfx);
    if (c.gfx == gfx) by_gfx = true, cite(i, c.source);
    if (!is_name) continue;
    if (names_card(c.cards, q.card)) by_name = true, cite(i, c.source);
    else if (c.gfx == gfx) named_others = true;
  }
  if (!any) i.reason = no_data(m, q);
  else if (!by_gfx) i.verdict = Verdict::not_supported, i.reason = gfx + " is not among the targets of ROCm " + q.rocm;
  else if (by_name || !is_name) i.verdict = Verdict::supported, i.reason = by_name ? "named for ROCm " + q.rocm : gfx + " is a target of ROCm " + q.rocm;
  else if (named_others)
    i.reason = gfx + " is a target of ROCm " + q.rocm + ", but the pages that name cards do not name " + q.card + " for it";
  else i.verdict = Verdict::supported, i.reason = gfx + " is a target of ROCm " + q.rocm + "; the pages do not name single cards for it";
  if (i.verdict == Verdict::not_supported)
    for (auto& f : m.facts)
      if (f.category == "gpu" && covers(f.release, q.rocm)) cite(i, f.source);
  return i;
}

/// "Ubuntu 22.04" asks for any point release; "Ubuntu 22.04.5" for that one.
bool os_matches(const std::string& listed, const std::string& asked) {
  if (lower(listed) == lower(asked)) return true;
  size_t at = asked.find_first_of("0123456789");
  if (at == std::string::npos || lower(listed.substr(0, at)) != lower(asked.substr(0, at)) || listed.size() <= at) return false;
  std::string l = listed.substr(at), a = asked.substr(at);
  if (l.find("SP") != std::string::npos || a.find("SP") != std::string::npos)
    return l.rfind(a, 0) == 0 && a.find("SP") == std::string::npos;
  return refines(l, a) || (parts(l).size() == 1 && refines(a, l)); // "Debian 12" lists every 12.x
}

/// Operating systems that the release's page lists at all, for cards of which it says "all listed".
std::vector<const Fact*> listed_os(const Matrix& m, const std::string& rocm) {
  std::vector<const Fact*> v;
  for (auto& f : m.facts)
    if (f.category == "os" && covers(f.release, rocm)) v.push_back(&f);
  return v;
}

Item os_item(const Matrix& m, const Query& q) {
  Item i{"os", q.os, Verdict::unknown, "", {}, {}, {}};
  std::string os = normal_os(q.os);
  bool any = false;
  std::set<std::string> pages_with, pages_without;
  std::map<std::string, std::pair<bool, Source>> by_page;
  auto see = [&](const std::string& listed, const Source& s) {
    any = true;
    add_once(i.listed, listed);
    auto& page = by_page[s.page];
    page.second = s;
    if (os_matches(listed, os)) page.first = true;
  };
  for (auto* f : listed_os(m, q.rocm)) see(f->component, f->source);
  for (auto& c : m.card_os)
    if (covers(c.release, q.rocm) && c.os.rfind("all listed", 0) != 0) see(c.os, c.source);
  if (!any) {
    i.reason = no_data(m, q);
    return i;
  }
  for (auto& [page, found] : by_page) {
    if (found.first) i.verdict = Verdict::supported, cite(i, found.second), pages_with.insert(page);
    else pages_without.insert(page);
  }
  if (i.verdict == Verdict::supported) {
    i.reason = "listed for ROCm " + q.rocm;
    return i;
  }
  i.verdict = Verdict::not_supported;
  i.reason = "not listed for ROCm " + q.rocm;
  for (auto& [page, found] : by_page) cite(i, found.second);
  return i;
}

Item card_os_item(const Matrix& m, const Query& q) {
  Item i{"card on os", q.card + " on " + q.os, Verdict::unknown, "", {}, {}, {}};
  std::string os = normal_os(q.os), gfx = gfx_of(q.card);
  bool is_name = lower(q.card).rfind("gfx", 0) != 0, any = false, yes = false;
  for (auto& c : m.card_os) {
    if (!covers(c.release, q.rocm) || !(is_name ? names_card(c.cards, q.card) : c.gfx == gfx)) continue;
    any = true;
    cite(i, c.source);
    add_once(i.listed, c.os);
    if (c.os == "all listed") {
      for (auto* f : listed_os(m, q.rocm)) yes |= os_matches(f->component, os);
    } else if (c.os.rfind("all listed EXCEPT", 0) == 0) {
      bool excluded = c.os.find(os) != std::string::npos;
      for (auto* f : listed_os(m, q.rocm)) yes |= !excluded && os_matches(f->component, os);
    } else {
      yes |= os_matches(c.os, os);
    }
  }
  if (!any) {
    i.reason = "the pages for ROCm " + q.rocm + " do not say which systems go with " + q.card;
    i.verdict = Verdict::unknown;
  } else {
    i.verdict = yes ? Verdict::supported : Verdict::not_supported;
    i.reason = yes ? "listed together for ROCm " + q.rocm : "the systems listed for " + q.card + " with ROCm " + q.rocm + " do not include it";
  }
  return i;
}

/// "6.8 GA", "5.14.0-570", "6.5.0+": the kernel starts with these numbers, or is at least that with a plus.
bool kernel_matches(const std::string& listed, const std::string& asked) {
  auto l = parts(listed), a = parts(asked);
  if (l.empty() || a.empty()) return false;
  size_t end = 0;
  while (end < listed.size() && (std::isdigit(static_cast<unsigned char>(listed[end])) || listed[end] == '.' || listed[end] == '-')) end++;
  if (end < listed.size() && listed[end] == '+') return a >= l;
  return a.size() >= l.size() ? std::equal(l.begin(), l.end(), a.begin()) : std::equal(a.begin(), a.end(), l.begin());
}

Item kernel_item(const Matrix& m, const Query& q) {
  Item i{"kernel", q.kernel, Verdict::unknown, "", {}, {}, {}};
  std::string os = normal_os(q.os);
  auto see = [&](const std::string& listed, const Source& s) {
    add_once(i.listed, listed);
    cite(i, s);
    if (kernel_matches(listed, q.kernel)) i.verdict = Verdict::supported;
  };
  for (auto& c : m.card_os)
    if (covers(c.release, q.rocm) && !c.kernel.empty() && (q.os.empty() || os_matches(c.os, os))) see(c.kernel, c.source);
  if (i.listed.empty() && !q.os.empty())
    for (auto& k : m.kernels)
      if (os_matches(k.version, os))
        for (auto& l : k.kernels) see(l, k.source);
  if (i.verdict == Verdict::supported) i.reason = "listed for " + (os.empty() ? "ROCm " + q.rocm : os);
  else if (i.listed.empty()) i.reason = "no page names kernels for " + (os.empty() ? "ROCm " + q.rocm : os);
  else i.verdict = Verdict::not_supported, i.reason = "not among the kernels listed for " + (os.empty() ? "ROCm " + q.rocm : os);
  return i;
}

/// "30.20.x(0-1)", "6.4.x", "30.20.0-1".
bool driver_matches(const std::string& listed, const std::string& asked) {
  std::string l = listed.substr(0, listed.find_first_of("( "));
  if (l.ends_with(".x")) return refines(asked, l.substr(0, l.size() - 2));
  return compare(l, asked) == 0 || refines(asked, l) || refines(l, asked);
}

Item driver_item(const Matrix& m, const Query& q) {
  Item i{"driver", q.driver, Verdict::unknown, "", {}, {}, {}};
  auto see = [&](const std::vector<std::string>& listed, const Source& s) {
    if (listed.empty()) return;
    cite(i, s);
    for (auto& l : listed) {
      add_once(i.listed, l);
      if (driver_matches(l, q.driver)) i.verdict = Verdict::supported;
    }
  };
  for (auto& f : m.facts)
    if (f.category == "driver" && covers(f.release, q.rocm)) see(f.values, f.source);
  for (auto& f : m.firmware)
    if (covers(f.release, q.rocm) && (q.card.empty() || names_card(f.cards, q.card))) see(f.drivers, f.source);
  // Before 6.4 the driver has the release's own number; each page lists the user spaces tested with a driver.
  if (i.listed.empty())
    for (auto& f : m.facts)
      if (f.category == "kfd" && f.component != "rule" && covers(f.release, q.driver)) {
        cite(i, f.source);
        for (auto& v : f.values) {
          add_once(i.listed, "user space " + v);
          if (covers(v, q.rocm)) i.verdict = Verdict::supported;
        }
        if (covers(f.release, q.rocm)) i.verdict = Verdict::supported;
      }
  if (i.verdict == Verdict::supported) i.reason = "listed with ROCm " + q.rocm;
  else if (i.listed.empty()) i.reason = no_data(m, q);
  else i.verdict = Verdict::not_supported, i.reason = "not among the drivers listed with ROCm " + q.rocm;
  return i;
}

Item framework_item(const Matrix& m, const Query& q, const std::string& name, const std::string& version) {
  Item i{name, version.empty() ? "any version" : version, Verdict::unknown, "", {}, {}, {}};
  std::string gfx = gfx_of(q.card);
  bool named = false, condition_fails = false, absent = false;
  std::map<std::string, bool> by_page;
  for (auto& f : m.facts) {
    if (f.category != "framework" || lower(f.component) != lower(name) || !covers(f.release, q.rocm)) continue;
    named = true;
    cite(i, f.source);
    bool names_targets = f.condition.find("gfx") != std::string::npos;
    if (names_targets && !gfx.empty()) {
      bool not_listed = false;
      for (auto& clause : split(f.condition, ';'))
        if (clause.find("NOT listed") != std::string::npos && clause.find(gfx) != std::string::npos) not_listed = true;
      std::string listed_targets = f.condition.substr(0, f.condition.find(';'));
      if (not_listed || listed_targets.find(gfx) == std::string::npos) {
        condition_fails = true;
        i.listed.push_back(f.condition);
        continue;
      }
    } else if (!names_targets && !f.condition.empty() && !gfx.empty() && f.condition.find("Radeon") != std::string::npos) {
      continue; // other cards
    }
    if (f.values.empty()) absent = true;
    bool ok = false;
    for (auto& v : f.values) {
      add_once(i.listed, v);
      ok |= version.empty() || refines(version, v) || refines(v, version);
    }
    by_page[f.source.page] |= ok;
    if (ok) i.verdict = Verdict::supported;
  }
  std::set<bool> opinions;
  for (auto& [page, ok] : by_page) opinions.insert(ok);
  if (opinions.size() == 2) {
    std::string c = "pages disagree on " + name + " " + version + " with ROCm " + q.rocm + ":";
    for (auto& [page, ok] : by_page) c += "\n  " + page + (ok ? ": listed" : ": not listed");
    i.contradictions.push_back(c);
  }
  if (i.verdict == Verdict::supported) i.reason = "listed for ROCm " + q.rocm;
  else if (!named) i.reason = no_data(m, q);
  else if (condition_fails && by_page.empty()) i.verdict = Verdict::not_supported, i.reason = "not listed for " + gfx;
  else if (absent && i.listed.empty()) i.verdict = Verdict::not_supported, i.reason = "the page for ROCm " + q.rocm + " does not list it any more";
  else i.verdict = Verdict::not_supported, i.reason = "ROCm " + q.rocm + " lists " + join(i.listed);
  return i;
}

} // namespace

const char* verdict_name(Verdict v) {
  return v == Verdict::supported ? "supported" : v == Verdict::unknown ? "unknown" : "not supported";
}

Answer check(const Matrix& m, const Query& q) {
  Answer a;
  a.items.push_back(release_item(m, q));
  bool known = a.items[0].verdict == Verdict::supported;
  if (!q.card.empty()) a.items.push_back(card_item(m, q));
  if (!q.os.empty()) a.items.push_back(os_item(m, q));
  // Silence about the combination takes nothing away from what is said of card and system apart.
  if (!q.card.empty() && !q.os.empty()) {
    Item both = card_os_item(m, q);
    if (both.verdict != Verdict::unknown) a.items.push_back(both);
  }
  if (!q.kernel.empty()) a.items.push_back(kernel_item(m, q));
  if (!q.driver.empty()) a.items.push_back(driver_item(m, q));
  for (auto& [name, version] : q.frameworks) a.items.push_back(framework_item(m, q, name, version));
  if (known)
    for (auto& c : contradictions(m)) {
      if (!covers(c.release, q.rocm)) continue;
      for (Item& i : a.items) {
        bool about = lower(i.subject) == lower(c.component) || (i.subject == "driver" && c.category == "driver") ||
                     (i.subject == "os" && c.category == "os" && os_matches(normal_os(i.asked), c.component));
        if (!about || !i.contradictions.empty()) continue;
        std::string text = "pages disagree on " + c.component + " with ROCm " + c.release + ":";
        bool one_lists_it = false;
        for (auto& [values, source] : c.claims) {
          text += "\n  " + source.page + ": " + values;
          for (auto& v : split(values, ',')) one_lists_it |= !parts(v).empty() && !parts(i.asked).empty() && (refines(i.asked, v) || refines(v, i.asked));
        }
        if (!c.note.empty()) text += "\n  (" + c.note + ")";
        i.contradictions.push_back(text);
        if (i.verdict == Verdict::not_supported && one_lists_it) i.verdict = Verdict::unknown, i.reason = "one page lists it, another does not";
      }
    }
  a.verdict = Verdict::supported;
  for (auto& i : a.items) a.verdict = std::max(a.verdict, i.verdict);
  return a;
}

std::vector<Contradiction> contradictions(const Matrix& m) {
  // What one page says of a component of one release, as a set of values.
  std::map<std::tuple<std::string, std::string, std::string>, std::map<std::string, std::pair<std::set<std::string>, Source>>> said;
  for (auto& f : m.facts) {
    if (f.category == "os" || f.category == "gpu" || f.category == "arch" || f.category == "kfd" || !f.condition.empty()) continue;
    for (auto& release : releases_in(f.release)) {
      auto& claim = said[{release, f.category, f.component}][f.source.page];
      claim.first.insert(f.values.begin(), f.values.end());
      claim.second = f.source;
    }
  }
  std::vector<Contradiction> out = m.disagreements;
  for (auto& [key, pages] : said) {
    std::set<std::set<std::string>> different;
    for (auto& [page, claim] : pages) different.insert(claim.first);
    if (different.size() < 2) continue;
    Contradiction c{std::get<0>(key), std::get<1>(key), std::get<2>(key), {}, ""};
    for (auto& [page, claim] : pages) c.claims.push_back({join({claim.first.begin(), claim.first.end()}), claim.second});
    out.push_back(c);
  }
  return out;
}

Result<std::vector<Change>> diff(const Matrix& m, const std::string& from, const std::string& to) {
  using Key = std::pair<std::string, std::string>;
  auto collect = [&](const std::string& release) {
    std::map<Key, std::set<std::string>> all;
    for (auto& f : m.facts) {
      if (!covers(f.release, release) || f.category == "kfd" || f.category == "arch") continue;
      // Systems and targets come and go as a whole: one line for all of them.
      if (f.category == "os" || f.category == "gpu") all[{f.category, f.category == "os" ? "operating systems" : "gfx targets"}].insert(f.component);
      else all[{f.category, f.component}].insert(f.values.begin(), f.values.end());
    }
    return all;
  };
  auto a = collect(from), b = collect(to);
  for (auto& [release, data] : {std::pair(from, &a), std::pair(to, &b)})
    if (data->empty())
      return error(Code::not_found, newer_than_data(m, release) ? "ROCm " + release + " is newer than this data (read in " + m.read + ")"
                                                                 : "no page read for this data describes ROCm " + release);
  std::set<Key> keys;
  for (auto& [k, v] : a) keys.insert(k);
  for (auto& [k, v] : b) keys.insert(k);
  std::vector<Change> out;
  for (auto& k : keys) {
    auto x = a.count(k) ? a[k] : std::set<std::string>{}, y = b.count(k) ? b[k] : std::set<std::string>{};
    if (a.count(k) && b.count(k) && x == y) continue;
    out.push_back({k.first, k.second, {x.begin(), x.end()}, {y.begin(), y.end()}});
  }
  return out;
}

std::vector<Step> suggest(const Matrix& m, Query q, const std::string& from) {
  std::vector<Step> out;
  for (auto it = m.releases.rbegin(); it != m.releases.rend(); ++it) {
    if (!from.empty() && compare(*it, from) <= 0) continue;
    q.rocm = *it;
    out.push_back({*it, check(m, q)});
  }
  return out;
}

} // namespace pumice::matrix
