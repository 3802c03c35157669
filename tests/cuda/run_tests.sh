#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: run_tests.sh ROCM_TREE. Unported CUDA: runs, error messages, a Makefile project, the header set.
set -u
tree="$(cd "$1" && pwd)"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
export PATH="$tree/bin:$PATH" ROCM_PATH="$tree"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
status=0
check() { if [ "$1" = 0 ]; then echo "ok   $2"; else echo "FAIL $2"; status=1; fi; }

pumice-run "$here/warps.cu" >"$work/warps.txt" 2>&1
check $? "a CUDA program with 32-lane warps runs as written"; grep -v PASS "$work/warps.txt" | head -5

pumice-run "$here/vector_operators.cu" >"$work/operators.txt" 2>&1
check $? "a project's own operators of vector types win over HIP's"; grep -v PASS "$work/operators.txt" | head -5

pumice-run "$here/groups.cu" >"$work/groups.txt" 2>&1
check $? "reductions over groups, profiler calls, NVRTC's constant arrays"; grep -v PASS "$work/groups.txt" | head -5

pumice-run "$here/pasted_names.cu" >"$work/pasted.txt" 2>&1
check $? "names put together by the preprocessor"; grep -v PASS "$work/pasted.txt" | head -5

pumice-run "$here/older_words.cu" >"$work/older.txt" 2>&1
check $? "register and narrowing, of which nvcc only warns, do not stop the build"; grep error "$work/older.txt" | head -5

echo 'int main(void) { int new = 0; return new; }' >"$work/plain.c"
(cd "$work" && pumice-cc -std=c++17 plain.c -o plain && ./plain) >"$work/plain.txt" 2>&1
check $? "a C++ standard among the flags does not stop a C source"; head -3 "$work/plain.txt"

cat >"$work/context.cpp" <<'SOURCE'
#include <cuda.h>
int main() {
  CUcontext context;
  CUdevice device;
  CUctxCreateParams params = {};
  if (cuInit(0) || cuDeviceGet(&device, 0)) return 1;
  return cuCtxCreate(&context, &params, 0, device) != CUDA_SUCCESS;
}
SOURCE
(cd "$work" && pumice-cc context.cpp -lcuda -o context && ./context) >"$work/context.txt" 2>&1 && ! grep -q A001 "$work/context.txt"
check $? "CUDA 13's parameters of a context"; grep error "$work/context.txt" | head -3

cat >"$work/rtc.cpp" <<'SOURCE'
#include <cuda.h>
#include <nvrtc.h>
#include <vector>
int main() {
  char flag[] = "-DN=2";
  char architecture[] = "--gpu-architecture=sm_90";
  char* flags[] = {architecture, flag};
  const char* const names[] = {"none.h"};
  nvrtcProgram program;
  if (nvrtcCreateProgram(&program, "extern \"C\" __global__ void k(int* p) { *p = N; }", "k.cu", 0, names, names)) return 1;
  size_t size = 0;
  if (nvrtcCompileProgram(program, 2, flags) || nvrtcGetCUBINSize(program, &size)) return 2;
  std::vector<char> code(size);
  CUcontext context;
  CUmodule module;
  return nvrtcGetCUBIN(program, code.data()) || cuInit(0) || cuCtxCreate(&context, 0, 0) || cuModuleLoadData(&module, code.data());
}
SOURCE
(cd "$work" && pumice-cc rtc.cpp -lnvrtc -lcuda -o rtc && ./rtc) >"$work/rtc.txt" 2>&1
check $? "NVRTC's arrays of strings in a host source, an architecture of NVIDIA's, its CUBIN"; grep error "$work/rtc.txt" | head -3

(cd "$work" && mkdir -p obj && pumice-cc -odir obj -c "$here/project/scale.cu" "$here/groups.cu" -rdc=true -I"$here/project/include" && [ -f obj/scale.o ] && [ -f obj/groups.o ]) >"$work/odir.txt" 2>&1
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

hipcc -x hip -I"$tree/include/pumice/cuda" "$here/header_set.cu" -o "$work/header_set" >"$work/header.txt" 2>&1 && "$work/header_set"
check $? "headers under CUDA's names compile without translation"; head -3 "$work/header.txt"
exit $status
