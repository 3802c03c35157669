#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: accounted.py HIPIFY DIR...   Is every CUDA-looking word of these trees translated, reported, or the tree's own?

A plain search, which knows nothing of the translator's tables, against the translator: each tree is copied, translated in
place, and searched for words that look like CUDA's outside comments and strings. A word that is left must be named by a
finding (or stand on a finding's line), be declared in the tree, or be one that ROCm keeps (NCCL's, namespaces of Thrust).
Prints what is not; exit status 1 if there is any, 2 for wrong use.
"""
import json, os, re, shutil, subprocess, sys, tempfile

SOURCES = (".cu", ".cuh", ".h", ".hpp", ".cpp", ".cc", ".c", ".hh", ".inl", ".inc", ".hxx", ".cxx")
WORD = re.compile(r"\b(?:cuda[A-Z]\w*|_*CUDA\w*|cu[A-Z]\w*|CU_\w+|CU[a-z]\w+|cu(?:blas|fft|rand|sparse|solver|dnn|tensor|pti|file)\w*|CU(?:BLAS|FFT|RAND|SPARSE|SOLVER|DNN|TENSOR|PTI)\w*"
                  r"|nccl\w*|NCCL\w*|nvrtc\w*|NVRTC\w*|nvtx\w*|nvml\w*|NVML\w*|nvjpeg\w*|nvshmem\w*|npp[is]\w*|__nv\w+|__NV\w+|CUB_\w+|cooperative_groups|nvcuda|cutlass\w*|cute|cub)\b")
# Valid on ROCm as they are.
KEPT = re.compile(r"nccl|NCCL|cooperative_groups$|CUB_|CUDA_(?:VISIBLE_DEVICES|LAUNCH_BLOCKING)$")
NOT_TYPES = {"return", "case", "else", "do", "goto", "throw", "new", "delete", "sizeof", "defined", "and", "or", "not", "if"}


def code_of(text):
    """The text without comments and literals; line numbers stay."""
    text = re.sub(r"\\\r?\n", lambda m: "\n", text)
    pattern = r'R"([^\s()\\]{0,16})\((?:.|\n)*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\''
    return re.sub(pattern, lambda m: "\n" * m[0].count("\n") + " ", text, flags=re.S)


def declared(word, code):
    w = re.escape(word)
    forms = (rf"#\s*define\s+{w}\b", rf"\b(?:struct|class|union|enum|namespace|using|typename|class)\s+{w}\b",
             rf"\}}\s*{w}\s*[;,\[]", rf"[{{,]\s*{w}\s*(?:=[^=,}}]*)?[,}}]", rf"#\s*define\s+\w+\([^)]*\b{w}\b[^)]*\)")
    if any(re.search(f, code) for f in forms):
        return True
    for m in re.finditer(rf"(\w+)(?:\s*<[^;{{}}()]*>)?[\s*&]+(?:const\s+)?(?:\w+::)*{w}\s*[;=,(){{\[:]", code):
        if m[1] not in NOT_TYPES and not m[1].isdigit():
            return True
    return bool(re.search(rf"\b{w}::~?{w}\b", code))


def check(hipify, tree):
    with tempfile.TemporaryDirectory() as work:
        copy, report = os.path.join(work, "tree"), os.path.join(work, "f.json")
        shutil.copytree(tree, copy, ignore=shutil.ignore_patterns(".git"), symlinks=False, ignore_dangling_symlinks=True)
        run = subprocess.run([hipify, "--inplace", "--no-backup", "--findings-json", report, copy], capture_output=True, text=True)
        if not os.path.exists(report):
            return [f"hipify failed: {run.stderr[-300:]}"], 0
        findings = json.load(open(report))["findings"]
        lines = {(os.path.realpath(f["file"]), f["line"]) for f in findings}
        told = set(re.findall(r"\w+", " ".join(f["message"] for f in findings)))
        files = [os.path.join(a, b) for a, _, c in os.walk(copy) for b in c if b.endswith(SOURCES)]
        raw = {f: open(f, errors="replace", newline="").read() for f in files}
        code = {f: code_of(t) for f, t in raw.items() if "\0" not in t}
        everything = "\n".join(code.values())
        reported = {os.path.realpath(f["file"]) for f in findings if f["class"] in ("unsupported-api", "unknown-name")}
        out, words = {}, 0
        for name, text in code.items():
            for number, line in enumerate(text.split("\n"), 1):
                if re.match(r"\s*#\s*(?:include|error|warning|pragma)\b", line):
                    line = ""
                for m in WORD.finditer(line):
                    words += 1
                    w = m[0]
                    if w in told or KEPT.match(w) or w in out or (os.path.realpath(name), number) in lines:
                        continue
                    # A member of a structure that has no counterpart: the structure's name is reported in this file.
                    if re.search(r"(?:\.|->)\s*$", line[:m.start()]) and os.path.realpath(name) in reported:
                        continue
                    out[w] = (os.path.relpath(name, copy), number)
        return [f"{at[0]}:{at[1]}: {w}" for w, at in sorted(out.items()) if not declared(w, everything)], words


def main():
    if len(sys.argv) < 3 or not os.access(sys.argv[1], os.X_OK):
        print(__doc__, file=sys.stderr)
        return 2
    bad = seen = 0
    for tree in sys.argv[2:]:
        left, words = check(sys.argv[1], tree)
        seen += words
        bad += len(left)
        for l in left:
            print(f"{tree}: {l}")
    print(f"{len(sys.argv) - 2} trees, {seen} words left after translation, {bad} unaccounted")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
