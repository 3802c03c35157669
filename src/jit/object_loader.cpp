// SPDX-License-Identifier: MIT
#include "jit/object_loader.h"
#include <cstring>
#include <elf.h>
#include <map>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace pumice::jit {

namespace {

constexpr uint64_t kBeforeCode = 64; // callers compiled with -fsanitize=function read the 8 bytes before an entry
constexpr size_t kStub = 16; // jmp *[rip+2]; address

struct Section {
  const Elf64_Shdr* h;
  uint64_t address = 0; // 0: not loaded
};

/// Sum of the frames in a .stack_sizes section: for each function an address and a ULEB128 number of bytes.
uint64_t sum_of_frames(const uint8_t* p, const uint8_t* end) {
  uint64_t sum = 0;
  while (end - p > 8) {
    uint64_t size = 0;
    unsigned shift = 0;
    for (p += 8; p < end; shift += 7) {
      uint8_t byte = *p++;
      if (shift < 63) size |= uint64_t(byte & 0x7f) << shift;
      if (!(byte & 0x80)) break;
    }
    sum += size;
  }
  return sum;
}

Status bad(const char* what) { return error(Code::invalid_code_object, std::string("translated object: ") + what); }

} // namespace

LoadedObject::~LoadedObject() {
  if (map_) munmap(map_, map_size_);
}

Result<std::unique_ptr<LoadedObject>> load_object(const std::vector<uint8_t>& o) {
  auto fits = [&](uint64_t off, uint64_t n) { return off <= o.size() && n <= o.size() - off; };
  if (!fits(0, sizeof(Elf64_Ehdr)) || std::memcmp(o.data(), ELFMAG, SELFMAG)) return bad("no ELF header");
  Elf64_Ehdr eh;
  std::memcpy(&eh, o.data(), sizeof eh);
  if (eh.e_type != ET_REL || eh.e_machine != EM_X86_64 || eh.e_shentsize != sizeof(Elf64_Shdr) ||
      !fits(eh.e_shoff, uint64_t(eh.e_shnum) * sizeof(Elf64_Shdr)) || eh.e_shstrndx >= eh.e_shnum)
    return bad("unexpected ELF header");
  std::vector<Elf64_Shdr> heads(eh.e_shnum);
  std::memcpy(heads.data(), o.data() + eh.e_shoff, heads.size() * sizeof(Elf64_Shdr));
  std::vector<uint64_t> address(heads.size(), 0);
  for (auto& h : heads)
    if (h.sh_type != SHT_NOBITS && h.sh_type != SHT_NULL && !fits(h.sh_offset, h.sh_size)) return bad("section outside the file");
  const Elf64_Shdr& names = heads[eh.e_shstrndx];
  auto name_of = [&](const Elf64_Shdr& h) -> std::string {
    if (h.sh_name >= names.sh_size) return "";
    const char* p = reinterpret_cast<const char*>(o.data() + names.sh_offset + h.sh_name);
    return std::string(p, strnlen(p, names.sh_size - h.sh_name));
  };
  // Layout: code first, then data, then one stub per outside symbol.
  uint64_t size = kBeforeCode;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t k = 0; k < heads.size(); k++) {
      auto& h = heads[k];
      if (!(h.sh_flags & SHF_ALLOC) || h.sh_size == 0) continue;
      bool code = h.sh_flags & SHF_EXECINSTR;
      if (code != (pass == 0)) continue;
      uint64_t al = std::max<uint64_t>(h.sh_addralign, 1);
      if (al > 4096 || (al & (al - 1))) return bad("section alignment");
      size = (size + al - 1) & ~(al - 1);
      address[k] = size + 1; // offset + 1; 0 stays "not loaded"
      size += h.sh_size;
    }
  }
  const Elf64_Shdr* symtab = nullptr;
  for (auto& h : heads)
    if (h.sh_type == SHT_SYMTAB) symtab = &h;
  if (!symtab || symtab->sh_link >= heads.size()) return bad("no symbol table");
  size_t nsym = symtab->sh_size / sizeof(Elf64_Sym);
  std::vector<Elf64_Sym> syms(nsym);
  std::memcpy(syms.data(), o.data() + symtab->sh_offset, nsym * sizeof(Elf64_Sym));
  const Elf64_Shdr& strs = heads[symtab->sh_link];
  auto sym_name = [&](const Elf64_Sym& s) -> std::string {
    if (s.st_name >= strs.sh_size) return "";
    const char* p = reinterpret_cast<const char*>(o.data() + strs.sh_offset + s.st_name);
    return std::string(p, strnlen(p, strs.sh_size - s.st_name));
  };
  size = (size + 15) & ~uint64_t(15);
  uint64_t stubs = size;
  size += nsym * kStub;
  long page = sysconf(_SC_PAGESIZE);
  size_t map_size = (size + page - 1) & ~(uint64_t(page) - 1);
  void* map = mmap(nullptr, map_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) return error(Code::out_of_memory, "no memory for translated code");
  std::unique_ptr<LoadedObject> obj(new LoadedObject);
  obj->map_ = map;
  obj->map_size_ = map_size;
  uint64_t base = reinterpret_cast<uint64_t>(map);
  for (size_t k = 0; k < heads.size(); k++) {
    if (!address[k]) continue;
    address[k] = base + address[k] - 1;
    if (heads[k].sh_type != SHT_NOBITS)
      std::memcpy(reinterpret_cast<void*>(address[k]), o.data() + heads[k].sh_offset, heads[k].sh_size);
    if (heads[k].sh_flags & SHF_EXECINSTR) {
      if (!obj->begin_ || address[k] < obj->begin_) obj->begin_ = address[k];
      obj->end_ = std::max(obj->end_, address[k] + heads[k].sh_size);
    }
  }
  for (size_t k = 0; k < heads.size(); k++) {
    std::string n = name_of(heads[k]);
    auto bytes = [&] { return std::vector<uint8_t>(o.begin() + heads[k].sh_offset, o.begin() + heads[k].sh_offset + heads[k].sh_size); };
    if (n == ".debug_line") obj->debug_line_ = bytes();
    if (n == ".stack_sizes" && heads[k].sh_type == SHT_PROGBITS)
      obj->stack_bytes_ = sum_of_frames(o.data() + heads[k].sh_offset, o.data() + heads[k].sh_offset + heads[k].sh_size);
  }
  std::vector<uint64_t> value(nsym, 0);
  for (size_t k = 1; k < nsym; k++) {
    const Elf64_Sym& s = syms[k];
    if (s.st_shndx == SHN_UNDEF) {
      std::string n = sym_name(s);
      if (n.empty()) continue;
      void* f = runtime_symbol(n.c_str());
      if (!f) return error(Code::internal, "translated code calls unknown function " + n);
      auto* stub = reinterpret_cast<uint8_t*>(base + stubs + k * kStub);
      const uint8_t jmp[6] = {0xff, 0x25, 0x02, 0, 0, 0};
      std::memcpy(stub, jmp, 6);
      std::memcpy(stub + 8, &f, 8);
      value[k] = reinterpret_cast<uint64_t>(stub);
    } else if (s.st_shndx < heads.size()) {
      value[k] = address[s.st_shndx] ? address[s.st_shndx] + s.st_value : s.st_value;
      if (sym_name(s) == "pumice_entry") obj->entry_ = reinterpret_cast<void*>(value[k]);
    } else if (s.st_shndx == SHN_ABS) {
      value[k] = s.st_value;
    }
  }
  if (!obj->entry_) return bad("no entry");
  for (auto& h : heads) {
    if (h.sh_type != SHT_RELA || h.sh_info >= heads.size()) continue;
    bool line = name_of(heads[h.sh_info]) == ".debug_line";
    if (!address[h.sh_info] && !line) continue;
    for (uint64_t r = 0; r + sizeof(Elf64_Rela) <= h.sh_size; r += sizeof(Elf64_Rela)) {
      Elf64_Rela rel;
      std::memcpy(&rel, o.data() + h.sh_offset + r, sizeof rel);
      uint64_t sym = ELF64_R_SYM(rel.r_info), type = ELF64_R_TYPE(rel.r_info);
      unsigned width = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
      if (sym >= nsym || rel.r_offset + width > heads[h.sh_info].sh_size) return bad("relocation out of range");
      uint64_t s = value[sym] + static_cast<uint64_t>(rel.r_addend);
      if (line) {
        if (type == R_X86_64_64) std::memcpy(obj->debug_line_.data() + rel.r_offset, &s, 8);
        continue;
      }
      uint64_t p = address[h.sh_info] + rel.r_offset;
      auto* w = reinterpret_cast<void*>(p);
      switch (type) {
      case R_X86_64_64: std::memcpy(w, &s, 8); break;
      case R_X86_64_PC64: s -= p; std::memcpy(w, &s, 8); break;
      case R_X86_64_PC32: case R_X86_64_PLT32: {
        int64_t d = static_cast<int64_t>(s - p);
        if (d != static_cast<int32_t>(d)) return bad("relocation overflow");
        int32_t d32 = static_cast<int32_t>(d);
        std::memcpy(w, &d32, 4);
        break;
      }
      case R_X86_64_NONE: break;
      default: return error(Code::invalid_code_object, "translated object: relocation type " + std::to_string(type));
      }
    }
  }
  if (mprotect(map, map_size, PROT_READ | PROT_EXEC)) return error(Code::system, "cannot make translated code executable");
  return obj;
}

/// Runs the DWARF v4 line program of the one unit that the translator emits.
uint32_t LoadedObject::line_at(uint64_t pc) const {
  const std::vector<uint8_t>& d = debug_line_;
  size_t p = 0;
  auto u8 = [&]() -> uint64_t { return p < d.size() ? d[p++] : 0; };
  auto uint = [&](unsigned n) {
    uint64_t v = 0;
    for (unsigned k = 0; k < n; k++) v |= u8() << (8 * k);
    return v;
  };
  auto uleb = [&] {
    uint64_t v = 0, b;
    unsigned s = 0;
    do b = u8(), v |= (b & 0x7f) << (s < 63 ? s : 63), s += 7;
    while ((b & 0x80) && p < d.size());
    return v;
  };
  auto sleb = [&]() -> int64_t {
    int64_t v = 0;
    uint64_t b;
    unsigned s = 0;
    do b = u8(), v |= static_cast<int64_t>((b & 0x7f) << (s < 63 ? s : 63)), s += 7;
    while ((b & 0x80) && p < d.size());
    if (s < 64 && (b & 0x40)) v |= -(1ll << s);
    return v;
  };
  uint64_t length = uint(4);
  size_t end = std::min<size_t>(d.size(), 4 + length);
  if (uint(2) != 4) return 0;
  uint64_t header = uint(4);
  size_t program = p + header;
  unsigned min_inst = static_cast<unsigned>(u8());
  u8();
  u8(); // default_is_stmt
  int8_t line_base = static_cast<int8_t>(u8());
  uint8_t line_range = static_cast<uint8_t>(u8()), opcode_base = static_cast<uint8_t>(u8());
  if (!line_range || program >= end) return 0;
  std::vector<uint8_t> args(opcode_base, 0);
  for (unsigned k = 1; k < opcode_base; k++) args[k] = static_cast<uint8_t>(u8());
  p = program;
  uint64_t address = 0, prev_address = 0;
  int64_t line = 1, prev_line = 0;
  uint32_t found = 0;
  auto emit = [&] {
    if (prev_line && prev_address <= pc && pc < address) found = static_cast<uint32_t>(prev_line);
    prev_address = address, prev_line = line;
  };
  while (p < end && !found) {
    uint8_t op = static_cast<uint8_t>(u8());
    if (op >= opcode_base) {
      unsigned adj = op - opcode_base;
      address += uint64_t(adj / line_range) * min_inst;
      line += line_base + int(adj % line_range);
      emit();
    } else if (op == 0) {
      uint64_t n = uleb();
      size_t next = p + n;
      uint8_t sub = static_cast<uint8_t>(u8());
      if (sub == 1) emit(), address = 0, line = 1, prev_line = 0;
      else if (sub == 2) address = uint(8);
      p = next;
    } else if (op == 1) emit();
    else if (op == 2) address += uleb() * min_inst;
    else if (op == 3) line += sleb();
    else if (op == 8) address += uint64_t((255 - opcode_base) / line_range) * min_inst;
    else if (op == 9) address += uint(2);
    else
      for (unsigned k = 0; k < args[op]; k++) uleb();
  }
  return found;
}

} // namespace pumice::jit
