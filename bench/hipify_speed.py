#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: hipify_speed.py HIPIFY RESULT.json [DIR]   Speed of hipify on one thread, by CPU time of the process.

Makes a tree of 10,000 files out of the CUDA and HIP sources below DIR (default: this repository's own, which are denser in
CUDA names than projects are), with binary, UTF-16, very long and deeply nested files among them. Translates it three times
without writing (median: megabytes per second of CPU time, wall time, peak memory), then in place, then in place again:
files that this last run changed (must be 0)."""
import itertools, json, os, resource, shutil, subprocess, sys, tempfile, time

FILES = 10000


def sources(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in (".git", "build"))
        for name in sorted(names):
            if name.endswith((".cu", ".cuh", ".hip")):
                yield os.path.join(folder, name)


def make_tree(tree, root):
    texts = [open(p, "rb").read() for p in sources(root)]
    size = 0
    for number, text in enumerate(itertools.islice(itertools.cycle(texts), FILES)):
        folder = os.path.join(tree, "d%03d" % (number // 100))
        os.makedirs(folder, exist_ok=True)
        size += len(text)
        with open(os.path.join(folder, "f%d.cu" % number), "wb") as out:
            out.write(text)
    for name, text in (("nul", b"\0" * 100000), ("utf16", "#include <cuda_runtime.h>".encode("utf-16")), ("long", b"cudaMalloc(" * 100000),
                       ("nested", b"#if 1\n" * 100000), ("braces", b"{" * 300000)):
        size += len(text)
        with open(os.path.join(tree, name + ".cu"), "wb") as out:
            out.write(text)
    return size


def run(words):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
    done = subprocess.run(words, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit("%s: exit status %d: %s" % (words[0], done.returncode, done.stderr[-300:]))
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.time() - start, after.ru_maxrss / 1024, done.stderr


def main():
    hipify, result = sys.argv[1:3]
    root = sys.argv[3] if len(sys.argv) > 3 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with tempfile.TemporaryDirectory() as work:
        tree = os.path.join(work, "tree")
        size = make_tree(tree, root)
        read = sorted(run([hipify, "--no-output", "--quiet-warnings", "-j", "1", tree])[:3] for _ in range(3))[1]
        first = run([hipify, "--inplace", "--no-backup", "--quiet-warnings", tree])
        second = run([hipify, "--inplace", "--no-backup", "--quiet-warnings", tree])
        changed = int(second[3].split(" changed")[0].split()[-1])
    row = {"files": FILES, "megabytes": round(size / 1e6, 1), "mb_per_s_of_cpu": round(size / 1e6 / read[0], 1), "seconds": round(read[1], 2), "peak_mib": round(read[2]),
           "inplace_seconds": round(first[1], 2), "changed_by_second_run": changed}
    with open(result, "w") as out:
        json.dump(row, out, indent=1)
    print("hipify: " + ", ".join("%s %s" % (v, k.replace("_", " ")) for k, v in row.items()))
    return changed != 0


if __name__ == "__main__":
    sys.exit(main())
