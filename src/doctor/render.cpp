// SPDX-License-Identifier: MIT
#include "doctor/findings.h"
#include "matrix/render.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pumice::doctor {
namespace {

using json = nlohmann::ordered_json;

std::string join(const std::vector<std::string>& v, const char* none) {
  std::string s;
  for (auto& x : v) s += (s.empty() ? "" : ", ") + x;
  return s.empty() ? none : s;
}

std::string gib(uint64_t bytes) { return fmt::format("{:.0f} GiB", static_cast<double>(bytes) / (1ull << 30)); }

template <class T> json maybe(const std::optional<T>& v) { return v ? json(*v) : json(nullptr); }

} // namespace

std::string to_text(const Diagnosis& d) {
  const Facts& f = d.facts;
  std::string s;
  auto line = [&](const char* key, const std::string& value) { s += fmt::format("  {:<12} {}\n", key, value); };
  s += "Machine\n";
  line("system", f.os.empty() ? "unknown" : f.os);
  line("kernel", f.kernel.empty() ? "unknown" : f.kernel);
  line("processor", fmt::format("{} x {}{}", f.cpus, f.cpu, f.avx512 ? ", AVX-512" : f.avx2 ? ", AVX2" : ""));
  line("memory", gib(f.memory_bytes));
  if (!f.container.empty()) line("container", f.container);
  line("driver", !f.driver_loaded ? "amdgpu not loaded" : "amdgpu " + (f.driver_version.empty() ? "of the kernel" : f.driver_version));
  line("ROCm", join(f.rocm_versions, "none below /opt"));
  for (auto& [name, version] : f.frameworks) line(name.c_str(), version);
  s += "\nCards\n";
  for (auto& c : f.cards) {
    std::string text = fmt::format("{} ({}) at {}", c.name, c.gfx, c.bdf);
    if (c.vram_bytes) text += ", " + gib(*c.vram_bytes);
    if (c.pcie_width && c.pcie_mtps) text += fmt::format(", PCIe x{} {:.1f} GT/s", *c.pcie_width, *c.pcie_mtps / 1000.0);
    if (!c.compute_partition.empty()) text += ", " + c.compute_partition + (c.memory_partition.empty() ? "" : "/" + c.memory_partition);
    line("card", text);
  }
  if (f.cards.empty()) line("real", "none");
  line("software", join(f.software, "none"));
  s += "\nFindings\n";
  for (auto& x : d.findings)
    s += fmt::format("  {}: [{}] {}\n      why: {}\n      do:  {}\n", severity_name(x.severity), x.id, x.what, x.why, x.fix);
  if (d.findings.empty()) s += "  nothing wrong found\n";
  for (auto& [q, answer] : d.support) {
    s += fmt::format("\nSupport of {} with ROCm {}: ", q.card, q.rocm);
    s += matrix::to_text(q, answer);
  }
  for (auto& n : f.notes) s += "note: " + n + "\n";
  return s;
}

json to_json(const Diagnosis& d) {
  const Facts& f = d.facts;
  json cards = json::array(), pci = json::array(), nodes = json::array(), packages = json::array(), findings = json::array(), support = json::array(), frameworks = json::object();
  for (auto& c : f.cards)
    cards.push_back({{"name", c.name}, {"gfx", c.gfx}, {"bdf", c.bdf}, {"vbios", c.vbios}, {"vram_bytes", maybe(c.vram_bytes)},
                     {"visible_bytes", maybe(c.visible_bytes)}, {"pcie_width", maybe(c.pcie_width)}, {"pcie_max_width", maybe(c.pcie_max_width)},
                     {"pcie_mtps", maybe(c.pcie_mtps)}, {"pcie_max_mtps", maybe(c.pcie_max_mtps)}, {"ecc_uncorrectable", maybe(c.ecc_uncorrectable)},
                     {"ecc_correctable", maybe(c.ecc_correctable)}, {"bad_pages", maybe(c.bad_pages)}, {"junction_celsius", maybe(c.junction_c)},
                     {"compute_partition", c.compute_partition}, {"memory_partition", c.memory_partition}});
  for (auto& p : f.pci) pci.push_back({{"bdf", p.bdf}, {"device_id", fmt::format("{:04x}", p.device_id)}, {"driver", p.driver}, {"largest_bar_bytes", p.largest_bar}});
  for (auto& n : f.nodes)
    nodes.push_back({{"path", n.path}, {"exists", n.exists}, {"accessible", n.accessible}, {"mode", fmt::format("{:04o}", n.mode)}, {"group", n.group}});
  for (auto& p : f.packages) packages.push_back({{"name", p.name}, {"version", p.version}});
  for (auto& [name, version] : f.frameworks) frameworks[name] = version;
  for (auto& x : d.findings)
    findings.push_back({{"id", x.id}, {"severity", severity_name(x.severity)}, {"what", x.what}, {"why", x.why}, {"fix", x.fix}});
  for (auto& [q, answer] : d.support) {
    json items = json::array();
    for (auto& i : answer.items)
      items.push_back({{"subject", i.subject}, {"asked", i.asked}, {"verdict", matrix::verdict_name(i.verdict)}, {"reason", i.reason}});
    support.push_back({{"card", q.card}, {"rocm", q.rocm}, {"verdict", matrix::verdict_name(answer.verdict)}, {"items", items}});
  }
  return {{"format", "pumice-doctor-1"},
          {"system", {{"os", f.os}, {"kernel", f.kernel}, {"cpu", f.cpu}, {"cpus", f.cpus}, {"avx2", f.avx2}, {"avx512", f.avx512},
                      {"memory_bytes", f.memory_bytes}, {"container", f.container}, {"command_line", f.command_line},
                      {"iommu_active", f.iommu_active}, {"numa_nodes", maybe(f.numa_nodes)}, {"numa_balancing", maybe(f.numa_balancing)}}},
          {"driver", {{"loaded", f.driver_loaded}, {"blacklisted", f.driver_blacklisted}, {"version", f.driver_version}}},
          {"device_files", nodes}, {"pci", pci}, {"cards", cards}, {"software_devices", f.software},
          {"rocm", f.rocm_versions}, {"packages", packages}, {"frameworks", frameworks},
          {"findings", findings}, {"support", support}, {"notes", f.notes}};
}

} // namespace pumice::doctor
