// SPDX-License-Identifier: MIT
// Every load, store and atomic of every vector memory encoding by name: width, sign, half and
// operation are read off the mnemonic and applied to plain bytes.
#include "single.h"
#include <bit>
#include <cmath>
#include <cstring>

namespace {

using namespace pumice;
using isa::Enc;
using isa::kVgpr0;
using isa::MemKind;
using isa::Operand;
using isa::Type;

bool has(const std::string& s, const char* part) {
  return s.find(part) != std::string::npos;
}

constexpr unsigned kAddress = 2, kData = 8, kData2 = 12, kResult = 20;

/// A buffer of 64 slots of 64 bytes, one per lane, reachable through each encoding.
class Memory {
public:
  std::vector<uint8_t> bytes = std::vector<uint8_t>(64 * 64 + 64);
  test::SingleWave w;
  uint8_t* slot(unsigned lane) { return bytes.data() + 64 * lane; }

  /// Points the instruction's address operands at every lane's slot; false when the encoding is not
  /// handled here.
  bool aim(isa::Inst& i, const isa::Row& row) {
    uint64_t base = reinterpret_cast<uint64_t>(bytes.data());
    for (unsigned lane = 0; lane < 64; ++lane) {
      uint64_t address = base + 64 * lane;
      bool relative = row.enc == Enc::ds || row.enc == Enc::mubuf;
      if (relative)
        address = 64 * lane;
      w->vgpr[kAddress][lane] = static_cast<uint32_t>(address);
      w->vgpr[kAddress + 1][lane] = static_cast<uint32_t>(address >> 32);
    }
    i.enc = row.enc;
    switch (row.enc) {
    case Enc::ds:
      w->lds = bytes.data();
      w->lds_bytes = 4096;
      i.src[0] = {kVgpr0 + kAddress, 1, Type::u32};
      return true;
    case Enc::flat:
    case Enc::global:
      i.src[0] = {kVgpr0 + kAddress, 2, Type::u64};
      return true;
    case Enc::mubuf:
      w.set64(8, base);
      w->sgpr[10] = 4096;
      w->sgpr[11] = 0x27000;
      i.offen = true;
      i.src[0] = {kVgpr0 + kAddress, 1, Type::u32};
      i.src[1] = {8, 4, Type::b128};
      i.src[2] = {isa::kInt0, 1, Type::u32};
      return true;
    default:
      return false;
    }
  }
};

struct Access {
  unsigned bytes; // per address
  bool sign = false, high = false, low = false;
};
Access access_of(const std::string& m) {
  Access a{};
  a.high = has(m, "d16_hi");
  a.low = has(m, "d16") && !a.high;
  std::string n = m;
  if (has(n, "byte") || has(n, "_u8") || has(n, "_i8") || has(n, "_b8"))
    a.bytes = 1;
  else if (has(n, "short") || has(n, "_u16") || has(n, "_i16") || has(n, "_b16"))
    a.bytes = 2;
  else if (has(n, "dwordx2") || has(n, "b64"))
    a.bytes = 8;
  else if (has(n, "dwordx3") || has(n, "b96"))
    a.bytes = 12;
  else if (has(n, "dwordx4") || has(n, "b128"))
    a.bytes = 16;
  else
    a.bytes = 4;
  a.sign = has(n, "sbyte") || has(n, "_i8") || has(n, "sshort") || has(n, "_i16");
  return a;
}

TEST(ExecMemoryTable, EveryLoadAndStore) {
  unsigned done = 0;
  for (size_t op = 1; op < isa::kOpCount; ++op) {
    const isa::Row& row = isa::row(static_cast<isa::Op>(op));
    std::string m = row.mnemonic;
    bool load = row.mem.kind == MemKind::load, store = row.mem.kind == MemKind::store;
    if (!(load || store) || has(m, "format") || has(m, "addtid") || has(m, "_lds_"))
      continue;
    Memory memory;
    isa::Inst i;
    i.op = row.op;
    i.size = 8;
    if (!memory.aim(i, row))
      continue;
    ++done;
    Access a = access_of(m);
    bool two = has(m, "read2") || has(m, "write2");
    unsigned stride = a.bytes * (has(m, "st64") ? 64 : 1), at[2] = {0, 0};
    if (two) {
      // Offsets 1 and 3 elements, or one and two strides of 64 elements.
      i.offset0 = 1, i.offset1 = has(m, "st64") ? 2 : 3;
      at[0] = i.offset0 * stride, at[1] = i.offset1 * stride;
    } else {
      i.offset = 8;
      at[0] = 8;
    }
    for (size_t n = 0; n < memory.bytes.size(); ++n)
      memory.bytes[n] = static_cast<uint8_t>(n * 37 + 129);
    for (unsigned lane = 0; lane < 64; ++lane)
      for (unsigned r = 0; r < 4; ++r) {
        memory.w->vgpr[kData + r][lane] = 0x9e3779b9u * (lane * 7 + r + 1);
        memory.w->vgpr[kData2 + r][lane] = 0x85ebca6bu * (lane * 5 + r + 1);
        memory.w->vgpr[kResult + r][lane] = 0xdeadbeef;
      }
    uint8_t words = static_cast<uint8_t>((a.bytes + 3) / 4);
    if (load)
      i.dst[0] = {kVgpr0 + kResult, static_cast<uint8_t>(words * (two ? 2 : 1)), Type::b32};
    if (store) {
      Operand data{kVgpr0 + kData, words, Type::b32};
      (row.enc == Enc::ds ? i.src[1] : row.enc == Enc::mubuf ? i.src[3] : i.src[2]) = data;
      if (two)
        i.src[2] = {kVgpr0 + kData2, words, Type::b32};
    }
    // st64 forms reach far: only the lanes whose addresses stay inside.
    uint64_t active = has(m, "st64") ? 0x0000ffff : 0xfffffffffffffffe;
    memory.w->set_exec(active);
    std::vector<uint8_t> before = memory.bytes;
    exec::execute(*memory.w, i);
    ASSERT_NE(memory.w->status, exec::WaveStatus::faulted) << m;
    std::vector<uint8_t> expected = before;
    for (unsigned lane = 0; lane < 64; ++lane) {
      for (unsigned part = 0; part < (two ? 2u : 1u); ++part) {
        size_t where = 64 * lane + at[part];
        if (load) {
          uint32_t v[4] = {};
          bool on = active >> lane & 1;
          if (on)
            std::memcpy(v, before.data() + where, a.bytes);
          if (a.bytes == 1 && a.sign)
            v[0] = static_cast<uint32_t>(static_cast<int8_t>(v[0]));
          if (a.bytes == 2 && a.sign)
            v[0] = static_cast<uint32_t>(static_cast<int16_t>(v[0]));
          if (a.high)
            v[0] = v[0] << 16 | 0xbeef;
          if (a.low)
            v[0] = (v[0] & 0xffff) | 0xdead0000;
          for (unsigned r = 0; r < words; ++r)
            ASSERT_EQ(memory.w->vgpr[kResult + part * words + r][lane], on ? v[r] : 0xdeadbeef)
                << m << " lane " << lane << " dword " << r;
        } else if (active >> lane & 1) {
          uint32_t v[4];
          for (unsigned r = 0; r < 4; ++r)
            v[r] = memory.w->vgpr[(part ? kData2 : kData) + r][lane];
          if (a.high)
            v[0] >>= 16;
          std::memcpy(expected.data() + where, v, a.bytes);
        }
      }
    }
    ASSERT_EQ(memory.bytes, expected) << m;
  }
  EXPECT_GT(done, 90u);
}

template <class T> T value(const uint8_t* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

/// New memory content of an atomic named `op` on type T (unsigned) with signed twin I and float
/// twin F.
template <class T, class I, class F> T after(const std::string& m, T old, T v, T second) {
  auto as_float = [](T x) { return std::bit_cast<F>(x); };
  auto from = [](F x) { return std::bit_cast<T>(x); };
  bool is_float = has(m, "f32") || has(m, "f64"),
       is_signed = has(m, "_i32") || has(m, "_i64") || has(m, "smin") || has(m, "smax");
  auto halves = [&](auto f) {
    uint32_t r = 0;
    for (int h = 0; h < 32; h += 16)
      r |= static_cast<uint32_t>(f(static_cast<uint16_t>(old >> h), static_cast<uint16_t>(v >> h)))
           << h;
    return static_cast<T>(r);
  };
  if (has(m, "pk_add") && has(m, "bf16"))
    return halves([](uint16_t x, uint16_t y) -> uint16_t { // exact for the small integers used
      return static_cast<uint16_t>(
          std::bit_cast<uint32_t>(std::bit_cast<float>(uint32_t{x} << 16) +
                                  std::bit_cast<float>(uint32_t{y} << 16)) >>
          16);
    });
  if (has(m, "pk_add"))
    return halves([](uint16_t x, uint16_t y) {
      return std::bit_cast<uint16_t>(
          static_cast<_Float16>(std::bit_cast<_Float16>(x) + std::bit_cast<_Float16>(y)));
    });
  if (has(m, "cmpswap"))
    return old == second ? v : old; // data: new value, comparand
  if (has(m, "cmpst")) {            // DS: comparand, new value
    bool same = is_float ? as_float(old) == as_float(v) : old == v;
    return same ? second : old;
  }
  if (has(m, "mskor"))
    return (old & ~v) | second;
  if (has(m, "wrap"))
    return old >= v ? old - v : old + second;
  if (has(m, "swap") || has(m, "wrxchg"))
    return v;
  if (has(m, "rsub"))
    return v - old;
  if (has(m, "sub"))
    return old - v;
  if (has(m, "add"))
    return is_float ? from(as_float(old) + as_float(v)) : old + v;
  if (has(m, "min"))
    return is_float    ? from(std::fmin(as_float(old), as_float(v)))
           : is_signed ? static_cast<T>(std::min<I>(static_cast<I>(old), static_cast<I>(v)))
                       : std::min(old, v);
  if (has(m, "max"))
    return is_float    ? from(std::fmax(as_float(old), as_float(v)))
           : is_signed ? static_cast<T>(std::max<I>(static_cast<I>(old), static_cast<I>(v)))
                       : std::max(old, v);
  if (has(m, "and"))
    return old & v;
  if (has(m, "xor"))
    return old ^ v;
  if (has(m, "or"))
    return old | v;
  if (has(m, "inc"))
    return old >= v ? 0 : old + 1;
  if (has(m, "dec"))
    return old == 0 || old > v ? v : old - 1;
  ADD_FAILURE() << "no definition of " << m;
  return old;
}

TEST(ExecMemoryTable, EveryAtomic) {
  unsigned done = 0;
  for (size_t op = 1; op < isa::kOpCount; ++op) {
    const isa::Row& row = isa::row(static_cast<isa::Op>(op));
    std::string m = row.mnemonic;
    if (row.mem.kind != MemKind::atomic || row.enc == Enc::smem || has(m, "condxchg") ||
        has(m, "wrxchg2"))
      continue;
    bool ds = row.enc == Enc::ds;
    bool wide = ds ? has(m, "64") : has(m, "_x2") || has(m, "_f64");
    bool is_float = has(m, "f32") || has(m, "f64"), packed = has(m, "pk_add");
    for (bool returns : {false, true}) {
      if (ds && returns != has(m, "_rtn"))
        continue;
      Memory memory;
      isa::Inst i;
      i.op = row.op;
      i.size = 8;
      ASSERT_TRUE(memory.aim(i, row)) << m;
      ++done;
      i.sc0 = returns;
      i.offset = 16;
      uint8_t words = wide ? 2 : 1;
      std::memset(memory.bytes.data(), 0, memory.bytes.size());
      for (unsigned lane = 0; lane < 64; ++lane) {
        auto number = [&](int k) -> uint64_t {
          if (packed)
            return has(m, "bf16") ? 0x3f804000u + (k & 1 ? 0x00800080u : 0)
                                  : (k & 1 ? 0x3c004000u : 0x40003c00u);
          if (is_float)
            return wide ? std::bit_cast<uint64_t>(k * 1.5 - 4)
                        : std::bit_cast<uint32_t>(static_cast<float>(k) * 1.5f - 4);
          return test::edge_bits()[static_cast<unsigned>(k) % test::edge_bits().size()];
        };
        uint64_t old = number(static_cast<int>(lane)), v = number(static_cast<int>(lane / 3)),
                 second = number(static_cast<int>(lane / 2 * 2));
        std::memcpy(memory.slot(lane) + 16, &old, words * 4);
        unsigned next = ds ? kData2 : kData + words;
        for (unsigned r = 0; r < words; ++r) {
          memory.w->vgpr[kData + r][lane] = static_cast<uint32_t>(v >> 32 * r);
          memory.w->vgpr[next + r][lane] = static_cast<uint32_t>(second >> 32 * r);
          memory.w->vgpr[kResult + r][lane] = 0xdeadbeef;
        }
      }
      Operand data{kVgpr0 + kData, words, Type::b32};
      if (ds) {
        i.src[1] = data;
        if (row.src_type[2] != Type::none)
          i.src[2] = {kVgpr0 + kData2, words, Type::b32};
      } else {
        (row.enc == Enc::mubuf ? i.src[3] : i.src[2]) = data;
      }
      if (returns)
        i.dst[0] = {kVgpr0 + kResult, words, Type::b32};
      std::vector<uint8_t> before = memory.bytes;
      exec::execute(*memory.w, i);
      ASSERT_NE(memory.w->status, exec::WaveStatus::faulted) << m;
      for (unsigned lane = 0; lane < 64; ++lane) {
        auto reg = [&](unsigned r) {
          return memory.w->vgpr[r][lane] |
                 (wide ? static_cast<uint64_t>(memory.w->vgpr[r + 1][lane]) << 32 : 0);
        };
        unsigned next = ds ? kData2 : kData + words;
        const uint8_t* was = before.data() + 64 * lane + 16;
        uint64_t old = wide ? value<uint64_t>(was) : value<uint32_t>(was), expected, actual;
        if (wide) {
          expected = after<uint64_t, int64_t, double>(m, old, reg(kData), reg(next));
          actual = value<uint64_t>(memory.slot(lane) + 16);
        } else {
          expected = after<uint32_t, int32_t, float>(m, static_cast<uint32_t>(old),
                                                     static_cast<uint32_t>(reg(kData)),
                                                     static_cast<uint32_t>(reg(next)));
          actual = value<uint32_t>(memory.slot(lane) + 16);
        }
        ASSERT_EQ(actual, expected) << m << " lane " << lane << std::hex << " old " << old
                                    << " data " << reg(kData) << " second " << reg(next);
        ASSERT_EQ(reg(kResult), returns ? old : wide ? 0xdeadbeefdeadbeef : 0xdeadbeef) << m;
      }
    }
  }
  EXPECT_GT(done, 240u);
}

} // namespace
