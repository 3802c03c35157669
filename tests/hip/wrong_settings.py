#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wrong settings and hostile surroundings end in a message, not in a crash: wrong_settings.py PROGRAM PUMICE_SCRIPT PRESET.

PROGRAM checks itself and returns 0. Each case: what is set, the exit code expected, words that stderr must have.
"""
import os
import subprocess
import sys
import tempfile

program, script, preset = sys.argv[1:4]
failures = 0


def run(name, command, code, words, extra=None, cwd=None):
    global failures
    env = dict(os.environ, PUMICE_HSA="soft", PUMICE_PRESET=preset)
    env.update(extra or {})
    r = subprocess.run(command, env=env, cwd=cwd, capture_output=True, text=True, timeout=120)
    text = r.stdout + r.stderr
    missing = [w for w in words if w not in text]
    if r.returncode != code or missing:
        failures += 1
        print(f"{name}: exit {r.returncode} (expected {code}), not said: {missing}\n{text}")


with tempfile.TemporaryDirectory() as folder:
    run("engine", [program], 0, ["PUMICE_ENGINE=foo", "jit", "interp", "both"], {"PUMICE_ENGINE": "foo"})
    for cpu in ("foo", "i386"):  # LLVM would end the process
        run("cpu", [program], 0, [f"PUMICE_CPU={cpu}"], {"PUMICE_CPU": cpu, "PUMICE_CACHE": "0"})
    for devices, word in (("MI999", "MI210, MI300X, MI325X"), ("0xMI300X", "1 to 64"), ("9999xMI300X", "1 to 64"), ("MI210,", "empty")):
        run("devices", [program], 1, [word, "HSA_STATUS_ERROR:"], {"PUMICE_DEVICES": devices})
    # Code that is cut off, noise or empty is translated again.
    cache = os.path.join(folder, "cache")
    run("cache", [program], 0, [], {"PUMICE_CACHE_DIR": cache})
    entries = [os.path.join(d, f) for d, _, files in os.walk(cache) for f in files]
    if not entries:
        failures += 1
        print("cache: nothing was stored")
    for size in (0.5, 0):
        for entry in entries:
            os.truncate(entry, int(os.path.getsize(entry) * size))
        run("cut cache", [program], 0, [], {"PUMICE_CACHE_DIR": cache})
    for place in ("/proc/x", os.path.join(folder, "text")):
        open(os.path.join(folder, "text"), "w").write("no folder")
        run("cache place", [program], 0, [], {"PUMICE_CACHE_DIR": place})
    # Too little address space, from the frames of workgroups down to the first thread: where it fails depends on the machine.
    # Sanitizers reserve terabytes of it for themselves.
    limits = () if preset in ("asan-ubsan", "tsan", "fuzz") else (600000, 500000, 450000, 420000, 400000, 380000)
    for limit in limits:
        r = subprocess.run(["sh", "-c", f"ulimit -v {limit}; exec {program}"], env=dict(os.environ, PUMICE_HSA="soft"), capture_output=True, text=True, timeout=120)
        text = r.stdout + r.stderr
        if r.returncode != 0 and not (r.returncode == 1 and any(w in text for w in ("the host has no memory", "hipErrorOutOfMemory", "HSA_STATUS_ERROR_OUT_OF_RESOURCES"))):
            failures += 1
            print(f"{limit} KiB: exit {r.returncode}\n{text}")
    # Settings that would have no effect are named.
    run("flag", [program], 0, ["PUMICE_JIT_WAIT=foo is neither 0 nor 1; using 0"], {"PUMICE_JIT_WAIT": "foo"})
    run("log", [program], 0, ["PUMICE_LOG=loud", "off, warn, info, trace"], {"PUMICE_LOG": "loud"})
    run("check", [program], 0, ["PUMICE_CHECK=race is not known"], {"PUMICE_CHECK": "memory,race"})
    run("misspelt", [program], 0, ["there is no setting PUMICE_DEVICE\n"], {"PUMICE_DEVICE": "MI210"})
    # The system's library, which is not here or has no card: never the one beside the program's, though its folder comes first.
    own = subprocess.run([script, "env"], env=dict(os.environ, PUMICE_PRESET=preset), capture_output=True, text=True).stdout
    folders = [l.split("=", 1)[1].split(":")[0].strip("\"'") for l in own.splitlines() if "LD_LIBRARY_PATH=" in l]
    if not os.path.exists("/dev/kfd"):
        run("system", [program], 1, [], {"PUMICE_HSA": "system", "LD_LIBRARY_PATH": folders[0] if folders else ""})
    # Counts are the same when the code comes from the cache.
    stored = {"PUMICE_CACHE_DIR": os.path.join(folder, "counts"), "PUMICE_STATS": "1", "PUMICE_JIT_WAIT": "1"}
    lines = [subprocess.run([program], env=dict(os.environ, PUMICE_HSA="soft", **stored), capture_output=True, text=True).stderr for _ in range(2)]
    count = [[w.split("(")[1] for w in l.split(" instructions;")[:-1]] for l in lines]
    if "from the cache" not in lines[1] or not count[0] or count[0] != count[1]:
        failures += 1
        print(f"counts: {lines}")
    for option in ("PUMICE_THREADS", "PUMICE_MEM_LIMIT"):
        run("negative number", [program], 0, [f"{option}=-3", "using 0"], {option: "-3"})
    # A full /dev/shm (needs root and namespaces).
    shm = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs -o size=4k none /dev/shm && exec "$0"']
    if os.geteuid() == 0 and subprocess.run(shm + ["true"], capture_output=True).returncode == 0:
        run("full shm", shm + [program], 0, [])
    # Names of files are relative to where the caller is.
    if os.access(script, os.X_OK):
        os.symlink(program, os.path.join(folder, "program"))
        run("run elsewhere", [script, "run", "program"], 0, [], cwd=folder)
        run("run nothing", [script, "run", "none.hip"], 2, ["no such file: none.hip"], cwd=folder)
        run("run folder", [script, "run", "."], 2, ["not a file"], cwd=folder)
        run("run text", [script, "run", "text"], 2, ["neither a source file"], cwd=folder)
        run("bench name", [script, "bench", "saxpi"], 2, ['"saxpi"', "saxpy_64M"], cwd=folder)
        run("demo name", [script, "demo", "saxpi"], 2, ['"saxpi"', "saxpy"], cwd=folder)
sys.exit(1 if failures else 0)
