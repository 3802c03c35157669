// SPDX-License-Identifier: MIT
// The row table: rows/*.def expanded into Row structures. The vocabulary of the row columns is
// defined here.
#include "isa/table.h"
#include <array>
#include <string>
#include <unordered_map>

namespace pumice::isa {
namespace {

using Type::b128, Type::b16, Type::b256, Type::b32, Type::b512, Type::b64, Type::b96, Type::b1024;
using Type::f16, Type::f32, Type::f64, Type::i16, Type::u16, Type::i32, Type::u32, Type::i64,
    Type::u64;
using Type::mask, Type::v2b16, Type::v2b32, Type::v2bf16, Type::v2f16, Type::v2f32, Type::v2i16,
    Type::v2u16;
using Type::v4bf16, Type::v4f16, Type::v4f32, Type::v4i8, Type::v8bf16, Type::v8f16, Type::v8f8,
    Type::v8i8;

// `none` stands for no type, no traits and no modifiers.
struct None {
  constexpr operator Type() const { return Type::none; }
  constexpr operator uint32_t() const { return 0; }
};
constexpr None none;

// Opcode column.
struct Opcodes {
  int16_t value[kTargetCount];
};
constexpr Opcodes all(int o) {
  return {{static_cast<int16_t>(o), static_cast<int16_t>(o)}};
}
constexpr Opcodes gfx90a(int o) {
  return {{static_cast<int16_t>(o), -1}};
}
constexpr Opcodes gfx942(int o) {
  return {{-1, static_cast<int16_t>(o)}};
}

// Result and source columns.
struct Results {
  Type type[2];
};
struct Sources {
  Type type[4];
};
constexpr Results D(Type a = Type::none, Type b = Type::none) {
  return {{a, b}};
}
constexpr Sources S(Type a = Type::none, Type b = Type::none, Type c = Type::none,
                    Type d = Type::none) {
  return {{a, b, c, d}};
}

// Trait column; the encoding's own traits are added by the INST definitions below.
constexpr uint32_t rscc = kReadsScc, wscc = kWritesScc, rwscc = kReadsScc | kWritesScc,
                   rvcc = kReadsVcc, rexec = kReadsExec, wexec = kWritesExec,
                   saveexec = kReadsExec | kWritesExec | kWritesScc, rm0 = kReadsM0,
                   wm0 = kWritesM0, rdst = kReadsDst, branch = kBranch, fp = kFp | kReadsMode,
                   trans = kFp | kReadsMode | kTrans, xlane = kCrossLane, rmode = kReadsMode,
                   wmode = kWritesMode, only_e32 = kOnlyE32, cmpx = kCmpx | kWritesExec,
                   mfma = kMfma;

// Modifier column: n1..n3 = neg and abs on that many sources, cl = clamp, om = omod, os = op_sel.
constexpr uint32_t n1 = kModSrc0, n2 = n1 | kModSrc1, n3 = n2 | kModSrc2, cl = kModClamp,
                   om = kModOmod, os = kModOpSel;

// Memory column.
enum MemFlag : unsigned { sx = 1, lo16 = 2, hi16 = 4, pair = 8, pair64 = 16 };

constexpr MemInfo memory(Space space, MemKind kind, unsigned elem_bytes, unsigned count,
                         unsigned flags = 0) {
  MemInfo m;
  m.space = space;
  m.kind = kind;
  m.elem_bytes = static_cast<uint8_t>(elem_bytes);
  m.count = static_cast<uint8_t>(count);
  m.sign_extend = flags & sx;
  m.d16 = flags & (lo16 | hi16);
  m.d16_hi = flags & hi16;
  m.two_address = flags & (pair | pair64);
  m.stride64 = flags & pair64;
  return m;
}
constexpr MemInfo atomic(Space space, AtomicOp op, Type t, unsigned flags = 0) {
  unsigned bytes = type_dwords(t) * 4;
  MemInfo m = memory(space, MemKind::atomic, bytes, bytes / 4, flags);
  m.atomic = op;
  m.is_float = t == f32 || t == f64 || t == v2f16 || t == v2bf16;
  return m;
}
constexpr MemInfo scalar_load(unsigned n) {
  return memory(Space::scalar, MemKind::load, 4, n);
}
constexpr MemInfo scalar_store(unsigned n) {
  return memory(Space::scalar, MemKind::store, 4, n);
}
constexpr MemInfo scalar_atomic(AtomicOp op, unsigned bytes) {
  return atomic(Space::scalar, op, bytes == 8 ? u64 : u32);
}
constexpr MemInfo scalar_other() {
  return memory(Space::scalar, MemKind::other, 0, 0);
}
constexpr MemInfo lds_load(unsigned e, unsigned n, unsigned f = 0) {
  return memory(Space::lds, MemKind::load, e, n, f);
}
constexpr MemInfo lds_store(unsigned e, unsigned n, unsigned f = 0) {
  return memory(Space::lds, MemKind::store, e, n, f);
}
constexpr MemInfo lds_atomic(AtomicOp op, Type t) {
  return atomic(Space::lds, op, t);
}
constexpr MemInfo lds_atomic_rtn(AtomicOp op, Type t, unsigned f = 0) {
  MemInfo m = atomic(Space::lds, op, t, f);
  m.returns = true;
  return m;
}
constexpr MemInfo lds_other() {
  return memory(Space::lds, MemKind::other, 0, 0);
}
constexpr MemInfo gws() {
  return memory(Space::gds, MemKind::other, 0, 0);
}
constexpr MemInfo flat_load(unsigned e, unsigned n, unsigned f = 0) {
  return memory(Space::flat, MemKind::load, e, n, f);
}
constexpr MemInfo flat_store(unsigned e, unsigned n, unsigned f = 0) {
  return memory(Space::flat, MemKind::store, e, n, f);
}
constexpr MemInfo flat_atomic(AtomicOp op, Type t) {
  return atomic(Space::flat, op, t);
}
constexpr MemInfo global_load(unsigned e, unsigned n, unsigned f = 0) {
  return memory(Space::global, MemKind::load, e, n, f);
}
constexpr MemInfo global_store(unsigned e, unsigned n, unsigned f = 0) {
  return memory(Space::global, MemKind::store, e, n, f);
}
constexpr MemInfo global_atomic(AtomicOp op, Type t) {
  return atomic(Space::global, op, t);
}
constexpr MemInfo scratch_load(unsigned e, unsigned n, unsigned f = 0) {
  return memory(Space::scratch, MemKind::load, e, n, f);
}
constexpr MemInfo scratch_store(unsigned e, unsigned n, unsigned f = 0) {
  return memory(Space::scratch, MemKind::store, e, n, f);
}
constexpr MemInfo buffer_load(unsigned e, unsigned n, unsigned f = 0) {
  return memory(Space::buffer, MemKind::load, e, n, f);
}
constexpr MemInfo buffer_store(unsigned e, unsigned n, unsigned f = 0) {
  return memory(Space::buffer, MemKind::store, e, n, f);
}
constexpr MemInfo buffer_atomic(AtomicOp op, Type t) {
  return atomic(Space::buffer, op, t);
}
constexpr MemInfo buffer_other() {
  return memory(Space::buffer, MemKind::other, 0, 0);
}
// Format conversions have no element size: the format decides it.
constexpr MemInfo buffer_format_load(unsigned n, unsigned f = 0) {
  return memory(Space::buffer, MemKind::load, 0, n, f);
}
constexpr MemInfo buffer_format_store(unsigned n, unsigned f = 0) {
  return memory(Space::buffer, MemKind::store, 0, n, f);
}
constexpr MemInfo tbuffer_load(unsigned n, unsigned f = 0) {
  return memory(Space::tbuffer, MemKind::load, 0, n, f);
}
constexpr MemInfo tbuffer_store(unsigned n, unsigned f = 0) {
  return memory(Space::tbuffer, MemKind::store, 0, n, f);
}

constexpr Row make(Op op, const char* name, Enc enc, Opcodes o, Results d, Sources s,
                   uint32_t traits, uint32_t mods, MemInfo mem, const char* meaning) {
  return {op,
          name,
          enc,
          {o.value[0], o.value[1]},
          traits,
          {d.type[0], d.type[1]},
          {s.type[0], s.type[1], s.type[2], s.type[3]},
          mem,
          meaning,
          static_cast<uint8_t>(mods)};
}

// Vector instructions run under EXEC unless they name a lane or are matrix instructions.
constexpr uint32_t noexec = 1u << 31;
constexpr uint32_t vector_traits(uint32_t tr) {
  return kValu | (tr & (noexec | kMfma | kLaneWrite) ? 0 : kReadsExec) | (tr & ~noexec);
}

constexpr Row kRows[] = {
    {Op::invalid, "invalid", Enc::sop1, {-1, -1}, 0, {}, {}, {}, "no instruction", 0},
#define SCALAR(m, enc, o, d, s, tr, text)                                                          \
  make(Op::m, #m, Enc::enc, o, d, s, kSalu | (tr), 0, {}, text),
#define VECTOR(m, enc, o, d, s, tr, md, text)                                                      \
  make(Op::m, #m, Enc::enc, o, d, s, vector_traits(tr), md, {}, text),
#define MEMORY(m, enc, o, d, s, tr, mem, text) make(Op::m, #m, Enc::enc, o, d, s, tr, 0, mem, text),
#define INST(m, o, d, s, tr, text) SCALAR(m, sop1, o, d, s, tr, text)
#include "isa/rows/sop1.def"
#undef INST
#define INST(m, o, d, s, tr, text) SCALAR(m, sop2, o, d, s, tr, text)
#include "isa/rows/sop2.def"
#undef INST
#define INST(m, o, d, s, tr, text) SCALAR(m, sopk, o, d, s, tr, text)
#include "isa/rows/sopk.def"
#undef INST
#define INST(m, o, d, s, tr, text) SCALAR(m, sopc, o, d, s, tr, text)
#include "isa/rows/sopc.def"
#undef INST
#define INST(m, o, tr, text) SCALAR(m, sopp, o, D(), S(), tr, text)
#include "isa/rows/sopp.def"
#undef INST
#define INST(m, o, d, s, mem, text) MEMORY(m, smem, o, d, s, 0, mem, text)
#include "isa/rows/smem.def"
#undef INST
#define INST(m, o, d, s, tr, md, text) VECTOR(m, vop1, o, d, s, tr, md, text)
#include "isa/rows/vop1.def"
#undef INST
#define INST(m, o, d, s, tr, md, text) VECTOR(m, vop2, o, d, s, tr, md, text)
#include "isa/rows/vop2.def"
#undef INST
#define INST(m, o, d, s, tr, md, text) VECTOR(m, vop3, o, d, s, tr, md, text)
#include "isa/rows/vop3.def"
#undef INST
#define INST(m, o, d, s, tr, md, text) VECTOR(m, vop3p, o, d, s, tr, md, text)
#include "isa/rows/vop3p.def"
#undef INST
#define INST(m, o, d, s, tr, md, text) VECTOR(m, vopc, o, d, s, tr, md, text)
#include "isa/rows/vopc.def"
#undef INST
#define INST(m, o, d, s, tr, mem, text) MEMORY(m, ds, o, d, s, kReadsExec | (tr), mem, text)
#include "isa/rows/ds.def"
#undef INST
#define INST(m, enc, o, d, s, tr, mem, text) MEMORY(m, enc, o, d, s, kReadsExec | (tr), mem, text)
#include "isa/rows/flat.def"
#undef INST
#define INST(m, o, d, s, tr, mem, text) MEMORY(m, mubuf, o, d, s, kReadsExec | (tr), mem, text)
#include "isa/rows/mubuf.def"
#undef INST
#define INST(m, o, d, s, tr, mem, text) MEMORY(m, mtbuf, o, d, s, kReadsExec | (tr), mem, text)
#include "isa/rows/mtbuf.def"
#undef INST
};
static_assert(sizeof(kRows) / sizeof(kRows[0]) == kOpCount);

// Opcode space of each encoding; VOP3 holds the promotions too.
constexpr size_t kEncCount = static_cast<size_t>(Enc::mtbuf) + 1;

struct Lookup {
  std::array<std::array<Op, 1024>, kEncCount> op{};
  void add(Enc enc, int opcode, Op o) { op[static_cast<size_t>(enc)][opcode] = o; }
};

Lookup build(Target target) {
  Lookup l;
  for (auto& space : l.op)
    space.fill(Op::invalid);
  for (const Row& r : kRows) {
    int opcode = r.opcode[static_cast<size_t>(target)];
    if (opcode < 0)
      continue;
    l.add(r.enc, opcode, r.op);
    if (r.traits & kOnlyE32)
      continue;
    if (r.enc == Enc::vopc)
      l.add(Enc::vop3, opcode, r.op);
    if (r.enc == Enc::vop2)
      l.add(Enc::vop3, 0x100 + opcode, r.op);
    if (r.enc == Enc::vop1)
      l.add(Enc::vop3, 0x140 + opcode, r.op);
  }
  return l;
}

} // namespace

const char* target_name(Target t) {
  return t == Target::gfx90a ? "gfx90a" : "gfx942";
}

const Row& row(Op op) {
  size_t i = static_cast<size_t>(op);
  return kRows[i < kOpCount ? i : 0];
}

Op lookup(Target target, Enc enc, unsigned opcode) {
  static const Lookup tables[kTargetCount] = {build(Target::gfx90a), build(Target::gfx942)};
  return opcode < 1024 ? tables[static_cast<size_t>(target)].op[static_cast<size_t>(enc)][opcode]
                       : Op::invalid;
}

Op op_by_name(std::string_view mnemonic) {
  static const auto& names = *[] { // leaked: threads may outlive static destruction
    auto* m = new std::unordered_map<std::string_view, Op>;
    for (size_t i = 1; i < kOpCount; ++i)
      m->emplace(kRows[i].mnemonic, kRows[i].op);
    return m;
  }();
  auto it = names.find(mnemonic);
  return it == names.end() ? Op::invalid : it->second;
}

} // namespace pumice::isa
