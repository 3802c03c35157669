// SPDX-License-Identifier: MIT
// A real card over its PCI device's folder and its KFD node. Reads at each call; keeps nothing.
#pragma once
#include "smi/sysfs.h"

namespace pumice::smi::sysfs {

class SysfsCard final : public Card {
public:
  /// `device`: "/sys/bus/pci/devices/0000:c1:00.0"; `node`: the KFD node's folder, or "".
  SysfsCard(const Root& root, std::string device, std::string node)
      : root_(root), device_(std::move(device)), node_(std::move(node)) {}
  /// Fills `id` and finds the hwmon folder.
  void identify(std::string_view pci_ids);

  Activity activity() override;
  Memory memory() override;
  Reading<ClockTable> clock(Clock c) override;
  Reading<int64_t> temperature_mc(Sensor s, TempMetric m) override;
  Reading<int64_t> voltage_mv() override;
  Power power() override;
  Reading<EccCount> ecc(size_t block) override;
  Reading<uint64_t> ecc_enabled_blocks() override;
  Pcie pcie() override;
  Throttle throttle() override;
  std::vector<Firmware> firmware() override;
  Reading<std::vector<BadPage>> bad_pages() override;
  Xgmi xgmi() override;
  Partition partition() override;
  Reading<std::string> perf_level() override { return file("power_dpm_force_performance_level"); }
  Reading<uint32_t> fan_rpm() override { return narrow(hwmon_number("fan1_input")); }
  Reading<uint32_t> fan_level() override { return narrow(hwmon_number("pwm1")); }
  Reading<uint32_t> overdrive_percent() override {
    return narrow(root_.number(device_ + "/pp_sclk_od"));
  }
  Reading<MetricsTable> metrics() override;
  Reading<std::vector<PowerProfile>> power_profiles() override;
  Reading<Policies> policy(const char* name) override;
  Reading<bool> process_isolation() override;
  Why set(const std::string& file, const std::string& text) override;
  /// Why the driver's table of metrics is there but not understood; empty when it is.
  std::string metrics_problem() const;

  const std::string& node() const { return node_; }

private:
  static Reading<uint32_t> narrow(const Reading<uint64_t>& r) {
    if (!r.ok())
      return r.why();
    return *r > UINT32_MAX ? Reading<uint32_t>(Why::broken)
                           : Reading<uint32_t>(static_cast<uint32_t>(*r));
  }
  Reading<std::string> file(const std::string& name) const {
    return root_.text(device_ + "/" + name);
  }
  Reading<uint64_t> hwmon_number(const std::string& name) const {
    return hwmon_.empty() ? Reading<uint64_t>(no_hwmon_) : root_.number(hwmon_ + "/" + name);
  }
  /// A field of gpu_metrics, for what has no file of its own.
  Reading<uint64_t> metric(const Reading<MetricsTable>& m, Metric f) const;
  void identify_node(std::string_view pci_ids);

  const Root& root_;
  std::string device_, node_, hwmon_;
  Why no_hwmon_ = Why::not_supported;          // why hwmon_ is empty
  std::map<std::string, std::string> sensors_; // label -> "temp1"
};

/// Device profiles of share/pumice/devices by PCI id: names and figures that sysfs does not have.
struct KnownCard {
  std::string marketing_name, memory_type, form;
  uint64_t bandwidth_gbps = 0;
};
const KnownCard* known_card(uint32_t device_id);

} // namespace pumice::smi::sysfs
