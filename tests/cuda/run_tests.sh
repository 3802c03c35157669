#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: run_tests.sh ROCM_TREE BUILT. Unported CUDA: runs, error messages, a Makefile project, the header set. BUILT: folder of the
# programs that the build compiled with pumice-cc.
set -u
tree="$(cd "$1" && pwd)"
built="$2"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
export PATH="$tree/bin:$PATH" ROCM_PATH="$tree"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
status=0
check() { if [ "$1" = 0 ]; then echo "ok   $2"; else echo "FAIL $2"; status=1; fi; }

pumice-run "$here/warps.cu" >"$work/warps.txt" 2>&1
check $? "a CUDA program with 32-lane warps runs as written"; grep -v PASS "$work/warps.txt" | head -5

"$built/vector_operators" >"$work/operators.txt" 2>&1
check $? "a project's own operators of vector types win over HIP's"; grep -v PASS "$work/operators.txt" | head -5

"$built/groups" >"$work/groups.txt" 2>&1
check $? "reductions over groups, profiler calls, NVRTC's constant arrays"; grep -v PASS "$work/groups.txt" | head -5

"$built/pasted_names" >"$work/pasted.txt" 2>&1
check $? "names put together by the preprocessor"; grep -v PASS "$work/pasted.txt" | head -5

"$built/older_words" >"$work/older.txt" 2>&1
check $? "register and narrowing, of which nvcc only warns, do not stop the build"; grep -v PASS "$work/older.txt" | head -5

echo 'int main(void) { int new = 0; return new; }' >"$work/plain.c"
(cd "$work" && pumice-cc -std=c++17 plain.c -o plain && ./plain) >"$work/plain.txt" 2>&1
check $? "a C++ standard among the flags does not stop a C source"; head -3 "$work/plain.txt"

"$built/driver_api" >"$work/driver.txt" 2>&1 && ! grep -q A001 "$built/driver_api.log"
check $? "CUDA 13's parameters of a context; NVRTC's arrays of strings in a host source, an architecture of NVIDIA's, its CUBIN"
head -3 "$work/driver.txt"

(cd "$work" && mkdir -p obj && pumice-cc -odir obj -c "$here/project/scale.cu" "$here/project/main.cu" -rdc=true -I"$here/project/include" && [ -f obj/scale.o ] && [ -f obj/main.o ]) >"$work/odir.txt" 2>&1
check $? "-odir puts each object into its folder"; head -3 "$work/odir.txt"

pumice-run "$here/broken.cu" >"$work/broken.txt" 2>&1 && check 1 "a broken program fails"
grep -q 'broken.cu:11:[0-9]*: error' "$work/broken.txt"
check $? "error messages name the lines of the .cu file"

cp -r "$here/project" "$work/"
(cd "$work/project" && make NVCC=pumice-cc >"$work/make.txt" 2>&1)
check $? "make NVCC=pumice-cc builds a project with device code in two files"
(cd "$work/project" && ./program)
check $? "and it runs"
grep -q 'scale.cuh' "$work/project/main.d" && ! grep -q 'pumice-cc-' "$work/project/main.d"
check $? "dependency files name the project's headers"

"$built/header_set"
check $? "headers under CUDA's names compile without translation"
exit $status
