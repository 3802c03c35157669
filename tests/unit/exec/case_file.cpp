// SPDX-License-Identifier: MIT
#include "case_file.h"
#include <bit>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace pumice::test {
namespace {

class Evaluator {
public:
  Evaluator(const std::string& text, uint64_t lane, std::string& error)
      : p_(text.c_str()), lane_(lane), error_(error) {}
  uint64_t run() {
    uint64_t v = ternary();
    if (*skip())
      error_ = std::string("unexpected '") + p_ + "'";
    return v;
  }

private:
  const char* skip() {
    while (std::isspace(static_cast<unsigned char>(*p_)))
      ++p_;
    return p_;
  }
  bool take(const char* token) {
    skip();
    size_t n = std::char_traits<char>::length(token);
    if (std::string_view(p_).substr(0, n) != token)
      return false;
    // A single < or > is not part of << or >>, & and | not of && and ||.
    if (n == 1 && (*token == '<' || *token == '>') && (p_[1] == *token || p_[1] == '='))
      return false;
    p_ += n;
    return true;
  }
  uint64_t ternary() {
    uint64_t c = binary(0);
    if (!take("?"))
      return c;
    uint64_t yes = ternary();
    if (!take(":"))
      error_ = "expected ':'";
    uint64_t no = ternary();
    return c ? yes : no;
  }
  uint64_t binary(unsigned level) {
    static constexpr const char* kLevels[][5] = {
        {"|"},        {"^"},      {"&"},          {"==", "!="}, {"<=", ">=", "<", ">"},
        {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
    if (level == 8)
      return unary();
    uint64_t v = binary(level + 1);
    for (bool found = true; found;) {
      found = false;
      for (const char* op : kLevels[level]) {
        if (!op || !take(op))
          continue;
        v = apply(op, v, binary(level + 1));
        found = true;
        break;
      }
    }
    return v;
  }
  static uint64_t apply(std::string_view op, uint64_t a, uint64_t b) {
    if (op == "|")
      return a | b;
    if (op == "^")
      return a ^ b;
    if (op == "&")
      return a & b;
    if (op == "==")
      return a == b;
    if (op == "!=")
      return a != b;
    if (op == "<")
      return a < b;
    if (op == ">")
      return a > b;
    if (op == "<=")
      return a <= b;
    if (op == ">=")
      return a >= b;
    if (op == "<<")
      return a << (b & 63);
    if (op == ">>")
      return a >> (b & 63);
    if (op == "+")
      return a + b;
    if (op == "-")
      return a - b;
    if (op == "*")
      return a * b;
    if (b == 0)
      return 0;
    return op == "/" ? a / b : a % b;
  }
  uint64_t unary() {
    if (take("-"))
      return 0 - unary();
    if (take("~"))
      return ~unary();
    if (take("(")) {
      uint64_t v = ternary();
      if (!take(")"))
        error_ = "expected ')'";
      return v;
    }
    skip();
    if (std::isdigit(static_cast<unsigned char>(*p_))) {
      char* end;
      uint64_t v = std::strtoull(p_, &end, 0);
      p_ = end;
      return v;
    }
    if (take("lane") || take("i"))
      return lane_;
    for (const char* name : {"f16", "f32", "f64lo", "f64hi"}) {
      if (!take(name))
        continue;
      if (!take("("))
        error_ = "expected '('";
      char* end;
      double v = std::strtod(skip(), &end);
      p_ = end;
      if (!take(")"))
        error_ = "expected ')'";
      std::string_view n = name;
      if (n == "f16")
        return std::bit_cast<uint16_t>(static_cast<_Float16>(v));
      if (n == "f32")
        return std::bit_cast<uint32_t>(static_cast<float>(v));
      uint64_t b = std::bit_cast<uint64_t>(v);
      return n == "f64lo" ? b & 0xffffffff : b >> 32;
    }
    error_ = std::string("cannot read '") + p_ + "'";
    p_ += std::char_traits<char>::length(p_);
    return 0;
  }

  const char* p_;
  uint64_t lane_;
  std::string& error_;
};

std::string trimmed(const std::string& s) {
  size_t a = s.find_first_not_of(" \t"), b = s.find_last_not_of(" \t\r");
  return a == std::string::npos ? "" : s.substr(a, b - a + 1);
}

bool parse_line(const std::string& text, int line, CaseLine& out) {
  // The first '=' that is not part of a comparison separates place and expression.
  size_t eq = text.find('=');
  if (eq == std::string::npos)
    return false;
  out.place = trimmed(text.substr(0, eq));
  out.expression = trimmed(text.substr(eq + 1));
  out.line = line;
  size_t open = out.place.find('[');
  if (open == std::string::npos)
    return true;
  std::stringstream list(out.place.substr(open + 1));
  out.place.resize(open);
  for (std::string part; std::getline(list, part, ',');) {
    unsigned first = static_cast<unsigned>(std::strtoul(part.c_str(), nullptr, 0)), last = first;
    size_t dots = part.find("..");
    if (dots != std::string::npos)
      last = static_cast<unsigned>(std::strtoul(part.c_str() + dots + 2, nullptr, 0));
    for (unsigned n = first; n <= last && n < 65536; ++n)
      out.indices.push_back(n);
  }
  return true;
}

} // namespace

uint64_t evaluate(const std::string& expression, uint64_t lane, std::string& error) {
  return Evaluator(expression, lane, error).run();
}

CaseFile read_case(const std::string& path, std::string& error) {
  CaseFile c;
  std::ifstream file(path);
  if (!file)
    error = "cannot open " + path;
  int number = 0;
  bool has_source = false;
  for (std::string line; std::getline(file, line);) {
    ++number;
    c.text += line + '\n';
    auto after = [&](const char* key) {
      return line.rfind(key, 0) == 0 ? trimmed(line.substr(std::char_traits<char>::length(key)))
                                     : std::string();
    };
    CaseLine parsed;
    if (std::string rest = after("; INIT "); !rest.empty()) {
      if (!parse_line(rest, number, parsed))
        error = "line " + std::to_string(number) + ": no '='";
      c.init.push_back(parsed);
    } else if (rest = after("; EXPECT "); !rest.empty()) {
      if (!parse_line(rest, number, parsed))
        error = "line " + std::to_string(number) + ": no '='";
      c.expect.push_back(parsed);
    } else if (rest = after("; FAULT "); !rest.empty()) {
      c.fault = rest;
    } else if (rest = after("; TARGETS "); !rest.empty()) {
      std::stringstream list(rest);
      for (std::string t; list >> t;)
        c.targets.push_back(t);
    } else if (!after("; SOURCE ").empty()) {
      has_source = true;
    }
  }
  if (c.targets.empty())
    c.targets = {"gfx90a", "gfx942"};
  if (!has_source)
    error = "no SOURCE line";
  if (c.expect.empty() && c.fault.empty())
    error = "nothing expected";
  return c;
}

} // namespace pumice::test
