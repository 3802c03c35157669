// SPDX-License-Identifier: MIT
// Inline PTX: every instruction is looked up in rows/ptx.tsv. A statement whose instructions all have an equivalent, and that
// declares nothing, is replaced by C++; otherwise it stays. Either way each instruction is a finding.
#include "compiler/hipify/walker.h"
#include <algorithm>

namespace pumice::hipify {
namespace {

struct Instruction {
  std::string opcode;
  std::vector<std::string> operands;
  uint32_t offset; // of the opcode in the file
};

std::string trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t' || s.front() == '\n' || s.front() == '\r'))
    s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\n' || s.back() == '\r'))
    s.remove_suffix(1);
  return std::string(s);
}

/// The characters of an asm template with where each came from.
struct Template {
  std::string text;
  std::vector<uint32_t> offsets;
};

void append_literal(std::string_view text, uint32_t begin, uint32_t end, Template& out) {
  uint32_t i = begin;
  if (text[i] == 'R' || (i + 1 < end && text[i + 1] == 'R')) { // raw string: between ( and )delimiter"
    size_t open = text.find('(', i);
    size_t close = text.rfind(')', end - 1);
    if (open == text.npos || close == text.npos || close < open)
      return;
    for (size_t k = open + 1; k < close; ++k) {
      out.text += text[k];
      out.offsets.push_back(uint32_t(k));
    }
    return;
  }
  while (i < end && text[i] != '"')
    ++i;
  for (++i; i + 1 < end; ++i) {
    char c = text[i];
    uint32_t from = i;
    if (c == '\\' && i + 2 < end) {
      char e = text[++i];
      if (e == '\n')
        continue;
      c = e == 'n' ? '\n' : e == 't' ? '\t' : e;
    }
    out.text += c;
    out.offsets.push_back(from);
  }
}

std::vector<Instruction> split(const Template& t, bool& declares) {
  std::vector<Instruction> out;
  size_t at = 0;
  std::string_view text = t.text;
  while (at < text.size()) {
    size_t end = text.find(';', at);
    if (end == text.npos)
      end = text.size();
    size_t begin = at;
    at = end + 1;
    // Leading braces, comments and white space.
    for (bool more = true; more && begin < end;) {
      more = false;
      char c = text[begin];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '{' || c == '}') {
        ++begin;
        more = true;
      } else if (text.substr(begin, 2) == "//") {
        size_t line = text.find('\n', begin);
        begin = line == text.npos ? end : std::min(line + 1, end);
        more = true;
      } else if (text.substr(begin, 2) == "/*") {
        size_t close = text.find("*/", begin);
        begin = close == text.npos ? end : std::min(close + 2, end);
        more = true;
      }
    }
    if (begin >= end)
      continue;
    std::string_view body = text.substr(begin, end - begin);
    if (body[0] == '.') {
      declares = true; // .reg and the like
      continue;
    }
    Instruction inst;
    inst.offset = t.offsets[begin];
    if (body[0] == '@') { // predicated
      declares = true;
      size_t space = body.find_first_of(" \t");
      if (space == body.npos)
        continue;
      size_t skip = body.find_first_not_of(" \t", space);
      if (skip == body.npos)
        continue;
      inst.offset = t.offsets[begin + skip];
      body.remove_prefix(skip);
    }
    size_t colon = body.find(':');
    if (colon != body.npos && body.substr(0, colon).find_first_of(" \t,%[") == body.npos &&
        body.substr(colon, 2) != "::") { // a label
      declares = true;
      body.remove_prefix(colon + 1);
      while (!body.empty() && (body[0] == ' ' || body[0] == '\n' || body[0] == '\t'))
        body.remove_prefix(1);
      if (body.empty())
        continue;
      inst.offset = t.offsets[size_t(body.data() - text.data())];
    }
    size_t op_end = body.find_first_of(" \t\n");
    inst.opcode = std::string(body.substr(0, op_end));
    std::string_view rest = op_end == body.npos ? std::string_view() : body.substr(op_end);
    int depth = 0;
    std::string current;
    for (char c : rest) {
      depth += (c == '{' || c == '[') - (c == '}' || c == ']');
      if (c == ',' && depth == 0) {
        inst.operands.push_back(trimmed(current));
        current.clear();
      } else {
        current += c;
      }
    }
    if (!trimmed(current).empty())
      inst.operands.push_back(trimmed(current));
    out.push_back(std::move(inst));
  }
  return out;
}

const PtxRow* find_ptx(const Tables& tables, const Instruction& inst) {
  const PtxRow* plain = nullptr;
  for (const PtxRow& r : tables.ptx()) {
    size_t space = r.pattern.find(' ');
    std::string_view opcode = r.pattern.substr(0, space);
    if (opcode != inst.opcode)
      continue;
    if (space == r.pattern.npos) {
      plain = &r;
      continue;
    }
    std::string_view special = r.pattern.substr(space + 1);
    std::string_view last = inst.operands.empty() ? std::string_view() : std::string_view(inst.operands.back());
    if (last == special || (last.size() == special.size() + 1 && last[0] == '%' && last.substr(1) == special))
      return &r;
  }
  // A special register without a row of its own is not "mov d, a".
  if (plain && !inst.operands.empty()) {
    const std::string& last = inst.operands.back();
    if (last.size() > 2 && last[0] == '%' && last[1] != '[' && !(last[1] >= '0' && last[1] <= '9'))
      return nullptr;
  }
  return plain;
}

bool matrix_opcode(std::string_view op) {
  for (std::string_view p : {"mma", "wmma", "ldmatrix", "stmatrix", "movmatrix", "cp.async", "cp.bulk",
                             "cp.reduce", "wgmma", "tcgen05", "mbarrier", "tensormap", "fence.proxy",
                             "setmaxnreg", "barrier.cluster", "mapa", "st.async", "red.async", "multimem"})
    if (op.starts_with(p))
      return true;
  return false;
}


/// In a file without any sign of CUDA, assembly is the host's (x86, Arm, RISC-V): only what can be nothing but PTX counts.
bool surely_ptx(std::string_view text) {
  for (std::string_view s : {".sync", ".global.", ".shared.", ".reg ", "%%laneid", "%%clock", "%%tid.", "%%ctaid."})
    if (text.find(s) != text.npos)
      return true;
  return false;
}

} // namespace

void Walker::on_asm(size_t i) {
  size_t open = i + 1;
  while (is_identifier(open)) // volatile, __volatile__, goto
    ++open;
  if (!is(open, '(') || tokens_[open].match < 0)
    return;
  size_t close = size_t(tokens_[open].match);
  Template t;
  size_t at = open + 1;
  bool pasted = false; // macros stand between the literals
  for (; at < close && !is(at, ':') && !is(at, scope); ++at) {
    if (tokens_[at].kind == TokenKind::string)
      append_literal(text_, tokens_[at].begin, tokens_[at].end, t);
    else
      pasted = true;
  }
  // Operands "constraint"(expression) in order; [name] before them.
  std::vector<std::string> operands;
  std::vector<std::string> names;
  std::string name;
  int sections = 0;
  for (size_t k = at; k < close; ++k) {
    if (is(k, ':'))
      ++sections;
    else if (is(k, scope))
      sections += 2;
    else if (is(k, '[') && tokens_[k].match > int32_t(k)) {
      name = std::string(source(tokens_[k].end, tokens_[size_t(tokens_[k].match)].begin));
      k = size_t(tokens_[k].match);
    } else if (tokens_[k].kind == TokenKind::string && is(k + 1, '(') && sections <= 2 &&
             tokens_[k + 1].match > int32_t(k)) {
      size_t end = size_t(tokens_[k + 1].match);
      std::string expression(source(tokens_[k + 1].end, tokens_[end].begin));
      operands.push_back(trimmed(expression));
      names.push_back(name);
      name.clear();
      k = end;
    }
  }
  if (!cuda_file_ && !surely_ptx(t.text))
    return;
  bool declares = false;
  std::vector<Instruction> instructions = split(t, declares);
  if (instructions.empty() && !pasted)
    return; // a compiler barrier: asm volatile("" ::: "memory")
  if (instructions.empty() || (pasted && t.text.empty())) {
    report(i, "P002", "inline PTX put together by macros");
    return;
  }
  bool replace = !declares && !pasted && !tokens_[i].in_directive;
  std::string statements;
  auto operand = [&](const std::string& s, bool& ok) -> std::string {
    std::string_view v = s;
    bool memory = v.size() > 1 && v.front() == '[' && v.back() == ']';
    if (memory)
      v = v.substr(1, v.size() - 2);
    if (v.starts_with("%[") && v.ends_with("]")) {
      for (size_t n = 0; n < names.size(); ++n)
        if (names[n] == v.substr(2, v.size() - 3))
          return operands[n];
    } else if (v.size() >= 2 && v[0] == '%' && v[1] >= '0' && v[1] <= '9') {
      size_t n = 0;
      for (char c : v.substr(1)) {
        if (c < '0' || c > '9' || n > 100)
          ok = false;
        else
          n = n * 10 + size_t(c - '0');
      }
      if (ok && n < operands.size())
        return operands[n];
    } else if (!v.empty() && ((v[0] >= '0' && v[0] <= '9') || v[0] == '-')) {
      return std::string(v);
    }
    ok = false;
    return {};
  };
  struct Note {
    uint32_t offset;
    std::string_view code;
    std::string what, suggestion;
  };
  std::vector<Note> notes;
  for (const Instruction& inst : instructions) {
    const PtxRow* row = find_ptx(tables_, inst);
    std::string name_of = inst.opcode;
    if (!inst.operands.empty() && inst.operands.back().starts_with("%%"))
      name_of += " " + inst.operands.back().substr(1);
    if (!row || row->replacement.empty()) {
      replace = false;
      bool matrix = matrix_opcode(inst.opcode);
      std::string_view code = inst.opcode.starts_with("wgmma") || inst.opcode.starts_with("tcgen05") ? "D009"
                              : inst.opcode.starts_with("cp.async.bulk") || inst.opcode.starts_with("tensormap") ? "D008"
                              : matrix ? "P003" : "P002";
      notes.push_back({inst.offset, code, "inline PTX " + name_of,
                       row && !row->note.empty() ? std::string(row->note) : ""});
      continue;
    }
    std::string made;
    bool ok = true;
    for (size_t k = 0; k < row->replacement.size(); ++k) {
      char c = row->replacement[k];
      if (c != '$') {
        made += c;
        continue;
      }
      size_t n = size_t(row->replacement[++k] - '0');
      if (n < inst.operands.size())
        made += operand(inst.operands[n], ok);
      else
        ok = false;
    }
    if (!ok)
      replace = false;
    if (options_.logical_warps)
      for (auto [from, to] : {std::pair<std::string_view, std::string_view>{"__lane_id()", "pumice_cuda::lane()"},
                              {"warpSize", "32"}})
        for (size_t p = made.find(from); p != made.npos; p = made.find(from, p + to.size()))
          made.replace(p, from.size(), to);
    statements += (statements.empty() ? "" : "; ") + made;
    notes.push_back({inst.offset, "P001",
                     "inline PTX " + name_of + (row->note.empty() ? "" : " (" + std::string(row->note) + ")"),
                     std::string(row->replacement)});
  }
  bool alone = notes.size() == 1 || is(close + 1, ';');
  replace = replace && alone;
  if (replace) {
    // Several statements take the place of one: braces keep `if (x) asm(...);` right.
    edits_.discard(tokens_[i].begin, tokens_[close].end, edits_.size());
    edits_.replace(tokens_[i].begin, tokens_[close].end,
                   notes.size() > 1 ? "{ " + statements + "; }" : statements);
    skip_to_ = close + 1;
    uses_cuda_ = true;
  }
  for (Note& n : notes) {
    if (n.code == "P001" && !replace) {
      n.code = "P002";
      n.suggestion = "this instruction alone would be: " + n.suggestion;
    } else if (n.code == "P001") {
      n.what += " became " + statements;
      n.suggestion.clear();
    }
    report_at(n.offset, n.code, std::move(n.what), std::move(n.suggestion));
  }
}

} // namespace pumice::hipify
