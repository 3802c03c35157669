#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles a device source and compares our disassembly of its whole text with llvm-objdump's.
# usage: compare.sh <isa-dump> <source.c> <work folder>
set -eu
dump=$1 source=$2 work=$3
mkdir -p "$work"
for cpu in gfx90a gfx942; do
  for opt in -O0 -O1 -O3; do
    object=$work/$cpu$opt.o
    clang-19 -x c -std=c11 -target amdgcn-amd-amdhsa -mcpu=$cpu $opt -ffreestanding -nogpulib -c "$source" -o "$object"
    llvm-objcopy-19 --dump-section=.text="$object.text" "$object"
    "$dump" text $cpu "$object.text" >"$object.ours"
    llvm-objdump-19 -d --no-show-raw-insn "$object" |
      sed -n 's/^\t\(.*[^ ]\) *\/\/.*/\1/p' | sed 's/ *$//' >"$object.llvm"
    lines=$(wc -l <"$object.llvm")
    [ "$lines" -gt 100 ] || { echo "$cpu $opt: only $lines lines"; exit 1; }
    diff "$object.llvm" "$object.ours" >"$object.diff" || { echo "$cpu $opt differs:"; head -20 "$object.diff"; exit 1; }
    echo "$cpu $opt: $lines instructions agree"
  done
done
