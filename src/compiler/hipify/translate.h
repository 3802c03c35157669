// SPDX-License-Identifier: MIT
// CUDA C++ source text to HIP, without the CUDA SDK and without compiling: the interface of the translator.
// It rewrites names, headers, call arguments, launches and inline PTX that has an equivalent, keeps all other bytes, and
// reports everything it could not carry over. Text that is HIP already comes back unchanged. Pure functions; any thread.
#pragma once
#include "compiler/hipify/tables.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace pumice::hipify {

enum class Libraries : uint8_t { hip, roc };
enum class LaunchSyntax : uint8_t { cuda, hip };

struct Options {
  std::string file = "<stdin>"; // as findings name it
  Libraries libraries = Libraries::hip;
  bool miopen = false;              // cuDNN to MIOpen (implied by roc) instead of hipDNN
  LaunchSyntax launches = LaunchSyntax::cuda;
  bool experimental = false;        // translate names that are experimental in HIP, whatever the ROCm version
  bool skip_excluded_blocks = false; // leave preprocessor blocks alone that are surely not compiled
  bool hip_data_types = false;      // with roc: cudaDataType and its values to hipDataType
  bool is_cuda = false;             // known to be CUDA (file name .cu): gets the main header even when nothing needs it
  bool insert_main_header = true;   // false: the caller compiles with -include hip/hip_runtime.h
  bool keep_version_macros = false; // CUDA_VERSION and the like mean something: no finding
  bool logical_warps = false;       // warp functions of include/pumice/cuda/logical_warp.h: 32 lanes, as on NVIDIA GPUs
  bool keep_lines = false;          // every line keeps its number, for error messages of a compiler
  bool bf16_header = false;         // the project includes cuda_bf16.h: __nv_bfloat16 is __hip_bfloat16
  bool rewrite_strings = false;     // names inside string literals too, as AMD's tools do
  uint32_t rocm_version = 60400;    // see version_number
  uint32_t cuda_version = 0;        // 0: not known
  std::map<std::string, std::string> defines; // for skip_excluded_blocks
  /// Names that the project declares elsewhere and that only look like CUDA's.
  const std::unordered_set<std::string>* own_names = nullptr;
};

struct Finding {
  std::string file;
  uint32_t line = 0, column = 0;
  const CodeRow* code = nullptr;
  std::string message;    // what and why
  std::string suggestion; // what to do
  bool conditional = false; // stands in a branch of an #if (other than an include guard): perhaps never compiled for AMD GPUs
};

struct Statistics {
  uint64_t bytes = 0, lines = 0;
  uint64_t identifiers = 0;   // all of them
  uint64_t kernels = 0;       // __global__ functions with a body
  uint64_t launches = 0, headers = 0, calls = 0; // kernel launches, headers and calls that were rewritten or kept as HIP's
  std::map<int32_t, uint32_t> translated;  // row: uses
  std::map<int32_t, uint32_t> unsupported; // row: uses
  std::map<std::string, uint32_t> unknown; // names without a row
  std::map<std::string, uint32_t> own;     // names of the project that look like CUDA's
  std::map<std::string, uint32_t> kept;    // names that stay valid on ROCm (NCCL's, members of structs)
  void add(const Statistics& other);
};

struct Translation {
  std::string text;
  bool changed = false;
  std::vector<Finding> findings; // by position
  Statistics statistics;
};

/// Translates `text`. Never fails: what cannot be read as C++ is copied.
Translation translate(std::string_view text, const Options& options);

/// Names declared in `text` that look like CUDA's: macros, types, functions, variables of the project.
std::unordered_set<std::string> own_names(std::string_view text);

/// The "..." includes of `text`, for callers that collect own names over a project.
std::vector<std::string> local_includes(std::string_view text);

/// Why `text` is not translatable (binary, UTF-16, larger than the limit), or nothing.
std::optional<std::string> not_source(std::string_view text);
constexpr size_t kMaxSourceBytes = 256u << 20;

} // namespace pumice::hipify
