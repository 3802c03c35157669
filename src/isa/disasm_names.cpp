// SPDX-License-Identifier: MIT
// Symbolic text of immediates: s_waitcnt, s_sendmsg, hwreg, ds_swizzle, GPR index modes, buffer
// formats, DPP.
#include "isa/disasm.h"
#include <cstdio>

namespace pumice::isa {

std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string small_or_hex(unsigned k) {
  return k <= 64 ? std::to_string(k) : hex(k);
}

std::string waitcnt_text(unsigned k) {
  unsigned vm = (k & 15) | (k >> 10 & 0x30), exp = k >> 4 & 7, lgkm = k >> 8 & 15;
  bool all = vm == 63 && exp == 7 && lgkm == 15;
  std::string text;
  auto add = [&](const char* name, unsigned value, unsigned max) {
    if (value == max && !all)
      return;
    if (!text.empty())
      text += ' ';
    text += std::string(name) + '(' + std::to_string(value) + ')';
  };
  add("vmcnt", vm, 63);
  add("expcnt", exp, 7);
  add("lgkmcnt", lgkm, 15);
  return text;
}

std::string sendmsg_text(unsigned k) {
  static constexpr const char* kNames[16] = {nullptr,
                                             "MSG_INTERRUPT",
                                             "MSG_GS",
                                             "MSG_GS_DONE",
                                             "MSG_SAVEWAVE",
                                             "MSG_STALL_WAVE_GEN",
                                             "MSG_HALT_WAVES",
                                             "MSG_ORDERED_PS_DONE",
                                             "MSG_EARLY_PRIM_DEALLOC",
                                             "MSG_GS_ALLOC_REQ",
                                             "MSG_GET_DOORBELL",
                                             nullptr,
                                             nullptr,
                                             nullptr,
                                             nullptr,
                                             "MSG_SYSMSG"};
  static constexpr const char* kGsOps[4] = {"GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT",
                                            "GS_OP_EMIT_CUT"};
  static constexpr const char* kSysOps[8] = {nullptr,
                                             "SYSMSG_OP_ECC_ERR_INTERRUPT",
                                             "SYSMSG_OP_REG_RD",
                                             nullptr,
                                             "SYSMSG_OP_TTRACE_PC",
                                             nullptr,
                                             nullptr,
                                             nullptr};
  k &= 0xffff;
  unsigned id = k & 15, op = k >> 4 & 7, stream = k >> 8 & 3;
  bool gs = id == 2 || id == 3, sys = id == 15;
  bool op_named = gs ? op < 4 && (op > 0 || id == 3) : sys ? kSysOps[op] != nullptr : op == 0;
  bool stream_fits = (gs && op > 0) || stream == 0;
  if (kNames[id] && op_named && stream_fits) {
    std::string text = std::string("sendmsg(") + kNames[id];
    if (gs)
      text += std::string(", ") + kGsOps[op];
    if (gs && op > 0)
      text += ", " + std::to_string(stream);
    if (sys)
      text += std::string(", ") + kSysOps[op];
    return text + ')';
  }
  if ((k & ~0x37fu) == 0)
    return "sendmsg(" + std::to_string(id) + ", " + std::to_string(op) + ", " +
           std::to_string(stream) + ')';
  return std::to_string(k);
}

std::string hwreg_text(Target target, unsigned k) {
  static constexpr const char* kNames[25] = {nullptr,
                                             "HW_REG_MODE",
                                             "HW_REG_STATUS",
                                             "HW_REG_TRAPSTS",
                                             "HW_REG_HW_ID",
                                             "HW_REG_GPR_ALLOC",
                                             "HW_REG_LDS_ALLOC",
                                             "HW_REG_IB_STS",
                                             nullptr,
                                             nullptr,
                                             nullptr,
                                             nullptr,
                                             nullptr,
                                             nullptr,
                                             nullptr,
                                             "HW_REG_SH_MEM_BASES",
                                             "HW_REG_TBA_LO",
                                             "HW_REG_TBA_HI",
                                             "HW_REG_TMA_LO",
                                             "HW_REG_TMA_HI",
                                             "HW_REG_XCC_ID",
                                             "HW_REG_SQ_PERF_SNAPSHOT_DATA",
                                             "HW_REG_SQ_PERF_SNAPSHOT_DATA1",
                                             "HW_REG_SQ_PERF_SNAPSHOT_PC_LO",
                                             "HW_REG_SQ_PERF_SNAPSHOT_PC_HI"};
  unsigned id = k & 63, offset = k >> 6 & 31, size = (k >> 11 & 31) + 1;
  unsigned known = target == Target::gfx942 ? 25 : 20;
  std::string text =
      "hwreg(" + (id < known && kNames[id] ? std::string(kNames[id]) : std::to_string(id));
  if (offset != 0 || size != 32)
    text += ", " + std::to_string(offset) + ", " + std::to_string(size);
  return text + ')';
}

std::string swizzle_text(unsigned offset) {
  if (offset == 0)
    return "";
  if ((offset & 0xff00) == 0x8000) {
    std::string text = " offset:swizzle(QUAD_PERM";
    for (unsigned i = 0; i < 4; ++i)
      text += ',' + std::to_string(offset >> 2 * i & 3);
    return text + ')';
  }
  if (offset & 0x8000)
    return " offset:" + std::to_string(offset);
  unsigned and_mask = offset & 31, or_mask = offset >> 5 & 31, xor_mask = offset >> 10 & 31;
  auto power_of_two = [](unsigned v) { return v && !(v & (v - 1)); };
  if (and_mask == 31 && or_mask == 0 && power_of_two(xor_mask))
    return " offset:swizzle(SWAP," + std::to_string(xor_mask) + ')';
  if (and_mask == 31 && or_mask == 0 && xor_mask > 0 && power_of_two(xor_mask + 1))
    return " offset:swizzle(REVERSE," + std::to_string(xor_mask + 1) + ')';
  unsigned group = 32 - and_mask;
  if (group > 1 && power_of_two(group) && or_mask < group && xor_mask == 0)
    return " offset:swizzle(BROADCAST," + std::to_string(group) + ',' + std::to_string(or_mask) +
           ')';
  std::string text = " offset:swizzle(BITMASK_PERM,\"";
  for (unsigned b = 16; b; b >>= 1) {
    // How the bit comes out for lane bits 0 and 1.
    unsigned zero = or_mask & b ? 1 : 0, one = zero | (and_mask & b ? 1 : 0),
             flip = xor_mask & b ? 1 : 0;
    zero ^= flip;
    one ^= flip;
    text += zero == one ? (zero ? '1' : '0') : (zero ? 'i' : 'p');
  }
  return text + "\")";
}

std::string gpr_idx_text(unsigned k) {
  if (k > 15)
    return hex(k & 0xffff);
  static constexpr const char* kNames[4] = {"SRC0", "SRC1", "SRC2", "DST"};
  std::string text = "gpr_idx(";
  for (unsigned i = 0; i < 4; ++i) {
    if (!(k >> i & 1))
      continue;
    if (text.back() != '(')
      text += ',';
    text += kNames[i];
  }
  return text + ')';
}

std::string buffer_format_text(unsigned dfmt, unsigned nfmt) {
  static constexpr const char* kData[16] = {
      "INVALID",     "8",        "16",          "8_8",        "32",      "16_16",
      "10_11_11",    "11_11_10", "10_10_10_2",  "2_10_10_10", "8_8_8_8", "32_32",
      "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15"};
  static constexpr const char* kNumber[8] = {"UNORM", "SNORM", "USCALED",    "SSCALED",
                                             "UINT",  "SINT",  "RESERVED_6", "FLOAT"};
  if (dfmt == 1 && nfmt == 0)
    return "";
  std::string text = " format:[";
  if (dfmt != 1)
    text += std::string("BUF_DATA_FORMAT_") + kData[dfmt & 15];
  if (dfmt != 1 && nfmt != 0)
    text += ',';
  if (nfmt != 0)
    text += std::string("BUF_NUM_FORMAT_") + kNumber[nfmt & 7];
  return text + ']';
}

std::string dpp_ctrl_text(unsigned c) {
  auto numbered = [](const char* name, unsigned n) {
    return std::string(name) + std::to_string(n);
  };
  if (c <= 0xff) {
    std::string text = "quad_perm:[";
    for (unsigned i = 0; i < 4; ++i)
      text += (i ? "," : "") + std::to_string(c >> 2 * i & 3);
    return text + ']';
  }
  switch (c & 0x1f0) {
  case 0x100:
    return numbered("row_shl:", c & 15);
  case 0x110:
    return numbered("row_shr:", c & 15);
  case 0x120:
    return numbered("row_ror:", c & 15);
  case 0x150:
    return numbered("row_newbcast:", c & 15);
  default:
    break;
  }
  switch (c) {
  case 0x130:
    return "wave_shl:1";
  case 0x134:
    return "wave_rol:1";
  case 0x138:
    return "wave_shr:1";
  case 0x13c:
    return "wave_ror:1";
  case 0x140:
    return "row_mirror";
  case 0x141:
    return "row_half_mirror";
  case 0x142:
    return "row_bcast:15";
  default:
    return "row_bcast:31";
  }
}

} // namespace pumice::isa
