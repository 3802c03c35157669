// SPDX-License-Identifier: MIT
// Headers under CUDA's names, from the rows. One file of macros per library; each header includes HIP's header and the macros of
// its library. What macros cannot do (PTX, arguments in another order, token pasting on their own names) the translator does.
#include "compiler/hipify/docs.h"
#include "compiler/hipify/tables.h"
#include <map>
#include <set>

namespace pumice::hipify {
namespace {

struct Group {
  std::string_view file;
  std::vector<std::string_view> libraries;
};
const std::vector<Group>& groups() {
  static const std::vector<Group> list = {
      {"runtime", {"CUDA Runtime", "CUDA Driver", "CUDA device functions"}},
      {"cublas", {"cuBLAS"}},     {"cudnn", {"cuDNN"}},   {"cusparse", {"cuSPARSE"}}, {"cusolver", {"cuSOLVER"}},
      {"curand", {"cuRAND"}},     {"cufft", {"cuFFT"}},   {"nvrtc", {"NVRTC"}},       {"nvtx", {"NVTX"}},
      {"cucomplex", {"cuComplex"}}};
  return list;
}

/// Macro file that a CUDA header needs besides the runtime's.
std::string_view group_of(std::string_view header) {
  for (std::string_view prefix : {"cublas", "cudnn", "cusparse", "cusolver", "curand", "cufft", "nvrtc"})
    if (header.starts_with(prefix))
      return prefix;
  if (header == "cuComplex.h")
    return "cucomplex";
  if (header.find("nvToolsExt") != header.npos)
    return "nvtx";
  return {};
}

const char* kTop = "/* SPDX-License-Identifier: MIT */\n/* Generated from src/compiler/hipify/rows. */\n#pragma once\n";

} // namespace

std::vector<std::pair<std::string, std::string>> header_set() {
  const Tables& t = Tables::get();
  std::vector<std::pair<std::string, std::string>> out;
  for (const Group& g : groups()) {
    std::string text = kTop;
    for (const NameRow& r : t.names()) {
      bool here = false;
      for (std::string_view l : g.libraries)
        here |= r.library == l;
      if (!here || r.hip_support == Support::none || r.hip == r.cuda || r.cuda.starts_with("__CUDA") ||
          r.hip.find_first_of(" *<@") != r.hip.npos || r.section.starts_with("Include guards") || r.cuda == "cudaLaunchKernel")
        continue;
      text += "#define " + std::string(r.cuda) + " " + std::string(r.hip) + "\n";
    }
    if (g.file == "runtime") // calling conventions
      text += "#define CUDART_CB\n#define CUDA_CB\n#define CUDAAPI\n";
    if (g.file == "runtime")
      text += "#define cudaLaunchKernel hipLaunchKernel\n";
    out.push_back({"pumice_names_" + std::string(g.file) + ".h", text});
  }
  for (const HeaderRow& r : t.headers()) {
    if (r.kind == HeaderKind::missing || r.cuda.ends_with("/*") || r.cuda.starts_with("caffe2/"))
      continue;
    std::string text = kTop;
    text += "#include <hip/hip_runtime.h>\n";
    if (!r.hip.empty() && r.hip != "hip/hip_runtime.h")
      text += "#include <" + std::string(r.hip) + ">\n";
    text += "#include \"pumice_names_runtime.h\"\n";
    if (std::string_view g = group_of(r.cuda); !g.empty())
      text += "#include \"pumice_names_" + std::string(g) + ".h\"\n";
    if (r.cuda.starts_with("cub/"))
      text += "namespace cub = hipcub;\n";
    // A header in a folder finds the macro files above it.
    if (r.cuda.find('/') != r.cuda.npos)
      for (size_t at = text.find("\"pumice_names_"); at != text.npos; at = text.find("\"pumice_names_", at + 16))
        text.insert(at + 1, "../");
    out.push_back({std::string(r.cuda), text});
  }
  return out;
}

} // namespace pumice::hipify
