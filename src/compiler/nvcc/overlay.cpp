// SPDX-License-Identifier: MIT
#include "compiler/nvcc/overlay.h"
#include "compiler/hipify/tree.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace pumice::nvcc {
namespace {

/// Names in "..." and <...> of the #include lines.
std::vector<std::pair<std::string, bool>> includes(std::string_view text) {
  std::vector<std::pair<std::string, bool>> out;
  for (size_t at = text.find('#'); at != text.npos; at = text.find('#', at + 1)) {
    size_t p = at + 1;
    auto blanks = [&] {
      while (p < text.size() && (text[p] == ' ' || text[p] == '\t'))
        ++p;
    };
    blanks();
    if (text.substr(p, 7) != "include")
      continue;
    p += 7;
    blanks();
    if (p >= text.size() || (text[p] != '"' && text[p] != '<'))
      continue;
    char close = text[p] == '"' ? '"' : '>';
    size_t end = text.find_first_of(close == '"' ? "\"\n" : ">\n", p + 1);
    if (end != text.npos && text[end] == close)
      out.push_back({std::string(text.substr(p + 1, end - p - 1)), close == '"'});
  }
  return out;
}

} // namespace

Overlay::~Overlay() {
  if (!folder_.empty() && !keep_) {
    std::error_code ec;
    fs::remove_all(folder_, ec);
  }
}

Status Overlay::add(const std::string& source, const std::vector<std::string>& include_dirs) {
  return read(source, true, include_dirs);
}

Status Overlay::read(const std::string& first, bool source, const std::vector<std::string>& include_dirs) {
  std::vector<std::pair<std::string, bool>> open{{first, source}};
  constexpr size_t kMostFiles = 20000;
  while (!open.empty()) {
    auto [path, is_source] = open.back();
    open.pop_back();
    std::error_code ec;
    std::string absolute = fs::absolute(path, ec).lexically_normal().string();
    if (!seen_.insert(absolute).second)
      continue;
    if (files_.size() >= kMostFiles)
      return error(Code::invalid_argument, "more than 20000 included files");
    Result<std::string> text = hipify::read_file(absolute);
    if (!text) {
      if (is_source)
        return text.status();
      continue;
    }
    if (hipify::not_source(*text))
      continue;
    own_.merge(hipify::own_names(*text));
    for (const auto& [name, quoted] : includes(*text)) {
      // As the compiler looks: beside the includer when quoted, then the folders in order. A header that CUDA or ROCm brings is
      // not the project's even when a folder of theirs is named.
      std::vector<fs::path> candidates;
      if (quoted)
        candidates.push_back(fs::path(absolute).parent_path() / name);
      for (const std::string& d : include_dirs)
        candidates.push_back(fs::path(d) / name);
      bf16_ |= name == "cuda_bf16.h";
      for (const fs::path& p : candidates)
        if (fs::is_regular_file(p, ec)) {
          open.push_back({p.string(), false});
          break;
        }
    }
    files_.push_back({absolute, std::move(*text), is_source});
  }
  return ok_status();
}

Result<std::string> Overlay::write(const hipify::Options& options) {
  nlohmann::ordered_json roots = nlohmann::ordered_json::array();
  for (const File& f : files_) {
    hipify::Options o = options;
    o.file = f.path;
    o.is_cuda = f.source && hipify::is_cuda_file(f.path);
    o.own_names = &own_;
    o.bf16_header = bf16_;
    hipify::Translation t = hipify::translate(f.text, o);
    std::move(t.findings.begin(), t.findings.end(), std::back_inserter(findings_));
    if (!t.changed)
      continue;
    if (folder_.empty()) {
      std::string pattern = (fs::temp_directory_path() / "pumice-cc-XXXXXX").string();
      if (!mkdtemp(pattern.data()))
        return error(Code::system, "cannot make a temporary folder: " + std::string(std::strerror(errno)));
      folder_ = pattern;
    }
    std::string copy = folder_ + "/" + std::to_string(roots.size()) + fs::path(f.path).extension().string();
    std::ofstream out(copy, std::ios::binary);
    out.write(t.text.data(), std::streamsize(t.text.size()));
    out.close();
    if (!out)
      return error(Code::system, "cannot write " + copy);
    roots.push_back({{"type", "file"}, {"name", f.path}, {"external-contents", copy}});
    // The same file may be reached through a symbolic link.
    std::error_code ec;
    std::string real = fs::weakly_canonical(f.path, ec).string();
    if (!ec && real != f.path)
      roots.push_back({{"type", "file"}, {"name", real}, {"external-contents", copy}});
  }
  if (roots.empty())
    return std::string();
  nlohmann::ordered_json description{
      {"version", 0}, {"case-sensitive", "true"}, {"use-external-names", "false"}, {"roots", roots}};
  std::string path = folder_ + "/overlay.yaml";
  std::ofstream out(path);
  out << description.dump(1);
  out.close();
  if (!out)
    return error(Code::system, "cannot write " + path);
  return path;
}

} // namespace pumice::nvcc
