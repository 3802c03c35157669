// SPDX-License-Identifier: MIT
#include "codeobj/line_program.h"

namespace pumice::codeobj {
namespace {

// Bounds for hostile tables: more files or rows than any real unit has.
constexpr size_t kMaxNames = 1 << 20, kMaxRows = 1 << 24;

enum Form : uint64_t {
  form_block2 = 0x03,
  form_block4 = 0x04,
  form_data2 = 0x05,
  form_data4 = 0x06,
  form_data8 = 0x07,
  form_string = 0x08,
  form_block = 0x09,
  form_block1 = 0x0a,
  form_data1 = 0x0b,
  form_strp = 0x0e,
  form_udata = 0x0f,
  form_data16 = 0x1e,
  form_line_strp = 0x1f,
};
enum Content : uint64_t { content_path = 1, content_directory = 2 };

class Unit {
public:
  Unit(Reader r, unsigned offset_size, const LineStrings& strings,
       std::vector<LineTable::Row>& rows, std::vector<std::string>& files)
      : r_(r), offset_size_(offset_size), strings_(strings), rows_(rows), files_(files) {}

  bool run() {
    if (!header())
      return false;
    return program();
  }

private:
  bool header() {
    version_ = r_.u16();
    if (version_ < 2 || version_ > 5)
      return false;
    if (version_ == 5) {
      address_size_ = r_.u8();
      r_.skip(1); // segment selector size
    }
    uint64_t header_length = r_.uint(offset_size_);
    if (header_length > r_.left())
      return false;
    program_start_ = r_.position() + header_length;
    min_inst_length_ = r_.u8();
    if (version_ >= 4)
      r_.skip(1); // operations per instruction: 1, AMDGPU is no VLIW
    r_.skip(1);   // default is_stmt
    line_base_ = static_cast<int8_t>(r_.u8());
    line_range_ = r_.u8();
    opcode_base_ = r_.u8();
    if (!r_.ok() || !line_range_ || !opcode_base_)
      return false;
    for (unsigned i = 1; i < opcode_base_; ++i)
      operand_counts_[i] = r_.u8();
    bool ok = version_ == 5 ? names_v5() : names_v4();
    if (!ok || !r_.ok())
      return false;
    r_.seek(program_start_);
    return r_.ok();
  }

  void add_file(const std::string& name, uint64_t directory, const std::vector<std::string>& dirs) {
    std::string dir = directory < dirs.size() ? dirs[directory] : "";
    bool absolute = !name.empty() && name[0] == '/';
    files_.push_back(absolute || dir.empty() ? name : dir + "/" + name);
  }

  bool names_v4() {
    first_file_ = files_.size();
    file_bias_ = 1; // file numbers start at 1
    std::vector<std::string> dirs(1);
    while (r_.ok()) {
      std::string_view d = r_.c_string();
      if (d.empty())
        break;
      dirs.emplace_back(d);
      if (dirs.size() > kMaxNames)
        return false;
    }
    while (r_.ok()) {
      std::string name(r_.c_string());
      if (name.empty())
        break;
      uint64_t dir = r_.uleb();
      r_.uleb(); // time
      r_.uleb(); // length
      add_file(name, dir, dirs);
      if (files_.size() > kMaxNames)
        return false;
    }
    return r_.ok();
  }

  bool form_value(uint64_t form, std::string& text, uint64_t& number) {
    switch (form) {
    case form_string:
      text = std::string(r_.c_string());
      break;
    case form_line_strp:
      text = std::string(text_at(strings_.line_str, r_.uint(offset_size_)));
      break;
    case form_strp:
      text = std::string(text_at(strings_.str, r_.uint(offset_size_)));
      break;
    case form_udata:
      number = r_.uleb();
      break;
    case form_data1:
      number = r_.u8();
      break;
    case form_data2:
      number = r_.u16();
      break;
    case form_data4:
      number = r_.u32();
      break;
    case form_data8:
      number = r_.u64();
      break;
    case form_data16:
      r_.skip(16);
      break;
    case form_block:
      r_.skip(r_.uleb());
      break;
    case form_block1:
      r_.skip(r_.u8());
      break;
    case form_block2:
      r_.skip(r_.u16());
      break;
    case form_block4:
      r_.skip(r_.u32());
      break;
    default:
      return false;
    }
    return r_.ok();
  }

  struct Name {
    std::string path;
    uint64_t directory = 0;
  };
  bool name_list(std::vector<Name>& out) {
    unsigned formats = r_.u8();
    std::vector<std::pair<uint64_t, uint64_t>> fields;
    for (unsigned i = 0; i < formats; ++i) {
      uint64_t content = r_.uleb(), form = r_.uleb();
      fields.emplace_back(content, form);
    }
    uint64_t count = r_.uleb();
    if (!r_.ok() || count > kMaxNames || (count && !formats))
      return false;
    for (uint64_t i = 0; i < count; ++i) {
      Name n;
      for (auto [content, form] : fields) {
        std::string text;
        uint64_t number = 0;
        if (!form_value(form, text, number))
          return false;
        if (content == content_path)
          n.path = std::move(text);
        if (content == content_directory)
          n.directory = number;
      }
      out.push_back(std::move(n));
    }
    return true;
  }

  bool names_v5() {
    first_file_ = files_.size();
    file_bias_ = 0;
    std::vector<Name> dirs, names;
    if (!name_list(dirs) || !name_list(names))
      return false;
    std::vector<std::string> dir_names;
    for (size_t i = 0; i < dirs.size(); ++i) {
      bool relative = i > 0 && !dirs[i].path.empty() && dirs[i].path[0] != '/';
      dir_names.push_back(relative ? dirs[0].path + "/" + dirs[i].path : dirs[i].path);
    }
    for (const Name& n : names)
      add_file(n.path, n.directory, dir_names);
    return true;
  }

  void emit(bool end) {
    if (rows_.size() >= kMaxRows)
      return r_.fail();
    uint64_t file = first_file_ + file_ - file_bias_;
    rows_.push_back({address_, file > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(file),
                     static_cast<uint32_t>(line_), static_cast<uint32_t>(column_), end});
  }
  void reset() {
    address_ = 0;
    file_ = 1;
    line_ = 1;
    column_ = 0;
  }

  bool program() {
    reset();
    while (!r_.at_end()) {
      uint8_t op = r_.u8();
      if (op >= opcode_base_) {
        unsigned adjusted = op - opcode_base_;
        address_ += uint64_t{adjusted / line_range_} * min_inst_length_;
        line_ += static_cast<int64_t>(line_base_) + adjusted % line_range_;
        emit(false);
      } else if (op == 0) {
        extended();
      } else {
        standard(op);
      }
    }
    return r_.ok();
  }

  void extended() {
    uint64_t length = r_.uleb();
    Bytes body = r_.bytes(length);
    if (!r_.ok() || body.empty())
      return;
    Reader b(body);
    switch (b.u8()) {
    case 1: // end_sequence
      emit(true);
      reset();
      break;
    case 2:
      address_ = b.uint(body.size() - 1 >= 8 ? 8 : 4);
      break; // set_address
    default:
      break; // discriminators and vendor codes
    }
  }

  void standard(uint8_t op) {
    switch (op) {
    case 1:
      emit(false);
      break;
    case 2:
      address_ += r_.uleb() * min_inst_length_;
      break;
    case 3:
      line_ += static_cast<uint64_t>(r_.sleb());
      break;
    case 4:
      file_ = r_.uleb();
      break;
    case 5:
      column_ = r_.uleb();
      break;
    case 6:
    case 7:
    case 10:
    case 11:
      break; // is_stmt, basic block, prologue and epilogue marks
    case 8:
      address_ += uint64_t{(255u - opcode_base_) / line_range_} * min_inst_length_;
      break;
    case 9:
      address_ += r_.u16();
      break;
    default:
      for (unsigned i = 0; i < operand_counts_[op]; ++i)
        r_.uleb();
    }
  }

  Reader r_;
  unsigned offset_size_;
  const LineStrings& strings_;
  std::vector<LineTable::Row>& rows_;
  std::vector<std::string>& files_;
  unsigned version_ = 0, address_size_ = 8, min_inst_length_ = 1, line_range_ = 1, opcode_base_ = 1;
  int line_base_ = 0;
  uint8_t operand_counts_[256] = {};
  uint64_t program_start_ = 0, first_file_ = 0, file_bias_ = 0;
  uint64_t address_ = 0, file_ = 1, line_ = 1, column_ = 0;
};

} // namespace

bool read_line_unit(Reader& r, const LineStrings& strings, std::vector<LineTable::Row>& rows,
                    std::vector<std::string>& files) {
  unsigned offset_size = 4;
  uint64_t length = r.u32();
  if (length == 0xffffffff) {
    offset_size = 8;
    length = r.u64();
  }
  Bytes body = r.bytes(length);
  if (!r.ok() || body.empty())
    return false;
  // A damaged unit does not stop the others: the length leads to the next one.
  Unit(Reader(body), offset_size, strings, rows, files).run();
  return true;
}

} // namespace pumice::codeobj
