// SPDX-License-Identifier: MIT
#include "smi/model.h"
#include "base/options.h"
#include "smi/uuid.h"
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace pumice::smi {

const char* why_text(Why w) {
  switch (w) {
  case Why::ok:
    return "ok";
  case Why::not_supported:
    return "not supported on this card";
  case Why::permission:
    return "permission denied";
  case Why::no_data:
    return "no value now";
  case Why::broken:
    return "the driver's text is not understood";
  case Why::setting_off:
    return "refused by the driver: a value out of range, or a mode without this setting";
  case Why::not_found:
    return "not found";
  }
  return "unknown";
}

const char* refusal_text(Why w) {
  switch (w) {
  case Why::broken:
    return "the driver failed to take it";
  case Why::no_data:
    return "the driver is busy";
  default:
    return why_text(w);
  }
}

std::string Bdf::text() const {
  char t[32];
  std::snprintf(t, sizeof t, "%04x:%02x:%02x.%x", domain, bus, device, function);
  return t;
}

std::optional<Bdf> Bdf::parse(const std::string& text) {
  unsigned d, b, v, f;
  int used = 0;
  if (std::sscanf(text.c_str(), "%8x:%2x:%2x.%1x%n", &d, &b, &v, &f, &used) != 4 ||
      static_cast<size_t>(used) != text.size() || v > 31 || f > 7)
    return std::nullopt;
  return Bdf{d, static_cast<uint8_t>(b), static_cast<uint8_t>(v), static_cast<uint8_t>(f)};
}

const char* clock_name(Clock c) {
  constexpr const char* kNames[] = {"sclk", "fclk",  "dcefclk", "socclk", "mclk",
                                    "pcie", "vclk0", "vclk1",   "dclk0",  "dclk1"};
  return kNames[static_cast<size_t>(c)];
}

const char* sensor_name(Sensor s) {
  constexpr const char* kNames[] = {"edge",  "junction", "memory", "HBM 0",
                                    "HBM 1", "HBM 2",    "HBM 3"};
  return kNames[static_cast<size_t>(s)];
}

const char* ras_block_name(size_t b) {
  constexpr const char* kNames[kRasBlocks] = {
      "UMC", "SDMA", "GFX", "MMHUB", "ATHUB", "PCIE_BIF", "HDP",  "XGMI_WAFL", "DF",  "SMN",
      "SEM", "MP0",  "MP1", "FUSE",  "MCA",   "VCN",      "JPEG", "IH",        "MPIO"};
  return b < kRasBlocks ? kNames[b] : "UNKNOWN";
}

const char* event_name(EventKind k) {
  switch (k) {
  case EventKind::vmfault:
    return "VM_FAULT";
  case EventKind::thermal_throttle:
    return "THERMAL_THROTTLE";
  case EventKind::gpu_pre_reset:
    return "GPU_PRE_RESET";
  case EventKind::gpu_post_reset:
    return "GPU_POST_RESET";
  case EventKind::ring_hang:
    return "RING_HANG";
  case EventKind::ras_uncorrectable:
    return "RAS_UNCORRECTABLE";
  case EventKind::ras_correctable:
    return "RAS_CORRECTABLE";
  default:
    return "NONE";
  }
}

const std::vector<EventKind>& all_event_kinds() {
  static const std::vector<EventKind> all = {
      EventKind::vmfault,        EventKind::thermal_throttle, EventKind::gpu_pre_reset,
      EventKind::gpu_post_reset, EventKind::ring_hang,        EventKind::ras_uncorrectable,
      EventKind::ras_correctable};
  return all;
}

std::optional<uint64_t> gfx_digits(const std::string& gfx) {
  if (gfx.size() < 6 || gfx.size() > 10 || gfx.compare(0, 3, "gfx") != 0)
    return std::nullopt;
  uint64_t n = 0;
  for (size_t i = 3; i < gfx.size(); ++i) {
    char c = gfx[i];
    unsigned digit = c >= '0' && c <= '9'   ? static_cast<unsigned>(c - '0')
                     : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a' + 10)
                                            : 99;
    if (digit == 99)
      return std::nullopt;
    n = n * (digit > 9 ? 100 : 10) + digit;
  }
  return n;
}

std::string card_uuid(const Card& k) {
  if (!k.id.unique_id.ok())
    return {};
  uint64_t s = *k.id.unique_id;
  char text[40];
  std::snprintf(text, sizeof text, "%02xff%04x-0000-1000-80%02x-%04x%08x",
                static_cast<unsigned>(s >> 56), k.id.device_id & 0xffff,
                static_cast<unsigned>(s >> 48 & 0xff), static_cast<unsigned>(s >> 32 & 0xffff),
                static_cast<unsigned>(s));
  return text;
}

uint32_t pcie_generation(uint32_t mtps) {
  constexpr uint32_t kRates[] = {2500, 5000, 8000, 16000, 32000, 64000};
  uint32_t generation = 0;
  for (uint32_t rate : kRates)
    if (mtps >= rate)
      ++generation;
  return generation;
}

Status check_environment() {
  std::string want = options::text(options::Id::smi), root = options::text(options::Id::sysfs_root);
  if (want != "auto" && want != "soft" && want != "real")
    return error(Code::invalid_argument,
                 "PUMICE_SMI is '" + want + "'; auto, soft or real, please");
  std::error_code ec;
  if (!root.empty() && !std::filesystem::is_directory(root, ec))
    return error(Code::not_found, "PUMICE_SYSFS_ROOT: '" + root + "' is no folder");
  return ok_status();
}

Result<std::unique_ptr<Model>> Model::open(SoftCards which) {
  TRY(check_environment());
  std::string want = options::text(options::Id::smi), root = options::text(options::Id::sysfs_root);
  // What HIP programs of this environment use is what is shown.
  if (want == "auto" && root.empty() && options::text(options::Id::hsa) == "soft")
    want = "soft";
  if (want == "soft")
    return open_soft_model(which);
  auto real = open_sysfs_model(root);
  // A root that was asked for is shown even when it has no cards.
  if (want == "real" || !root.empty() || (real.ok() && !(*real)->cards().empty()))
    return real;
  return open_soft_model(which);
}

} // namespace pumice::smi
