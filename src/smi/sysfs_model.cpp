// SPDX-License-Identifier: MIT
// Real cards: found through the KFD topology, or, where the driver has none, through DRM. Links
// between cards, processes and their use come from KFD and fdinfo.
#include "smi/sysfs_card.h"
#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace pumice::smi {
namespace {

using namespace sysfs;

constexpr const char* kNodes = "/sys/class/kfd/kfd/topology/nodes";
constexpr const char* kPciIds[] = {"/usr/share/misc/pci.ids", "/usr/share/hwdata/pci.ids"};
constexpr size_t kMaxCards = 256, kMaxFds = 4096;

class SysfsModel final : public Model {
public:
  explicit SysfsModel(std::string root)
      : root_(std::move(root)), at_machine_(root_.path("").empty()) {}
  void discover();
  std::vector<Process> processes() override;
  Link link(size_t from, size_t to) override;
  std::vector<KernelStat> kernels(uint32_t) override { return {}; }
  // Events of real cards come from an ioctl on /dev/kfd, which is not read yet: none are shown.
  std::vector<Event> events(uint64_t) override { return {}; }
  uint64_t next_event() override { return 0; }

private:
  void add(const std::string& device, const std::string& node, Bdf bdf);
  void load_pci_ids();
  void discover_kfd();
  void discover_drm();
  const std::string& node_of(size_t i) { return static_cast<SysfsCard&>(*cards_[i]).node(); }
  void add_fdinfo(Process& p);
  /// A folder that this user may not read is worth saying: what is in it seems not to exist.
  bool forbidden(const std::string& folder, const char* effect) {
    if (root_.folder(folder) != Why::permission)
      return false;
    warnings_.push_back(folder + ": permission denied; " + effect);
    return true;
  }

  Root root_;
  bool at_machine_;
  std::string pci_ids_;
};

void SysfsModel::add(const std::string& device, const std::string& node, Bdf bdf) {
  if (cards_.size() >= kMaxCards)
    return;
  if (pci_ids_.empty())
    load_pci_ids();
  auto card = std::make_unique<SysfsCard>(root_, device, node);
  card->id.bdf = bdf;
  card->identify(pci_ids_);
  if (std::string problem = card->metrics_problem(); !problem.empty())
    warnings_.push_back(bdf.text() + ": " + problem);
  cards_.push_back(std::move(card));
}

void SysfsModel::load_pci_ids() {
  auto load = [this](const Root& root) {
    for (const char* p : kPciIds)
      if (pci_ids_.empty())
        if (auto t = root.bytes(p); t.ok())
          pci_ids_ = std::move(*t);
  };
  load(root_);
  if (!at_machine_) // the table is the same everywhere
    load(Root(""));
}

void SysfsModel::discover_kfd() {
  forbidden(kNodes, "cards may be missing");
  for (const std::string& name : root_.list(kNodes)) {
    std::string node = std::string(kNodes) + "/" + name;
    auto gpu = root_.number(node + "/gpu_id");
    if (!gpu.ok()) {
      warnings_.push_back(fmt::format("{}/gpu_id: {}", node, why_text(gpu.why())));
      continue;
    }
    if (*gpu == 0)
      continue; // a CPU
    auto p = root_.properties(node + "/properties");
    if (p.empty()) {
      warnings_.push_back(node + "/properties: empty or unreadable; the card is left out");
      continue;
    }
    if (p.count("vendor_id") && p["vendor_id"] != 0x1002)
      continue;
    uint64_t location = p["location_id"];
    Bdf bdf{static_cast<uint32_t>(p["domain"]), static_cast<uint8_t>(location >> 8),
            static_cast<uint8_t>(location >> 3 & 31), static_cast<uint8_t>(location & 7)};
    // Partitions share the folder of function 0.
    Bdf physical = bdf;
    std::string device = "/sys/bus/pci/devices/" + physical.text();
    if (!root_.exists(device)) {
      physical.function = 0;
      device = "/sys/bus/pci/devices/" + physical.text();
    }
    if (!root_.exists(device))
      device = fmt::format("/sys/class/drm/renderD{}/device", p["drm_render_minor"]);
    std::string seen = "/sys/bus/pci/devices/" + physical.text();
    if (root_.exists(device))
      forbidden(device, "only the card's topology is known");
    else if (forbidden(seen, "only the card's topology is known"))
      device = seen;
    else
      warnings_.push_back(fmt::format("GPU node {}: no PCI device {}; only its topology is known",
                                      name, bdf.text()));
    add(device, node, bdf);
  }
}

void SysfsModel::discover_drm() {
  forbidden("/sys/class/drm", "cards may be missing");
  for (const std::string& name : root_.list("/sys/class/drm")) {
    if (!name.starts_with("card") || !parse_number(name.substr(4)))
      continue;
    std::string device = "/sys/class/drm/" + name + "/device";
    auto vendor = root_.hex(device + "/vendor");
    if (!vendor.ok() || *vendor != 0x1002)
      continue;
    Bdf bdf;
    auto uevent = root_.text(device + "/uevent");
    if (uevent.ok())
      if (size_t at = uevent->find("PCI_SLOT_NAME="); at != std::string::npos)
        if (auto b = Bdf::parse(uevent->substr(at + 14, uevent->find('\n', at) - at - 14)))
          bdf = *b;
    add(device, "", bdf);
  }
}

void SysfsModel::discover() {
  discover_kfd();
  if (cards_.empty())
    discover_drm();
  else
    forbidden("/sys/class/kfd/kfd/proc", "processes are not known");
  std::sort(cards_.begin(), cards_.end(), [](const auto& a, const auto& b) {
    auto key = [](const Card& k) {
      return std::tuple(k.id.bdf.domain, k.id.bdf.bus, k.id.bdf.device,
                        k.id.partition_id.value_or(0), k.id.bdf.function);
    };
    return key(*a) < key(*b);
  });
  for (size_t i = 0; i < cards_.size(); ++i)
    cards_[i]->index = i;
}

Link SysfsModel::link(size_t from, size_t to) {
  Link l;
  if (from == to || from >= cards_.size() || to >= cards_.size() || node_of(from).empty())
    return l;
  constexpr uint64_t kPcie = 2, kXgmi = 11; // io link types of the HSA topology
  // Weight to the host, for cards that reach each other through it.
  auto host_weight = [&](size_t card) -> uint64_t {
    for (const std::string& n : root_.list(node_of(card) + "/io_links")) {
      auto p = root_.properties(node_of(card) + "/io_links/" + n + "/properties");
      if (p["type"] == kPcie || p["type"] == kXgmi)
        if (auto g = root_.number(fmt::format("{}/{}/gpu_id", kNodes, p["node_to"]));
            g.ok() && *g == 0)
          return p["weight"];
    }
    return 0;
  };
  for (const char* kind : {"io_links", "p2p_links"})
    for (const std::string& n : root_.list(node_of(from) + "/" + kind)) {
      auto p = root_.properties(fmt::format("{}/{}/{}/properties", node_of(from), kind, n));
      if (p["node_to"] != cards_[to]->id.kfd_node.value_or(UINT32_MAX))
        continue;
      l.type = p["type"] == kXgmi ? LinkType::xgmi : LinkType::pcie;
      l.weight = p["weight"];
      l.hops = l.type == LinkType::xgmi ? 1 : 2;
      l.min_mbps = p["min_bandwidth"];
      l.max_mbps = p["max_bandwidth"];
      l.accessible = true;
      return l;
    }
  // No link of their own: through the host, when both have one.
  uint64_t a = host_weight(from), b = host_weight(to);
  if (a && b) {
    l.type = LinkType::pcie;
    l.weight = a + b;
    l.hops =
        cards_[from]->id.numa_node.value_or(-1) == cards_[to]->id.numa_node.value_or(-1) ? 2 : 3;
  }
  return l;
}

void SysfsModel::add_fdinfo(Process& p) {
  std::string folder = fmt::format("/proc/{}/fdinfo", p.pid);
  std::set<uint64_t> seen;
  size_t count = 0;
  for (const std::string& fd : root_.list(folder)) {
    if (++count > kMaxFds)
      break;
    auto t = root_.bytes(folder + "/" + fd);
    auto c = t.ok() ? parse_fdinfo(*t) : std::nullopt;
    // A client shows up under each descriptor that shares it.
    if (!c || c->driver != "amdgpu" || (c->client_id && !seen.insert(c->client_id).second))
      continue;
    for (auto& k : cards_) {
      if (k->id.bdf.text() != c->pdev)
        continue;
      auto u = std::find_if(p.cards.begin(), p.cards.end(),
                            [&](const CardUse& x) { return x.card == k->index; });
      if (u == p.cards.end()) {
        u = p.cards.insert(p.cards.end(), CardUse{});
        u->card = k->index;
      }
      auto add_to = [](uint64_t& sum, uint64_t n) { sum = saturated_sum(sum, n); };
      add_to(u->gtt_bytes, c->gtt_bytes);
      add_to(u->cpu_bytes, c->cpu_bytes);
      add_to(u->gfx_ns, saturated_sum(c->gfx_ns, c->compute_ns));
      add_to(u->enc_ns, c->enc_ns);
      if (u->vram_bytes < c->vram_bytes)
        u->vram_bytes = c->vram_bytes; // KFD's figure where it knows more
      break;
    }
  }
}

std::vector<Process> SysfsModel::processes() {
  std::vector<Process> all;
  for (const std::string& name : root_.list("/sys/class/kfd/kfd/proc")) {
    auto pid = parse_number(name);
    if (!pid || *pid > UINT32_MAX)
      continue;
    std::string folder = "/sys/class/kfd/kfd/proc/" + name;
    Process p;
    p.pid = static_cast<uint32_t>(*pid);
    p.name = root_.text(fmt::format("/proc/{}/comm", name)).value_or("UNKNOWN");
    if (auto v = root_.number(folder + "/pasid"); v.ok())
      p.pasid = static_cast<uint32_t>(*v);
    for (auto& k : cards_) {
      if (!k->id.kfd_gpu_id.ok())
        continue;
      uint32_t gpu = *k->id.kfd_gpu_id;
      auto vram = root_.number(fmt::format("{}/vram_{}", folder, gpu));
      if (!vram.ok())
        continue;
      CardUse u;
      u.card = k->index;
      u.vram_bytes = *vram;
      u.sdma_us = root_.number(fmt::format("{}/sdma_{}", folder, gpu)).value_or(0);
      auto cus = root_.number(fmt::format("{}/stats_{}/cu_occupancy", folder, gpu));
      if (cus.ok() && k->id.compute_units)
        u.cu_percent =
            static_cast<uint32_t>(std::min<uint64_t>(100, *cus * 100 / k->id.compute_units));
      p.cards.push_back(std::move(u));
    }
    add_fdinfo(p);
    all.push_back(std::move(p));
  }
  return all;
}

} // namespace

Result<std::unique_ptr<Model>> open_sysfs_model(const std::string& root) {
  std::string r = root;
  while (!r.empty() && r.back() == '/')
    r.pop_back();
  auto m = std::make_unique<SysfsModel>(r);
  m->discover();
  return std::unique_ptr<Model>(std::move(m));
}

} // namespace pumice::smi
