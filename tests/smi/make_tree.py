# SPDX-License-Identifier: MIT
"""Folders that look like the kernel's sys/ and proc/ for machines with Instinct cards.

Built from the documented formats: KFD topology properties, amdgpu's sysfs files, hwmon, fdinfo, and
gpu_metrics structs packed here byte by byte (kgd_pp_interface.h). Nothing was recorded on a machine
and nothing here knows the tools' code.

usage: make_tree.py KIND FOLDER      KIND: see KINDS at the end
"""
import os
import struct
import sys

GIB = 1 << 30
XGMI, PCIE = 11, 2


class Tree:
    def __init__(self, root):
        self.root = root

    def file(self, path, content):
        full = os.path.join(self.root, path.lstrip("/"))
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as f:
            f.write(content if isinstance(content, bytes) else content.encode())

    def properties(self, path, **values):
        self.file(path, "".join(f"{k} {v}\n" for k, v in values.items()))


def packed(values):
    """Values as (width, number or list): natural alignment, as a C compiler lays out a struct."""
    out = b""
    code = {1: "<B", 2: "<H", 4: "<I", 8: "<Q"}
    for width, value in values:
        out += b"\0" * (-len(out) % width)
        for v in value if isinstance(value, list) else [value]:
            out += struct.pack(code[width], v)
    return out + b"\0" * (-len(out) % 8)


def table(minor, values):
    body = packed([(2, 0), (1, 1), (1, minor)] + values)
    return struct.pack("<H", len(body)) + body[2:]


def metrics_v1_3(edge=35, hotspot=40, memory=38, gfx=0, power=41, energy=1000, gfxclk=800):
    return table(3, [
        (2, [edge, hotspot, memory, 0xFFFF, 0xFFFF, 0xFFFF, gfx, 7, 0xFFFF, power]),
        (8, [energy, 123456]), (2, [0xFFFF] * 7), (2, [gfxclk, 1090, 1600, 29, 22, 0xFFFF, 0xFFFF]),
        (4, 0), (2, [0xFFFF, 16, 160, 0]), (4, [5000, 600]), (2, [33, 34, 35, 36]), (8, 777),
        (2, [0xFFFF, 806, 0xFFFF, 0]), (8, 0)])


def metrics_v1_5(hotspot=44, power=210, gfx=12):
    return table(5, [
        (2, [hotspot, 39, 41, power, gfx, 5]), (2, [0] * 4), (2, [0xFFFF] * 32), (8, [2000, 55]), (4, [0, 0]),
        (2, [0xFFFF, 0xFFFF, 16, 32]), (4, [10, 20]), (8, [0xFFFFFFFFFFFFFFFF] * 5), (4, [0xFFFFFFFF] * 2),
        (8, [100 + i for i in range(8)]), (8, [200 + i for i in range(8)]), (8, 9), (2, [2100] * 6 + [0xFFFF] * 2),
        (2, [1200] * 4), (2, [29] * 4), (2, [22] * 4), (2, 1300), (2, 0)])


def xcp(gfx_busy, jpegs, extra):
    return [(8, []), (4, gfx_busy), (2, [0xFFFF] * jpegs), (2, [0] * 4), (8, [b * 10 for b in gfx_busy])] + [(8, [0] * 8)] * extra


def metrics_v1_6(hotspot=42, power=141, gfx=0, partitions=1, gfxclk=132):
    values = [
        (2, [hotspot, 36, 40, power, gfx, 3]), (8, [65536 * 1000, 66]),
        (4, [100000, 1, 2, 3, 4, 5]), (4, 0), (2, [16, 320, 16, 32]), (4, [70, 80]), (8, [900, 14, 2, 6, 1]), (4, [3, 4]),
        (8, [1000 + i for i in range(8)]), (8, [2000 + i for i in range(8)]), (8, 10), (2, [gfxclk] * 8), (2, [29] * 4),
        (2, [29] * 4), (2, [22] * 4), (2, 900), (2, partitions)]
    for p in range(8):
        values += xcp([p] * 8, 32, 0)
    return table(6, values + [(4, 8)])


def metrics_v1_7(hotspot=47, power=300, gfx=55, partitions=8):
    values = [
        (2, [hotspot, 36, 40, power, gfx, 3]), (8, [5325, 4096, 66]), (4, [100000, 1, 2, 3, 4, 5]), (4, 0),
        (2, [16, 320, 16, 32]), (4, [70, 80]), (8, [900, 14, 2, 6, 1]), (4, [3, 4]), (8, [1000] * 8), (8, [2000] * 8),
        (2, [1] * 7 + [0]), (2, 0), (8, 10), (2, [2100] * 8), (2, [29] * 4), (2, [29] * 4), (2, [22] * 4), (2, 900), (2, partitions)]
    for p in range(8):
        values += xcp([p] * 8, 32, 1)
    return table(7, values + [(4, 8)])


def kernel(t):
    t.file("/sys/module/amdgpu/version", "6.10.5\n")
    t.file("/proc/sys/kernel/osrelease", "6.8.0-51-generic\n")


def cpu_node(t, n, cores=64):
    node = f"/sys/class/kfd/kfd/topology/nodes/{n}"
    t.file(f"{node}/gpu_id", "0\n")
    t.properties(f"{node}/properties", cpu_cores_count=cores, simd_count=0, gfx_target_version=0, vendor_id=0, device_id=0)


def gpu_node(t, n, gpu_id, bdf, minor, device_id, gfx, cus, vram, location_extra=0, **more):
    node = f"/sys/class/kfd/kfd/topology/nodes/{n}"
    domain, bus, rest = bdf.split(":")
    device, function = rest.split(".")
    location = int(bus, 16) << 8 | int(device, 16) << 3 | int(function, 16) | location_extra
    t.file(f"{node}/gpu_id", f"{gpu_id}\n")
    t.file(f"{node}/name", "\n")
    values = dict(
        cpu_cores_count=0, simd_count=cus * 4, mem_banks_count=1, caches_count=2, io_links_count=1, max_waves_per_simd=8,
        lds_size_in_kb=64, wave_front_size=64, array_count=32, simd_arrays_per_engine=1, simd_per_cu=4,
        gfx_target_version=gfx, vendor_id=0x1002, device_id=device_id, location_id=location, domain=int(domain, 16),
        drm_render_minor=minor, hive_id=0, num_sdma_engines=2, num_sdma_xgmi_engines=6, max_engine_clk_fcompute=2100,
        local_mem_size=0, num_xcc=1)
    values.update(more)
    t.properties(f"{node}/properties", **values)
    t.properties(f"{node}/mem_banks/0/properties", heap_type=1, size_in_bytes=vram, flags=0, width=8192, mem_clk_max=1300)
    t.properties(f"{node}/caches/0/properties", level=1, size=32, cache_line_size=128, type=9)
    t.properties(f"{node}/caches/1/properties", level=2, size=4096, cache_line_size=128, type=9)
    return node


def link(t, node, index, to, kind, weight, low=0, high=0):
    t.properties(f"{node}/io_links/{index}/properties", type=kind, version_major=0, node_from=0, node_to=to, weight=weight,
                 min_bandwidth=low, max_bandwidth=high, flags=1)


def pci_device(t, bdf, card, minor, device_id, subsystem, unique, vram, used, metrics, mi300=True, numa=0):
    d = f"/sys/bus/pci/devices/{bdf}"

    def f(name, text):
        t.file(f"{d}/{name}", text)

    f("vendor", "0x1002\n")
    f("device", f"0x{device_id:04x}\n")
    f("subsystem_vendor", "0x1002\n")
    f("subsystem_device", f"0x{subsystem:04x}\n")
    f("revision", "0x00\n")
    f("unique_id", f"{unique:016x}\n")
    f("serial_number", f"PCB{card:06d}-0001\n")
    f("vbios_version", "113-M3000100-102\n" if mi300 else "113-D67301V-073\n")
    f("numa_node", f"{numa}\n")
    f("uevent", f"DRIVER=amdgpu\nPCI_SLOT_NAME={bdf}\n")
    f("mem_info_vram_total", f"{vram}\n")
    f("mem_info_vram_used", f"{used}\n")
    f("mem_info_vis_vram_total", f"{vram}\n")
    f("mem_info_vis_vram_used", f"{used}\n")
    f("mem_info_gtt_total", f"{128 * GIB}\n")
    f("mem_info_gtt_used", "14929920\n")
    f("mem_info_vram_vendor", "samsung\n")
    f("gpu_busy_percent", "37\n")
    f("mem_busy_percent", "4\n")
    f("current_link_speed", "32.0 GT/s PCIe\n" if mi300 else "16.0 GT/s PCIe\n")
    f("max_link_speed", "32.0 GT/s PCIe\n" if mi300 else "16.0 GT/s PCIe\n")
    f("current_link_width", "16\n")
    f("max_link_width", "16\n")
    f("pcie_replay_count", "2\n")
    f("power_dpm_force_performance_level", "auto\n")
    f("pp_power_profile_mode", "NUM        MODE_NAME     SCLK_UP_HYST\n  0   BOOTUP_DEFAULT*:        -\n  5          COMPUTE :        -\n")
    f("xgmi_error", "0\n")
    f("gpu_metrics", metrics)
    f("fw_version/smc_fw_version", "0x00557c00\n")
    f("fw_version/mec_fw_version", "0x00000093\n")
    f("fw_version/sos_fw_version", "0x0036301f\n")
    f("ras/features", "feature mask: 0x5\n")
    f("ras/umc_err_count", "ue: 1\nce: 4\n")
    f("ras/gfx_err_count", "ue: 0\nce: 0\n")
    f("ras/gpu_vram_bad_pages", "0x00000abc : 0x00001000 : R\n0x00000def : 0x00001000 : P\n")
    if mi300:
        f("pp_dpm_sclk", "S: 132Mhz *\n0: 500Mhz\n1: 2100Mhz\n")
        f("pp_dpm_mclk", "0: 900Mhz *\n1: 1100Mhz\n2: 1200Mhz\n3: 1300Mhz\n")
        f("current_compute_partition", "SPX\n")
        f("available_compute_partition", "SPX, DPX, QPX, CPX\n")
        f("current_memory_partition", "NPS1\n")
        f("available_memory_partition", "NPS1, NPS4\n")
        f("xgmi_physical_id", f"{card}\n")
    else:
        f("pp_dpm_sclk", "0: 500Mhz\n1: 800Mhz *\n2: 1700Mhz\n")
        f("pp_dpm_mclk", "0: 400Mhz\n1: 700Mhz\n2: 1200Mhz\n3: 1600Mhz *\n")
    f("pp_dpm_socclk", "0: 1090Mhz *\n")
    f(f"drm/card{card}/dev", f"226:{card}\n")
    f(f"drm/renderD{minor}/dev", f"226:{minor}\n")
    h = f"hwmon/hwmon{card + 3}"
    f(f"{h}/name", "amdgpu\n")
    labels = ["edge", "junction", "mem"] if not mi300 else ["junction", "mem"]
    values = {"edge": 35000, "junction": 42000, "mem": 36000}
    for i, label in enumerate(labels, 1):
        f(f"{h}/temp{i}_label", label + "\n")
        f(f"{h}/temp{i}_input", f"{values[label]}\n")
        f(f"{h}/temp{i}_crit", "100000\n")
        f(f"{h}/temp{i}_emergency", "105000\n")
    cap = 750 if mi300 else 300
    f(f"{h}/{'power1_input' if mi300 else 'power1_average'}", f"{141 if mi300 else 41}000000\n")
    f(f"{h}/power1_cap", f"{cap}000000\n")
    f(f"{h}/power1_cap_max", f"{cap}000000\n")
    f(f"{h}/power1_cap_min", "0\n")
    f(f"{h}/power1_cap_default", f"{cap}000000\n")


def process(t, pid, name, gpus, pdev, vram):
    p = f"/sys/class/kfd/kfd/proc/{pid}"
    t.file(f"{p}/pasid", "32770\n")
    for gpu in gpus:
        t.file(f"{p}/vram_{gpu}", f"{vram}\n")
        t.file(f"{p}/sdma_{gpu}", "1500\n")
        t.file(f"{p}/stats_{gpu}/cu_occupancy", "152\n")
    t.file(f"/proc/{pid}/comm", name + "\n")
    client = (f"pos:\t0\ndrm-driver:\tamdgpu\ndrm-client-id:\t7\ndrm-pdev:\t{pdev}\ndrm-memory-vram:\t1024 KiB\n"
              "drm-memory-gtt:\t2048 KiB\ndrm-memory-cpu:\t4 KiB\ndrm-engine-gfx:\t0 ns\ndrm-engine-compute:\t5000000 ns\n")
    t.file(f"/proc/{pid}/fdinfo/5", client)
    t.file(f"/proc/{pid}/fdinfo/6", client)  # a second descriptor of the same client
    t.file(f"/proc/{pid}/fdinfo/0", "pos:\t0\nflags:\t0100002\n")


def mi210(t):
    kernel(t)
    cpu_node(t, 0)
    node = gpu_node(t, 1, 51140, "0000:c1:00.0", 128, 0x740F, 90010, 104, 64 * GIB, max_engine_clk_fcompute=1700,
                    array_count=8, unique_id=0x1234ABCD5678EF01)
    link(t, node, 0, 0, PCIE, 20)
    pci_device(t, "0000:c1:00.0", 0, 128, 0x740F, 0x0C34, 0x1234ABCD5678EF01, 64 * GIB, 6 * GIB, metrics_v1_3(), mi300=False, numa=1)
    process(t, 4242, "train.py", [51140], "0000:c1:00.0", 5 * GIB)


MI300X_BUSES = ["05", "26", "46", "65", "85", "a6", "c6", "e5"]


def mi300x8(t, cards=8):
    kernel(t)
    cpu_node(t, 0)
    cpu_node(t, 1)
    for i in range(cards):
        bdf = f"{i // 8:04x}:{MI300X_BUSES[i % 8]}:00.0"
        node = gpu_node(t, i + 2, 28851 + i, bdf, 128 + 8 * i, 0x74A1, 90402, 304, 192 * GIB, num_xcc=8, hive_id=0xA1B2C3D4E5F60718,
                        unique_id=0xB5D62BA7A85E1F00 + i)
        link(t, node, 0, 0 if i % 8 < 4 else 1, PCIE, 20)
        index = 1
        for j in range(cards):
            if j != i and j // 8 == i // 8:
                link(t, node, index, j + 2, XGMI, 15, 50000, 64000)
                index += 1
        pci_device(t, bdf, i, 128 + 8 * i, 0x74A1, 0x74A1, 0xB5D62BA7A85E1F00 + i, 192 * GIB, (i + 1) * GIB, metrics_v1_6(hotspot=42 + i % 8),
                   numa=0 if i % 8 < 4 else 1)
    process(t, 777, "vllm", [28851, 28852], "0000:05:00.0", 3 * GIB)


def mi300a(t):
    kernel(t)
    for i in range(4):
        cpu_node(t, i, 24)
    for i in range(4):
        bdf = f"000{i}:01:00.0"
        node = gpu_node(t, 4 + i, 40000 + i, bdf, 128 + i, 0x74A0, 90402, 228, 128 * GIB, num_xcc=6, hive_id=0x77, unique_id=0x9000 + i)
        link(t, node, 0, i, XGMI, 13)
        for n, j in enumerate([x for x in range(4) if x != i], 1):
            link(t, node, n, 4 + j, XGMI, 15, 0, 0)
        pci_device(t, bdf, i, 128 + i, 0x74A0, 0x74A0, 0x9000 + i, 128 * GIB, GIB, metrics_v1_5(), numa=i)


def cpx_nps4(t):
    """One MI300X as eight partitions: they share the PCI function, bits 31 to 28 of the location tell."""
    kernel(t)
    cpu_node(t, 0)
    bdf = "0000:05:00.0"
    for p in range(8):
        node = gpu_node(t, 1 + p, 60000 + p, bdf, 128 + p, 0x74A1, 90402, 38, 48 * GIB, location_extra=p << 28, num_xcc=1, hive_id=0x55,
                        array_count=4, unique_id=0xB5D62BA7A85E1F00)
        link(t, node, 0, 0, PCIE, 20)
    pci_device(t, bdf, 0, 128, 0x74A1, 0x74A1, 0xB5D62BA7A85E1F00, 48 * GIB, 2 * GIB, metrics_v1_7())
    t.file(f"/sys/bus/pci/devices/{bdf}/current_compute_partition", "CPX\n")
    t.file(f"/sys/bus/pci/devices/{bdf}/current_memory_partition", "NPS4\n")


def broken(t):
    """A good MI210, one whose files are garbage, one without a PCI device, one without properties."""
    mi210(t)
    gpu_node(t, 2, 51141, "0000:c2:00.0", 129, 0x740F, 90010, 104, 64 * GIB)
    pci_device(t, "0000:c2:00.0", 1, 129, 0x740F, 0x0C34, 5, 64 * GIB, 0, b"\x10", mi300=False)
    d = "/sys/bus/pci/devices/0000:c2:00.0"
    t.file(f"{d}/mem_info_vram_total", "lots\n")
    t.file(f"{d}/mem_info_vram_used", "")
    t.file(f"{d}/gpu_busy_percent", "-1\n")
    t.file(f"{d}/pp_dpm_sclk", "0: quick\n")
    t.file(f"{d}/serial_number", b"\xff\x00\x01,\"\n\xfe")
    t.file(f"{d}/ras/umc_err_count", "Query unsupported\n")
    t.file(f"{d}/ras/features", "?\n")
    t.file(f"{d}/hwmon/hwmon4/temp2_input", "hot\n")
    t.file(f"{d}/hwmon/hwmon4/power1_average", b"\0" * 100)
    t.file(f"{d}/current_link_speed", "Unknown\n")
    t.file(f"{d}/unique_id", "zz\n")
    gpu_node(t, 3, 51142, "0000:c3:00.0", 130, 0x740F, 90010, 104, 64 * GIB)
    t.file("/sys/class/kfd/kfd/topology/nodes/4/gpu_id", "51143\n")
    t.file("/sys/class/kfd/kfd/topology/nodes/5/properties", "gfx_target_version 90010\n")


def empty(t):
    kernel(t)


def settable(t):
    """Two MI300X with every file that a setting goes to."""
    mi300x8(t, 2)
    for i, bdf in enumerate(["0000:05:00.0", "0000:26:00.0"]):
        d, h = f"/sys/bus/pci/devices/{bdf}", f"hwmon/hwmon{i + 3}"
        for name, text in [("pp_od_clk_voltage", "OD_SCLK:\n0: 500Mhz\n1: 2100Mhz\n"), ("pp_sclk_od", "0\n"), ("pp_mclk_od", "0\n"),
                           ("pp_dpm_fclk", "0: 1200Mhz *\n1: 2000Mhz\n"), ("pp_dpm_pcie", "0: 2.5GT/s, x16\n1: 32.0GT/s, x16 *\n"),
                           ("enforce_isolation", "0\n"), ("run_cleaner_shader", "\n"), (f"{h}/pwm1", "20\n"), (f"{h}/pwm1_enable", "2\n"),
                           ("pm_policy/soc_pstate", "0 : SOC Pstate Default\n1 : SOC Pstate 0*\n2 : SOC Pstate 1\n"),
                           ("pm_policy/xgmi_plpd", "0 : plpd_disallow\n1 : plpd_default*\n2 : plpd_optimized\n")]:
            t.file(f"{d}/{name}", text)
        t.file(f"/sys/kernel/debug/dri/{i}/amdgpu_gpu_recover", "gpu recover 0\n")


KINDS = {"settable": settable, "mi210": mi210, "mi300x8": mi300x8, "mi300a": mi300a, "cpx_nps4": cpx_nps4, "broken": broken, "empty": empty,
         "cards64": lambda t: mi300x8(t, 64)}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS:
        sys.exit(__doc__ + "\nkinds: " + " ".join(KINDS))
    KINDS[sys.argv[1]](Tree(sys.argv[2]))
