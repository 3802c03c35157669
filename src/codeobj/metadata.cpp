// SPDX-License-Identifier: MIT
#include "codeobj/metadata.h"
#include "codeobj/msgpack.h"

namespace pumice::codeobj {
namespace {

uint32_t number32(const MsgValue& v, const char* key, uint32_t otherwise = 0) {
  uint64_t n = v.number(key, otherwise);
  return n > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(n);
}

KernelArg read_arg(const MsgValue& v) {
  KernelArg a;
  a.name = v.string(".name");
  a.value_kind = v.string(".value_kind");
  a.type_name = v.string(".type_name");
  a.address_space = v.string(".address_space");
  a.access = v.string(".access");
  a.offset = number32(v, ".offset");
  a.size = number32(v, ".size");
  a.pointee_align = number32(v, ".pointee_align");
  return a;
}

KernelMetadata read_kernel(const MsgValue& v) {
  KernelMetadata k;
  k.name = v.string(".name");
  k.symbol = v.string(".symbol");
  k.kernarg_size = number32(v, ".kernarg_segment_size");
  k.kernarg_align = number32(v, ".kernarg_segment_align");
  k.group_size = number32(v, ".group_segment_fixed_size");
  k.private_size = number32(v, ".private_segment_fixed_size");
  k.wavefront_size = number32(v, ".wavefront_size", 64);
  k.max_flat_workgroup_size = number32(v, ".max_flat_workgroup_size");
  k.sgpr_count = number32(v, ".sgpr_count");
  k.vgpr_count = number32(v, ".vgpr_count");
  k.agpr_count = number32(v, ".agpr_count");
  k.sgpr_spills = number32(v, ".sgpr_spill_count");
  k.vgpr_spills = number32(v, ".vgpr_spill_count");
  k.uses_dynamic_stack = v.flag(".uses_dynamic_stack");
  k.kind = v.string(".kind");
  if (k.kind.empty())
    k.kind = "normal";
  if (const MsgValue* r = v.find(".reqd_workgroup_size"); r && r->items.size() == 3)
    for (int i = 0; i < 3; ++i)
      k.required_workgroup[i] = static_cast<uint32_t>(r->items[i].integer);
  if (const MsgValue* args = v.find(".args"))
    for (const MsgValue& a : args->items)
      k.args.push_back(read_arg(a));
  return k;
}

} // namespace

Status read_metadata(Bytes document, CodeObject& into) {
  TRY_ASSIGN(MsgValue root, read_msgpack(document));
  if (root.kind != MsgValue::Kind::map)
    return error(Code::invalid_code_object, "code object metadata is not a map");
  if (const MsgValue* kernels = root.find("amdhsa.kernels"))
    for (const MsgValue& k : kernels->items)
      into.kernels.push_back(read_kernel(k));
  if (const MsgValue* formats = root.find("amdhsa.printf"))
    for (const MsgValue& f : formats->items)
      if (f.kind == MsgValue::Kind::text)
        into.printf_formats.push_back(f.text);
  return ok_status();
}

} // namespace pumice::codeobj
