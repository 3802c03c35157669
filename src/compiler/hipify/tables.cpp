// SPDX-License-Identifier: MIT
// Parsing of the embedded rows and the hash index over the names. A malformed row is a bug of the build and aborts.
#include "compiler/hipify/tables.h"
#include "base/result.h"
#include "compiler/hipify/embedded_rows.h"
#include <cstdio>
#include <utility>

namespace pumice::hipify {
namespace {

/// Fields of a row; missing ones and "-" read as empty.
struct Fields {
  std::vector<std::string_view> v;
  std::string_view operator[](size_t i) const {
    return i < v.size() && v[i] != "-" ? v[i] : std::string_view();
  }
  size_t size() const { return v.size(); }
};

template <class F> void each_row(std::string_view text, F row) {
  Fields fields;
  while (!text.empty()) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (line.empty() || line[0] == '#')
      continue;
    fields.v.clear();
    for (;;) {
      size_t tab = line.find('\t');
      fields.v.push_back(line.substr(0, tab));
      if (tab == line.npos)
        break;
      line.remove_prefix(tab + 1);
    }
    row(fields);
  }
}

[[noreturn]] void bad_row(const char* file, std::string_view what) {
  std::fprintf(stderr, "hipify: broken row in %s.tsv: %.*s\n", file, int(what.size()), what.data());
  std::abort();
}

constexpr std::pair<std::string_view, Keyword> kKeywords[] = {
    {"struct", Keyword::type_scope},       {"class", Keyword::type_scope},
    {"union", Keyword::type_scope},        {"enum", Keyword::enumeration},
    {"namespace", Keyword::name_space},    {"using", Keyword::using_word},
    {"typedef", Keyword::typedef_word},    {"return", Keyword::expression},
    {"case", Keyword::expression},         {"else", Keyword::expression},
    {"do", Keyword::expression},           {"goto", Keyword::expression},
    {"throw", Keyword::expression},        {"new", Keyword::expression},
    {"delete", Keyword::expression},       {"sizeof", Keyword::expression},
    {"co_return", Keyword::expression},    {"co_await", Keyword::expression},
    {"and", Keyword::expression},          {"or", Keyword::expression},
    {"not", Keyword::expression},          {"operator", Keyword::operator_word},
    {"template", Keyword::template_word},    {"asm", Keyword::asm_word},            {"__asm__", Keyword::asm_word},
    {"__asm", Keyword::asm_word},          {"__global__", Keyword::global_function},
    {"__device__", Keyword::device_function}, {"__shared__", Keyword::shared},
    {"const", Keyword::constant_word},     {"constexpr", Keyword::constant_word},
    {"cub", Keyword::cub_name},            {"cuda", Keyword::cuda_name},
    {"cooperative_groups", Keyword::groups_name}, {"cute", Keyword::cute_name},
    {"wmma", Keyword::wmma_name},
};

Support support_of(std::string_view s) {
  return s == "s"   ? Support::supported
         : s == "d" ? Support::deprecated
         : s == "e" ? Support::experimental
                    : Support::none;
}

NameKind kind_of(std::string_view s, const char* file) {
  if (s == "function")
    return NameKind::function;
  if (s == "type")
    return NameKind::type;
  if (s == "constant")
    return NameKind::constant;
  if (s == "macro")
    return NameKind::macro;
  if (s == "device")
    return NameKind::device;
  bad_row(file, s);
}

uint8_t small_number(std::string_view s, const char* file) {
  unsigned n = 0;
  for (char c : s) {
    if (c < '0' || c > '9' || n > 25)
      bad_row(file, s);
    n = n * 10 + unsigned(c - '0');
  }
  return uint8_t(n);
}

} // namespace

uint32_t version_number(std::string_view text) {
  uint32_t parts[3] = {0, 0, 0};
  unsigned n = 0;
  for (char c : text) {
    if (c == '.') {
      if (++n > 2)
        break;
    } else if (c >= '0' && c <= '9') {
      parts[n] = parts[n] * 10 + uint32_t(c - '0');
    } else {
      return 0;
    }
  }
  return parts[0] * 10000 + parts[1] * 100 + parts[2];
}

const Tables& Tables::get() {
  static const Tables tables;
  return tables;
}

Tables::Tables() {
  names_.reserve(9500);
  for (const char* file : {"runtime", "driver", "device", "cublas", "cudnn", "cusparse", "cusolver",
                           "curand", "cufft", "nvrtc", "nvtx", "cucomplex", "cub", "other"})
    add_names(embedded_rows(file));
  each_row(embedded_rows("codes"), [&](const Fields& f) {
    CodeRow r;
    r.code = f[0];
    r.group = f[1];
    r.severity = f[2] == "error"  ? Severity::error
                 : f[2] == "note" ? Severity::note
                                  : Severity::warning;
    r.title = f[3];
    r.why = f[4];
    r.suggestion = f[5];
    r.before = f[6];
    r.after = f[7];
    r.title_zh = f[8];
    r.why_zh = f[9];
    r.suggestion_zh = f[10];
    codes_.push_back(r);
  });
  each_row(embedded_rows("libraries"), [&](const Fields& f) {
    libraries_.push_back({f[0], f[1], f[2], f[3], f[4]});
    if (!f[3].empty())
      (void)code(f[3]);
  });
  each_row(embedded_rows("ptx"), [&](const Fields& f) { ptx_.push_back({f[0], f[1], f[2]}); });
  add_headers(embedded_rows("headers"));
  name_count_ = names_.size();
  for (const auto& [word, keyword] : kKeywords) {
    names_.emplace_back().cuda = word;
    names_.back().keyword = keyword;
  }
  build_index();
  add_arguments(embedded_rows("arguments"));
  add_behaviours(embedded_rows("behaviours"));
}

void Tables::add_names(std::string_view text) {
  std::string_view library, section;
  each_row(text, [&](const Fields& f) {
    if (f[0].starts_with('@')) {
      std::string_view value = f[0].substr(f[0].find(' ') + 1);
      (f[0].starts_with("@library") ? library : section) = value;
      return;
    }
    NameRow r;
    r.cuda = f[0];
    r.kind = kind_of(f[1], "names");
    r.hip = f[2];
    r.hip_since = f[3];
    r.hip_support = support_of(f[4]);
    r.roc = f[5];
    r.roc_since = f[6];
    r.roc_support = support_of(f[7]);
    r.added = f[8];
    r.deprecated = f[9];
    r.changed = f[10];
    r.removed = f[11];
    r.library = library;
    r.section = section;
    if (r.hip_support != Support::none && r.hip.empty())
      bad_row("names", r.cuda);
    names_.push_back(r);
  });
}

void Tables::add_headers(std::string_view text) {
  each_row(text, [&](const Fields& f) {
    HeaderRow r;
    r.cuda = f[0];
    std::string_view kind = f[1];
    if (kind == "runtime")
      r.kind = HeaderKind::runtime;
    else if (kind == "mapped")
      r.kind = HeaderKind::mapped;
    else if (kind == "dropped")
      r.kind = HeaderKind::dropped;
    else if (kind == "missing")
      r.kind = HeaderKind::missing;
    else
      bad_row("headers", f[0]);
    r.hip = f[2];
    r.roc = f[3];
    r.code = f[4];
    r.note = f[5];
    if (!r.code.empty())
      (void)code(r.code);
    headers_.push_back(r);
  });
}

void Tables::add_arguments(std::string_view text) {
  auto add = [&](ArgumentRow r) {
    int32_t row = find(r.function);
    if (row < 0)
      bad_row("arguments", r.function);
    if (names_[size_t(row)].arguments < 0)
      names_[size_t(row)].arguments = int16_t(arguments_.size());
    else if (arguments_.back().function != r.function)
      bad_row("arguments", r.function); // rows of a function stand together
    arguments_.push_back(r);
  };
  // A family "cusparse{SDCZ}csrmv" stands for four functions; its rows are expanded family by family.
  std::vector<ArgumentRow> family;
  auto flush = [&] {
    if (family.empty())
      return;
    std::string_view f = family[0].function;
    size_t open = f.find('{'), close = f.find('}');
    if (open == f.npos) {
      for (const ArgumentRow& r : family)
        add(r);
    } else {
      for (char letter : f.substr(open + 1, close - open - 1)) {
        std::string one = std::string(f.substr(0, open)) + letter + std::string(f.substr(close + 1));
        int32_t row = find(one);
        if (row < 0)
          bad_row("arguments", f);
        for (ArgumentRow r : family) {
          r.function = names_[size_t(row)].cuda;
          add(r);
        }
      }
    }
    family.clear();
  };
  each_row(text, [&](const Fields& f) {
    ArgumentRow r;
    r.function = f[0];
    r.target = f[1] == "roc" ? ArgumentTarget::roc : ArgumentTarget::hip;
    r.index = small_number(f[2], "arguments");
    std::string_view action = f[3];
    r.text = f[4];
    if (action == "wrap")
      r.action = ArgumentAction::wrap;
    else if (action == "cast")
      r.action = ArgumentAction::cast;
    else if (action == "insert")
      r.action = ArgumentAction::insert;
    else if (action == "append")
      r.action = ArgumentAction::append;
    else if (action == "replace")
      r.action = ArgumentAction::replace;
    else if (action == "rename")
      r.action = ArgumentAction::rename;
    else if (action == "order")
      r.action = ArgumentAction::order;
    else
      bad_row("arguments", r.function);
    r.loses = f[5] == "loses";
    if (!family.empty() && family[0].function != r.function)
      flush();
    family.push_back(r);
  });
  flush();
}

void Tables::add_behaviours(std::string_view text) {
  each_row(text, [&](const Fields& f) {
    BehaviourRow r{f[0], f[1], f[2], f[3], f[4]};
    if (!r.code.empty())
      (void)code(r.code);
    if (r.name.find(':') == r.name.npos) {
      int32_t row = find(r.name);
      if (row < 0)
        bad_row("behaviours", r.name);
      names_[size_t(row)].behaviour = int16_t(behaviours_.size());
    }
    behaviours_.push_back(r);
  });
}

void Tables::build_index() {
  slots_.assign(kSlotMask + 1, {});
  for (size_t i = 0; i < names_.size(); ++i) {
    uint32_t hash = hash_of(names_[i].cuda), at = hash & kSlotMask;
    while (slots_[at].row >= 0) {
      if (names_[size_t(slots_[at].row)].cuda == names_[i].cuda)
        bad_row("names (twice)", names_[i].cuda);
      at = (at + 1) & kSlotMask;
    }
    slots_[at] = {hash, int32_t(i)};
  }
  for (const LibraryRow& r : libraries_)
    if (!looks_like_cuda(std::string(r.prefix) + "A_a") && !looks_like_cuda(std::string(r.prefix) + "a") &&
        !looks_like_cuda(r.prefix))
      bad_row("libraries (first letters are not in looks_like_cuda)", r.prefix);
}

const LibraryRow* Tables::library_of(std::string_view name) const {
  for (const LibraryRow& r : libraries_) {
    if (!name.starts_with(r.prefix))
      continue;
    char next = name.size() > r.prefix.size() ? name[r.prefix.size()] : 0;
    bool capital = next >= 'A' && next <= 'Z', upper = capital || next == '_', lower = next >= 'a' && next <= 'z';
    if (r.follow == "any" || (r.follow == "capital" && capital) || (r.follow == "upper" && upper) || (r.follow == "lower" && lower) ||
        (r.follow == "none" && next == 0))
      return &r;
  }
  return nullptr;
}

const HeaderRow* Tables::header(std::string_view name) const {
  const HeaderRow* best = nullptr;
  for (const HeaderRow& r : headers_) {
    if (r.cuda == name)
      return &r;
    if (r.cuda.ends_with("/*") && name.starts_with(r.cuda.substr(0, r.cuda.size() - 1)))
      best = &r;
  }
  return best;
}

const BehaviourRow* Tables::behaviour(std::string_view name) const {
  for (const BehaviourRow& r : behaviours_)
    if (r.name == name)
      return &r;
  return nullptr;
}

const CodeRow& Tables::code(std::string_view code) const {
  for (const CodeRow& r : codes_)
    if (r.code == code)
      return r;
  bad_row("codes (unknown code)", code);
}

} // namespace pumice::hipify
