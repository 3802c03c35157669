// SPDX-License-Identifier: MIT
#include "codeobj/code_object.h"
#include "codeobj/metadata.h"
#include <algorithm>
#include <elf.h>

namespace pumice::codeobj {
namespace {

constexpr uint16_t kMachineAmdgpu = 224;
constexpr uint8_t kOsAbiAmdHsa = 64;
constexpr uint32_t kNoteAmdgpuMetadata = 32;
// No real code object comes near; bounds what a hostile one can make us allocate.
constexpr uint64_t kMaxImageBytes = uint64_t{16} << 30;

Status bad(const std::string& what) {
  return error(Code::invalid_code_object, "malformed code object: " + what);
}

template <class T> bool read_struct(Bytes b, uint64_t offset, T& out) {
  if (!fits(b, offset, sizeof(T)))
    return false;
  std::memcpy(&out, b.data() + offset, sizeof(T));
  return true;
}

bool read_header(Bytes b, Elf64_Ehdr& h) {
  return read_struct(b, 0, h) && std::memcmp(h.e_ident, ELFMAG, SELFMAG) == 0 &&
         h.e_ident[EI_CLASS] == ELFCLASS64 && h.e_ident[EI_DATA] == ELFDATA2LSB;
}

bool read_section(Bytes b, const Elf64_Ehdr& h, size_t i, Elf64_Shdr& s) {
  return h.e_shentsize == sizeof(Elf64_Shdr) && i < h.e_shnum && h.e_shoff <= b.size() &&
         read_struct(b, h.e_shoff + i * sizeof(Elf64_Shdr), s);
}

Bytes section_bytes(Bytes b, const Elf64_Shdr& s) {
  return s.sh_type == SHT_NOBITS ? Bytes{} : slice(b, s.sh_offset, s.sh_size);
}

Symbol convert(const Elf64_Sym& s, Bytes names) {
  Symbol r;
  r.name = std::string(text_at(names, s.st_name));
  unsigned type = ELF64_ST_TYPE(s.st_info);
  r.kind = type == STT_FUNC     ? Symbol::Kind::function
           : type == STT_OBJECT ? Symbol::Kind::object
                                : Symbol::Kind::other;
  r.value = s.st_value;
  r.size = s.st_size;
  r.defined = s.st_shndx != SHN_UNDEF;
  r.local = ELF64_ST_BIND(s.st_info) == STB_LOCAL;
  r.weak = ELF64_ST_BIND(s.st_info) == STB_WEAK;
  return r;
}

class Parser {
public:
  explicit Parser(Bytes b) : b_(b) {}

  Result<CodeObject> run() {
    TRY(header());
    TRY(program_headers());
    TRY(sections());
    TRY(check_relocations());
    if (!have_metadata_)
      return bad("no AMDGPU metadata note (code objects before v3 are not supported)");
    return std::move(co_);
  }

private:
  Status header() {
    if (!read_header(b_, h_))
      return bad("not a 64-bit little-endian ELF file");
    if (h_.e_machine != kMachineAmdgpu)
      return bad("ELF machine is not AMDGPU");
    if (h_.e_type != ET_DYN)
      return bad("ELF type is not a shared object (was it linked?)");
    if (h_.e_ident[EI_OSABI] != kOsAbiAmdHsa)
      return bad("ELF OS ABI is not AMD HSA");
    unsigned abi = h_.e_ident[EI_ABIVERSION];
    if (abi < 1 || abi > 4)
      return error(Code::incompatible, "code object version " + std::to_string(abi + 2) +
                                           " is not supported (v3 to v6 are)");
    co_.version = abi + 2;
    TRY_ASSIGN(co_.target, target_from_elf_flags(h_.e_flags, abi));
    return ok_status();
  }

  Status program_headers() {
    if (h_.e_phnum && h_.e_phentsize != sizeof(Elf64_Phdr))
      return bad("program header size");
    co_.vaddr_begin = UINT64_MAX;
    for (unsigned i = 0; i < h_.e_phnum; ++i) {
      Elf64_Phdr p;
      if (h_.e_phoff > b_.size() || !read_struct(b_, h_.e_phoff + i * sizeof p, p))
        return bad("program headers outside the file");
      if (p.p_type == PT_LOAD)
        TRY(load_segment(p));
      if (p.p_type == PT_NOTE)
        TRY(notes(slice(b_, p.p_offset, p.p_filesz)));
      if (p.p_type == PT_DYNAMIC)
        TRY(dynamic(slice(b_, p.p_offset, p.p_filesz)));
    }
    if (co_.segments.empty())
      return bad("no loadable segment");
    return ok_status();
  }

  Status load_segment(const Elf64_Phdr& p) {
    if (p.p_memsz == 0)
      return ok_status();
    if (p.p_filesz > p.p_memsz || !fits(b_, p.p_offset, p.p_filesz))
      return bad("segment outside the file");
    if (p.p_vaddr > kMaxImageBytes || p.p_memsz > kMaxImageBytes)
      return bad("segment address or size out of range");
    Segment s{p.p_vaddr,
              p.p_memsz,
              p.p_offset,
              p.p_filesz,
              (p.p_flags & PF_R) != 0,
              (p.p_flags & PF_W) != 0,
              (p.p_flags & PF_X) != 0};
    for (const Segment& o : co_.segments)
      if (s.vaddr < o.vaddr + o.memory_size && o.vaddr < s.vaddr + s.memory_size)
        return bad("overlapping segments");
    co_.vaddr_begin = std::min(co_.vaddr_begin, s.vaddr);
    co_.vaddr_end = std::max(co_.vaddr_end, s.vaddr + s.memory_size);
    co_.segments.push_back(s);
    return ok_status();
  }

  Status notes(Bytes b) {
    Reader r(b);
    while (r.left() >= 12) {
      uint64_t name_size = r.u32(), desc_size = r.u32();
      uint32_t type = r.u32();
      std::string_view name = r.chars(name_size);
      r.skip((4 - name_size % 4) % 4);
      Bytes desc = r.bytes(desc_size);
      if (!r.ok())
        return bad("note outside its segment");
      if (r.left())
        r.skip(std::min<size_t>(r.left(), (4 - desc_size % 4) % 4));
      if (type == kNoteAmdgpuMetadata && name.substr(0, 6) == "AMDGPU" && !have_metadata_) {
        TRY(read_metadata(desc, co_));
        have_metadata_ = true;
      }
    }
    return ok_status();
  }

  // The dynamic section gives vaddrs; code objects map them inside a segment.
  Bytes at_vaddr(uint64_t vaddr, uint64_t size) const {
    for (const Segment& s : co_.segments)
      if (vaddr >= s.vaddr && vaddr - s.vaddr <= s.file_size &&
          size <= s.file_size - (vaddr - s.vaddr))
        return slice(b_, s.file_offset + (vaddr - s.vaddr), size);
    return {};
  }

  Status dynamic(Bytes b) {
    for (size_t i = 0; i + sizeof(Elf64_Dyn) <= b.size(); i += sizeof(Elf64_Dyn)) {
      Elf64_Dyn d;
      read_struct(b, i, d);
      if (d.d_tag == DT_NULL)
        break;
      if (d.d_tag == DT_RELA)
        rela_vaddr_ = d.d_un.d_ptr;
      if (d.d_tag == DT_RELASZ)
        rela_size_ = d.d_un.d_val;
      if (d.d_tag == DT_JMPREL || d.d_tag == DT_REL)
        return bad("unexpected relocation table kind");
    }
    return ok_status();
  }

  Status sections() {
    for (unsigned i = 0; i < h_.e_shnum; ++i) {
      Elf64_Shdr s;
      if (!read_section(b_, h_, i, s))
        return bad("section headers outside the file");
      if (s.sh_type == SHT_DYNSYM)
        TRY(symbols(s, co_.dynamic_symbols));
      if (s.sh_type == SHT_SYMTAB)
        TRY(symbols(s, co_.symbols));
      if (s.sh_type == SHT_NOTE && !have_metadata_)
        TRY(notes(section_bytes(b_, s)));
    }
    return relocations();
  }

  Status symbols(const Elf64_Shdr& s, std::vector<Symbol>& into) {
    Elf64_Shdr names;
    if (!read_section(b_, h_, s.sh_link, names))
      return bad("symbol names missing");
    Bytes table = section_bytes(b_, s), text = section_bytes(b_, names);
    if (!into.empty())
      return bad("two symbol tables of one kind");
    into.reserve(table.size() / sizeof(Elf64_Sym));
    for (size_t i = 0; i + sizeof(Elf64_Sym) <= table.size(); i += sizeof(Elf64_Sym)) {
      Elf64_Sym sym;
      read_struct(table, i, sym);
      into.push_back(convert(sym, text));
    }
    return ok_status();
  }

  Status relocations() {
    if (!rela_size_)
      return ok_status();
    Bytes table = at_vaddr(rela_vaddr_, rela_size_);
    if (table.empty())
      return bad("relocation table outside the file");
    for (size_t i = 0; i + sizeof(Elf64_Rela) <= table.size(); i += sizeof(Elf64_Rela)) {
      Elf64_Rela r;
      read_struct(table, i, r);
      uint32_t type = ELF64_R_TYPE(r.r_info);
      if (type == 0)
        continue;
      co_.relocations.push_back({static_cast<RelocationType>(type), r.r_offset,
                                 static_cast<uint32_t>(ELF64_R_SYM(r.r_info)), r.r_addend});
      if (type > 13)
        return bad("relocation type " + std::to_string(type));
    }
    return ok_status();
  }

  Status check_relocations() {
    for (const Relocation& r : co_.relocations) {
      uint64_t width = 8;
      switch (r.type) {
      case RelocationType::abs64:
      case RelocationType::rel64:
      case RelocationType::relative64:
        break;
      case RelocationType::abs32:
      case RelocationType::abs32_lo:
      case RelocationType::abs32_hi:
      case RelocationType::rel32:
      case RelocationType::rel32_lo:
      case RelocationType::rel32_hi:
        width = 4;
        break;
      default:
        return bad("relocation type " + std::to_string(static_cast<unsigned>(r.type)));
      }
      bool inside = std::any_of(co_.segments.begin(), co_.segments.end(), [&](const Segment& s) {
        return r.offset >= s.vaddr && r.offset - s.vaddr <= s.memory_size &&
               width <= s.memory_size - (r.offset - s.vaddr);
      });
      if (!inside)
        return bad("relocation outside every segment");
      if (r.symbol && r.symbol >= co_.dynamic_symbols.size())
        return bad("relocation symbol index");
    }
    return ok_status();
  }

  Bytes b_;
  Elf64_Ehdr h_{};
  CodeObject co_;
  uint64_t rela_vaddr_ = 0, rela_size_ = 0;
  bool have_metadata_ = false;
};

} // namespace

KernelDescriptor decode_kernel_descriptor(const uint8_t* bytes) {
  Reader r(Bytes(bytes, kKernelDescriptorSize));
  KernelDescriptor d;
  d.group_segment_fixed_size = r.u32();
  d.private_segment_fixed_size = r.u32();
  d.kernarg_size = r.u32();
  r.skip(4);
  d.entry_offset = static_cast<int64_t>(r.u64());
  r.skip(20);
  d.rsrc3 = r.u32();
  d.rsrc1 = r.u32();
  d.rsrc2 = r.u32();
  d.properties = r.u16();
  d.kernarg_preload = r.u16();
  return d;
}

const KernelMetadata* CodeObject::kernel(std::string_view name) const {
  for (const KernelMetadata& k : kernels)
    if (k.symbol == name || k.name == name)
      return &k;
  return nullptr;
}

Result<CodeObject> parse_code_object(Bytes bytes) {
  return Parser(bytes).run();
}

bool is_code_object(Bytes bytes) {
  Elf64_Ehdr h;
  return read_header(bytes, h) && h.e_machine == kMachineAmdgpu;
}

Result<uint64_t> elf_size(Bytes bytes) {
  Elf64_Ehdr h;
  if (!read_header(bytes, h))
    return bad("not a 64-bit little-endian ELF file");
  uint64_t end = sizeof h;
  auto cover = [&](uint64_t offset, uint64_t size) {
    if (fits(bytes, offset, size))
      end = std::max(end, offset + size);
    return fits(bytes, offset, size);
  };
  if (!cover(h.e_phoff, uint64_t{h.e_phnum} * h.e_phentsize))
    return bad("program headers");
  if (!cover(h.e_shoff, uint64_t{h.e_shnum} * h.e_shentsize))
    return bad("section headers");
  for (unsigned i = 0; i < h.e_shnum; ++i) {
    Elf64_Shdr s;
    if (!read_section(bytes, h, i, s))
      return bad("section headers");
    if (s.sh_type != SHT_NOBITS && !cover(s.sh_offset, s.sh_size))
      return bad("section outside the file");
  }
  for (unsigned i = 0; i < h.e_phnum; ++i) {
    Elf64_Phdr p;
    if (h.e_phentsize == sizeof p && read_struct(bytes, h.e_phoff + i * sizeof p, p) &&
        p.p_type == PT_LOAD)
      cover(p.p_offset, p.p_filesz);
  }
  return end;
}

Bytes elf_section(Bytes elf, std::string_view name) {
  Elf64_Ehdr h;
  Elf64_Shdr names;
  if (!read_header(elf, h) || !read_section(elf, h, h.e_shstrndx, names))
    return {};
  Bytes text = section_bytes(elf, names);
  for (unsigned i = 0; i < h.e_shnum; ++i) {
    Elf64_Shdr s;
    if (!read_section(elf, h, i, s))
      return {};
    if (text_at(text, s.sh_name) == name)
      return section_bytes(elf, s);
  }
  return {};
}

uint64_t hash_bytes(Bytes bytes) {
  // Two multiply-and-fold steps per word: fast enough for code objects of hundreds of megabytes.
  uint64_t h = 0xcbf29ce484222325u ^ bytes.size();
  auto mix = [&h](uint64_t word) {
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
  };
  size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    mix(word);
  }
  uint64_t tail = 0;
  if (i < bytes.size())
    std::memcpy(&tail, bytes.data() + i, bytes.size() - i);
  mix(tail);
  mix(0);
  return h;
}

} // namespace pumice::codeobj
