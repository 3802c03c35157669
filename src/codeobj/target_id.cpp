// SPDX-License-Identifier: MIT
#include "codeobj/target_id.h"
#include <algorithm>
#include <array>

namespace pumice::codeobj {
namespace {

struct Mach {
  uint8_t number;
  const char* name;
};
// EF_AMDGPU_MACH values [LLVM AMDGPUUsage, Processors]. Names of other vendors' targets are needed
// to say what a file was built for.
constexpr Mach kMachs[] = {
    {0x20, "gfx600"},         {0x21, "gfx601"},          {0x22, "gfx700"},
    {0x23, "gfx701"},         {0x24, "gfx702"},          {0x25, "gfx703"},
    {0x26, "gfx704"},         {0x28, "gfx801"},          {0x29, "gfx802"},
    {0x2a, "gfx803"},         {0x2b, "gfx810"},          {0x2c, "gfx900"},
    {0x2d, "gfx902"},         {0x2e, "gfx904"},          {0x2f, "gfx906"},
    {0x30, "gfx908"},         {0x31, "gfx909"},          {0x32, "gfx90c"},
    {0x33, "gfx1010"},        {0x34, "gfx1011"},         {0x35, "gfx1012"},
    {0x36, "gfx1030"},        {0x37, "gfx1031"},         {0x38, "gfx1032"},
    {0x39, "gfx1033"},        {0x3a, "gfx602"},          {0x3b, "gfx705"},
    {0x3c, "gfx805"},         {0x3d, "gfx1035"},         {0x3e, "gfx1034"},
    {0x3f, "gfx90a"},         {0x40, "gfx940"},          {0x41, "gfx1100"},
    {0x42, "gfx1013"},        {0x43, "gfx1150"},         {0x44, "gfx1103"},
    {0x45, "gfx1036"},        {0x46, "gfx1101"},         {0x47, "gfx1102"},
    {0x48, "gfx1200"},        {0x4a, "gfx1151"},         {0x4b, "gfx941"},
    {0x4c, "gfx942"},         {0x4e, "gfx1201"},         {0x4f, "gfx950"},
    {0x51, "gfx9-generic"},   {0x52, "gfx10-1-generic"}, {0x53, "gfx10-3-generic"},
    {0x54, "gfx11-generic"},  {0x55, "gfx1152"},         {0x59, "gfx12-generic"},
    {0x5f, "gfx9-4-generic"},
};

struct GenericMember {
  const char* generic;
  const char* processor;
};
constexpr GenericMember kGenericMembers[] = {
    {"gfx9-4-generic", "gfx940"},
    {"gfx9-4-generic", "gfx941"},
    {"gfx9-4-generic", "gfx942"},
    {"gfx9-4-generic", "gfx950"},
};

Feature decode_v4(uint32_t two_bits) {
  constexpr std::array<Feature, 4> kValues = {Feature::unsupported, Feature::any, Feature::off,
                                              Feature::on};
  return kValues[two_bits & 3];
}

/// Code in mode `code` may run on an agent whose mode is `agent`.
bool allowed(Feature code, Feature agent) {
  if (code == Feature::any || code == Feature::unsupported)
    return true;
  if (agent == Feature::any || agent == Feature::unsupported)
    return code == Feature::off;
  return code == agent;
}

void append_feature(std::string& s, const char* name, Feature f) {
  if (f == Feature::on)
    s += std::string(":") + name + "+";
  if (f == Feature::off)
    s += std::string(":") + name + "-";
}

} // namespace

std::string TargetId::short_name() const {
  std::string s = processor;
  append_feature(s, "sramecc", sramecc);
  append_feature(s, "xnack", xnack);
  return s;
}

std::string TargetId::isa_name() const {
  return "amdgcn-amd-amdhsa--" + short_name();
}

Result<TargetId> parse_target_id(std::string_view text) {
  std::string_view rest = text;
  size_t at = rest.find("gfx");
  auto bad = [&] {
    return error(Code::invalid_argument,
                 "'" + std::string(text) + "' is not a target id like " + "gfx942:sramecc+:xnack-");
  };
  if (at == std::string_view::npos || (at > 0 && rest[at - 1] != '-'))
    return bad();
  rest.remove_prefix(at);
  TargetId id;
  size_t colon = rest.find(':');
  id.processor = std::string(rest.substr(0, colon));
  if (id.processor.size() < 4 ||
      !std::all_of(id.processor.begin(), id.processor.end(),
                   [](unsigned char c) { return std::isalnum(c) || c == '-'; }))
    return bad();
  while (colon != std::string_view::npos) {
    rest.remove_prefix(colon + 1);
    colon = rest.find(':');
    std::string_view f = rest.substr(0, colon);
    if (f.size() < 2 || (f.back() != '+' && f.back() != '-'))
      return bad();
    Feature value = f.back() == '+' ? Feature::on : Feature::off;
    f.remove_suffix(1);
    if (f == "sramecc")
      id.sramecc = value;
    else if (f == "xnack")
      id.xnack = value;
    else
      return bad();
  }
  return id;
}

Result<TargetId> target_from_elf_flags(uint32_t e_flags, unsigned elf_abi) {
  uint8_t number = e_flags & 0xff;
  const Mach* mach = std::find_if(std::begin(kMachs), std::end(kMachs),
                                  [&](const Mach& m) { return m.number == number; });
  if (mach == std::end(kMachs))
    return error(Code::incompatible, "code object for an unknown AMD processor (machine number " +
                                         std::to_string(number) + ")");
  TargetId id;
  id.processor = mach->name;
  if (elf_abi >= 2) { // v4 and later
    id.xnack = decode_v4(e_flags >> 8);
    id.sramecc = decode_v4(e_flags >> 10);
  } else { // v3 had one bit each: built for the mode, or not
    id.xnack = e_flags & 0x100 ? Feature::on : Feature::off;
    id.sramecc = e_flags & 0x200 ? Feature::on : Feature::off;
  }
  return id;
}

Match match(const TargetId& code, const TargetId& agent) {
  if (!allowed(code.sramecc, agent.sramecc) || !allowed(code.xnack, agent.xnack))
    return Match::none;
  if (code.processor == agent.processor) {
    bool specific = (code.sramecc == Feature::on || code.sramecc == Feature::off) ||
                    (code.xnack == Feature::on || code.xnack == Feature::off);
    return specific ? Match::exact : Match::any_features;
  }
  for (const GenericMember& g : kGenericMembers)
    if (code.processor == g.generic && agent.processor == g.processor)
      return Match::generic;
  return Match::none;
}

} // namespace pumice::codeobj
