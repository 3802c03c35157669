// SPDX-License-Identifier: MIT
#include "device_program.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace pumice::test {
namespace {

std::vector<uint8_t> read_file(const std::string& path) {
  std::ifstream f(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(f), {}};
}
bool shell(const std::string& command) {
  return std::system(command.c_str()) == 0;
}

struct ScratchFolder {
  std::string path;
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "pumice-test-XXXXXX").string();
    path = mkdtemp(pattern.data());
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

std::string unique_file(const char* suffix) {
  static int count = 0;
  return scratch_folder() + "/" + std::to_string(count++) + suffix;
}

} // namespace

const std::string& scratch_folder() {
  static ScratchFolder folder;
  return folder.path;
}

std::vector<uint8_t> assemble(const std::string& text, const std::string& cpu) {
  std::string source = unique_file(".s"), object = source + ".o", raw = source + ".text";
  std::ofstream(source) << text;
  if (!shell("llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu=" + cpu + " -filetype=obj -o " + object +
             " " + source) ||
      !shell("llvm-objcopy-19 --dump-section=.text=" + raw + " " + object))
    return {};
  return read_file(raw);
}

std::unique_ptr<DeviceProgram>
DeviceProgram::built(const std::string& source, const std::string& cpu, const std::string& level) {
  auto program = std::make_unique<DeviceProgram>();
  program->target_ = cpu == "gfx90a" ? isa::Target::gfx90a : isa::Target::gfx942;
  bool loaded = program->load(PUMICE_TEST_PROGRAMS "/" + source + "-" + cpu + level + ".so");
  return loaded ? std::move(program) : nullptr;
}

bool DeviceProgram::load(const std::string& path) {
  std::vector<uint8_t> file = read_file(path);
  if (file.size() < sizeof(Elf64_Ehdr))
    return false;
  auto* header = reinterpret_cast<const Elf64_Ehdr*>(file.data());
  auto* segments = reinterpret_cast<const Elf64_Phdr*>(file.data() + header->e_phoff);
  uint64_t size = 0;
  for (unsigned n = 0; n < header->e_phnum; ++n)
    if (segments[n].p_type == PT_LOAD)
      size = std::max(size, segments[n].p_vaddr + segments[n].p_memsz);
  image_.resize(size + 8192);
  base_ = image_.data() + (4096 - reinterpret_cast<uintptr_t>(image_.data()) % 4096);
  for (unsigned n = 0; n < header->e_phnum; ++n) {
    const Elf64_Phdr& p = segments[n];
    if (p.p_type != PT_LOAD)
      continue;
    std::memcpy(base_ + p.p_vaddr, file.data() + p.p_offset, p.p_filesz);
    if (p.p_flags & PF_X)
      text_ = p.p_vaddr, text_bytes_ = p.p_memsz;
  }
  auto* sections = reinterpret_cast<const Elf64_Shdr*>(file.data() + header->e_shoff);
  for (unsigned n = 0; n < header->e_shnum; ++n) {
    const Elf64_Shdr& s = sections[n];
    const uint8_t* content = file.data() + s.sh_offset;
    if (s.sh_type == SHT_DYNSYM) {
      const char* names =
          reinterpret_cast<const char*>(file.data() + sections[s.sh_link].sh_offset);
      for (uint64_t k = 0; k < s.sh_size / sizeof(Elf64_Sym); ++k) {
        auto* symbol = reinterpret_cast<const Elf64_Sym*>(content) + k;
        symbols_.push_back({names + symbol->st_name, symbol->st_value});
      }
    } else if (s.sh_type == SHT_RELA) {
      for (uint64_t k = 0; k < s.sh_size / sizeof(Elf64_Rela); ++k) {
        auto* r = reinterpret_cast<const Elf64_Rela*>(content) + k;
        uint64_t value = reinterpret_cast<uint64_t>(base_) +
                         static_cast<uint64_t>(r->r_addend); // R_AMDGPU_RELATIVE64
        if (ELF64_R_TYPE(r->r_info) != 13)
          return false;
        std::memcpy(base_ + r->r_offset, &value, 8);
      }
    }
  }
  return text_bytes_ != 0;
}

bool DeviceProgram::has_kernel(const std::string& name) const {
  for (const Symbol& s : symbols_)
    if (s.name == name + ".kd")
      return true;
  return false;
}

DeviceProgram::Result DeviceProgram::run(const std::string& kernel, std::vector<uint8_t> arguments,
                                         uint32_t workgroups, uint32_t workgroup_size,
                                         uint64_t max_instructions) {
  Result result;
  const uint8_t* descriptor = nullptr;
  for (const Symbol& s : symbols_)
    if (s.name == kernel + ".kd")
      descriptor = base_ + s.value;
  if (!descriptor)
    return result;
  auto field = [&](unsigned at) {
    uint32_t v;
    std::memcpy(&v, descriptor + at, 4);
    return v;
  };
  uint32_t lds_bytes = field(0), private_bytes = std::max(field(4), 65536u), rsrc1 = field(48),
           rsrc2 = field(52), properties = field(56) & 0xffff;
  int64_t entry;
  std::memcpy(&entry, descriptor + 16, 8);
  arguments.resize(arguments.size() + 256); // hidden arguments read as zero
  std::vector<uint8_t> lds(exec::kLdsBytes);
  uint32_t wave_count = (workgroup_size + 63) / 64;
  std::unique_ptr<exec::Wave[]> waves(new exec::Wave[wave_count]);
  // calloc: megabytes of zeros of which most kernels touch a few pages; the rest costs nothing.
  std::vector<std::unique_ptr<uint8_t, void (*)(void*)>> scratch;
  for (uint32_t n = 0; n < wave_count; ++n) {
    scratch.emplace_back(static_cast<uint8_t*>(std::calloc(private_bytes, 64)), std::free);
    if (!scratch.back())
      return result;
  }
  for (uint32_t group = 0; group < workgroups; ++group) {
    exec::Workgroup workgroup{{group, 0, 0}, wave_count, waves.get(), lds.data(), exec::kLdsBytes};
    (void)lds_bytes;
    for (uint32_t n = 0; n < wave_count; ++n) {
      exec::Wave& w = waves[n];
      std::memset(static_cast<void*>(&w), 0, sizeof w);
      w.pc = reinterpret_cast<uint64_t>(descriptor) + static_cast<uint64_t>(entry);
      w.lds = lds.data();
      w.lds_bytes = exec::kLdsBytes;
      w.scratch = scratch[n].get();
      w.scratch_bytes = private_bytes;
      w.index = n;
      w.group = &workgroup;
      w.mode = (rsrc1 >> 12 & 0xff) | (rsrc1 >> 21 & 1) << 8 | (rsrc1 >> 23 & 1) << 9;
      unsigned at = 0;
      if (properties & 1) { // private segment buffer: swizzled descriptor
        w.sgpr[1] = 0x80000000;
        w.sgpr[2] = private_bytes * 64;
        w.sgpr[3] = 0x00e00000;
        at += 4;
      }
      auto pair = [&](bool enabled, uint64_t value) {
        if (!enabled)
          return;
        w.sgpr[at++] = static_cast<uint32_t>(value);
        w.sgpr[at++] = static_cast<uint32_t>(value >> 32);
      };
      pair(properties & 2, 0);
      pair(properties & 4, 0);
      pair(properties & 8, reinterpret_cast<uint64_t>(arguments.data()));
      pair(properties & 16, 0);
      pair(properties & 32, 0);
      if (properties & 64)
        w.sgpr[at++] = private_bytes;
      if (rsrc2 >> 7 & 1)
        w.sgpr[at++] = group;
      uint32_t first = n * 64, count = std::min(64u, workgroup_size - first);
      w.set_exec(count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1);
      for (uint32_t lane = 0; lane < count; ++lane)
        w.vgpr[0][lane] = first + lane;
    }
    // Round-robin over the waves; a barrier opens when every live wave waits.
    for (bool running = true; running;) {
      running = false;
      uint32_t waiting = 0, live = 0;
      for (uint32_t n = 0; n < wave_count; ++n) {
        exec::Wave& w = waves[n];
        if (w.status == exec::WaveStatus::yielded)
          w.status = exec::WaveStatus::ready;
        if (w.status == exec::WaveStatus::ready)
          result.instructions += exec::run(w, target_, base_ + text_, text_bytes_, 1'000'000);
        if (w.status == exec::WaveStatus::faulted) {
          result.fault = w.fault;
          return result;
        }
        if (w.status != exec::WaveStatus::ended)
          ++live;
        if (w.status == exec::WaveStatus::at_barrier)
          ++waiting;
        else if (w.status != exec::WaveStatus::ended)
          running = true;
      }
      if (live && waiting == live) {
        for (uint32_t n = 0; n < wave_count; ++n)
          if (waves[n].status == exec::WaveStatus::at_barrier)
            waves[n].status = exec::WaveStatus::ready;
        running = true;
      }
      if (result.instructions > max_instructions)
        return result;
    }
  }
  result.finished = true;
  return result;
}

} // namespace pumice::test
