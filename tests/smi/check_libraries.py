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
    make_tree.KINDS["mi300x8"](make_tree.Tree(root))
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
asic = amdsmi.amdsmi_get_gpu_asic_info(card)
equal((asic["market_name"], asic["device_id"], asic["num_compute_units"], asic["target_graphics_version"]), ("AMD Instinct MI300X", "0x74a1", 304, "gfx942"))
equal(amdsmi.amdsmi_topo_get_link_type(cards[0], cards[1]), {"hops": 1, "type": amdsmi.AmdSmiIoLinkType.XGMI})
assert amdsmi.amdsmi_is_P2P_accessible(cards[0], cards[1])
pcie = amdsmi.amdsmi_get_pcie_info(card)
equal((pcie["pcie_static"]["max_pcie_speed"], pcie["pcie_static"]["pcie_interface_version"], pcie["pcie_metric"]["pcie_width"]), (32000, 5, 16))
clock = amdsmi.amdsmi_get_clock_info(card, amdsmi.AmdSmiClkType.GFX)
equal((clock["min_clk"], clock["max_clk"]), (500, 2100))
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
else:
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
