// SPDX-License-Identifier: MIT
// Translated kernels by key: in memory per process, and on disk (0700, checksummed, bounded) across processes.
#pragma once
#include "base/result.h"
#include "jit/object_loader.h"
#include "jit/translate.h"
#include <memory>
#include <string>

namespace pumice::jit {

struct CompiledKernel {
  std::unique_ptr<LoadedObject> object;
  TranslateStats stats;
  bool from_cache = false;
  double ready_ms = 0;  // compile or load time
};

/// Loads from the disk cache or translates (opening the translator library on first need) and stores the result.
/// `code_hash` identifies the code object's bytes. Thread-safe.
/// Where::child_process translates in a forked process: this one may exit meanwhile, and a crash of the compiler is an
/// error, not the end.
enum class Where : uint8_t { here, child_process };
Result<std::unique_ptr<CompiledKernel>> compile_kernel(const TranslateInput& in, uint64_t code_hash, Where where = Where::here);

/// The disk cache holds this kernel (it may still prove damaged).
bool is_cached(const TranslateInput& in, uint64_t code_hash);
/// Zeros when the translator or the code cannot be read.
CodeSize count_instructions(const TranslateInput& in);

/// 64-bit FNV-1a, chained.
uint64_t hash_bytes(const void* p, size_t n, uint64_t seed = 1469598103934665603ull);

} // namespace pumice::jit
