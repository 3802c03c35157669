# SPDX-License-Identifier: MIT
"""Runs the system tools on constructed machines and on software cards; checks every machine output.

usage: check_tools.py CASE --bin FOLDER --schemas FOLDER --work FOLDER

A document is checked strictly: all of stdout is one JSON value without duplicate keys that matches its
schema in share/pumice/schemas, or a CSV whose rows all have the header's number of fields.
Diagnostics may appear on stderr only. Expected values are those that make_tree.py put into the files.
"""
import argparse
import os
import select
import shutil
import signal
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tool_runs import AMD, strict_json, strict_csv, Tools, tree, equal  # noqa: E402; also the path of the next two
import make_tree  # noqa: E402
import preload  # noqa: E402


def case_mi210(args):
    t = Tools(args, tree(args, "mi210"))
    t.sweep()
    card = t.json("rocm-smi", "rocm-smi", "-a")["card0"]
    for key, want in {
            "Device Name": "AMD Instinct MI210", "Device ID": "0x740f", "GUID": "51140", "PCI Bus": "0000:C1:00.0",
            "Temperature (Sensor edge) (C)": "35.0", "Temperature (Sensor junction) (C)": "42.0", "Average Graphics Package Power (W)": "41.0",
            "Max Graphics Package Power (W)": "300.0", "sclk clock speed:": "(800Mhz)", "sclk clock level:": "1", "mclk clock level:": "3",
            "Unique ID": "0x1234abcd5678ef01", "GPU use (%)": "37", "GPU Memory Allocated (VRAM%)": "9", "GPU memory vendor": "samsung",
            "PCIe Replay Count": "2", "RAS UMC Uncorrectable Error": "1", "RAS UMC Correctable Error": "4", "RAS SDMA Status": "DISABLED",
            "RAS GFX Status": "ENABLED", "VBIOS version": "113-D67301V-073", "MEC firmware version": "147", "Voltage (mV)": "N/A",
            "Power profile": "BOOTUP_DEFAULT", "Retired pages": "2"}.items():
        if key in card or want != "N/A":
            equal(card.get(key), want)
    metric = t.json("amd-smi-metric", "amd-smi", "metric")[0]
    equal(metric["power"]["gfx_voltage"], {"value": 806, "unit": "mV"})
    equal(metric["ecc"]["total_uncorrectable_count"], 1)
    equal(metric["energy"]["total_energy_consumption"], {"value": 0.015, "unit": "J"})  # 1000 x 15.259 uJ
    equal(metric["mem_usage"]["used_vram"], {"value": 6144, "unit": "MB"})
    equal(metric["pcie"]["speed"], {"value": 16, "unit": "GT/s"})
    proc = t.json("amd-smi-process", "amd-smi", "process")[0]["process_list"][0]["process_info"]
    equal(proc["name"], "train.py")
    equal(proc["mem_usage"]["value"], 5 << 30)
    equal(proc["memory_usage"]["gtt_mem"]["value"], 2 << 20)  # one client, though two descriptors show it
    equal(proc["usage"]["gfx"]["value"], 5000000)
    pages = t.csv("amd-smi", "bad-pages")
    equal([p["page_address"] for p in pages], ["0xabc000", "0xdef000"])
    equal(t.run("rocm_agent_enumerator")[0], "gfx000\ngfx90a\n")
    agent = t.json("rocminfo", "rocminfo")["agents"][1]
    equal((agent["compute_units"], agent["max_waves_per_cu"], agent["uuid"]), (104, 32, "GPU-1234abcd5678ef01"))


def case_mi300x8(args):
    t = Tools(args, tree(args, "mi300x8"))
    t.sweep()
    cards = t.json("amd-smi-list", "amd-smi", "list")
    equal([c["bdf"] for c in cards], [f"0000:{b}:00.0" for b in make_tree.MI300X_BUSES])
    equal(cards[3]["uuid"], "b5ff74a1-0000-1000-80d6-2ba7a85e1f03")
    metric = t.json("amd-smi-metric", "amd-smi", "metric")
    equal([m["temperature"]["hotspot"]["value"] for m in metric], [42] * 8)
    equal(metric[0]["throttle"]["ppt_accumulated"], 2)
    equal(metric[0]["pcie"]["bandwidth"], {"value": 14, "unit": "Mb/s"})
    equal(metric[0]["clock"]["gfx_7"]["clk"]["value"], 132)
    equal(metric[0]["clock"]["gfx_0"]["deep_sleep"], "ENABLED")
    equal(metric[0]["energy"]["total_energy_consumption"]["value"], 1000.013)  # 65536000 counts of 15.259 uJ
    topology = t.json("amd-smi-topology", "amd-smi", "topology")
    equal(topology[0]["links"][1]["link_type"], "XGMI")
    equal(topology[0]["links"][1]["numa_bw"], "50000-64000")
    xgmi = t.json("amd-smi-xgmi", "amd-smi", "xgmi")[2]
    equal(xgmi["link_metrics"]["links"][0]["read"]["value"], 1000)
    equal(xgmi["link_metrics"]["max_bandwidth"]["value"], 512)
    one = t.json("amd-smi-monitor", "amd-smi", "monitor", "-g", "0000:85:00.0")
    equal([c["gpu"] for c in one], [4])
    equal([c["gpu"] for c in t.json("amd-smi-list", "amd-smi", "list", "-g", cards[2]["uuid"], "7")], [2, 7])
    processes = t.json("rocm-smi", "rocm-smi", "--showpids")["system"]["PID777"]
    equal(processes, "vllm, 2, 6442450944, 3000, 100")
    # Settings: refused without a yes, then written.
    _, err = t.run("rocm-smi", "-d", "1", "--setpoweroverdrive", "500", code=1)
    assert "--yes" in err
    cap = os.path.join(args.work, "mi300x8/sys/bus/pci/devices/0000:26:00.0/hwmon/hwmon4/power1_cap")
    equal(open(cap).read(), "750000000\n")
    t.run("rocm-smi", "-d", "1", "--setpoweroverdrive", "500", "--yes")
    assert open(cap).read().startswith("500000000")
    t.json("amd-smi-change", "amd-smi", "set", "-g", "1", "--power-cap", "600", "--yes")
    assert open(cap).read().startswith("600000000")


def case_mi300a(args):
    t = Tools(args, tree(args, "mi300a"))
    t.sweep()
    static = t.json("amd-smi-static", "amd-smi", "static")
    equal(len(static), 4)
    equal(static[0]["asic"]["target_graphics_version"], "gfx942")
    equal(static[0]["asic"]["num_compute_units"], 228)
    equal(static[1]["bus"]["bdf"], "0001:01:00.0")
    equal(t.json("amd-smi-topology", "amd-smi", "topology")[0]["links"][3]["link_type"], "XGMI")


def case_cpx_nps4(args):
    t = Tools(args, tree(args, "cpx_nps4"))
    t.sweep()
    parts = t.json("amd-smi-partition", "amd-smi", "partition")
    equal([p["current_partition"]["partition_id"] for p in parts], list(range(8)))
    equal(parts[5]["current_partition"]["accelerator_type"], "CPX")
    equal(parts[5]["current_partition"]["memory"], "NPS4")
    equal(parts[0]["memory_partition"]["memory_partition_caps"], "NPS1,NPS4")
    equal([a["compute_units"] for a in t.json("rocminfo", "rocminfo")["agents"][1:]], [38] * 8)
    busy = t.json("amd-smi-metric", "amd-smi", "metric", "--usage")[0]["usage"]["gfx_busy_inst"]
    equal([busy[f"xcp_{i}"][0]["value"] for i in range(8)], list(range(8)))


def case_broken(args):
    t = Tools(args, tree(args, "broken"))
    t.sweep()
    out, err = t.run("rocm-smi", "--json")
    equal(sorted(strict_json(out)), ["card0", "card1", "card2"])
    assert "0000:c3:00.0" in err and "nodes/4" in err, err
    card = t.json("rocm-smi", "rocm-smi", "-a")["card1"]
    equal((card["GPU use (%)"], card["Average Graphics Package Power (W)"] if "Average Graphics Package Power (W)" in card else "N/A"), ("N/A", "N/A"))
    equal(card["RAS UMC Uncorrectable Error"] if "RAS UMC Uncorrectable Error" in card else "N/A", "N/A")
    metric = t.json("amd-smi-metric", "amd-smi", "metric")
    equal(metric[1]["mem_usage"]["total_vram"], "N/A")
    equal(metric[1]["clock"]["gfx_0"]["clk"], "N/A")
    equal(metric[0]["temperature"]["edge"]["value"], 35)  # the good card is not disturbed


def case_denied(args):
    root = tree(args, "mi210")
    t = Tools(args, root, PUMICE_SYSFS_DENY="gpu_metrics,power1_,unique_id,fdinfo,ras/")
    t.sweep()
    metric = t.json("amd-smi-metric", "amd-smi", "metric")[0]
    equal(metric["power"]["socket_power"], "N/A")
    equal(metric["ecc"]["total_correctable_count"], "N/A")
    equal(metric["temperature"]["edge"]["value"], 35)
    equal(t.json("amd-smi-list", "amd-smi", "list")[0]["uuid"], "12ff740f-0000-1000-8034-abcd5678ef01")  # from the topology
    # A folder that is forbidden is not a folder that is not there.
    for deny, text in (("topology/nodes", "cards may be missing"), ("kfd/kfd/proc", "processes are not known"),
                       ("devices/0000:c1:00.0/", "only the card's topology is known")):
        hidden = Tools(args, root, PUMICE_SYSFS_DENY=deny)
        for command in (["amd-smi", "list"], ["rocm-smi", "-u"], ["rocminfo"], ["pumice-top", "-d", "0.1"]):
            _, err = hidden.run(*command, "--json")
            assert "permission denied; " + text in err, (command, err)
        findings = hidden.json("doctor", "pumice-doctor", "--matrix", t.matrix, code=None)["findings"]
        equal([f["severity"] for f in findings if f["id"] == "sysfs-permission"], ["error" if "nodes" in deny else "warning"])
    hidden = Tools(args, root, PUMICE_SYSFS_DENY="hwmon/")
    equal(hidden.json("amd-smi-change", "amd-smi", "set", "--power-cap", "100", "--yes", code=1)[0]["power_cap"], "permission denied")
    # And by the system, where the test may change its user.
    if os.geteuid() == 0:
        d = os.path.join(root, "sys/bus/pci/devices/0000:c1:00.0")
        for name in ("gpu_metrics", "hwmon/hwmon3/power1_average"):
            os.chmod(os.path.join(d, name), 0)
        probe = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", os.path.join(t.bin, "amd-smi"), "metric", "--json"],
                               env=dict(t.env, PUMICE_SYSFS_DENY="", PUMICE_TELEMETRY="off"), capture_output=True)
        if probe.returncode == 0:  # the folder may not be open to others
            power = strict_json(probe.stdout.decode())[0]["power"]["socket_power"] if probe.stdout.strip() not in (b"", b"[]") else "N/A"
            equal(power, "N/A")


def case_empty(args):
    t = Tools(args, tree(args, "empty"))
    t.sweep()
    out, err = t.run("amd-smi", "list", "--json")
    equal(strict_json(out), [])
    assert "no AMD GPU" in err
    equal(t.json("amd-smi-event", "amd-smi", "event"), [])  # nobody waits for what cannot come
    equal(list(t.csv("amd-smi", "event")), [])
    equal(t.json("rocm-smi", "rocm-smi", "--showevents"), {})
    equal(t.run("rocm_agent_enumerator")[0], "gfx000\n")


def case_cards64(args):
    t = Tools(args, tree(args, "cards64"))
    for sub in ("list", "monitor", "topology"):
        equal(len(t.json(f"amd-smi-{sub}", "amd-smi", sub)), 64)
    equal(len(t.csv("rocm-smi", "-u")), 64)


def case_software(args):
    t = Tools(args, PUMICE_DEVICES="8xMI300X,MI210", PUMICE_SMI="soft")
    t.sweep()
    equal(len(t.json("amd-smi-list", "amd-smi", "list")), 9)
    equal(set(t.csv("amd-smi", "bad-pages")[0]), {"gpu", "list", "page_address", "page_size", "status"})  # also without pages
    assert "memory_usage_vram_mem" in t.csv("amd-smi", "process")[0]
    equal(t.json("rocm-smi", "rocm-smi", "-d", "8", "--showproductname")["card8"]["GFX Version"], "gfx90a")
    many = Tools(args, PUMICE_DEVICES="64xMI210", PUMICE_SMI="soft")
    equal(len(many.json("amd-smi-monitor", "amd-smi", "monitor")), 64)
    equal(len(many.csv("rocm-smi", "--showtopo")), 64)
    # Settings are refused, as documents with an error and a nonzero exit.
    doc = t.json("rocm-smi", "rocm-smi", "--setperflevel", "high", code=1)
    assert "not supported on a software card" in doc["errors"][0]
    t.json("amd-smi-change", "amd-smi", "set", "--perf-level", "high", code=1)
    t.json("amd-smi-change", "amd-smi", "reset", "--gpureset", code=1)
    # Mistakes are documents too.
    t.json("amd-smi-list", "amd-smi", "list", "-g", "99", code=3)
    t.json("amd-smi-list", "amd-smi", "nonsense", code=2)
    t.json("rocm-smi", "rocm-smi", "--nonsense", code=2)
    t.json("rocm-smi", "rocm-smi", "-d", "77", "-u", code=1)
    bad = Tools(args, PUMICE_DEVICES="NOCARD", PUMICE_SMI="soft")
    bad.json("amd-smi-list", "amd-smi", "list", code=1)
    bad.json("rocm-smi", "rocm-smi", "-u", code=1)
    bad.json("rocminfo", "rocminfo", code=1)


def case_injection(args):
    t = Tools(args, PUMICE_DEVICES="2xMI300X", PUMICE_SMI="soft")
    listen = subprocess.Popen([os.path.join(t.bin, "amd-smi"), "event", "--json", "-W", "20", "-i", "3", "-g", "1"], env=t.env, stdout=subprocess.PIPE)
    one = subprocess.Popen([os.path.join(t.bin, "rocm-smi"), "--json", "-d", "1", "--showevents"], env=t.env, stdout=subprocess.PIPE)
    full = subprocess.Popen([os.path.join(t.bin, "rocm-smi"), "--showevents"], env=t.env, stdout=open("/dev/full", "w"), stderr=subprocess.PIPE)
    time.sleep(0.5)
    t.json("pumice-device", "pumice", "device", "set", "1", "--ecc-uncorrectable", "3", "--block", "gfx", "--temp", "105", "--throttle", "thermal")
    t.json("pumice-device", "pumice", "device", "event", "0", "--kind", "VM_FAULT")  # of another card
    t.json("pumice-device", "pumice", "device", "event", "1", "--kind", "RING_HANG", "--message", "stuck")
    events = strict_json(listen.communicate(timeout=30)[0].decode())
    equal([(e["gpu"], e["event"]) for e in events], [(1, "THERMAL_THROTTLE"), (1, "RAS_UNCORRECTABLE"), (1, "RING_HANG")])
    time.sleep(0.1)
    one.send_signal(signal.SIGINT)
    seen = t.document("rocm-smi", one.communicate(timeout=30)[0].decode())["system"]
    equal([v.split(", ")[:2] for v in seen.values()], [["card1", "THERMAL_THROTTLE"], ["card1", "RAS_UNCORRECTABLE"], ["card1", "RING_HANG"]])
    assert b"nothing more can be written" in full.communicate(timeout=30)[1]  # a listener on a full disk ends
    equal(full.returncode, 1)
    metric = t.json("amd-smi-metric", "amd-smi", "metric")
    equal(metric[1]["temperature"]["hotspot"], {"value": 105, "unit": "C"})
    equal(metric[1]["ecc_blocks"]["GFX"]["uncorrectable_count"], 3)
    equal(metric[1]["throttle"]["socket_thermal_violation_status"], "ACTIVE")
    equal(metric[0]["temperature"]["hotspot"], "N/A")
    equal(t.json("rocm-smi", "rocm-smi", "-t")["card1"]["Temperature (Sensor junction) (C)"], "105.0")
    t.json("pumice-device", "pumice", "device", "clear")
    equal(t.json("amd-smi-metric", "amd-smi", "metric")[1]["ecc"]["total_uncorrectable_count"], 0)
    for code, bad in ((2, ["--temp", "900"]), (1, ["--throttle", "what"]), (1, ["--ecc-correctable", "1", "--block", "XYZ"])):
        t.json("pumice-device", "pumice", "device", "set", "0", *bad, code=code)
    _, err = t.run("pumice", "nonsense", code=127)
    assert "nonsense" in err
    assert "device" in t.run("pumice", "--help")[0]


def case_load(args):
    """Eight software MI300X under four processes: tables right within a second of the start."""
    t = Tools(args, PUMICE_DEVICES="8xMI300X", PUMICE_SMI="soft", PUMICE_MEM_LIMIT=str(64 << 30), PUMICE_THREADS="1")
    plan = {0: ([0, 1], 100), 1: ([2, 3], 200), 2: ([4, 5], 300), 3: ([0, 7], 400)}
    running = []
    for devices, mib in plan.values():
        p = subprocess.Popen([args.load, ",".join(map(str, devices)), str(mib), "60"], env=t.env, stdout=subprocess.PIPE)
        running.append(p)
    try:
        for p in running:
            equal(p.stdout.readline(), b"running\n")
        begin = time.monotonic()
        metric = t.json("amd-smi-metric", "amd-smi", "metric", "--usage", "--mem-usage")
        took = time.monotonic() - begin
        want = [0] * 8
        for devices, mib in plan.values():
            for d in devices:
                want[d] += mib
        for d in range(8):
            got = metric[d]["mem_usage"]["used_vram"]["value"]
            assert want[d] <= got <= want[d] + 8, f"card {d}: {got} MB in use, {want[d]} allocated"  # code objects come on top
        busy = [m["usage"]["gfx_activity"]["value"] for m in metric]
        equal(busy[6], 0)
        assert all(busy[d] > 0 for d in range(8) if d != 6), busy
        lists = t.json("amd-smi-process", "amd-smi", "process")
        for (devices, mib), p in zip(plan.values(), running):
            seen = [c["gpu"] for c in lists for e in c["process_list"] if e["process_info"]["pid"] == p.pid and
                    e["process_info"]["memory_usage"]["vram_mem"]["value"] >= mib << 20]
            equal(seen, devices)
        names = {e["process_info"]["name"] for c in lists for e in c["process_list"]}
        equal(names, {"smi_load"})
        top = t.json("pumice-top", "pumice-top", "-d", "0.3")
        equal(len(top["processes"]), 4)
        assert all("smi_load_kernel" in p["kernels"][0]["name"] for p in top["processes"]), top
        print(f"load: metric took {took:.2f} s, utilisation {busy}")
    finally:
        for p in running:
            p.kill()
            p.wait()
    equal(sum(len(c["process_list"]) for c in t.json("amd-smi-process", "amd-smi", "process")), 0)
    equal(t.json("amd-smi-metric", "amd-smi", "metric", "--mem-usage")[0]["mem_usage"]["used_vram"]["value"], 0)


def case_ecc(args):
    """A running HIP program gets an error for an uncorrectable fault of its card, and only of its card."""
    t = Tools(args, PUMICE_DEVICES="2xMI300X", PUMICE_SMI="soft", PUMICE_HSA="soft", PUMICE_MEM_LIMIT=str(16 << 30))
    p = subprocess.Popen([args.load, "0", "16", "60"], env=t.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    equal(p.stdout.readline(), b"running\n")
    t.json("pumice-device", "pumice-device", "set", "1", "--ecc-uncorrectable", "1")
    t.json("pumice-device", "pumice-device", "set", "0", "--ecc-correctable", "9")
    time.sleep(0.5)
    equal(p.poll(), None)
    t.json("pumice-device", "pumice-device", "set", "0", "--ecc-uncorrectable", "1")
    _, err = p.communicate(timeout=30)
    equal(p.returncode, 1)
    assert b"uncorrectable ECC error" in err, err
    t.json("pumice-device", "pumice-device", "reset")
    again = subprocess.run([args.load, "0", "16", "0.2"], env=t.env, capture_output=True)
    equal(again.returncode, 0)  # a program that starts later has a good card


def case_debian(args):
    """Debian's rocminfo over our HSA library prints what our rocminfo prints from the model, line by line."""
    t = Tools(args, PUMICE_DEVICES="MI300X,MI210", PUMICE_SMI="soft", PUMICE_HSA="soft")
    env = dict(t.env, LD_LIBRARY_PATH=args.lib, **preload.environment(os.path.join(args.lib, "pumice/libpumice-kfd.so")))
    theirs = subprocess.run([args.rocminfo], env=env, capture_output=True, check=True).stdout.decode().splitlines()[1:]
    ours = iter(t.run("rocminfo")[0].splitlines())
    for line in theirs:
        if line.startswith("      Segment:                 GLOBAL; FLAGS:      "):  # 5.2 has no name for extended fine grained
            line = "      Segment:                 GLOBAL; FLAGS: EXTENDED FINE GRAINED"
        assert any(o == line for o in ours), f"{line!r} is missing, or comes earlier"


def case_mistakes(args):
    """Wrong use gives a documented status, one message on stderr and one document of the machine format that was asked for."""
    t = Tools(args, PUMICE_DEVICES="3xMI300X", PUMICE_SMI="soft")
    for sub, bad, code in (("list", ["-g", "99"], 3), ("list", ["--nonsense"], 2), ("list", ["--file", ""], 2), ("process", ["--pid", "abc"], 2)):
        t.json(f"amd-smi-{sub}", "amd-smi", sub, *bad, code=code)
        equal(t.csv("amd-smi", sub, *bad, code=code)[0]["error_code"], str(code))
    path = os.path.join(args.work, "error.json")
    equal(t.run("amd-smi", "list", "-g", "99", "--json", "--file", path, code=3)[0], "")
    equal(strict_json(open(path).read())["error"]["code"], 3)
    # Numbers that are none.
    for value in ("nan", "inf", "1e300", "-1", "0", "", "1x"):
        for option in ("-w", "-W", "-i"):
            doc = t.json("amd-smi-metric", "amd-smi", "metric", option, value, code=2)
            assert "from" in doc["error"]["message"] and "e+" not in doc["error"]["message"], doc
        t.json("amd-smi-event", "amd-smi", "event", "-W", value, code=2)
        t.json("rocm-smi", "rocm-smi", "-e", "--seconds", value, code=2)
        t.json("pumice-error", "pumice", "top", "-d", value, code=2)
        t.json("pumice-error", "pumice", "top", "-n", value, code=2)
    for option in ("--temp", "--power", "--clock", "--utilisation", "--ecc-correctable", "--retired-pages", "--fan"):
        t.json("pumice-device", "pumice", "device", "set", "0", option, "nan", code=2)
        t.json("pumice-device", "pumice", "device", "set", "0", option, "1e300", code=2)
    for option in ("--fan", "--power-cap", "--profile", "--perf-determinism", "--soc-pstate", "--process-isolation"):
        t.json("amd-smi-change", "amd-smi", "set", option, "abc", "--yes", code=2)
    # A card named twice is one row.
    equal([c["gpu"] for c in t.csv("amd-smi", "list", "-g", "1", "1", "0000:02:00.0", "0")], ["1", "0"])
    equal([c["device"] for c in t.csv("rocm-smi", "-d", "1", "1", "0", "-u")], ["card1", "card0"])
    t.json("pumice-device", "pumice", "device", "set", "0", "0", "--ecc-correctable", "2")
    equal(t.json("pumice-device", "pumice", "device", "list", "0", "0")[0]["ecc"]["UMC"]["correctable"], 2)
    # Options that mean nothing without another.
    for words in (["metric", "-i", "3"], ["monitor", "-W", "1"], ["process", "-n", ""]):
        t.json(f"amd-smi-{words[0]}", "amd-smi", *words, code=2)
    t.json("rocm-smi", "rocm-smi", "--seconds", "1", code=2)
    # Options that swallow, exclude or do not exist.
    doc = t.json("rocm-smi", "rocm-smi", "-d", code=2)
    assert "wants a value" in doc["errors"][0], doc
    t.json("amd-smi-list", "amd-smi", "list", "-g", code=2)
    t.json("rocm-smi", "rocm-smi", "-u", "--csv", code=2)
    t.json("amd-smi-list", "amd-smi", "list", "--csv", code=2)
    for words in (["device", "list", "--bogus"], ["device"], ["top", "-n"], ["top", "--bogus"], ["doctor", "--bogus"], ["matrix", "check"],
                  ["matrix", "validate"], ["migrate", "--max-tries", "-1"], ["migrate"], ["migrate", "--bogus"]):
        t.json("pumice-error", "pumice", *words, code=2)
    t.json("pumice-error", "rocminfo", "--bogus", code=2)
    t.run("rocm_agent_enumerator", "--bogus", code=2)
    # Words that an option does not know.
    for option in ("--showevents", "--showrasinfo", "--showfwinfo", "--showpids", "--showmeminfo"):
        assert "XYZ" in t.json("rocm-smi", "rocm-smi", option, "XYZ", code=1)["errors"][0]
        assert any("XYZ" in v for row in t.csv("rocm-smi", option, "XYZ", code=1) for v in row.values())
    # What no card here has is said by name.
    for option, words in (("--setslevel", "1 2 3"), ("--setmlevel", "1 2 3"), ("--setvc", "1 2 3"), ("--setextremum", "min sclk 500"),
                          ("--rasinject", "umc"), ("--rasenable", "umc ue"), ("--load", "x"), ("--save", "x")):
        assert "not supported" in t.json("rocm-smi", "rocm-smi", option, *words.split(), code=1)["errors"][0]
    for option in ("--showvc", "--showclkvolt", "--showvoltagerange", "--showtempgraph"):
        equal(set(t.json("rocm-smi", "rocm-smi", option)["card0"].values()), {"N/A"})
        assert "not supported" in t.run("rocm-smi", option)[0]
    for name, value in (("PUMICE_SMI", "bogus"), ("PUMICE_SYSFS_ROOT", "/nonexistent")):
        bad = Tools(args, **{"PUMICE_DEVICES": "MI210", "PUMICE_SMI": "soft", name: value})
        bad.json("amd-smi-list", "amd-smi", "list", code=1)
        bad.json("rocm-smi", "rocm-smi", "-u", code=1)
        for tool, code in ((["rocminfo"], 1), (["pumice", "device", "list"], 1), (["pumice", "top"], 1), (["pumice", "doctor"], 2)):
            bad.json("pumice-error", *tool, code=code)


def case_interrupted(args):
    """Whoever interrupts a listener gets the one document that it had begun."""
    t = Tools(args, PUMICE_DEVICES="2xMI300X", PUMICE_SMI="soft")
    commands = [["rocm-smi", "--showevents"], ["amd-smi", "event"], ["amd-smi", "metric", "-w", "0.1"], ["amd-smi", "monitor", "-w", "0.1"]]
    runs = [(number, command, form) for number in (signal.SIGINT, signal.SIGTERM) for command in commands for form in ("--json", "--csv")]
    listeners = [subprocess.Popen([os.path.join(t.bin, command[0]), *command[1:], form], env=t.env, stdout=subprocess.PIPE)
                 for _, command, form in runs]
    time.sleep(2)
    t.run("pumice", "device", "event", "1", "--kind", "RING_HANG", "--message", "ü" * 40)
    time.sleep(0.5)
    for p, (number, command, form) in zip(listeners, runs):
        p.send_signal(number)
        out = p.communicate(timeout=20)[0].decode()
        equal(p.returncode, 0)
        doc = strict_json(out) if form == "--json" else strict_csv(out)
        assert doc, command
        if "event" in command[-1]:  # cut behind a whole character: 63 bytes hold 31 of two bytes
            assert "ü" * 31 in out and "ü" * 32 not in out and "\ufffd" not in out, out


def case_settings(args):
    """Each setting puts its bytes into its file of the chosen card, and says why when it does not."""
    root = tree(args, "settable")
    t = Tools(args, root)
    d = [os.path.join(root, "sys/bus/pci/devices", b) for b in ("0000:05:00.0", "0000:26:00.0")]

    def read(path):
        with open(path) as f:
            return f.read()

    def written(card, name, run):
        """What `run` writes to a file. A pipe in its place keeps all writes, in order."""
        path = os.path.join(d[card], name)
        before = read(path)
        os.remove(path)
        os.mkfifo(path)
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            run()
            data = os.read(fd, 65536) if select.select([fd], [], [], 0)[0] else b""
        finally:
            os.close(fd)
            os.remove(path)
            with open(path, "w") as f:
                f.write(before)
        return data.decode()

    curve, level, h = "pp_od_clk_voltage", "power_dpm_force_performance_level", "hwmon/hwmon4"
    # The tool's words; file and bytes, in the order of writing. A file named twice gets one text after the other.
    rocm = [
        ("--setslevel 1 1500 900", [(level, "manual"), (curve, "s 1 1500 900" + "c")]),
        ("--setmlevel 0 1200 850", [(level, "manual"), (curve, "m 0 1200 850" + "c")]),
        ("--setvc 2 2100 1000", [(level, "manual"), (curve, "vc 2 2100 1000" + "c")]),
        ("--setextremum min sclk 600", [(level, "manual"), (curve, "s 0 600" + "c")]),
        ("--setextremum max sclk 2000", [(level, "manual"), (curve, "s 1 2000" + "c")]),
        ("--setextremum max mclk 1300", [(level, "manual"), (curve, "m 1 1300" + "c")]),
        ("--setsrange 500 2000", [(level, "manual"), (curve, "s 0 500" + "s 1 2000" + "c")]),
        ("--setmrange 900 1300", [(level, "manual"), (curve, "m 0 900" + "m 1 1300" + "c")]),
        ("--setperfdeterminism 1900", [(level, "perf_determinism"), (curve, "s 1 1900" + "c")]),
        ("--setperflevel HIGH", [(level, "high")]), ("--setsclk 0 1", [(level, "manual"), ("pp_dpm_sclk", "0 1")]),
        ("--setmclk 3", [(level, "manual"), ("pp_dpm_mclk", "3")]), ("--setpcie 1", [(level, "manual"), ("pp_dpm_pcie", "1")]),
        ("--setclock fclk 1", [(level, "manual"), ("pp_dpm_fclk", "1")]), ("--setfan 50%", [(h + "/pwm1_enable", "1"), (h + "/pwm1", "127")]),
        ("--setfan 255", [(h + "/pwm1_enable", "1"), (h + "/pwm1", "255")]), ("--resetfans", [(h + "/pwm1_enable", "2")]),
        ("--setprofile 5", [("pp_power_profile_mode", "5")]), ("--resetprofile", [("pp_power_profile_mode", "0")]),
        ("--setoverdrive 4", [("pp_sclk_od", "4")]), ("--setmemoverdrive 3", [("pp_mclk_od", "3")]),
        ("--setpoweroverdrive 600", [(h + "/power1_cap", "600000000")]), ("--resetpoweroverdrive", [(h + "/power1_cap", "0")]),
        ("--setcomputepartition cpx", [("current_compute_partition", "CPX")]), ("--setmemorypartition nps4", [("current_memory_partition", "NPS4")]),
        ("--resetclocks", [(level, "auto")]), ("--resetperfdeterminism", [(level, "auto")]), ("--resetxgmierr", [("xgmi_error", "0")]),
    ]
    amd = [
        ("set --fan 40%", "fan", "40%", [(h + "/pwm1_enable", "1"), (h + "/pwm1", "102")]),
        ("set --perf-level STABLE_PEAK", "perf_level", "profile_peak", [(level, "profile_peak")]),
        ("set --profile 5", "profile", "5", [("pp_power_profile_mode", "5")]),
        ("set --perf-determinism 1700", "perf_determinism", "1700 MHz", [(level, "perf_determinism"), (curve, "s 1 1700" + "c")]),
        ("set --compute-partition dpx", "compute_partition", "DPX", [("current_compute_partition", "DPX")]),
        ("set --memory-partition nps1", "memory_partition", "NPS1", [("current_memory_partition", "NPS1")]),
        ("set --power-cap 700", "power_cap", "700 W", [(h + "/power1_cap", "700000000")]),
        ("set --soc-pstate 2", "soc_pstate", "2", [("pm_policy/soc_pstate", "2")]),
        ("set --xgmi-plpd 0", "xgmi_plpd", "0", [("pm_policy/xgmi_plpd", "0")]),
        ("set --process-isolation 1", "process_isolation", "1", [("enforce_isolation", "1")]),
        ("reset --clocks", "clocks", None, [(level, "auto")]), ("reset --fans", "fans", None, [(h + "/pwm1_enable", "2")]),
        ("reset --profile", "profile", None, [("pp_power_profile_mode", "0")]), ("reset --xgmierr", "xgmierr", None, [("xgmi_error", "0")]),
        ("reset --perf-determinism", "perf_determinism", None, [(level, "auto")]),
        ("reset --power-cap", "power_cap", None, [(h + "/power1_cap", "0")]),
        ("reset --clean-local-data", "clean_local_data", None, [("run_cleaner_shader", "0")]),
    ]
    commands = [(("rocm-smi", "rocm-smi", "-d", "1", *w.split()), {w.split()[0][2:]: "done"}, "card1", files) for w, files in rocm]
    commands += [(("amd-smi-change", "amd-smi", w.split()[0], "-g", "1", *w.split()[1:]),
                  {"gpu": 1, what: f"Successfully set to {shown}" if shown else "Successfully reset"}, 0, files) for w, what, shown, files in amd]
    texts = {"permission denied": "permission denied", "not supported on this card": "missing"}
    for command, answer, at, files in commands:
        other = {f: read(os.path.join(d[0], f.replace("hwmon4", "hwmon3"))) for f, _ in files}
        names = list(dict.fromkeys(f for f, _ in files))
        for name in names:  # one at a time is a pipe, the others are files
            want = "".join(text for f, text in files if f == name)

            def run():
                equal(t.json(*command, "--yes")[at], answer)
            if name == "enforce_isolation":  # is read first
                run()
                equal(read(os.path.join(d[1], name)), want)
            else:
                equal(written(1, name, run), want)
        assert all(read(os.path.join(d[0], f.replace("hwmon4", "hwmon3"))) == text for f, text in other.items()), command  # the other card
        # Refused: the first file that fails ends it, by name, with exit 1; what comes behind stays as it was.
        for kind in texts:
            for i, name in enumerate(names):
                path = os.path.join(d[1], name)
                later = {f: read(os.path.join(d[1], f)) for f in names[i + 1:]}
                denied = Tools(args, root, PUMICE_SYSFS_DENY=name) if texts[kind] != "missing" else t
                if texts[kind] == "missing":
                    os.rename(path, path + ".away")
                try:
                    out, err = denied.run(*command[1:], "--yes", "--json", code=1)
                    doc = denied.document(command[0], out)
                finally:
                    if texts[kind] == "missing":
                        os.rename(path + ".away", path)
                assert kind in err, (command, name, err)
                if command[1] == "rocm-smi":
                    assert kind in doc["errors"][0] and name.split("/")[-1] in doc["errors"][0], doc
                    assert list(doc["card1"].values())[0].startswith(kind), doc
                else:
                    equal(doc[0], {"gpu": 1, list(answer)[1]: kind})
                for f, text in later.items():
                    equal(read(os.path.join(d[1], f)), text)
        # Without a yes nothing is written.
        before = {f: read(os.path.join(d[1], f)) for f in names}
        assert "--yes" in t.run(*command[1:], code=1)[1]
        equal({f: read(os.path.join(d[1], f)) for f in names}, before)
    for response in ("n", "maybe", "No"):
        doc = t.json("rocm-smi", "rocm-smi", "-d", "1", "--setperflevel", "low", "--autorespond", response, code=1)
        assert f"the response is '{response}'" in doc["errors"][0], doc
    t.json("rocm-smi", "rocm-smi", "-d", "1", "--setperflevel", "low", "--autorespond", "Yes")
    equal(read(os.path.join(d[1], level)), "low")
    # A reset is a read of a debug file, of one named card.
    t.json("rocm-smi", "rocm-smi", "-d", "1", "--gpureset", "--yes")
    assert "name one card" in t.json("rocm-smi", "rocm-smi", "--gpureset", "--yes", code=1)["errors"][0]
    equal(t.json("amd-smi-change", "amd-smi", "reset", "-g", "1", "--gpureset", "--yes")[0]["gpureset"], "Successfully reset")
    os.remove(os.path.join(root, "sys/kernel/debug/dri/1/amdgpu_gpu_recover"))
    t.json("rocm-smi", "rocm-smi", "-d", "1", "--gpureset", "--yes", code=1)
    # What the driver cannot know never reaches it.
    for words in ("--setperflevel fast", "--setclock ../evil 1", "--setcomputepartition XXX", "--setmemorypartition NPS3", "--setsclk x", "--setfan 256",
                  "--setextremum mid sclk 5", "--setextremum min fclk 5", "--setvc 1 2 x", "--setsrange 5 -1"):
        before = {f: read(os.path.join(d[1], f)) for f in os.listdir(d[1]) if os.path.isfile(os.path.join(d[1], f)) and f != "gpu_metrics"}
        t.run("rocm-smi", "-d", "1", *words.split(), "--yes", "--json", code=None)
        equal({f: read(os.path.join(d[1], f)) for f in before}, before)
    for words in ("--perf-level fast", "--fan 300", "--compute-partition XXX", "--process-isolation 2", "--power-cap 0"):
        t.json("amd-smi-change", "amd-smi", "set", *words.split(), "--yes", code=2)
    # Partitions share files: one's isolation is one word of eight, and the cleaner is told which to clean.
    parts = Tools(args, tree(args, "cpx_nps4"))
    device = os.path.join(args.work, "cpx_nps4/sys/bus/pci/devices/0000:05:00.0")
    for name, text in (("enforce_isolation", "0 0 0 0 0 0 0 0\n"), ("run_cleaner_shader", "\n")):
        with open(os.path.join(device, name), "w") as f:
            f.write(text)
    parts.json("amd-smi-change", "amd-smi", "set", "-g", "3", "--process-isolation", "1", "--yes")
    equal(read(os.path.join(device, "enforce_isolation")), "0 0 0 1 0 0 0 0")
    parts.json("amd-smi-change", "amd-smi", "set", "-g", "6", "7", "--process-isolation", "1", "--yes")
    equal([s["process_isolation"] for s in parts.json("amd-smi-static", "amd-smi", "static", "--process-isolation")],
          [["Disabled", "Enabled"][i in (3, 6, 7)] for i in range(8)])
    parts.json("amd-smi-change", "amd-smi", "reset", "-g", "5", "--clean-local-data", "--yes")
    equal(read(os.path.join(device, "run_cleaner_shader")), "5")
    with open(os.path.join(device, "enforce_isolation"), "w") as f:
        f.write("0 0\n")  # a word for each, or it is not understood
    equal(parts.json("amd-smi-change", "amd-smi", "set", "-g", "3", "--process-isolation", "1", "--yes", code=1)[0]["process_isolation"],
          "the driver failed to take it")
    equal(read(os.path.join(device, "enforce_isolation")), "0 0\n")
    # No card, no success.
    none = Tools(args, tree(args, "empty"))
    assert "no card" in none.json("rocm-smi", "rocm-smi", "--setperflevel", "high", "--yes", code=1)["errors"][0]
    none.json("amd-smi-change", "amd-smi", "set", "--perf-level", "high", "--yes", code=1)
    # Software cards refuse each of them by name.
    soft = Tools(args, PUMICE_DEVICES="2xMI300X", PUMICE_SMI="soft")
    for command, answer, at, _ in commands:
        out, err = soft.run(*command[1:], "--yes", "--json", code=1)
        doc = soft.document(command[0], out)
        if command[1] == "rocm-smi":
            assert "not supported on a software card" in doc["errors"][0] and command[4] in doc["errors"][0], doc
        else:
            equal(doc[0][list(answer)[1]], "not supported on this card")
            assert "AMDSMI_STATUS_NOT_SUPPORTED" in err, err


def case_hostile(args):
    """Files that no driver writes: each costs its own figure, no other and no document."""
    root = tree(args, "mi300x8")
    d = [os.path.join(root, f"sys/bus/pci/devices/0000:{b}:00.0") for b in make_tree.MI300X_BUSES]

    def put(card, name, content):
        path = os.path.join(d[card], name)
        if os.path.isfile(path):
            os.remove(path)
        if callable(content):
            content(path)
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as f:
                f.write(content if isinstance(content, bytes) else content.encode())

    most = 2**64 - 1
    put(0, "gpu_metrics", struct.pack("<HBB", 264, 2, 4) + b"\x01" * 260)  # an APU's
    put(1, "gpu_metrics", struct.pack("<HBBI", 4096, 1, 9, 500) + b"\x02" * 4088)
    put(2, "gpu_metrics", b"\x00" * (9 << 20))
    put(3, "gpu_metrics", os.mkdir)
    put(4, "gpu_metrics", os.mkfifo)
    put(5, "gpu_metrics", struct.pack("<HBB", 65535, 1, 6) + b"\xfe" * 1000)
    table = bytearray(make_tree.metrics_v1_6())
    struct.pack_into("<Q", table, 16, most - 1)  # energy
    put(6, "gpu_metrics", bytes(table))
    put(6, "ras/umc_err_count", f"ue: {most}\nce: {most}\n")
    put(6, "ras/gfx_err_count", f"ue: {most}\nce: 5\n")
    put(6, "ras/gpu_vram_bad_pages", "".join(f"0x{n:08x} : 0x00001000 : {'RPF'[n % 3]}\n" for n in range(100)) + "junk\n0x1 : 0x2\n")
    put(6, "gpu_busy_percent", f"{2**32 + 1}\n")
    put(6, "hwmon/hwmon9/power1_cap", f"{most}\n")
    put(6, "hwmon/hwmon9/temp1_input", f"{-2**63}\n")
    put(6, "pp_dpm_sclk", "".join(f"{n}: {n}Mhz\n" for n in range(500)))
    put(7, "gpu_metrics", lambda path: os.symlink("gpu_metrics", path))
    put(7, "mem_info_vram_total", f"{most}\n")
    put(7, "mem_info_vram_used", f"{most}\n")
    put(7, "pp_power_profile_mode", "\x1b[2J 0 \x00\x01*:\n")
    put(7, "vbios_version", "a\nb,\"c\"\t\x7f\u00fc\n")
    for n in (5, 6):  # two clients whose sums do not fit
        with open(os.path.join(root, f"proc/777/fdinfo/{n}"), "w") as f:
            f.write(f"drm-driver:\tamdgpu\ndrm-client-id:\t{n}\ndrm-pdev:\t0000:05:00.0\ndrm-memory-gtt:\t{most} KiB\ndrm-engine-gfx:\t{most} ns\n"
                    f"drm-engine-compute:\t{most} ns\ndrm-memory-vram:\t{most} GiB\n")
    t = Tools(args, root)
    t.sweep()
    _, err = t.run("amd-smi", "list")
    for text in ("0000:05:00.0: gpu_metrics: version 2.4 is not decoded", "0000:26:00.0: gpu_metrics: version 1.9 is not decoded"):
        assert text in err, err
    assert "0000:46:00.0: gpu_metrics: version 0.0 is not decoded" in err, err  # megabytes of zeros; only a table's size is read
    assert err.count("gpu_metrics") == 4, err  # a pipe is an empty table; what cannot be read is no table
    metric = t.json("amd-smi-metric", "amd-smi", "metric")
    for m in metric[:6] + metric[7:]:
        equal((m["throttle"]["accumulation_counter"], m["usage"]["vcn_activity"], m["pcie"]["bandwidth"]), (4278124286 if m["gpu"] == 5 else "N/A", "N/A",
                                                                                                   {"value": 0xfefefefefefefefe, "unit": "Mb/s"} if m["gpu"] == 5 else "N/A"))
        equal(m["temperature"]["hotspot"]["value"], 42)  # of hwmon
    e = metric[6]
    equal((e["ecc"]["total_correctable_count"], e["ecc"]["total_uncorrectable_count"], e["ecc"]["cache_uncorrectable_count"]), (most, most, most))
    equal(e["usage"]["gfx_activity"], {"value": 0, "unit": "%"})  # the table's; the file has no percentage
    assert e["energy"]["total_energy_consumption"]["value"] > 1e12, e["energy"]
    equal(e["power"]["socket_power"]["value"], 141)
    pages = t.json("amd-smi-bad-pages", "amd-smi", "bad-pages", "-g", "6")[0]
    equal([len(pages[k]) for k in ("retired", "pending", "un_res")], [34, 33, 33])
    equal(len(t.csv("amd-smi", "bad-pages", "-g", "6")), 100)
    equal(t.json("rocm-smi", "rocm-smi", "-d", "6", "--showpagesinfo")["card6"]["Retired pages"], "100")
    process = t.json("amd-smi-process", "amd-smi", "process", "-g", "0")[0]["process_list"][0]["process_info"]
    equal((process["memory_usage"]["gtt_mem"]["value"], process["usage"]["gfx"]["value"]), (most, most))
    equal(metric[7]["mem_usage"]["free_vram"]["value"], 0)


def case_visible(args):
    """ROCR_VISIBLE_DEVICES chooses what HIP, rocminfo and rocm_agent_enumerator show; the monitors show all."""
    uuids = [a["uuid"] for a in Tools(args, PUMICE_DEVICES="2xMI300X,2xMI210", PUMICE_SMI="soft").json("rocminfo", "rocminfo")["agents"][1:]]
    for value, want in (("2,0", [2, 0]), (uuids[3] + ",1", [3, 1]), (uuids[3].lower(), [3]), ("1,1,2", [1]), ("0,9,1", [0]), ("", []), ("GPU-", []),
                        ("x", []), ("-1", []), ("3", [3])):
        t = Tools(args, PUMICE_DEVICES="2xMI300X,2xMI210", PUMICE_SMI="soft", PUMICE_HSA="soft", ROCR_VISIBLE_DEVICES=value)
        equal([a["uuid"] for a in t.json("rocminfo", "rocminfo")["agents"][1:]], [uuids[i] for i in want])
        equal(t.run("rocm_agent_enumerator", "-t", "GPU")[0].split(), [["gfx942", "gfx90a"][i > 1] for i in want])
        equal(len(t.json("amd-smi-list", "amd-smi", "list")), 4)
        if want:
            hip = strict_json(subprocess.run([args.load, "properties"], env=t.env, capture_output=True, check=True).stdout.decode())
            equal([h["bdf"].lower() for h in hip], [f"0000:{i + 1:02x}:00.0" for i in want])
            subprocess.run([args.load, "0", "16", "0.2"], env=t.env, capture_output=True, check=True)


def case_other_running(args):
    """A build asks for the target of this environment's card: somebody else's program on other cards changes nothing."""
    t = Tools(args, PUMICE_DEVICES="3xMI210", PUMICE_SMI="soft", PUMICE_HSA="soft")
    p = subprocess.Popen([args.load, "0", "16", "60"], env=t.env, stdout=subprocess.PIPE)
    equal(p.stdout.readline(), b"running\n")
    del t.env["PUMICE_DEVICES"]
    try:
        equal(t.run("rocm_agent_enumerator", "-t", "GPU")[0], "gfx942\n")
        equal([a["name"] for a in t.json("rocminfo", "rocminfo")["agents"][1:]], ["gfx942"])
        doctor = t.json("doctor", "pumice-doctor", "--matrix", t.matrix, code=None)
        equal(len(doctor["software_devices"]), 1)
        equal(len(t.json("amd-smi-list", "amd-smi", "list")), 3)  # a monitor shows what runs
    finally:
        p.kill()
        p.wait()


def case_matrix(args):
    """Every subcommand of pumice matrix gives one document of its schema, whatever the answer."""
    t = Tools(args)
    data = ("--data", t.matrix)
    for code, query in [(0, ["--card", "MI300X", "--rocm", "6.3.3", "--os", "Ubuntu 22.04.5", "--framework", "PyTorch=2.4"]),
                        (1, ["--card", "MI355X", "--rocm", "6.0.0"]), (3, ["--card", "MI210", "--rocm", "99.0", "--kernel", "5.15.0"])]:
        t.json("matrix-check", "pumice-matrix", *data, "check", *query, code=code)
    t.json("matrix-diff", "pumice-matrix", *data, "diff", "6.2.4", "7.0.0")
    t.json("matrix-suggest", "pumice-matrix", *data, "suggest", "--card", "MI210", "--os", "RHEL 9.4")
    t.json("matrix-list", "pumice-matrix", *data, "list")
    # A script whose variable is empty has not asked for "any".
    for words in (["check", "--rocm", "6.3.3", "--card", ""], ["check", "--rocm", ""], ["check", "--rocm", "6.3.3", "--os", ""],
                  ["check", "--rocm", "6.3.3", "--kernel", ""], ["check", "--rocm", "6.3.3", "--driver", ""], ["check", "--rocm", "6.3.3", "--framework", ""],
                  ["check", "--rocm", "6.3.3", "--framework", "PyTorch="], ["check", "--rocm", "6.3.3", "--framework", "=2.4"],
                  ["suggest", "--card", ""], ["suggest", "--from", ""], ["diff", "", "6.3.3"], ["list", "--rocm", "6.3.3"]):
        t.json("pumice-error", "pumice-matrix", *data, *words, code=2)
    t.json("matrix-suggest", "pumice-matrix", *data, "suggest", "--card", "MI9000", code=3)
    t.json("matrix-suggest", "pumice-matrix", *data, "suggest", "--card", "MI300X", "--os", "Foo 1", code=1)


def case_agree(args):
    """HIP, rocminfo, rocm-smi, amd-smi, doctor and matrix say the same of each card."""
    t = Tools(args, PUMICE_DEVICES="2xMI300X,MI210,MI325X", PUMICE_SMI="soft", PUMICE_HSA="soft")
    hip = strict_json(subprocess.run([args.load, "properties"], env=t.env, capture_output=True, check=True).stdout.decode())
    info = t.json("rocminfo", "rocminfo")["agents"][1:]
    static = t.json("amd-smi-static", "amd-smi", "static")
    smi = t.json("rocm-smi", "rocm-smi", "--showproductname", "--showbus", "--showmeminfo", "vram", "--showsclkrange")
    equal(len(hip), 4)
    for i, h in enumerate(hip):
        a, s, r = info[i], static[i], smi[f"card{i}"]
        equal({h["name"], a["marketing_name"], s["asic"]["market_name"], r["Card Series"]}, {h["name"]})
        equal({h["arch"], a["name"], s["asic"]["target_graphics_version"], r["GFX Version"]}, {h["arch"]})
        equal({h["cus"], a["compute_units"], s["asic"]["num_compute_units"]}, {h["cus"]})
        equal({h["memory"], a["memory_bytes"], int(r["VRAM Total Memory (B)"])}, {h["memory"]})
        equal(s["vram"]["size"]["value"], h["memory"] >> 20)
        equal({h["bdf"].lower(), a["bdf"], s["bus"]["bdf"], r["PCI Bus"].lower()}, {h["bdf"].lower()})
        equal(h["mhz"], a["max_clock_mhz"])
        assert r["Valid sclk range"].endswith(f"{h['mhz']}Mhz"), r
        equal((h["wave"], h["lds"]), (a["wavefront_size"], a["lds_bytes"]))
    equal(t.run("rocm_agent_enumerator", "-t", "GPU")[0].split(), [h["arch"] for h in hip])
    equal(t.json("doctor", "pumice-doctor", "--matrix", t.matrix, code=None)["software_devices"], [f"{h['name']} ({h['arch']})" for h in hip])
    for h in hip:
        card = h["name"].split()[-1]
        answer = t.json("matrix-check", "pumice-matrix", "--data", t.matrix, "check", "--card", card, "--rocm", "7.0.0", code=None)
        item = next(i for i in answer["items"] if i["subject"] == "card")
        by_target = t.json("matrix-check", "pumice-matrix", "--data", t.matrix, "check", "--card", h["arch"], "--rocm", "7.0.0", code=None)
        equal((item["verdict"], by_target["verdict"]), ("supported", "supported"))


def main():
    cases = {n[5:]: f for n, f in globals().items() if n.startswith("case_")}
    p = argparse.ArgumentParser()
    p.add_argument("case", choices=sorted(cases))
    for name in ("bin", "schemas", "work"):
        p.add_argument("--" + name, required=True)
    p.add_argument("--lib")
    p.add_argument("--rocminfo")
    p.add_argument("--load", help="the compiled load.hip")
    args = p.parse_args()
    args.bin = os.path.abspath(args.bin)
    args.work = os.path.join(os.path.abspath(args.work), args.case)
    shutil.rmtree(args.work, ignore_errors=True)  # faults that an earlier run injected
    os.makedirs(args.work)
    cases[args.case](args)
    print(args.case, "ok")


main()
