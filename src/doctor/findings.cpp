// SPDX-License-Identifier: MIT
#include "doctor/findings.h"
#include <algorithm>
#include <fmt/format.h>

namespace pumice::doctor {
namespace {

constexpr uint64_t kMiB = 1 << 20;

class Rules {
public:
  explicit Rules(const Facts& f) : f_(f) {}
  std::vector<Finding> run() {
    driver();
    permissions();
    for (auto& c : f_.cards) card(c);
    settings();
    host();
    return std::move(out_);
  }

private:
  void add(const char* id, Severity s, std::string what, std::string why, std::string fix) {
    out_.push_back({id, s, std::move(what), std::move(why), std::move(fix)});
  }
  const DeviceNode* node(const std::string& path) const {
    for (auto& n : f_.nodes)
      if (n.path == path) return &n;
    return nullptr;
  }
  bool any_card() const { return !f_.pci.empty() || !f_.cards.empty(); }

  void driver() {
    if (!any_card()) {
      if (!f_.container.empty() && f_.driver_loaded)
        add("container-no-card", Severity::warning, "the driver is loaded on the host, but this " + f_.container + " container sees no card",
            "device files are not passed into the container", container_fix());
      else
        add("no-card", Severity::note, "no AMD card in this machine", "the PCI bus shows none", "programs run on the software devices named below");
      return;
    }
    std::string unbound;
    for (auto& p : f_.pci)
      if (p.driver != "amdgpu") unbound += fmt::format("{}{} ({})", unbound.empty() ? "" : ", ", p.bdf, p.driver.empty() ? "no driver" : p.driver);
    if (f_.driver_blacklisted)
      add("driver-blacklisted", Severity::error, "the amdgpu driver is blacklisted", "a file in modprobe.d or the kernel command line says so",
          "remove the line, then: update-initramfs -u && reboot");
    if (!f_.driver_loaded)
      add("driver-missing", Severity::error, "there is a card, but the amdgpu driver is not loaded", "/sys/module/amdgpu does not exist",
          "modprobe amdgpu; if there is no such module install amdgpu-dkms or a kernel with it, and see dmesg");
    else if (!unbound.empty())
      add("driver-unbound", Severity::error, "cards that the amdgpu driver does not drive: " + unbound,
          "another driver has them (vfio-pci: passed to a virtual machine), or start-up failed", "dmesg | grep amdgpu");
    if (f_.driver_loaded && f_.cards.empty())
      add("kfd-no-cards", Severity::error, "the driver is loaded, but shows no compute card", "the KFD topology has no GPU node",
          "dmesg | grep -i kfd; the card may be unsupported or its firmware missing");
  }

  std::string container_fix() const {
    return f_.container == "kubernetes" ? "use the amd-gpu device plugin and ask for amd.com/gpu"
                                        : "start it with --device=/dev/kfd --device=/dev/dri --group-add video --group-add render";
  }

  void permissions() {
    for (auto& n : f_.notes)
      if (n.find(": permission denied") != std::string::npos)
        add("sysfs-permission", f_.cards.empty() ? Severity::error : Severity::warning, n, "the tools of this user show less than there is",
            "read it as another user, or mount it into the container");
    if (f_.cards.empty()) return;
    const DeviceNode* kfd = node("/dev/kfd");
    if (!kfd || !kfd->exists) {
      bool inside = !f_.container.empty();
      add("kfd-missing", Severity::error, "/dev/kfd does not exist", inside ? "the container was started without it" : "the driver did not make it",
          inside ? container_fix() : "dmesg | grep -i kfd");
    }
    for (auto& n : f_.nodes) {
      if (!n.exists || n.accessible) continue;
      add(n.path == "/dev/kfd" ? "kfd-permission" : "render-permission", Severity::error,
          fmt::format("this user cannot open {} (mode {:04o}, group {})", n.path, n.mode, n.group), "HIP programs will find no device",
          "sudo usermod -aG " + n.group + " $USER, then log in again");
    }
  }

  void card(const CardFacts& c) {
    std::string who = c.name + " at " + c.bdf;
    if (c.pcie_width && c.pcie_max_width && *c.pcie_width < *c.pcie_max_width)
      add("pcie-width", Severity::warning, fmt::format("{}: PCIe link is x{} instead of x{}", who, *c.pcie_width, *c.pcie_max_width),
          "copies between host and card are slower", "reseat the card or riser; check the slot's width in the board's manual");
    if (c.pcie_mtps && c.pcie_max_mtps && *c.pcie_mtps < *c.pcie_max_mtps)
      add("pcie-speed", Severity::note, fmt::format("{}: PCIe link runs at {:.1f} GT/s instead of {:.1f}", who, *c.pcie_mtps / 1000.0, *c.pcie_max_mtps / 1000.0),
          "idle cards may slow their link down", "look again under load; if it stays, check the slot and the firmware's settings");
    if (c.vram_bytes && c.visible_bytes && *c.visible_bytes < *c.vram_bytes)
      add("small-bar", Severity::warning,
          fmt::format("{}: the host sees {} of {} MiB of its memory", who, *c.visible_bytes / kMiB, *c.vram_bytes / kMiB),
          "peer access between cards and fast host access need all of it", "enable \"Above 4G decoding\" and \"Resizable BAR\" in the firmware");
    if (c.ecc_uncorrectable && *c.ecc_uncorrectable)
      add("ecc-uncorrectable", Severity::error, fmt::format("{}: {} uncorrectable memory errors", who, *c.ecc_uncorrectable),
          "results computed since may be wrong", "stop work on it, reset or restart; if it comes again return the card");
    if (c.ecc_correctable && *c.ecc_correctable > 100)
      add("ecc-correctable", Severity::warning, fmt::format("{}: {} corrected memory errors", who, *c.ecc_correctable),
          "many corrected errors announce uncorrectable ones", "watch the count: amd-smi metric --ecc");
    if (c.bad_pages && *c.bad_pages)
      add("bad-pages", Severity::warning, fmt::format("{}: {} retired memory pages", who, *c.bad_pages), "the driver took them out of use",
          "above the vendor's limit the card is a case for replacement");
    if (c.junction_c && *c.junction_c >= c.junction_critical_c.value_or(105))
      add("hot", Severity::error, fmt::format("{}: {} degrees at the hottest spot", who, *c.junction_c), "it slows down or will shut down",
          "check fans, air flow and dust");
  }

  void settings() {
    if (f_.cards.empty()) return;
    bool passthrough = f_.command_line.find("iommu=pt") != std::string::npos, off = f_.command_line.find("iommu=off") != std::string::npos;
    if (f_.iommu_active && !passthrough && !off && f_.cards.size() > 1)
      add("iommu-pt", Severity::warning, "the IOMMU translates the cards' accesses", "copies between cards can hang or be slow",
          "add iommu=pt to the kernel's command line");
    if (f_.numa_balancing.value_or(false) && f_.numa_nodes.value_or(1) > 1)
      add("numa-balancing", Severity::warning, "automatic NUMA balancing is on", "pages that the cards use are moved under them, which costs time",
          "sysctl kernel.numa_balancing=0");
    if (f_.rocm_versions.empty())
      add("no-rocm", Severity::note, "no ROCm below /opt", "the driver works, but nothing uses it", "install ROCm, or run programs by this installation's own runtime");
    if (f_.rocm_versions.size() > 1) {
      std::string all;
      for (auto& v : f_.rocm_versions) all += (all.empty() ? "" : ", ") + v;
      add("several-rocm", Severity::note, "several ROCm releases below /opt: " + all, "programs may load libraries of another release than they were built with",
          "set ROCM_PATH and LD_LIBRARY_PATH for one of them");
    }
  }

  void host() {
    if (f_.cpus && !f_.avx2)
      add("no-avx2", Severity::warning, "the processor has no AVX2", "software devices will be very slow", "use a machine from 2013 or later");
    if (f_.shm_bytes && f_.shm_bytes < 64 * kMiB)
      add("small-shm", Severity::note, fmt::format("/dev/shm has only {} MiB", f_.shm_bytes / kMiB), "collective libraries and frameworks share memory through it",
          f_.container.empty() ? "mount -o remount,size=8G /dev/shm" : "start the container with --shm-size=8g or --ipc=host");
  }

  const Facts& f_;
  std::vector<Finding> out_;
};

std::string short_name(const CardFacts& c) { // "AMD Instinct MI300X OAM" -> "MI300X"
  size_t at = c.name.find("MI");
  if (at == std::string::npos) return c.gfx;
  std::string n = c.name.substr(at, c.name.find_first_of(" ,/", at) - at);
  return matrix::gfx_of(n).empty() ? c.gfx : n;
}

} // namespace

const char* severity_name(Severity s) {
  return s == Severity::ok ? "ok" : s == Severity::note ? "note" : s == Severity::warning ? "warning" : "error";
}

Diagnosis diagnose(Facts facts, const matrix::Matrix* m) {
  Diagnosis d;
  d.facts = std::move(facts);
  d.findings = Rules(d.facts).run();
  if (m) {
    std::vector<std::string> seen;
    for (auto& c : d.facts.cards) {
      std::string card = short_name(c);
      if (card.empty() || std::find(seen.begin(), seen.end(), card) != seen.end()) continue;
      seen.push_back(card);
      for (auto& rocm : d.facts.rocm_versions) {
        matrix::Query q;
        q.card = card, q.rocm = rocm, q.os = matrix::normal_os(d.facts.os), q.kernel = d.facts.kernel;
        q.frameworks = d.facts.frameworks;
        auto answer = matrix::check(*m, q);
        if (answer.verdict != matrix::Verdict::supported) {
          std::string why;
          for (auto& i : answer.items)
            if (i.verdict != matrix::Verdict::supported) why += (why.empty() ? "" : "; ") + i.subject + " " + i.asked + ": " + i.reason;
          d.findings.push_back({"support", answer.verdict == matrix::Verdict::unknown ? Severity::note : Severity::warning,
                                card + " with ROCm " + rocm + " on this system: " + matrix::verdict_name(answer.verdict), why,
                                "pumice matrix suggest --card " + card + " --os \"" + q.os + "\""});
        }
        d.support.emplace_back(q, std::move(answer));
      }
    }
  }
  std::vector<Finding> sorted; // worst first, otherwise in the order of the rules
  for (Severity s : {Severity::error, Severity::warning, Severity::note, Severity::ok})
    for (auto& f : d.findings)
      if (f.severity == s) sorted.push_back(f);
  d.findings = std::move(sorted);
  return d;
}

} // namespace pumice::doctor
