// SPDX-License-Identifier: MIT
#include "compiler/hipify/tree.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fnmatch.h>
#include <fstream>
#include <mutex>
#include <thread>

namespace fs = std::filesystem;

namespace pumice::hipify {
namespace {

bool ends_in(const std::string& name, std::initializer_list<std::string_view> list) {
  for (std::string_view e : list)
    if (name.size() >= e.size() && name.compare(name.size() - e.size(), e.size(), e) == 0)
      return true;
  return false;
}

bool excluded(const std::string& name, const std::vector<std::string>& patterns) {
  for (const std::string& p : patterns)
    if (fnmatch(p.c_str(), name.c_str(), 0) == 0)
      return true;
  return false;
}

template <class Keep>
std::vector<std::string> walk(const std::string& root, const TreeOptions& options, Keep keep) {
  std::vector<std::string> out;
  std::error_code ec;
  fs::recursive_directory_iterator it(root, fs::directory_options::skip_permission_denied, ec), end;
  for (; !ec && it != end; it.increment(ec)) {
    std::string name = it->path().filename().string();
    std::error_code type_error;
    if (it->is_symlink(type_error))
      continue;
    if (it->is_directory(type_error)) {
      if (name == ".git" || name == ".svn" || name == ".hg" || name == "node_modules" ||
          excluded(name, options.exclude_dirs))
        it.disable_recursion_pending();
      continue;
    }
    if (it->is_regular_file(type_error) && keep(name) && !excluded(name, options.exclude_files))
      out.push_back(it->path().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

template <class Work> void in_parallel(size_t count, unsigned threads, Work work) {
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  threads = unsigned(std::min<size_t>(threads, std::max<size_t>(1, count)));
  std::atomic<size_t> next{0};
  auto run = [&] {
    for (size_t i = next++; i < count; i = next++)
      work(i);
  };
  std::vector<std::thread> pool;
  for (unsigned t = 1; t < threads; ++t)
    pool.emplace_back(run);
  run();
  for (std::thread& t : pool)
    t.join();
}

} // namespace

bool is_cuda_file(const std::string& path) { return ends_in(path, {".cu", ".cuh"}); }

Result<std::string> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in)
    return error(Code::not_found, "cannot read " + path + ": " + std::strerror(errno));
  std::streamoff size = in.tellg();
  if (size < 0)
    return error(Code::system, "cannot read " + path);
  if (uint64_t(size) > kMaxSourceBytes)
    return error(Code::invalid_argument, path + " is larger than 256 MiB");
  std::string text(size_t(size), '\0');
  in.seekg(0);
  in.read(text.data(), size);
  text.resize(size_t(in.gcount()));
  return text;
}

std::vector<std::string> source_files(const std::string& root, const TreeOptions& options) {
  return walk(root, options, [](const std::string& n) {
    return ends_in(n, {".cu", ".cuh", ".h", ".hh", ".hpp", ".hxx", ".c", ".cc", ".cpp", ".cxx", ".inl",
                       ".inc", ".ipp", ".tpp", ".hip"});
  });
}

std::vector<std::string> build_files(const std::string& root, const TreeOptions& options) {
  return walk(root, options, [](const std::string& n) {
    return n == "CMakeLists.txt" || n == "Makefile" || n == "makefile" || n == "GNUmakefile" ||
           n == "setup.py" || n == "pyproject.toml" || n == "meson.build" ||
           ends_in(n, {".cmake", ".mk", ".bazel", ".BUILD"});
  });
}

IncludedNames names_of_includes(const std::string& path, std::string_view text) {
  IncludedNames out;
  std::unordered_set<std::string> seen;
  std::vector<std::pair<fs::path, int>> open;
  fs::path dir = fs::path(path).parent_path();
  for (const std::string& h : local_includes(text))
    open.push_back({dir / h, 1});
  while (!open.empty() && seen.size() < 64) {
    auto [file, depth] = open.back();
    open.pop_back();
    std::error_code ec;
    fs::path real = fs::weakly_canonical(file, ec);
    if (ec || !fs::is_regular_file(real, ec) || !seen.insert(real.string()).second)
      continue;
    Result<std::string> header = read_file(real.string());
    if (!header || not_source(*header))
      continue;
    out.own.merge(own_names(*header));
    out.bf16_header |= header->find("cuda_bf16.h") != header->npos;
    if (depth < 8)
      for (const std::string& h : local_includes(*header))
        open.push_back({real.parent_path() / h, depth + 1});
  }
  return out;
}

TreeSummary translate_tree(const std::string& root, const TreeOptions& options,
                           const std::function<Status(const FileResult&, const std::string&)>& done,
                           const std::function<void(size_t, size_t)>& progress) {
  std::vector<std::string> files = source_files(root, options);
  std::unordered_set<std::string> own;
  std::mutex lock;
  std::atomic<bool> bf16{false};
  in_parallel(files.size(), options.threads, [&](size_t i) {
    Result<std::string> text = read_file(files[i]);
    if (!text || not_source(*text))
      return;
    std::unordered_set<std::string> names = own_names(*text);
    if (text->find("cuda_bf16.h") != text->npos)
      bf16 = true;
    std::lock_guard<std::mutex> hold(lock);
    own.merge(names);
  });
  TreeSummary sum;
  sum.files = files.size();
  std::vector<std::vector<Finding>> findings(files.size());
  size_t finished = 0;
  in_parallel(files.size(), options.threads, [&](size_t i) {
    FileResult r;
    r.path = files[i];
    r.relative = fs::path(files[i]).lexically_relative(root).string();
    Result<std::string> text = read_file(files[i]);
    std::string original;
    if (!text) {
      r.skipped = text.status().message;
    } else {
      original = std::move(*text);
      if (std::optional<std::string> why = not_source(original))
        r.skipped = *why;
    }
    if (r.skipped.empty()) {
      Options o = options.translation;
      o.file = files[i];
      o.is_cuda = is_cuda_file(files[i]);
      o.own_names = &own;
      o.bf16_header = bf16;
      r.translation = translate(original, o);
      findings[i] = r.translation.findings;
    } else {
      findings[i].push_back({files[i], 1, 1, &Tables::get().code("N001"), "file skipped: " + r.skipped, ""});
    }
    std::lock_guard<std::mutex> hold(lock);
    sum.changed += r.translation.changed;
    sum.skipped += !r.skipped.empty();
    sum.statistics.add(r.translation.statistics);
    if (Status s = done(r, original); !s.ok())
      findings[i].push_back({files[i], 1, 1, &Tables::get().code("N001"), s.message, ""});
    progress(++finished, files.size());
  });
  for (std::vector<Finding>& f : findings)
    std::move(f.begin(), f.end(), std::back_inserter(sum.findings));
  for (const std::string& path : build_files(root, options)) {
    Result<std::string> text = read_file(path);
    if (!text || not_source(*text))
      continue;
    for (Finding& f : build_file_findings(path, *text))
      sum.findings.push_back(std::move(f));
  }
  return sum;
}

} // namespace pumice::hipify
