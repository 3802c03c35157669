// SPDX-License-Identifier: MIT
// Assumptions that a wave has 32 lanes: literals, masks, votes kept in 32 bits, warpSize as a constant.
#include "compiler/hipify/walker.h"
#include <algorithm>
#include <cctype>

namespace pumice::hipify {
namespace {

std::string lower(std::string_view s) {
  std::string out(s);
  for (char& c : out)
    c = char(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// Value of an integer literal, or -1.
long long literal(std::string_view s) {
  std::string digits;
  for (char c : s)
    if (c != '\'')
      digits += c;
  while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != std::string_view::npos)
    digits.pop_back();
  if (digits.empty() || digits.size() > 18)
    return -1;
  int base = 10;
  size_t at = 0;
  if (digits.size() > 2 && digits[0] == '0' && (digits[1] | 32) == 'x') {
    base = 16;
    at = 2;
  } else if (digits.size() > 2 && digits[0] == '0' && (digits[1] | 32) == 'b') {
    base = 2;
    at = 2;
  }
  long long v = 0;
  for (; at < digits.size(); ++at) {
    int d = std::isdigit(static_cast<unsigned char>(digits[at])) ? digits[at] - '0'
            : std::isxdigit(static_cast<unsigned char>(digits[at])) ? (digits[at] | 32) - 'a' + 10
                                                                    : 99;
    if (d >= base || v > (1ll << 58))
      return -1;
    v = v * base + d;
  }
  return v;
}

bool names_a_warp(std::string_view name) {
  std::string s = lower(name);
  return s.find("warp") != s.npos || s.find("wave") != s.npos || s.find("lane") != s.npos;
}

bool narrow_type(std::string_view s) {
  return s == "unsigned" || s == "int" || s == "uint32_t" || s == "int32_t" || s == "uint" || s == "u32" ||
         s == "uint32";
}

/// 64 bits on Linux.
bool wide_type(std::string_view s) {
  return s == "auto" || s == "long" || s == "uint64_t" || s == "int64_t" || s == "size_t" || s == "u64" || s == "uint64" || s == "ulong" ||
         s == "lane_mask" || s == "LaneMask";
}

bool is_ballot_function(std::string_view s) {
  return s == "__ballot" || s == "__ballot_sync" || s == "__activemask" || s == "__match_any_sync" ||
         s == "__match_all_sync";
}

} // namespace

/// The operand that ends at token `last` has to do with thread indices.
bool Walker::thread_like(size_t last) const {
  for (size_t n = 0, i = last; n < 8; ++n, --i) {
    if (is_identifier(i)) {
      std::string_view s = spelling(i);
      if (s == "threadIdx" || s == "tid" || s == "tx" || s == "thid" || s == "idx" || s == "gid" || s == "t")
        return true;
      std::string l = lower(s);
      for (std::string_view part : {"thread", "lane", "warp", "tid", "threadid"})
        if (l.find(part) != l.npos)
          return true;
    } else if (is(i, ')') && tokens_[i].match > 0) {
      for (size_t k = size_t(tokens_[i].match); k < i && k < size_t(tokens_[i].match) + 32; ++k)
        if (is_identifier(k) && (spelling(k) == "threadIdx" || lower(spelling(k)).find("tid") != std::string::npos))
          return true;
      return false;
    } else if (!is(i, '.') && !is(i, arrow)) {
      return false;
    }
    if (i == 0)
      return false;
  }
  return false;
}

void Walker::on_number(size_t i) {
  const Token& t = tokens_[i];
  if (t.size() > 4 || i < 2 || options_.logical_warps)
    return;
  char c0 = text_[t.begin];
  if (c0 != '3' && c0 != '5' && c0 != '0' && c0 != '1')
    return;
  long long v = literal(spelling(i));
  if (v == 1 || v == 16)
    check_half_wave(i, v == 1);
  if (v != 32 && v != 31 && v != 5)
    return;
  // `constexpr int kWarp = 32;`
  if (v == 32 && is(i - 1, '=') && is_identifier(i - 2))
    check_warp_constant(i - 2, i);
  if (directive_ == "if" || directive_ == "elif")
    return;
  Where here = where(i);
  size_t operand = i - 2;
  std::string op;
  if (v == 32 && (is(i - 1, '%') || is(i - 1, '/')))
    op = spelling(i - 1);
  else if (v == 31 && is(i - 1, '&') && !is(i - 2, '&'))
    op = "&";
  else if (v == 5 && i >= 3 && is(i - 1, '>') && is(i - 2, '>') && tokens_[i - 2].end == tokens_[i - 1].begin) {
    op = ">>";
    operand = i - 3;
  } else {
    return;
  }
  bool thread = thread_like(operand);
  // On the left of a declaration: `int lane = ... % 32`.
  if (!thread) {
    for (size_t k = operand, n = 0; k > 0 && n < 24; --k, ++n) {
      if (is(k, ';') || is(k, '{') || is(k, '}'))
        break;
      if (is(k, '=') && is_identifier(k - 1)) {
        thread = names_a_warp(spelling(k - 1));
        break;
      }
    }
  }
  if (here == Where::host && !(thread && is_identifier(operand) && names_a_warp(spelling(operand))))
    return;
  if (here == Where::macro && !thread)
    return;
  std::string text = op + " " + std::string(spelling(i));
  if (thread)
    report(i, "W002", "lane arithmetic with " + text);
  else
    report(i, "W008", text + " in device code may be arithmetic with a 32-lane wave");
}

/// `1u << lane`, a lane mask of 32 bits; `for (int o = 16; ...) v += __shfl_down...`, a reduction over 32 lanes.
void Walker::check_half_wave(size_t i, bool one) {
  if (one) {
    if (lower(spelling(i)).find("ll") != std::string::npos || !is(i + 1, '<') || !is(i + 2, '<'))
      return;
    size_t to = i + 3;
    while (is(to, '('))
      ++to;
    if (is_identifier(to) && lower(spelling(to)).find("lane") != std::string::npos && !is(to + 1, scope))
      report(i, "W007", std::string(spelling(i)) + " << " + std::string(spelling(to)) + " makes a lane mask of 32 bits", "shift 1ull");
    return;
  }
  if (!is(i - 1, '=') || !is(i + 1, ';') || where(i) == Where::host)
    return;
  for (size_t k = i + 2; k < i + 64 && k < tokens_.size() && tokens_[k].kind != TokenKind::directive_end; ++k)
    if (is_identifier(k) && spelling(k).starts_with("__shfl")) {
      report(i, "W008", "a loop over shuffles begins with half of 32 lanes");
      return;
    }
}

/// `#define WARP 32`, `const int warp_size = 32`.
void Walker::check_warp_constant(size_t name, size_t value) {
  if (options_.logical_warps || !names_a_warp(spelling(name)))
    return;
  long long v = literal(spelling(value));
  if (v == 32 || v == 31 || v == 5 || v == 0xffffffffll)
    report(name, v == 0xffffffffll ? "W003" : "W001",
           std::string(spelling(name)) + " = " + std::string(spelling(value)) +
               (v == 0xffffffffll ? " is a lane mask of 32 bits" : " is the wave size of CUDA"));
}

/// First argument of a *_sync function.
void Walker::check_lane_mask(size_t i) {
  if (!is(i + 1, '(') || tokens_[i + 1].match < 0)
    return;
  std::vector<Argument> args = arguments(i + 1, size_t(tokens_[i + 1].match));
  if (args.empty() || args[0].first >= args[0].last)
    return;
  size_t first = args[0].first, last = args[0].last;
  std::string function(spelling(i));
  if (last - first == 1 && tokens_[first].kind == TokenKind::number) {
    std::string_view s = spelling(first);
    size_t digits = 0;
    for (char c : s.substr(std::min<size_t>(2, s.size())))
      digits += (c | 32) == 'f';
    if (digits < 16)
      report(first, "W003", "the mask " + std::string(s) + " of " + function + " has 32 bits");
    return;
  }
  std::string text(source(tokens_[first].begin, tokens_[last - 1].end));
  if (text == "~0ull" || text == "~0ULL" || text.find("ull") != text.npos || text.find("ULL") != text.npos ||
      text.find("64") != text.npos)
    return;
  report(first, last - first <= 3 && tokens_[last - 1].kind == TokenKind::number ? "W003" : "W007",
         "the mask " + (text.size() < 60 ? text : "expression") + " of " + function + " must have 64 bits");
}

/// Calls of warp functions become those of logical_warp.h, unless the project declares a function of that name.
bool Walker::use_logical_warp(size_t i, const NameRow& row) {
  bool warp = row.behaviour >= 0 && tables_.behaviours()[size_t(row.behaviour)].code.starts_with('W') &&
              tables_.behaviours()[size_t(row.behaviour)].handler != "bits_of_ballot";
  bool old_form = row.cuda.starts_with("__shfl") || row.cuda == "__any" || row.cuda == "__all";
  if (!warp && !old_form)
    return false;
  bool declaration = i > 0 && is_identifier(i - 1) && keyword(i - 1) != Keyword::expression;
  if (declaration) {
    own_.insert(std::string(row.cuda));
    return true;
  }
  ++statistics_.translated[tokens_[i].row];
  edits_.replace(tokens_[i].begin, tokens_[i].end, "pumice_cuda::" + std::string(row.cuda.substr(2)));
  return true;
}

void Walker::check_ballot(size_t i) {
  std::string function(spelling(i));
  if (function.ends_with("_sync"))
    check_lane_mask(i);
  // To the left: `unsigned m =`, `(int)`, a parameter of a 32-bit bit function (reported there).
  if (i >= 3 && is(i - 1, '=')) {
    size_t name = i - 2;
    if (is_identifier(name)) {
      ballots_.insert(std::string(spelling(name)));
      if (is_identifier(name - 1) && narrow_type(spelling(name - 1)))
        report(i, "W004", "the ballot of " + function + " is kept in " + std::string(spelling(name - 1)) + " " +
                              std::string(spelling(name)));
      else if (!is_identifier(name - 1) || !wide_type(spelling(name - 1)))
        report(i, "W004", "the ballot of " + function + " goes to " + std::string(spelling(name)),
               "make its type unsigned long long");
      return;
    }
  }
  if (i >= 1 && is(i - 1, '(') && i >= 2 && is_identifier(i - 2)) {
    std::string_view outer = spelling(i - 2);
    if (outer == "__popc" || outer == "__ffs" || outer == "__clz" || outer == "__popcll" || outer == "__ffsll" ||
        outer == "__clzll")
      return;
  }
  report(i, "W004", function + " returns 64 bits");
}

void Walker::check_bits_of_ballot(size_t i) {
  if (!is(i + 1, '(') || tokens_[i + 1].match < 0)
    return;
  size_t close = size_t(tokens_[i + 1].match);
  bool ballot = false;
  for (size_t k = i + 2; k < close && k < i + 64; ++k) {
    if (!is_identifier(k))
      continue;
    std::string_view s = spelling(k);
    if (is_ballot_function(s) || ballots_.count(std::string(s)) || s == "mask" || s == "active" ||
        lower(s).find("ballot") != std::string::npos || lower(s).find("mask") != std::string::npos)
      ballot = true;
  }
  if (ballot)
    report(i, "W005", std::string(spelling(i)) + " of a ballot sees 32 of 64 lanes",
           "use " + std::string(spelling(i)) + "ll");
}

/// warpSize where C++ wants a constant: array bounds, template arguments, constexpr, #if, case.
void Walker::check_warp_size(size_t i) {
  if (options_.logical_warps) {
    bool assigned = is(i + 1, '=') && !is(i + 2, '=');
    if (tokens_[i].in_directive && i >= 2 && tokens_[i - 2].kind == TokenKind::directive)
      return; // #define warpSize, #ifdef warpSize
    bool declared = i > 0 && is_identifier(i - 1) && keyword(i - 1) != Keyword::expression;
    if (!foreign(i) && !declared) {
      edits_.replace(tokens_[i].begin, tokens_[i].end, "32", true);
    } else if (i > 0 && (is(i - 1, '.') || is(i - 1, arrow)) && !assigned) {
      // hipDeviceProp_t says 64: the host's arithmetic must agree with the device's.
      size_t begin = kernel_begin(i + 1);
      if (begin < i) {
        edits_.insert(tokens_[begin].begin, "(");
        edits_.insert(tokens_[i].end, " / 2)");
      }
    }
    return;
  }
  if (foreign(i))
    return;
  // `threadIdx.y * warpSize`: a row of the block is a wave only if the launch says so.
  auto row_of_block = [this](size_t t) {
    return is_identifier(t) && spelling(t) == "threadIdx" && is(t + 1, '.') && is_identifier(t + 2) &&
           (spelling(t + 2) == "y" || spelling(t + 2) == "z");
  };
  if ((i >= 4 && is(i - 1, '*') && row_of_block(i - 4)) || (is(i + 1, '*') && row_of_block(i + 2)))
    report(i, "W009", "warpSize is taken for the width of the block");
  bool bound = false;
  for (size_t k = i, n = 0; k > 0 && n < 32; --k, ++n) {
    if (is(k, ';') || is(k, '{') || is(k, '}'))
      break;
    if (is(k, '[') && tokens_[k].match > int32_t(i) && is_identifier(k - 1) && pending_.shared)
      bound = true;
  }
  bool argument = i > 0 && (is(i - 1, '<') && is_identifier(i - 2) && is(i + 1, '>') );
  if (bound || argument || (pending_.constant && is(i - 1, '=')) || directive_ == "if" || directive_ == "elif")
    report(i, "W006", "warpSize is used as a constant expression");
}

} // namespace pumice::hipify
