// SPDX-License-Identifier: MIT
#include "jit/cfg.h"
#include <algorithm>
#include <cstdio>
#include <deque>
#include <optional>
#include <set>

namespace pumice::jit {
using isa::Inst;
using isa::Op;

unsigned reg_index(uint16_t code) {
  if (code < 128) return code;
  if (code >= isa::kVgpr0 && code < isa::kVgpr0 + 512) return kVgprIndex + (code - isa::kVgpr0);
  if (code == isa::kScc) return kSccIndex;
  return kRegCount;
}

bool keeps_other_half(const Inst& i) {
  const isa::Row& r = isa::row(i.op);
  auto is_16 = [](isa::Type t) {
    return t == isa::Type::f16 || t == isa::Type::i16 || t == isa::Type::u16 || t == isa::Type::b16;
  };
  return r.enc == isa::Enc::vop3 && (r.mods & isa::kModOpSel) && is_16(r.dst_type[0]);
}

bool preserves_dst(const Inst& i) {
  const isa::Row& r = isa::row(i.op);
  if (r.traits & (isa::kReadsDst | isa::kLaneWrite)) return true;
  if (i.op == Op::v_fma_mixlo_f16 || i.op == Op::v_fma_mixhi_f16) return true;
  if (i.is_sdwa && i.sdwa_unused == isa::SdwaUnused::preserve && i.sdwa_dst != isa::SdwaSel::dword) return true;
  if (i.is_dpp && (!i.dpp_bound_ctrl || i.dpp_row_mask != 0xf || i.dpp_bank_mask != 0xf)) return true;
  if (r.mem.d16 && r.mem.kind == isa::MemKind::load) return true;
  return keeps_other_half(i);
}

namespace {

bool ends_block(const Inst& i, Term& term, bool barrier_is_nop) {
  switch (i.op) {
  case Op::s_branch: term = Term::branch; return true;
  case Op::s_cbranch_scc0: case Op::s_cbranch_scc1: case Op::s_cbranch_vccz: case Op::s_cbranch_vccnz:
  case Op::s_cbranch_execz: case Op::s_cbranch_execnz: term = Term::cond; return true;
  case Op::s_endpgm: term = Term::endpgm; return true;
  case Op::s_barrier: term = Term::barrier; return !barrier_is_nop;
  case Op::s_setpc_b64: term = Term::setpc; return true;
  case Op::s_swappc_b64: case Op::s_call_b64: term = Term::call; return true;
  case Op::s_sleep: term = Term::yield; return true;
  case Op::s_trap: term = Term::trap; return true;
  default: return false;
  }
}

/// Follows s_getpc + s_add/s_addc chains so that direct calls and long branches find their target.
class PcTracker {
public:
  void step(const Inst& i, uint64_t pc) {
    auto word = [&](const isa::Operand& o) -> std::optional<uint32_t> {
      if (o.is_constant()) return static_cast<uint32_t>(isa::constant_bits(i, o));
      auto it = known_.find(o.code);
      return it == known_.end() ? std::nullopt : std::optional<uint32_t>(it->second);
    };
    std::optional<uint32_t> lo, hi;
    bool carry_known = false, carry = false;
    switch (i.op) {
    case Op::s_getpc_b64:
      lo = static_cast<uint32_t>(pc + 4), hi = static_cast<uint32_t>((pc + 4) >> 32);
      break;
    case Op::s_mov_b64:
      if (i.src[0].is_sgpr()) {
        lo = word(i.src[0]);
        isa::Operand h = i.src[0];
        h.code++;
        hi = word(h);
      }
      break;
    case Op::s_mov_b32: lo = word(i.src[0]); break;
    case Op::s_add_u32: {
      auto a = word(i.src[0]), b = word(i.src[1]);
      if (a && b) lo = *a + *b, carry_known = true, carry = *lo < *a;
      break;
    }
    case Op::s_addc_u32: {
      auto a = word(i.src[0]), b = word(i.src[1]);
      if (a && b && carry_known_) lo = *a + *b + carry_;
      break;
    }
    default: break;
    }
    isa::for_each_def(i, [&](uint16_t code, unsigned dwords) {
      if (code == isa::kScc) carry_known_ = false;
      for (unsigned d = 0; d < dwords; d++) known_.erase(code + d);
    });
    if (lo) known_[i.dst[0].code] = *lo;
    if (hi) known_[i.dst[0].code + 1] = *hi;
    if (carry_known) carry_known_ = true, carry_ = carry;
  }
  std::optional<uint64_t> pair(uint16_t code) const {
    auto a = known_.find(code), b = known_.find(code + 1);
    if (a == known_.end() || b == known_.end()) return std::nullopt;
    return uint64_t(b->second) << 32 | a->second;
  }
  /// The address whose upper half `i`, the last instruction, has added up.
  std::optional<uint64_t> made_by(const Inst& i) const {
    if (i.op != Op::s_addc_u32 || !i.dst[0].code) return std::nullopt;
    return pair(static_cast<uint16_t>(i.dst[0].code - 1));
  }

private:
  std::map<uint16_t, uint32_t> known_;
  bool carry_known_ = false, carry_ = false;
};

struct Decoded {
  std::map<uint64_t, LiftInst> insts;
  std::set<uint64_t> leaders;
  std::map<uint64_t, uint64_t> direct;  // pc of call/setpc -> constant target
  bool has_indirect_call = false;
  std::set<uint64_t> functions;         // that could be called
  std::set<uint64_t> made;              // those of them whose addresses the code makes
};

/// s_setpc through the pair that holds the return address (AMDGPU calling convention); through another one it may be a
/// tail call.
bool is_return(const Inst& i) { return i.src[0].code == 30; }

Status decode_from(const CfgInput& in, uint64_t start, Decoded& d, std::deque<uint64_t>& work) {
  PcTracker pcs;
  uint64_t pc = start;
  d.leaders.insert(start);
  while (true) {
    if (d.insts.count(pc)) return ok_status();
    if (pc < in.text_address || pc + 4 > in.text_address + in.text_size)
      return error(Code::invalid_code_object, "control flow leaves the code segment");
    LiftInst li;
    li.pc = pc;
    if (!isa::decode(in.target, in.text + (pc - in.text_address), in.text_address + in.text_size - pc, li.inst)) {
      char buf[96];
      std::snprintf(buf, sizeof buf, "undecodable instruction at code offset 0x%llx",
                    static_cast<unsigned long long>(pc - in.text_address));
      return error(Code::invalid_code_object, buf);
    }
    const Inst& i = li.inst;
    uint64_t next = pc + i.size;
    Term term = Term::fallthrough;
    bool end = ends_block(i, term, in.barrier_is_nop);
    d.insts.emplace(pc, li);
    auto reach = [&](uint64_t a) {
      d.leaders.insert(a);
      work.push_back(a);
    };
    switch (term) {
    case Term::branch: reach(isa::branch_target(i, pc)); return ok_status();
    case Term::cond: reach(isa::branch_target(i, pc)); reach(next); return ok_status();
    case Term::endpgm: case Term::trap: return ok_status();
    case Term::barrier:
      if (end) { reach(next); return ok_status(); }
      break;
    case Term::yield: reach(next); return ok_status();
    case Term::setpc:
      if (auto t = pcs.pair(i.src[0].code)) d.direct[pc] = *t, reach(*t);
      else if (!is_return(i)) d.has_indirect_call = true;
      return ok_status();
    case Term::call: {
      std::optional<uint64_t> t;
      if (i.op == Op::s_call_b64) t = isa::branch_target(i, pc);
      else t = pcs.pair(i.src[0].code);
      if (t) d.direct[pc] = *t, reach(*t);
      else d.has_indirect_call = true;
      reach(next);
      return ok_status();
    }
    case Term::fallthrough: break;
    }
    pcs.step(i, pc);
    if (auto made = pcs.made_by(i); made && d.functions.count(*made)) d.made.insert(*made);
    pc = next;
  }
}

/// Functions whose addresses some code of the object makes and does more with than calling them (or parking them in lanes, as -O0
/// code does with what it is about to call): another kernel may find them in memory.
void find_escaping(const CfgInput& in, const std::set<uint64_t>& functions, std::set<uint64_t>& escaping) {
  for (const FunctionRange& f : in.functions) {
    PcTracker pcs;
    for (uint64_t pc = f.address; pc < f.address + f.size && pc >= in.text_address && pc + 4 <= in.text_address + in.text_size;) {
      Inst i;
      if (!isa::decode(in.target, in.text + (pc - in.text_address), in.text_address + in.text_size - pc, i)) break;
      switch (i.op) {
      case Op::s_getpc_b64: case Op::s_add_u32: case Op::s_addc_u32: case Op::s_mov_b32: case Op::s_mov_b64: case Op::s_swappc_b64:
      case Op::s_setpc_b64: case Op::v_writelane_b32: break;
      default:
        isa::for_each_use(i, [&](uint16_t code, unsigned dwords) {
          for (unsigned c = code; c < code + dwords && c < kVgprIndex; c++)
            for (unsigned first : {c, c - 1})
              if (auto a = pcs.pair(static_cast<uint16_t>(first)); a && functions.count(*a)) escaping.insert(*a);
        });
      }
      pcs.step(i, pc);
      pc += i.size;
    }
  }
}

void reverse_post_order(Cfg& g) {
  std::vector<uint8_t> state(g.blocks.size(), 0);
  std::vector<std::pair<uint32_t, size_t>> stack{{g.entry, 0}};
  state[g.entry] = 1;
  while (!stack.empty()) {
    auto& [b, k] = stack.back();
    if (k < g.blocks[b].succ.size()) {
      uint32_t s = g.blocks[b].succ[k++];
      if (!state[s]) state[s] = 1, stack.push_back({s, 0});
    } else {
      g.order.push_back(b);
      stack.pop_back();
    }
  }
  std::reverse(g.order.begin(), g.order.end());
  for (uint32_t n = 0; n < g.order.size(); n++) g.blocks[g.order[n]].rpo = n;
}

bool narrows_exec(const Inst& i) {
  if (isa::row(i.op).traits & isa::kCmpx) return true;
  if (i.op == Op::s_and_saveexec_b64) return true;
  if (i.dst[0].code != isa::kExecLo) return false;
  if (i.op == Op::s_and_b64) return i.src[0].code == isa::kExecLo || i.src[1].code == isa::kExecLo;
  if (i.op == Op::s_andn2_b64) return i.src[0].code == isa::kExecLo;
  return false;
}

bool is_vector_write(const Inst& i) { return i.dst[0].is_vgpr(); }

/// Whole-wave code: EXEC gets lanes that it may not have had at the start (a constant, a complement).
bool may_exceed_initial_exec(const Inst& i) {
  bool writes = false;
  isa::for_each_def(i, [&](uint16_t code, unsigned dwords) {
    if (code <= isa::kExecHi && code + dwords > isa::kExecLo) writes = true;
  });
  if (!writes || narrows_exec(i)) return false;
  switch (i.op) {
  case Op::s_mov_b64: case Op::s_cmov_b64: case Op::s_or_saveexec_b64: case Op::s_and_b64: case Op::s_andn2_saveexec_b64:
    return !i.src[0].is_sgpr();
  case Op::s_or_b64: case Op::s_xor_b64: case Op::s_cselect_b64: return !i.src[0].is_sgpr() || !i.src[1].is_sgpr();
  case Op::s_andn2_b64: return !i.src[0].is_sgpr();
  case Op::s_xor_saveexec_b64: return !i.src[0].is_sgpr();
  case Op::s_andn1_saveexec_b64: case Op::s_andn1_wrexec_b64: return false;
  default: return true;
  }
}

/// Forward: which SGPR pairs (and EXEC) hold the wave's initial EXEC. Sets LiftInst::exec_is_initial.
void find_initial_exec(Cfg& g) {
  using Set = std::bitset<128>; // even SGPR code c: pair [c, c+1] holds the initial mask
  std::vector<Set> in(g.blocks.size(), Set().set());
  in[g.entry] = Set().set(isa::kExecLo);
  bool changed = true;
  auto walk = [&](uint32_t b, bool mark) {
    Set s = in[b];
    for (LiftInst& li : g.blocks[b].insts) {
      const Inst& i = li.inst;
      if (mark) li.exec_is_initial = s[isa::kExecLo];
      bool exec_initial = s[isa::kExecLo];
      bool dst_initial = false;
      bool exec_after = exec_initial;
      auto holds = [&](const isa::Operand& o) { return o.code < 128 && s[o.code]; };
      switch (i.op) {
      case Op::s_and_saveexec_b64: case Op::s_andn2_saveexec_b64: case Op::s_xor_saveexec_b64:
        dst_initial = exec_initial, exec_after = false;
        break;
      case Op::s_or_saveexec_b64: // restores the union; the initial mask absorbs everything
        dst_initial = exec_initial, exec_after = exec_initial || holds(i.src[0]);
        break;
      case Op::s_mov_b64: dst_initial = holds(i.src[0]); break;
      case Op::s_or_b64: dst_initial = holds(i.src[0]) || holds(i.src[1]); break;
      default: break;
      }
      isa::for_each_def(i, [&](uint16_t code, unsigned dwords) {
        for (unsigned d = 0; d < dwords; d++)
          if (code + d < 128) s[(code + d) & ~1u] = false;
      });
      if (i.op == Op::s_and_saveexec_b64 || i.op == Op::s_or_saveexec_b64 || i.op == Op::s_andn2_saveexec_b64 ||
          i.op == Op::s_xor_saveexec_b64)
        s[isa::kExecLo] = exec_after;
      if (i.dst[0].code < 128 && i.dst[0].dwords == 2 && !(i.dst[0].code & 1)) s[i.dst[0].code] = dst_initial;
    }
    return s;
  };
  while (changed) {
    changed = false;
    for (uint32_t b : g.order) {
      Set out = walk(b, false);
      for (uint32_t n : g.blocks[b].succ) {
        Set meet = in[n] & out;
        if (meet != in[n]) in[n] = meet, changed = true;
      }
    }
  }
  for (uint32_t b : g.order) walk(b, true);
}

/// What a function may expect of its caller: arguments, implicit ones, stack and return address (LLVM's AMDGPU calling
/// convention), EXEC. What callees save is live through the functions that the graph has.
const RegSet& argument_registers() {
  static const RegSet set = [] {
    RegSet s;
    constexpr unsigned kLastSgpr = 33, kLastVgpr = 31, kFlatScratch = 102;
    for (unsigned r = 0; r <= kLastSgpr; r++) s.set(r);
    for (unsigned r = 0; r <= kLastVgpr; r++) s.set(kVgprIndex + r);
    s.set(kFlatScratch), s.set(kFlatScratch + 1), s.set(isa::kExecLo), s.set(isa::kExecHi);
    return s;
  }();
  return set;
}

/// Reads of `i` that must see what inactive lanes hold as well.
bool reads_inactive_lanes(const Inst& i) {
  return (isa::row(i.op).traits & (isa::kCrossLane | isa::kMfma | isa::kLaneWrite)) || i.is_dpp;
}

/// Sets LiftInst::keep_inactive. Uses a liveness in which a vector read that was preceded, since EXEC last grew, by a
/// write of the same register does not count (it reads what that write produced). What remains live across a vector
/// write therefore needs the inactive lanes kept.
void find_kept_lanes(Cfg& g) {
  std::vector<RegSet> live_in(g.blocks.size());
  std::vector<RegSet> written(g.blocks.size(), RegSet().set());
  written[g.entry].reset();
  auto transfer = [&](uint32_t b, std::vector<RegSet>* before) {
    RegSet w = written[b];
    for (const LiftInst& li : g.blocks[b].insts) {
      if (before) before->push_back(w);
      isa::for_each_def(li.inst, [&](uint16_t code, unsigned dwords) {
        for (unsigned d = 0; d < dwords; d++)
          if (unsigned r = reg_index(code + d); r >= kVgprIndex && r < kSccIndex && !(isa::row(li.inst.op).traits & isa::kLaneWrite)) w.set(r);
      });
      bool writes_exec = false;
      isa::for_each_def(li.inst, [&](uint16_t code, unsigned dwords) {
        if (code <= isa::kExecHi && code + dwords > isa::kExecLo) writes_exec = true;
      });
      if (writes_exec && !narrows_exec(li.inst)) w.reset();
    }
    return w;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t b : g.order) {
      RegSet out = transfer(b, nullptr);
      for (uint32_t n : g.blocks[b].succ) {
        RegSet meet = written[n] & out;
        if (meet != written[n]) written[n] = meet, changed = true;
      }
    }
  }
  auto backward = [&](uint32_t b, bool mark) {
    Block& blk = g.blocks[b];
    RegSet live;
    for (uint32_t n : blk.succ) live |= live_in[n];
    std::vector<RegSet> before;
    before.reserve(blk.insts.size());
    RegSet after = transfer(b, &before);
    if (blk.may_leave) live |= argument_registers() & ~after; // of active lanes
    for (size_t k = blk.insts.size(); k-- > 0;) {
      LiftInst& li = blk.insts[k];
      const Inst& i = li.inst;
      bool vector = is_vector_write(i);
      bool mfma = isa::row(i.op).traits & isa::kMfma;
      if (mark && vector && !li.exec_is_initial && !mfma)
        for (unsigned d = 0; d < i.dst[0].dwords; d++)
          if (unsigned r = reg_index(i.dst[0].code + d); r < kRegCount && live[r]) li.keep_inactive |= 1u << d;
      isa::for_each_def(i, [&](uint16_t code, unsigned dwords) {
        for (unsigned d = 0; d < dwords; d++) {
          unsigned r = reg_index(code + d);
          if (r >= kRegCount) continue;
          bool scalar = r < kVgprIndex || r == kSccIndex;
          if (scalar || ((li.exec_is_initial || mfma) && !preserves_dst(i))) live.reset(r);
        }
      });
      bool whole = reads_inactive_lanes(i);
      isa::for_each_use(i, [&](uint16_t code, unsigned dwords) {
        for (unsigned d = 0; d < dwords; d++)
          if (unsigned r = reg_index(code + d); r < kRegCount && (whole || r < kVgprIndex || !before[k][r])) live.set(r);
      });
      if (preserves_dst(i) && vector)
        for (unsigned d = 0; d < i.dst[0].dwords; d++)
          if (unsigned r = reg_index(i.dst[0].code + d); r < kRegCount && !before[k][r]) live.set(r);
    }
    return live;
  };
  changed = true;
  while (changed) {
    changed = false;
    for (size_t n = g.order.size(); n-- > 0;) {
      uint32_t b = g.order[n];
      RegSet live = backward(b, false);
      if (live != live_in[b]) live_in[b] = live, changed = true;
    }
  }
  for (uint32_t b : g.order) backward(b, true);
}

/// Ordinary liveness, given which writes merge with the old value.
void find_liveness(Cfg& g) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t n = g.order.size(); n-- > 0;) {
      Block& blk = g.blocks[g.order[n]];
      RegSet live = live_out(g, blk);
      for (size_t k = blk.insts.size(); k-- > 0;) step_back(blk.insts[k], live);
      if (live != blk.live_in) blk.live_in = live, changed = true;
    }
  }
}

/// Marks back edges of loops whose exit depends on memory that another wave may change: they must be able to yield.
void find_spin_loops(Cfg& g) {
  struct Flow {
    RegSet uses, defs;
    bool loads;
  };
  std::vector<std::vector<Flow>> flow(g.blocks.size()); // of blocks in loops, made on demand
  auto flow_of = [&](uint32_t x) -> const std::vector<Flow>& {
    std::vector<Flow>& f = flow[x];
    if (f.empty())
      for (const LiftInst& li : g.blocks[x].insts) {
        Flow o;
        auto add = [](RegSet& s) {
          return [&s](uint16_t code, unsigned n) {
            for (unsigned d = 0; d < n; d++)
              if (unsigned r = reg_index(code + d); r < kRegCount) s.set(r);
          };
        };
        isa::for_each_use(li.inst, add(o.uses));
        isa::for_each_def(li.inst, add(o.defs));
        const isa::MemInfo& m = isa::row(li.inst.op).mem;
        o.loads = (m.kind == isa::MemKind::load || m.kind == isa::MemKind::atomic) && m.space != isa::Space::scratch &&
                  m.space != isa::Space::scalar;
        f.push_back(o);
      }
    return f;
  };
  for (uint32_t b : g.order) {
    if (g.blocks[b].term == Term::call || g.blocks[b].term == Term::setpc) continue; // recursion is no waiting
    for (size_t e = 0; e < g.blocks[b].succ.size(); e++) {
      uint32_t h = g.blocks[b].succ[e];
      if (g.blocks[h].rpo > g.blocks[b].rpo) continue;
      // Natural loop of the back edge b -> h.
      std::set<uint32_t> body{h};
      std::vector<uint32_t> work;
      if (body.insert(b).second || b == h) work.push_back(b);
      while (!work.empty()) {
        uint32_t x = work.back();
        work.pop_back();
        if (x == h) continue;
        for (uint32_t p : g.blocks[x].pred)
          if (body.insert(p).second) work.push_back(p);
      }
      RegSet taint;
      bool memory = false, grown = true;
      while (grown) {
        grown = false;
        for (uint32_t x : body)
          for (const Flow& f : flow_of(x)) {
            if (f.loads) memory = true;
            if (!f.loads && (f.uses & taint).none()) continue;
            if ((f.defs & ~taint).any()) taint |= f.defs, grown = true;
          }
      }
      if (!memory) continue;
      bool spins = false;
      for (uint32_t x : body) {
        const Block& blk = g.blocks[x];
        if (blk.term == Term::yield) spins = true;
        if (blk.term != Term::cond) continue;
        bool exits = false;
        for (uint32_t s : blk.succ) exits |= !body.count(s);
        if (!exits) continue;
        if ((flow_of(x).back().uses & taint).any()) spins = true;
      }
      if (spins) g.blocks[h].spin_header = true, g.blocks[b].spin_edge[e] = true;
    }
  }
}

/// For each block that ends in s_setpc with an unknown target: where it may go. A return goes back to the callers of the
/// functions that the block belongs to; an indirect tail call may enter any function whose address is taken.
std::map<uint32_t, std::vector<uint32_t>> find_returns(Cfg& g, const Decoded& d) {
  auto site = [&](const Block& b) { return g.block_at.at(b.insts.back().pc + b.insts.back().inst.size); };
  std::map<uint32_t, std::set<uint32_t>> callers; // function entry -> return sites of its calls
  std::set<uint32_t> indirect_sites;
  for (const Block& b : g.blocks) {
    if (b.term != Term::call) continue;
    auto t = d.direct.find(b.insts.back().pc);
    if (t != d.direct.end()) callers[g.block_at.at(t->second)].insert(site(b));
    else indirect_sites.insert(site(b));
  }
  for (uint32_t f : g.call_targets) callers[f].insert(indirect_sites.begin(), indirect_sites.end());
  std::map<uint32_t, std::set<uint32_t>> out;
  // A function's tail calls return to its own callers: repeat until nothing is added.
  bool grown = true;
  while (grown) {
    grown = false;
    for (auto& [entry, sites] : std::map<uint32_t, std::set<uint32_t>>(callers)) {
      std::set<uint32_t> body{entry};
      std::vector<uint32_t> work{entry};
      while (!work.empty()) {
        uint32_t x = work.back();
        work.pop_back();
        const Block& b = g.blocks[x];
        const LiftInst& last = b.insts.back();
        std::vector<uint32_t> next;
        auto t = d.direct.find(last.pc);
        if (b.term == Term::branch) next = {g.block_at.at(isa::branch_target(last.inst, last.pc))};
        else if (b.term == Term::cond) next = {g.block_at.at(isa::branch_target(last.inst, last.pc)), site(b)};
        else if (b.term == Term::setpc && t != d.direct.end()) {
          uint32_t to = g.block_at.at(t->second);
          next = {to};
          if (callers.count(to))
            for (uint32_t s : sites)
              if (callers[to].insert(s).second) grown = true;
        } else if (b.term == Term::setpc) {
          for (uint32_t s : sites) out[x].insert(s);
          if (!is_return(last.inst))
            for (uint32_t f : g.call_targets)
              for (uint32_t s : sites)
                if (callers[f].insert(s).second) grown = true;
        } else if (b.term != Term::endpgm && b.term != Term::trap) next = {site(b)};
        for (uint32_t n : next)
          if (body.insert(n).second) work.push_back(n);
      }
    }
  }
  std::map<uint32_t, std::vector<uint32_t>> result;
  for (auto& [x, sites] : out) {
    if (!g.call_targets.empty()) sites.insert(g.call_targets.begin(), g.call_targets.end());
    result[x].assign(sites.begin(), sites.end());
  }
  return result;
}

} // namespace

RegSet live_out(const Cfg& g, const Block& block) {
  RegSet live;
  for (uint32_t s : block.succ) live |= g.blocks[s].live_in;
  if (block.may_leave) live |= argument_registers();
  return live;
}

void step_back(const LiftInst& li, RegSet& live) {
  const Inst& i = li.inst;
  bool vector = i.dst[0].is_vgpr();
  isa::for_each_def(i, [&](uint16_t code, unsigned dwords) {
    for (unsigned d = 0; d < dwords; d++)
      if (unsigned r = reg_index(code + d); r < kRegCount) live.reset(r);
  });
  isa::for_each_use(i, [&](uint16_t code, unsigned dwords) {
    for (unsigned d = 0; d < dwords; d++)
      if (unsigned r = reg_index(code + d); r < kRegCount) live.set(r);
  });
  if (vector)
    for (unsigned d = 0; d < i.dst[0].dwords; d++)
      if ((preserves_dst(i) || (li.keep_inactive >> d & 1)))
        if (unsigned r = reg_index(i.dst[0].code + d); r < kRegCount) live.set(r);
  if (vector || isa::row(i.op).mem.kind != isa::MemKind::none || (isa::row(i.op).traits & isa::kValu))
    live.set(isa::kExecLo), live.set(isa::kExecHi);
}

/// Everything reachable. `indirect`: functions that computed calls may reach as far as is known: those whose addresses the reachable
/// code makes, or data holds, or that escape from other code; all, if there is none.
static Status decode_all(const CfgInput& in, Decoded& d, std::set<uint64_t>& indirect) {
  std::deque<uint64_t> work{in.entry};
  d.leaders.insert(in.entry);
  for (const FunctionRange& f : in.functions)
    if (!f.kernel && f.address != in.entry) d.functions.insert(f.address);
  std::set<uint64_t> elsewhere; // those that escape or that data holds
  bool searched = false;
  while (true) {
    while (!work.empty()) {
      uint64_t a = work.front();
      work.pop_front();
      TRY(decode_from(in, a, d, work));
    }
    if (!d.has_indirect_call) break;
    if (!searched) {
      for (uint64_t a : in.data_targets)
        if (d.functions.count(a)) elsewhere.insert(a);
      find_escaping(in, d.functions, elsewhere);
      searched = true;
    }
    size_t before = indirect.size();
    auto add = [&](const std::set<uint64_t>& targets) {
      for (uint64_t a : targets)
        if (indirect.insert(a).second) d.leaders.insert(a), work.push_back(a);
    };
    add(elsewhere);
    add(d.made);
    if (indirect.empty()) add(d.functions);
    if (indirect.size() == before) break;
  }
  return ok_status();
}

CodeSize count_reachable(const CfgInput& in) {
  Decoded d;
  std::set<uint64_t> indirect;
  if (!decode_all(in, d, indirect).ok()) return {};
  // Code with calls takes several times as long to translate as straight code of its length.
  bool calls = false;
  for (const auto& [pc, li] : d.insts) calls |= li.inst.op == Op::s_swappc_b64 || li.inst.op == Op::s_call_b64;
  return {d.insts.size(), d.insts.size() * (calls ? 4 : 1)};
}

Result<Cfg> build_cfg(const CfgInput& in) {
  Decoded d;
  std::set<uint64_t> indirect;
  TRY(decode_all(in, d, indirect));
  bool for_compile_time = in.quick || d.insts.size() > kLongCode;
  if (for_compile_time) { // instruction selection is superlinear in the size of a block
    std::set<uint64_t> starts = d.leaders;
    for (uint64_t pc : starts) {
      Term term;
      for (size_t n = 1;; n++) {
        auto it = d.insts.find(pc);
        if (it == d.insts.end() || ends_block(it->second.inst, term, in.barrier_is_nop)) break;
        pc += it->second.inst.size;
        if (starts.count(pc)) break;
        if (n % kLongBlock == 0 && d.insts.count(pc)) d.leaders.insert(pc);
      }
    }
  }
  Cfg g;
  g.for_compile_time = for_compile_time;
  for (uint64_t a : d.leaders) {
    if (!d.insts.count(a)) return error(Code::invalid_code_object, "branch into the middle of an instruction");
    g.block_at[a] = static_cast<uint32_t>(g.blocks.size());
    g.blocks.emplace_back();
    g.blocks.back().start = a;
  }
  g.entry = g.block_at[in.entry];
  for (auto& [start, id] : g.block_at) {
    Block& b = g.blocks[id];
    uint64_t pc = start;
    while (true) {
      auto it = d.insts.find(pc);
      if (it == d.insts.end()) return error(Code::invalid_code_object, "code runs past its end");
      b.insts.push_back(it->second);
      Term term = Term::fallthrough;
      if (ends_block(it->second.inst, term, in.barrier_is_nop)) {
        b.term = term;
        break;
      }
      pc += it->second.inst.size;
      if (d.leaders.count(pc)) break;
    }
    g.inst_count += b.insts.size();
  }
  for (uint64_t a : indirect) g.call_targets.push_back(g.block_at[a]);
  std::map<uint32_t, std::vector<uint32_t>> returns = find_returns(g, d);
  for (Block& b : g.blocks) {
    const LiftInst& last = b.insts.back();
    uint64_t next = last.pc + last.inst.size;
    switch (b.term) {
    case Term::branch: b.succ = {g.block_at[isa::branch_target(last.inst, last.pc)]}; break;
    case Term::cond: b.succ = {g.block_at[isa::branch_target(last.inst, last.pc)], g.block_at[next]}; break;
    case Term::endpgm: case Term::trap: break;
    case Term::call: case Term::setpc: {
      auto t = d.direct.find(last.pc);
      b.computed_jump = t == d.direct.end() && (b.term == Term::call || !is_return(last.inst));
      b.may_leave = b.computed_jump && indirect.size() < d.functions.size();
      if (t != d.direct.end()) b.succ = {g.block_at[t->second]};
      else if (b.term == Term::call) b.succ = g.call_targets;
      else b.succ = returns[static_cast<uint32_t>(&b - g.blocks.data())];
      break;
    }
    default: b.succ = {g.block_at[next]}; break;
    }
    b.spin_edge.assign(b.succ.size(), false);
  }
  reverse_post_order(g);
  for (uint32_t b : g.order)
    for (uint32_t s : g.blocks[b].succ) g.blocks[s].pred.push_back(b);
  bool exceeds = false;
  for (const Block& b : g.blocks)
    for (const LiftInst& li : b.insts) exceeds |= may_exceed_initial_exec(li.inst);
  if (in.whole_waves || !exceeds) find_initial_exec(g);
  find_kept_lanes(g);
  find_liveness(g);
  find_spin_loops(g);
  return g;
}

} // namespace pumice::jit
