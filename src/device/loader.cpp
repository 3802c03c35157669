// SPDX-License-Identifier: MIT
#include "device/loader.h"
#include "codeobj/line_table.h"
#include <algorithm>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <unordered_set>

namespace pumice::device {
namespace {

constexpr uint64_t kPage = 4096;

std::atomic<uint64_t> g_next_id{1};

uint64_t loaded(const LoadedObject& o, uint64_t vaddr) {
  return o.code->load_bias + vaddr;
}

void store(uint64_t address, uint64_t value, size_t bytes) {
  std::memcpy(reinterpret_cast<void*>(address), &value, bytes);
}

} // namespace

Result<isa::Target> engine_target(const std::string& processor) {
  if (processor == "gfx90a")
    return isa::Target::gfx90a;
  if (processor == "gfx942")
    return isa::Target::gfx942;
  return error(Code::incompatible,
               "no engine for " + processor + " code (gfx90a and gfx942 exist)");
}

Result<std::shared_ptr<LoadedObject>> Loader::load(int device, isa::Target target,
                                                   codeobj::Bytes bytes, const Resolver& resolve) {
  TRY_ASSIGN(codeobj::CodeObject parsed, codeobj::parse_code_object(bytes));
  auto o = std::make_shared<LoadedObject>();
  o->parsed = std::move(parsed);
  o->device = device;
  o->code = std::make_shared<LoadedCode>();
  o->code->id = g_next_id++;
  o->code->hash = codeobj::hash_bytes(bytes);
  o->code->target = target;
  o->code->elf.assign(bytes.begin(), bytes.end());
  TRY(place(*o, bytes, resolve));
  Status found = find_symbols(*o);
  if (!found.ok()) {
    (void)memory_.release(reinterpret_cast<void*>(o->base));
    return found;
  }
  std::unique_lock lock(mutex_);
  objects_[o->base] = o;
  for (auto& k : o->kernels)
    kernels_[k->kernel_object] = k;
  return o;
}

Status Loader::place(LoadedObject& o, codeobj::Bytes bytes, const Resolver& resolve) {
  const codeobj::CodeObject& co = o.parsed;
  uint64_t first = co.vaddr_begin / kPage * kPage;
  o.size = co.vaddr_end - first;
  TRY_ASSIGN(void* p, memory_.allocate(o.device, o.size, 0, Allocation::Kind::code));
  o.base = reinterpret_cast<uint64_t>(p);
  o.code->load_bias = o.base - first;
  uint64_t text_begin = UINT64_MAX, text_end = 0;
  for (const codeobj::Segment& s : co.segments) {
    std::memcpy(reinterpret_cast<void*>(loaded(o, s.vaddr)), bytes.data() + s.file_offset,
                s.file_size);
    if (!s.executable)
      continue;
    text_begin = std::min(text_begin, s.vaddr);
    text_end = std::max(text_end, s.vaddr + s.memory_size);
  }
  if (text_end > 0) {
    o.code->text_address = loaded(o, text_begin);
    o.code->text_size = text_end - text_begin;
  } else {
    o.code->text_address = o.base;
    o.code->text_size = 0;
  }
  Status s = relocate(o, resolve);
  if (!s.ok())
    (void)memory_.release(p);
  return s;
}

Status Loader::relocate(LoadedObject& o, const Resolver& resolve) {
  using Type = codeobj::RelocationType;
  const codeobj::CodeObject& co = o.parsed;
  auto note = [&](uint64_t value) {
    if (value - o.code->text_address < o.code->text_size)
      o.code->data_targets.push_back(value);
  };
  for (const codeobj::Relocation& r : co.relocations) {
    uint64_t place = loaded(o, r.offset), value = static_cast<uint64_t>(r.addend);
    if (r.type == Type::relative64) {
      store(place, o.code->load_bias + value, 8);
      note(o.code->load_bias + value);
      continue;
    }
    uint64_t symbol = 0;
    if (r.symbol) {
      const codeobj::Symbol& s = co.dynamic_symbols[r.symbol];
      symbol = s.defined ? loaded(o, s.value) : resolve ? resolve(s.name) : 0;
      if (!symbol && !s.defined && !s.weak)
        return error(Code::not_found, "code object needs a definition of '" + s.name + "'");
    }
    value += symbol;
    switch (r.type) {
    case Type::abs64:
      store(place, value, 8);
      note(value);
      break;
    case Type::rel64:
      store(place, value - place, 8);
      break;
    case Type::abs32:
    case Type::abs32_lo:
      store(place, value, 4);
      break;
    case Type::abs32_hi:
      store(place, value >> 32, 4);
      break;
    case Type::rel32:
    case Type::rel32_lo:
      store(place, value - place, 4);
      break;
    case Type::rel32_hi:
      store(place, (value - place) >> 32, 4);
      break;
    case Type::relative64:
      break;
    }
  }
  return ok_status();
}

Status Loader::find_symbols(LoadedObject& o) {
  const codeobj::CodeObject& co = o.parsed;
  std::unordered_set<std::string> seen; // local symbols may share a name
  auto scan = [&](const std::vector<codeobj::Symbol>& symbols) -> Status {
    for (const codeobj::Symbol& s : symbols) {
      if (!s.defined || s.name.empty() || s.value < co.vaddr_begin || s.value > co.vaddr_end ||
          s.size > co.vaddr_end - s.value || !seen.insert(s.name + '@' + std::to_string(s.value)).second)
        continue;
      if (s.kind == codeobj::Symbol::Kind::function) {
        o.code->functions.push_back({s.name, loaded(o, s.value), s.size, false});
      } else if (s.kind == codeobj::Symbol::Kind::object && s.name.ends_with(".kd")) {
        if (s.size < codeobj::kKernelDescriptorSize)
          return error(Code::invalid_code_object, "kernel descriptor " + s.name + " is too small");
        auto k = std::make_shared<LoadedKernel>();
        k->kernel_object = loaded(o, s.value);
        k->code.code = o.code;
        k->code.name = s.name.substr(0, s.name.size() - 3);
        k->code.descriptor =
            codeobj::decode_kernel_descriptor(reinterpret_cast<const uint8_t*>(k->kernel_object));
        k->code.entry = k->kernel_object + static_cast<uint64_t>(k->code.descriptor.entry_offset);
        if (k->code.entry - o.code->text_address >= o.code->text_size || k->code.entry % 4)
          return error(Code::invalid_code_object,
                       "kernel " + k->code.name + " starts outside the text");
        if (const codeobj::KernelMetadata* m = co.kernel(s.name))
          k->metadata = *m;
        k->object = &o;
        k->device = o.device;
        o.kernels.push_back(std::move(k));
      } else if (s.kind == codeobj::Symbol::Kind::object) {
        bool writable = std::any_of(co.segments.begin(), co.segments.end(), [&](const auto& g) {
          return g.writable && s.value >= g.vaddr && s.value < g.vaddr + g.memory_size;
        });
        o.variables.push_back({s.name, loaded(o, s.value), s.size, !writable});
      }
    }
    return ok_status();
  };
  TRY(scan(co.dynamic_symbols));
  TRY(scan(co.symbols));
  std::unordered_set<uint64_t> entries;
  for (const auto& k : o.kernels)
    entries.insert(k->code.entry);
  for (FunctionSymbol& f : o.code->functions)
    f.kernel = entries.contains(f.address);
  return ok_status();
}

void Loader::unload(const std::shared_ptr<LoadedObject>& o) {
  {
    std::unique_lock lock(mutex_);
    if (!objects_.erase(o->base))
      return;
    for (auto& k : o->kernels)
      kernels_.erase(k->kernel_object);
  }
  default_engine().forget(*o->code);
  (void)memory_.release(reinterpret_cast<void*>(o->base));
}

std::shared_ptr<LoadedKernel> Loader::kernel(uint64_t kernel_object) const {
  std::shared_lock lock(mutex_);
  auto it = kernels_.find(kernel_object);
  return it == kernels_.end() ? nullptr : it->second;
}

std::shared_ptr<LoadedObject> Loader::object_at(uint64_t address) const {
  std::shared_lock lock(mutex_);
  auto it = objects_.upper_bound(address);
  if (it == objects_.begin())
    return nullptr;
  --it;
  return address - it->first < it->second->size ? it->second : nullptr;
}

std::vector<std::shared_ptr<LoadedObject>> Loader::all() const {
  std::shared_lock lock(mutex_);
  std::vector<std::shared_ptr<LoadedObject>> v;
  for (const auto& [base, o] : objects_)
    v.push_back(o);
  return v;
}

std::string Loader::source_line(uint64_t pc) const {
  auto o = object_at(pc);
  if (!o)
    return {};
  auto line = codeobj::LineTable::read(o->code->elf).find(pc - o->code->load_bias);
  return line ? line->file + ":" + std::to_string(line->line) : std::string();
}

} // namespace pumice::device
