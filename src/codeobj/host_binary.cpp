// SPDX-License-Identifier: MIT
#include "codeobj/host_binary.h"
#include "codeobj/code_object.h"
#include <elf.h>

namespace pumice::codeobj {

bool is_host_binary(Bytes bytes) {
  return bytes.size() >= sizeof(Elf64_Ehdr) && std::memcmp(bytes.data(), ELFMAG, SELFMAG) == 0 &&
         bytes[EI_CLASS] == ELFCLASS64 && bytes[EI_DATA] == ELFDATA2LSB && !is_code_object(bytes);
}

Result<std::vector<BundleEntry>> read_host_binary(Bytes bytes) {
  Bytes fat = elf_section(bytes, ".hip_fatbin");
  if (fat.empty())
    return error(Code::not_found, "host binary has no .hip_fatbin section (no HIP device code)");
  std::vector<BundleEntry> all;
  constexpr size_t kStep = 8; // sections are padded with zeros between bundles
  for (size_t at = 0; at + 4 <= fat.size();) {
    Bytes rest = fat.subspan(at);
    bool plain = rest.size() >= 24 && std::memcmp(rest.data(), "__CLANG_OFFLOAD_BUNDLE__", 24) == 0;
    if (!plain && !is_compressed_bundle(rest)) {
      at += kStep;
      continue;
    }
    TRY_ASSIGN(std::vector<BundleEntry> entries, read_bundle(rest));
    size_t end = 24;
    for (const BundleEntry& e : entries)
      if (plain)
        end = std::max<size_t>(end,
                               static_cast<size_t>(e.bytes.data() + e.bytes.size() - rest.data()));
    if (!plain)
      if (auto size = compressed_size_at(rest.data()); size.ok())
        end = std::max<size_t>(end, *size);
    at += (end + kStep - 1) / kStep * kStep;
    for (BundleEntry& e : entries)
      all.push_back(std::move(e));
  }
  if (all.empty())
    return error(Code::invalid_code_object, ".hip_fatbin holds no offload bundle");
  return all;
}

} // namespace pumice::codeobj
