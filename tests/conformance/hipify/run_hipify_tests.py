#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the test inputs of a checkout of AMD's HIPIFY (github.com/ROCm/HIPIFY) against our hipify.

usage: run_hipify_tests.py CHECKOUT HIPIFY_PROGRAM [LIST_OF_TESTS]
Each input carries its options (a RUN line) and expectations (CHECK lines, read by FileCheck). Nothing of that checkout is part of
this repository. Without a checkout the script says so and exits with 77 (skipped). Exits with 1 below 95 percent."""
import os
import re
import subprocess
import sys
import tempfile


def options_of(text):
    match = re.search(r'RUN: %run_test hipify "%s" "%t" %hipify_args ?(.*)', text)
    if not match:
        return None
    before, _, after = match.group(1).partition("%clang_args")
    words = before.replace('"', "").split()
    if words and words[0].isdigit():
        words = words[1:]
    return words, after.replace('"', "").split()


def run_one(path, program, filecheck, folder):
    with open(path, errors="replace") as f:
        text = f.read()
    options = options_of(text)
    if options is None:
        return None
    out = os.path.join(folder, "out.hip")
    # Its tests are hipify-clang's: that name rewrites strings too.
    link = os.path.join(folder, "hipify-clang")
    if not os.path.exists(link):
        os.symlink(os.path.abspath(program), link)
    made = subprocess.run([link, "-o=" + out, path, "--quiet-warnings"] + options[0] + ["--"] + options[1],
                          capture_output=True, text=True)
    if made.returncode:
        return "exit status %d: %s" % (made.returncode, made.stderr.strip()[-200:])
    with open(out, errors="replace") as f:
        stripped = re.sub(r"//.+", "// ", f.read())
    check = subprocess.run([filecheck, path], input=stripped, capture_output=True, text=True)
    return "" if check.returncode == 0 else check.stderr.splitlines()[0]


def main():
    if len(sys.argv) < 3 or not os.path.isdir(os.path.join(sys.argv[1], "tests")):
        print("no HIPIFY checkout: skipped")
        return 77
    root, program = os.path.join(sys.argv[1], "tests"), sys.argv[2]
    filecheck = os.environ.get("FILECHECK", "FileCheck-19")
    if len(sys.argv) > 3:
        with open(sys.argv[3]) as f:
            names = [line.strip() for line in f if line.strip() and not line.startswith("#")]
    else:
        names = sorted(os.path.relpath(os.path.join(d, f), root) for d, _, files in os.walk(root) for f in files)
    passed, failed = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            why = run_one(os.path.join(root, name), program, filecheck, folder)
            if why == "":
                passed += 1
            elif why is not None:
                failed.append((name, why))
    for name, why in failed:
        print("FAIL %s: %s" % (name, why))
    total = passed + len(failed)
    print("%d of %d" % (passed, total))
    return 0 if total and passed >= 0.95 * total else 1


if __name__ == "__main__":
    sys.exit(main())
