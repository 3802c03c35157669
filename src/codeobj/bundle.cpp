// SPDX-License-Identifier: MIT
#include "codeobj/bundle.h"
#include "codeobj/code_object.h"
#include "codeobj/host_binary.h"
#include <algorithm>

namespace pumice::codeobj {
namespace {

constexpr std::string_view kMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr uint64_t kMaxEntries = 4096;

bool starts_with(Bytes b, std::string_view magic) {
  return b.size() >= magic.size() && std::memcmp(b.data(), magic.data(), magic.size()) == 0;
}

Status bad(const std::string& what) {
  return error(Code::invalid_code_object, "malformed offload bundle: " + what);
}

BundleEntry make_entry(std::string id, Bytes bytes) {
  BundleEntry e;
  e.id = std::move(id);
  e.bytes = bytes;
  // Host entries ("host-...") carry no code for us; unknown kinds are kept and never selected.
  if (e.id.rfind("hip", 0) == 0 || e.id.rfind("openmp", 0) == 0) {
    if (auto t = parse_target_id(e.id); t.ok()) {
      e.target = std::move(*t);
      e.is_device = true;
    }
  }
  return e;
}

Result<std::vector<BundleEntry>> read_plain(Bytes b) {
  Reader r(b);
  r.skip(kMagic.size());
  uint64_t count = r.u64();
  if (!r.ok() || count > kMaxEntries)
    return bad("number of entries");
  std::vector<BundleEntry> entries;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t offset = r.u64(), size = r.u64(), id_size = r.u64();
    std::string id(r.chars(id_size));
    if (!r.ok())
      return bad("truncated entry table");
    if (!fits(b, offset, size))
      return bad("entry '" + id + "' lies outside the bundle");
    entries.push_back(make_entry(std::move(id), slice(b, offset, size)));
  }
  return entries;
}

Result<std::vector<BundleEntry>> read_compressed(Bytes b) {
  TRY_ASSIGN(std::vector<uint8_t> plain, decompress_bundle(b));
  auto storage = std::make_shared<const std::vector<uint8_t>>(std::move(plain));
  if (!starts_with(*storage, kMagic))
    return bad("compressed data is not a bundle");
  TRY_ASSIGN(std::vector<BundleEntry> entries, read_plain(*storage));
  for (BundleEntry& e : entries)
    e.storage = storage;
  return entries;
}

Result<std::vector<BundleEntry>> read_bare(Bytes b) {
  TRY_ASSIGN(CodeObject co, parse_code_object(b));
  BundleEntry e;
  e.id = "hipv4-" + co.target.isa_name();
  e.is_device = true;
  e.target = co.target;
  e.bytes = b;
  return std::vector<BundleEntry>{std::move(e)};
}

/// Bytes from the start of a trusted plain bundle to the end of its last entry.
uint64_t plain_size(const uint8_t* p) {
  auto word = [&](uint64_t at) {
    uint64_t v;
    std::memcpy(&v, p + at, 8);
    return v;
  };
  uint64_t at = kMagic.size(), count = std::min(word(at), kMaxEntries), end = 0;
  at += 8;
  for (uint64_t i = 0; i < count; ++i) {
    end = std::max(end, word(at) + word(at + 8));
    at += 24 + word(at + 16);
  }
  return std::max(end, at);
}

} // namespace

Result<std::vector<BundleEntry>> read_bundle(Bytes bytes) {
  if (starts_with(bytes, kMagic))
    return read_plain(bytes);
  if (is_compressed_bundle(bytes))
    return read_compressed(bytes);
  if (is_code_object(bytes))
    return read_bare(bytes);
  if (is_host_binary(bytes))
    return read_host_binary(bytes);
  return error(Code::invalid_code_object,
               "not an offload bundle, a code object, or a host binary with HIP code");
}

Result<std::vector<BundleEntry>> read_bundle_at(const void* blob) {
  auto* p = static_cast<const uint8_t*>(blob);
  if (!p)
    return error(Code::invalid_argument, "null fat binary");
  // A page tail may follow the magic directly, so compare it byte by byte.
  if (std::memcmp(p, "CCOB", 4) == 0) {
    TRY_ASSIGN(uint64_t size, compressed_size_at(p));
    return read_compressed(Bytes(p, static_cast<size_t>(size)));
  }
  if (std::memcmp(p,
                  "\x7f"
                  "ELF",
                  4) == 0) {
    TRY_ASSIGN(uint64_t size, elf_size(Bytes(p, SIZE_MAX / 4)));
    return read_bundle(Bytes(p, static_cast<size_t>(size)));
  }
  if (std::memcmp(p, kMagic.data(), kMagic.size()) == 0)
    return read_plain(Bytes(p, static_cast<size_t>(plain_size(p))));
  return bad("unknown magic");
}

Result<std::vector<BundleEntry>> read_fat_binary(const void* wrapper) {
  struct Wrapper {
    uint32_t magic, version;
    const void* binary;
    const void* unused;
  };
  auto* w = static_cast<const Wrapper*>(wrapper);
  if (!w)
    return error(Code::invalid_argument, "null fat binary wrapper");
  if (w->magic != kFatBinaryMagic || w->version != 1)
    return bad("fat binary wrapper magic or version");
  return read_bundle_at(w->binary);
}

std::string list_targets(const std::vector<BundleEntry>& entries) {
  std::vector<std::string> names;
  for (const BundleEntry& e : entries) {
    if (!e.is_device || e.bytes.empty())
      continue;
    std::string n = e.target.short_name();
    if (std::find(names.begin(), names.end(), n) == names.end())
      names.push_back(n);
  }
  std::string s;
  for (const std::string& n : names)
    s += (s.empty() ? "" : ", ") + n;
  return s.empty() ? "none" : s;
}

Result<const BundleEntry*> select_code_object(const std::vector<BundleEntry>& entries,
                                              const TargetId& agent) {
  const BundleEntry* best = nullptr;
  Match best_match = Match::none;
  for (const BundleEntry& e : entries) {
    if (!e.is_device || e.bytes.empty())
      continue;
    Match m = match(e.target, agent);
    if (m > best_match) {
      best = &e;
      best_match = m;
    }
  }
  if (best)
    return best;
  return error(Code::incompatible, "no code for " + agent.short_name() +
                                       " in this binary; it has: " + list_targets(entries) +
                                       ". Compile with --offload-arch=" + agent.processor);
}

} // namespace pumice::codeobj
