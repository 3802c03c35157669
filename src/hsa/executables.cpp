// SPDX-License-Identifier: MIT
#include "hsa/executables.h"
#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace pumice::hsa {

hsa_code_object_reader_t Executables::add_reader(std::shared_ptr<CodeReader> r) {
  hsa_code_object_reader_t h{reinterpret_cast<uint64_t>(r.get())};
  std::lock_guard lock(mutex_);
  readers_[h.handle] = std::move(r);
  return h;
}
std::shared_ptr<CodeReader> Executables::reader(hsa_code_object_reader_t h) {
  std::lock_guard lock(mutex_);
  auto it = readers_.find(h.handle);
  return it == readers_.end() ? nullptr : it->second;
}
bool Executables::remove_reader(hsa_code_object_reader_t h) {
  std::lock_guard lock(mutex_);
  return readers_.erase(h.handle) != 0;
}

hsa_executable_t Executables::create(hsa_profile_t profile,
                                     hsa_default_float_rounding_mode_t rounding) {
  auto e = std::make_shared<Executable>();
  e->profile = profile;
  e->rounding = rounding;
  hsa_executable_t h = handle(e.get());
  std::lock_guard lock(mutex_);
  executables_[h.handle] = std::move(e);
  return h;
}

std::shared_ptr<Executable> Executables::find(hsa_executable_t h) {
  std::lock_guard lock(mutex_);
  auto it = executables_.find(h.handle);
  return it == executables_.end() ? nullptr : it->second;
}

std::vector<std::shared_ptr<Executable>> Executables::all() {
  std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Executable>> v;
  for (auto& [h, e] : executables_)
    v.push_back(e);
  return v;
}

hsa_status_t Executables::destroy(hsa_executable_t h) {
  std::shared_ptr<Executable> e;
  {
    std::lock_guard lock(mutex_);
    auto it = executables_.find(h.handle);
    if (it == executables_.end())
      return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    e = std::move(it->second);
    executables_.erase(it);
  }
  {
    // An executable's lock comes before ours, as in load().
    std::lock_guard inner(e->mutex);
    std::lock_guard lock(mutex_);
    for (auto& s : e->symbols)
      symbol_owners_.erase(handle(s.get()).handle);
    for (auto& l : e->loaded)
      loaded_owners_.erase(handle(l.get()).handle);
  }
  for (auto& l : e->loaded)
    runtime_.machine().loader().unload(l->object);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Executables::load(Executable& e, Agent& agent, const CodeReader& r,
                               hsa_loaded_code_object_t* out) {
  std::unique_lock lock(e.mutex);
  if (e.state == HSA_EXECUTABLE_STATE_FROZEN)
    return HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
  auto parsed = codeobj::parse_code_object(r.bytes);
  if (!parsed.ok())
    return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
  if (codeobj::match(parsed->target, agent.device->target) == codeobj::Match::none)
    return HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS;
  auto resolve = [&](const std::string& name) -> uint64_t {
    for (Agent* scope : {&agent, static_cast<Agent*>(nullptr)})
      if (auto it = e.external.find({scope, name}); it != e.external.end())
        return it->second;
    return 0;
  };
  auto loaded =
      runtime_.machine().loader().load(agent.index, agent.device->engine_target, r.bytes, resolve);
  if (!loaded.ok())
    return loaded.status().code == Code::not_found ? HSA_STATUS_ERROR_VARIABLE_UNDEFINED
                                                   : to_hsa(loaded.status());
  auto l = std::make_unique<LoadedCodeObject>(LoadedCodeObject{&e, &agent, *loaded, r.uri, r.file});
  std::vector<std::unique_ptr<ExecutableSymbol>> symbols;
  for (const auto& k : (*loaded)->kernels) {
    auto s = std::make_unique<ExecutableSymbol>();
    s->name = k->code.name + ".kd";
    s->kernel = k;
    s->address = k->kernel_object;
    s->size = codeobj::kKernelDescriptorSize;
    symbols.push_back(std::move(s));
  }
  for (const auto& v : (*loaded)->variables) {
    auto s = std::make_unique<ExecutableSymbol>();
    s->name = v.name;
    s->address = v.address;
    s->size = v.size;
    s->constant = v.constant;
    symbols.push_back(std::move(s));
  }
  if (out)
    *out = handle(l.get());
  std::shared_ptr<Executable> owner = find(handle(&e));
  std::lock_guard outer(mutex_);
  loaded_owners_[handle(l.get()).handle] = owner;
  e.loaded.push_back(std::move(l));
  for (auto& s : symbols) {
    s->executable = &e;
    s->agent = &agent;
    symbol_owners_[handle(s.get()).handle] = owner;
    e.symbols.push_back(std::move(s));
  }
  return HSA_STATUS_SUCCESS;
}

bool Executables::with_symbol(hsa_executable_symbol_t h,
                              const std::function<void(const ExecutableSymbol&)>& f) {
  std::shared_ptr<Executable> owner;
  {
    std::lock_guard lock(mutex_);
    auto it = symbol_owners_.find(h.handle);
    if (it == symbol_owners_.end())
      return false;
    owner = it->second;
  }
  f(*reinterpret_cast<const ExecutableSymbol*>(h.handle));
  return true;
}

bool Executables::with_loaded(hsa_loaded_code_object_t h,
                              const std::function<void(const LoadedCodeObject&)>& f) {
  std::shared_ptr<Executable> owner;
  {
    std::lock_guard lock(mutex_);
    auto it = loaded_owners_.find(h.handle);
    if (it == loaded_owners_.end())
      return false;
    owner = it->second;
  }
  f(*reinterpret_cast<const LoadedCodeObject*>(h.handle));
  return true;
}

hsa_status_t Executables::define(hsa_executable_t h, Agent* agent, const char* name,
                                 void* address) {
  auto e = find(h);
  if (!e)
    return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  if (!name || !address)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  std::lock_guard lock(e->mutex);
  if (e->state == HSA_EXECUTABLE_STATE_FROZEN)
    return HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
  auto [it, fresh] = e->external.emplace(std::pair<Agent*, std::string>{agent, name},
                                         reinterpret_cast<uint64_t>(address));
  return fresh ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED;
}

Result<std::shared_ptr<CodeReader>> read_file(hsa_file_t file, size_t offset, size_t size) {
  struct stat st;
  if (fstat(file, &st) != 0 || !S_ISREG(st.st_mode))
    return error(Code::system, "not a readable file");
  auto total = static_cast<size_t>(st.st_size);
  if (offset > total)
    return error(Code::invalid_argument, "offset beyond the end of the file");
  if (size == 0)
    size = total - offset;
  if (size > total - offset)
    return error(Code::invalid_argument, "size beyond the end of the file");
  auto r = std::make_shared<CodeReader>();
  r->copy.resize(size);
  for (size_t done = 0; done < size;) {
    ssize_t n = pread(file, r->copy.data() + done, size - done, static_cast<off_t>(offset + done));
    if (n <= 0)
      return error(Code::system, "the file cannot be read");
    done += static_cast<size_t>(n);
  }
  r->bytes = r->copy;
  r->file = file;
  char link[64], path[4096];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t n = readlink(link, path, sizeof path - 1);
  r->uri = "file://" + std::string(path, n > 0 ? static_cast<size_t>(n) : 0);
  if (offset || size != total)
    r->uri += "#offset=" + std::to_string(offset) + "&size=" + std::to_string(size);
  return r;
}

} // namespace pumice::hsa
