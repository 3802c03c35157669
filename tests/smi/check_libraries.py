# SPDX-License-Identifier: MIT
"""The two C libraries through ctypes: every exported function is called with a card that lacks nothing and
with nonsense, and the amdsmi module is used as monitors use it.

usage: check_libraries.py soft|real --lib FOLDER --module FOLDER --work FOLDER --include FOLDER
"""
import argparse
import ctypes as C
import os
import re
import subprocess
import sys
import threading
import time

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "sanitizers")]
import make_tree  # noqa: E402
import preload  # noqa: E402

preload.restart_python()

p = argparse.ArgumentParser()
p.add_argument("case", choices=["soft", "real"])
for name in ("lib", "module", "work", "include", "bin"):
    p.add_argument("--" + name, required=True)
a = p.parse_args()
work = os.path.join(os.path.abspath(a.work), "libraries-" + a.case)
os.makedirs(work, exist_ok=True)
os.environ["PUMICE_TELEMETRY"] = os.path.join(work, "telemetry")
if a.case == "real":
    root = os.path.join(work, "mi300x8")
    make_tree.KINDS["settable"](make_tree.Tree(root))  # two with every setting,
    make_tree.KINDS["mi300x8"](make_tree.Tree(root))   # and the others over it
    os.environ["PUMICE_SYSFS_ROOT"] = root
else:
    os.environ.update(PUMICE_DEVICES="8xMI300X", PUMICE_SMI="soft")


def equal(got, want):
    assert got == want, f"{got!r} is not {want!r}"


# Every function of the headers is exported, and nothing else is.
for library, header in (("librocm_smi64.so.7", "rocm_smi/rocm_smi.h"), ("libamd_smi.so.24", "amd_smi/amdsmi.h")):
    path = os.path.join(a.lib, library)
    declared = set(re.findall(r"\b(?:rsmi|amdsmi)_status_t\s+(\w+)\(|\bvoid\s+(amdsmi_\w+)\(", open(os.path.join(a.include, header)).read()))
    declared = {x or y for x, y in declared}
    symbols = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    exported = {line.split()[2] for line in symbols.splitlines() if line.split()[1] == "T"}
    equal(exported ^ declared, set())

rsmi = C.CDLL(os.path.join(a.lib, "librocm_smi64.so.7"))
n = C.c_uint32()
equal(rsmi.rsmi_num_monitor_devices(C.byref(n)), 8)  # RSMI_STATUS_INIT_ERROR before rsmi_init
equal(rsmi.rsmi_init(C.c_uint64(0)), 0)
equal(rsmi.rsmi_num_monitor_devices(C.byref(n)), 0)
equal(n.value, 8)
used = C.c_uint64()
equal(rsmi.rsmi_dev_memory_total_get(7, 0, C.byref(used)), 0)
assert used.value > 1 << 30
equal(rsmi.rsmi_dev_memory_total_get(8, 0, C.byref(used)), 1)  # no such card: INVALID_ARGS
equal(rsmi.rsmi_dev_memory_total_get(0, 0, None), 1)            # a question: supported
equal(rsmi.rsmi_dev_memory_total_get(0, 77, C.byref(used)), 2)
equal(rsmi.rsmi_dev_power_cap_set(0, 0, C.c_uint64(100_000_000)), 2 if a.case == "soft" else 0)
name = C.create_string_buffer(64)
equal(rsmi.rsmi_dev_name_get(0, name, C.c_size_t(64)), 0)
equal(name.value, b"AMD Instinct MI300X")
equal(rsmi.rsmi_dev_name_get(0, name, C.c_size_t(4)), 11)  # INSUFFICIENT_SIZE, cut text
equal(name.value, b"AMD")
version = C.c_uint64()
equal(rsmi.rsmi_dev_target_graphics_version_get(0, C.byref(version)), 0)
equal(version.value, 942)
pci = C.c_uint64()
equal(rsmi.rsmi_dev_pci_id_get(1, C.byref(pci)), 0)
equal(pci.value, 0x200 if a.case == "soft" else 0x2600)
# Names of supported functions can be walked.
handle = C.c_void_p()
equal(rsmi.rsmi_dev_supported_func_iterator_open(0, C.byref(handle)), 0)
names = []
while True:
    value = C.c_char_p()
    equal(rsmi.rsmi_func_iter_value_get(handle, C.byref(value)), 0)
    names.append(value.value.decode())
    if rsmi.rsmi_func_iter_next(handle) != 0:
        break
assert "rsmi_dev_busy_percent_get" in names and ("rsmi_dev_power_ave_get" not in names), names
equal(rsmi.rsmi_dev_supported_func_iterator_close(C.byref(handle)), 0)
# Every getter with null pointers and a card that does not exist: a status, never a crash.
header = open(os.path.join(a.include, "rocm_smi/rocm_smi.h")).read()
for f in re.findall(r"rsmi_status_t (rsmi_\w+)\(", header):
    pointer_first = ("rsmi_num_monitor_devices", "rsmi_version_get", "rsmi_compute_process_info_get")
    if f in ("rsmi_init", "rsmi_shut_down", "rsmi_event_notification_get") or f in pointer_first or "iter" in f or f.endswith(("_set", "_set_v1", "reset")):
        continue
    for card in (0, 99):
        code = getattr(rsmi, f)(C.c_uint64(card), None, None, None, None)
        assert 0 <= code < 20, (f, code)
equal(rsmi.rsmi_shut_down(), 0)
equal(rsmi.rsmi_shut_down(), 8)

sys.path.insert(0, os.path.abspath(a.module))
os.environ["LD_LIBRARY_PATH"] = a.lib
C.CDLL(os.path.join(a.lib, "libamd_smi.so.24"), mode=C.RTLD_GLOBAL)  # so that the module's search by name finds it
import amdsmi  # noqa: E402

amdsmi.amdsmi_init()
cards = amdsmi.amdsmi_get_processor_handles()
equal(len(cards), 8)
card = cards[3]
equal(amdsmi.amdsmi_get_gpu_device_bdf(card), "0000:04:00.0" if a.case == "soft" else "0000:65:00.0")
# Every getter with null pointers, and with a handle that is none: a status, never a crash.
lib = C.CDLL(os.path.join(a.lib, "libamd_smi.so.24"))
header = open(os.path.join(a.include, "amd_smi/amdsmi.h")).read()
for f in re.findall(r"amdsmi_status_t (amdsmi_\w+)\(\s*amdsmi_(?:processor|socket)_handle \w", header):
    if "_set_" in f or "_reset_" in f or "clean" in f or "event_notification" in f:
        continue
    for h in (card, C.c_void_p(0x1234), C.c_void_p(0)):
        code = getattr(lib, f)(h, None, None, None, None)
        assert 0 <= code < 64 or code in (0xFFFFFFFE - (1 << 32), 0xFFFFFFFF - (1 << 32)), (f, code)
asic = amdsmi.amdsmi_get_gpu_asic_info(card)
equal((asic["market_name"], asic["device_id"], asic["num_compute_units"], asic["target_graphics_version"]), ("AMD Instinct MI300X", "0x74a1", 304, "gfx942"))
equal(amdsmi.amdsmi_topo_get_link_type(cards[0], cards[1]), {"hops": 1, "type": amdsmi.AmdSmiIoLinkType.XGMI})
assert amdsmi.amdsmi_is_P2P_accessible(cards[0], cards[1])
pcie = amdsmi.amdsmi_get_pcie_info(card)
equal((pcie["pcie_static"]["max_pcie_speed"], pcie["pcie_static"]["pcie_interface_version"], pcie["pcie_metric"]["pcie_width"]), (32000, 5, 16))
clock = amdsmi.amdsmi_get_clock_info(card, amdsmi.AmdSmiClkType.GFX)
equal((clock["min_clk"], clock["max_clk"]), (500, 2100))
def raises(kind, f, *args):
    try:
        f(*args)
    except kind as e:
        return e
    raise SystemExit(f"{getattr(f, '__name__', f)}{args} did not raise {kind.__name__}")


# The functions that monitors call, all there: what the library has is not answered "not supported" by the module.
rows = open(os.path.join(a.include, "../src/smi/capi/amdsmi_api.def")).read()
for f in re.findall(r"SMI_API\((amdsmi_\w+), *(?:full|real)\)", rows):
    wrapped = f in vars(amdsmi.amdsmi_interface) or f in ("amdsmi_init_gpu_event_notification", "amdsmi_set_gpu_event_notification_mask",
                                                          "amdsmi_get_gpu_event_notification", "amdsmi_stop_gpu_event_notification",
                                                          "amdsmi_free_name_value_pairs")
    assert wrapped, f"the module does not wrap {f}"
sockets = amdsmi.amdsmi_get_socket_handles()
equal(amdsmi.amdsmi_get_socket_info(sockets[3]), "0000:04:00" if a.case == "soft" else "0000:65:00")
equal(amdsmi.amdsmi_get_processor_type(card), {"processor_type": "AMD_GPU"})
equal(amdsmi.amdsmi_get_processor_count_from_handles(cards), {"sock_count": 0, "core_count": 0, "gpu_count": 8})
equal([len(amdsmi.amdsmi_get_processor_handles_by_type(sockets[0], k)) for k in ("AMD_GPU", "AMD_CPU")], [1, 0])
equal(amdsmi.amdsmi_get_processor_handle_from_bdf(amdsmi.amdsmi_get_gpu_device_bdf(card).upper()).value, card.value)
raises(amdsmi.AmdSmiBdfFormatException, amdsmi.amdsmi_get_processor_handle_from_bdf, "65:00")
raises(amdsmi.AmdSmiParameterException, amdsmi.amdsmi_get_gpu_activity, 3)
raises(amdsmi.AmdSmiParameterException, amdsmi.amdsmi_get_clk_freq, card, 77)
raises(amdsmi.AmdSmiParameterException, amdsmi.amdsmi_set_power_cap, card, 0, -1)
equal(amdsmi.amdsmi_status_code_to_string(0).split(" ")[0], "AMDSMI_STATUS_SUCCESS")
equal(amdsmi.amdsmi_get_clk_freq(card, amdsmi.AmdSmiClkType.SYS)["frequency"][-1], 2_100_000_000)
equal(amdsmi.amdsmi_get_gpu_perf_level(card), "AMDSMI_DEV_PERF_LEVEL_AUTO")
equal(amdsmi.amdsmi_get_gpu_cache_info(card)["cache"][0]["cache_properties"], ["DATA_CACHE", "SIMD_CACHE"])
equal(amdsmi.amdsmi_get_gpu_ecc_status(card, "GFX"), amdsmi.AmdSmiRasErrState.ENABLED)
equal([b["status"] for b in amdsmi.amdsmi_get_gpu_ras_block_features_enabled(card)[:4]],
      ["ENABLED", "ENABLED" if a.case == "soft" else "DISABLED", "ENABLED", "DISABLED"])
equal(amdsmi.amdsmi_topo_get_p2p_status(cards[0], cards[1])["cap"]["is_iolink_bi_directional"], 1)
nearest = amdsmi.amdsmi_get_link_topology_nearest(cards[0], amdsmi.AmdSmiLinkType.AMDSMI_LINK_TYPE_XGMI)["processor_list"]
equal(sorted(h.value for h in nearest), sorted(h.value for h in cards[1:]))
links = amdsmi.amdsmi_get_link_metrics(card)
equal((links["num_links"], len(links["links"]), links["links"][0]["link_type"]), (7, 7, "AMDSMI_LINK_TYPE_XGMI"))
profile = amdsmi.amdsmi_get_gpu_accelerator_partition_profile(card)["partition_profile"]
equal((profile["profile_type"], profile["num_partitions"]), ("SPX", 1))
metrics = amdsmi.amdsmi_get_gpu_metrics_info(card)
equal((metrics["common_header"]["content_revision"], len(metrics["xcp_stats"]), len(metrics["xgmi_read_data_acc"])), (6, 8, 8))
equal(amdsmi.amdsmi_get_gpu_metrics_header_info(card)["format_revision"], 1)
equal([c.get("type") for c in amdsmi.amdsmi_get_utilization_count(card, [amdsmi.AmdSmiUtilizationCounterType.COARSE_GRAIN_GFX_ACTIVITY])]
      if a.case == "real" else [None, "COARSE_GRAIN_GFX_ACTIVITY"], [None, "COARSE_GRAIN_GFX_ACTIVITY"])

try:
    amdsmi.amdsmi_get_gpu_activity(amdsmi.C.c_void_p(12345))
    raise SystemExit("a wrong handle was taken")
except amdsmi.AmdSmiLibraryException as e:
    equal(e.get_error_code(), 1)
try:
    amdsmi.amdsmi_get_cpu_family(card)
    raise SystemExit("a CPU function was answered")
except amdsmi.AmdSmiLibraryException as e:
    equal(e.get_error_code(), 2)
if a.case == "real":
    power = amdsmi.amdsmi_get_power_info(card)
    equal((power["current_socket_power"], power["average_socket_power"], power["power_limit"]), (141, "N/A", 750))
    equal(amdsmi.amdsmi_get_temp_metric(card, amdsmi.AmdSmiTemperatureType.HOTSPOT, amdsmi.AmdSmiTemperatureMetric.CURRENT), 42)
    equal(amdsmi.amdsmi_get_gpu_vram_usage(card), {"vram_total": 196608, "vram_used": 4096})
    equal(amdsmi.amdsmi_get_gpu_total_ecc_count(card)["uncorrectable_count"], 1)
    process = amdsmi.amdsmi_get_gpu_process_list(cards[0])[0]
    equal((process["name"], process["pid"], process["memory_usage"]["vram_mem"]), ("vllm", 777, 3 << 30))
    equal(len(amdsmi.amdsmi_get_gpu_bad_page_info(card)), 2)
    equal(amdsmi.amdsmi_get_gpu_device_uuid(card), "b5ff74a1-0000-1000-80d6-2ba7a85e1f03")
    equal(amdsmi.amdsmi_get_gpu_compute_partition(card), "SPX")
    equal((metrics["temperature_hotspot"], metrics["current_gfxclks"], metrics["pcie_replay_count_acc"]), (45, [132] * 8, 6))
    equal((metrics["xgmi_read_data_acc"], metrics["xcp_stats"][7]["gfx_busy_inst"], metrics["xcp_stats"][0]["jpeg_busy"]),
          ([1000 + i for i in range(8)], [7] * 8, ["N/A"] * 32))
    equal(metrics["pcie_lc_perf_other_end_recovery"], 8)  # the last member: all before have the library's places
    equal([(f["fw_name"].name, f["fw_version"]) for f in amdsmi.amdsmi_get_fw_info(card)["fw_list"]],
          [("CP_MEC1", "00000093"), ("PM", "0.85.124.0"), ("PSP_SOSDRV", "0036301F")])
    equal(amdsmi.amdsmi_get_gpu_pci_bandwidth(card)["lanes"], [16])
    equal(amdsmi.amdsmi_get_energy_count(card)["energy_accumulator"], 65536000)
    equal(amdsmi.amdsmi_get_utilization_count(card, [0, 1])[1:], [{"type": "COARSE_GRAIN_GFX_ACTIVITY", "value": 70},
                                                                  {"type": "COARSE_GRAIN_MEM_ACTIVITY", "value": 80}])
    equal(amdsmi.amdsmi_get_gpu_compute_process_info()[0]["process_id"], 777)
    equal(amdsmi.amdsmi_get_gpu_compute_process_info_by_pid(777)["vram_usage"], 6 << 30)
    equal(amdsmi.amdsmi_get_gpu_compute_process_gpus(777), [0, 1])
    equal(raises(amdsmi.AmdSmiLibraryException, amdsmi.amdsmi_get_gpu_compute_process_info_by_pid, 778).get_error_code(), 31)
    # Settings of the second card reach its files; the third card has no such files.
    def text(name):
        with open(os.path.join(root, "sys/bus/pci/devices/0000:26:00.0", name)) as f:
            return f.read()
    second, third = cards[1], cards[2]
    pstate = amdsmi.amdsmi_get_soc_pstate(second)
    equal((pstate["num_supported"], pstate["current_id"], pstate["policies"][2]), (3, 1, {"policy_id": 2, "policy_description": "SOC Pstate 1"}))
    equal([p["policy_description"] for p in amdsmi.amdsmi_get_xgmi_plpd(second)["plpds"]], ["plpd_disallow", "plpd_default", "plpd_optimized"])
    equal(amdsmi.amdsmi_get_gpu_process_isolation(second), 0)
    for call, values, name, want in (
            (amdsmi.amdsmi_set_soc_pstate, (2,), "pm_policy/soc_pstate", "2"), (amdsmi.amdsmi_set_xgmi_plpd, (0,), "pm_policy/xgmi_plpd", "0"),
            (amdsmi.amdsmi_set_gpu_process_isolation, (1,), "enforce_isolation", "1"), (amdsmi.amdsmi_clean_gpu_local_data, (), "run_cleaner_shader", "0"),
            (amdsmi.amdsmi_set_gpu_overdrive_level, (4,), "pp_sclk_od", "4"), (amdsmi.amdsmi_set_gpu_fan_speed, (0, 200), "hwmon/hwmon4/pwm1", "200"),
            (amdsmi.amdsmi_reset_gpu_fan, (0,), "hwmon/hwmon4/pwm1_enable", "2"), (amdsmi.amdsmi_set_gpu_od_volt_info, (1, 2000, 900), "pp_od_clk_voltage", "c"),
            (amdsmi.amdsmi_set_gpu_clk_range, (500, 2000, "GFX"), "pp_od_clk_voltage", "c"),
            (amdsmi.amdsmi_set_gpu_clk_limit, ("sclk", "max", 2000), "pp_od_clk_voltage", "c"),
            (amdsmi.amdsmi_set_gpu_perf_determinism_mode, (1900,), "pp_od_clk_voltage", "c")):
        call(second, *values)
        equal((call, text(name)), (call, want))
        e = raises(amdsmi.AmdSmiLibraryException, call, third, *values)
        equal(e.get_error_code(), amdsmi.NOT_SUPPORTED)
    for call, values, name, want in (
            (amdsmi.amdsmi_set_gpu_perf_level, ("STABLE_PEAK",), "power_dpm_force_performance_level", "profile_peak"),
            (amdsmi.amdsmi_set_clk_freq, ("sclk", 3), "pp_dpm_sclk", "0 1"), (amdsmi.amdsmi_set_power_cap, (0, 500_000_000), "hwmon/hwmon4/power1_cap", "500000000"),
            (amdsmi.amdsmi_set_gpu_compute_partition, ("CPX",), "current_compute_partition", "CPX"),
            (amdsmi.amdsmi_set_gpu_memory_partition, ("NPS4",), "current_memory_partition", "NPS4"),
            (amdsmi.amdsmi_set_gpu_power_profile, (0, amdsmi.AmdSmiPowerProfilePresetMasks.COMPUTE_MASK), "pp_power_profile_mode", "5"),
            (amdsmi.amdsmi_reset_gpu_xgmi_error, (), "xgmi_error", "0")):
        call(second, *values)
        equal((call, text(name)), (call, want))
    raises(amdsmi.AmdSmiLibraryException, amdsmi.amdsmi_set_soc_pstate, second, 7)  # none of the driver's
    raises(amdsmi.AmdSmiLibraryException, amdsmi.amdsmi_set_gpu_process_isolation, second, 2)
    equal(raises(amdsmi.AmdSmiLibraryException, amdsmi.AmdSmiEventReader, card, "VMFAULT").get_error_code(), amdsmi.NOT_SUPPORTED)
else:
    for call, values in ((amdsmi.amdsmi_set_soc_pstate, (1,)), (amdsmi.amdsmi_set_xgmi_plpd, (1,)), (amdsmi.amdsmi_set_gpu_process_isolation, (1,)),
                         (amdsmi.amdsmi_clean_gpu_local_data, ()), (amdsmi.amdsmi_get_soc_pstate, ()), (amdsmi.amdsmi_get_gpu_process_isolation, ())):
        equal(raises(amdsmi.AmdSmiLibraryException, call, card, *values).get_error_code(), amdsmi.NOT_SUPPORTED)
    equal(amdsmi.amdsmi_get_gpu_activity(card)["gfx_activity"], 0)
    try:
        amdsmi.amdsmi_set_power_cap(card, 0, 100_000_000)
        raise SystemExit("a software card took a setting")
    except amdsmi.AmdSmiLibraryException as e:
        equal(e.get_error_code(), amdsmi.NOT_SUPPORTED)
    with amdsmi.AmdSmiEventReader(card, amdsmi.AmdSmiEvtNotificationType.THERMAL_THROTTLE) as reader:
        timer = threading.Timer(0.3, lambda: subprocess.run([os.path.join(a.bin, "pumice-device"), "set", "3", "--throttle", "power"], check=True))
        timer.start()
        begin = time.monotonic()
        events = reader.read(10000)
        timer.join()
        equal([e["event"] for e in events], ["THERMAL_THROTTLE"])
        assert time.monotonic() - begin < 8
    equal(amdsmi.amdsmi_get_violation_status(card)["active_ppt_pwr"], 1)
    subprocess.run([os.path.join(a.bin, "pumice-device"), "clear"], check=True)
amdsmi.amdsmi_shut_down()
print("libraries", a.case, "ok")
