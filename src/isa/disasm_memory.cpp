// SPDX-License-Identifier: MIT
// Disassembler text of the memory encodings.
#include "isa/disasm_printer.h"

namespace pumice::isa {

void Printer::smem() {
  name();
  if (r_.src_type[0] == Type::none) {
    if (i_.dst[0].present())
      operand(i_.dst[0]);
    return;
  }
  if (i_.op == Op::s_atc_probe || i_.op == Op::s_atc_probe_buffer)
    item(small_or_hex(static_cast<unsigned>(i_.simm16)));
  if (i_.src[2].present())
    operand(i_.src[2]);
  else if (i_.dst[0].present())
    operand(i_.dst[0]);
  operand(i_.src[0]);
  std::string offset = i_.offset < 0 ? "-" + hex(-static_cast<int64_t>(i_.offset)) : hex(i_.offset);
  if (i_.src[1].present()) {
    operand(i_.src[1]);
    if (i_.offen)
      text_ += " offset:" + offset;
  } else {
    item(offset);
  }
  flag(i_.sc0, " glc");
}

void Printer::ds() {
  name();
  if (i_.dst[0].present())
    operand(i_.dst[0]);
  for (const Operand& o : i_.src)
    if (o.present())
      operand(o);
  if (r_.mem.two_address) {
    if (i_.offset0)
      text_ += " offset0:" + std::to_string(i_.offset0);
    if (i_.offset1)
      text_ += " offset1:" + std::to_string(i_.offset1);
  } else if (i_.op == Op::ds_swizzle_b32) {
    text_ += swizzle_text(static_cast<unsigned>(i_.offset));
  } else if (i_.offset) {
    text_ += " offset:" + std::to_string(i_.offset);
  }
  flag(i_.gds, " gds");
}

void Printer::cache_flags() {
  bool gfx942 = target_ == Target::gfx942;
  flag(i_.sc0, gfx942 ? " sc0" : " glc");
  flag(i_.nt, gfx942 ? " nt" : " slc");
  flag(i_.sc1, gfx942 ? " sc1" : " scc");
}

void Printer::flat() {
  name();
  if (i_.dst[0].present())
    operand(i_.dst[0]);
  bool scratch = i_.enc == Enc::scratch;
  if (i_.src[0].present())
    operand(i_.src[0]);
  else if (scratch)
    item("off");
  if (i_.src[2].present())
    operand(i_.src[2]);
  if (i_.enc != Enc::flat)
    i_.src[1].present() ? operand(i_.src[1]) : item("off");
  if (i_.offset)
    text_ += " offset:" + std::to_string(i_.offset);
  cache_flags();
  flag(i_.lds, " lds");
}

void Printer::buffer() {
  name();
  if (r_.src_type[1] == Type::none)
    return cache_flags();
  if (i_.src[3].present())
    operand(i_.src[3]);
  else if (i_.dst[0].present())
    operand(i_.dst[0]);
  if (r_.src_type[0] != Type::none)
    i_.src[0].present() ? operand(i_.src[0]) : item("off");
  operand(i_.src[1]);
  operand(i_.src[2]);
  if (i_.enc == Enc::mtbuf)
    text_ += buffer_format_text(i_.dfmt, i_.nfmt);
  flag(i_.idxen, " idxen");
  flag(i_.offen, " offen");
  if (i_.offset)
    text_ += " offset:" + std::to_string(i_.offset);
  bool store_lds = i_.op == Op::buffer_store_lds_dword;
  flag(i_.lds && store_lds, " lds");
  cache_flags();
  flag(i_.lds && !store_lds, " lds");
}

} // namespace pumice::isa
