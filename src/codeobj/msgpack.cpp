// SPDX-License-Identifier: MIT
#include "codeobj/msgpack.h"

namespace pumice::codeobj {
namespace {

using Kind = MsgValue::Kind;
constexpr int kMaxDepth = 32;

bool read_value(Reader& r, MsgValue& v, int depth);

bool read_items(Reader& r, MsgValue& v, uint64_t count, int depth) {
  v.kind = Kind::array;
  // No reserve: `count` is a claim. Each item takes at least one byte, so truncation ends the loop.
  for (uint64_t i = 0; i < count; ++i) {
    v.items.emplace_back();
    if (!read_value(r, v.items.back(), depth + 1))
      return false;
  }
  return true;
}

bool read_members(Reader& r, MsgValue& v, uint64_t count, int depth) {
  v.kind = Kind::map;
  for (uint64_t i = 0; i < count; ++i) {
    MsgValue key;
    if (!read_value(r, key, depth + 1))
      return false;
    v.keys.push_back(std::move(key.text));
    v.items.emplace_back();
    if (!read_value(r, v.items.back(), depth + 1))
      return false;
  }
  return true;
}

bool read_text(Reader& r, MsgValue& v, uint64_t size) {
  v.kind = Kind::text;
  v.text = std::string(r.chars(size));
  return r.ok();
}

bool read_integer(Reader& r, MsgValue& v, unsigned bytes, bool is_signed) {
  v.kind = Kind::integer;
  v.integer = r.uint(bytes);
  if (is_signed && bytes < 8 && (v.integer >> (8 * bytes - 1)) & 1)
    v.integer |= ~uint64_t{0} << (8 * bytes);
  return r.ok();
}

bool read_real(Reader& r, MsgValue& v, unsigned bytes) {
  v.kind = Kind::real;
  uint64_t bits = r.uint(bytes);
  if (bytes == 4) {
    auto low = static_cast<uint32_t>(bits);
    float f;
    std::memcpy(&f, &low, 4);
    v.real = f;
  } else {
    std::memcpy(&v.real, &bits, 8);
  }
  return r.ok();
}

bool read_value(Reader& r, MsgValue& v, int depth) {
  if (depth > kMaxDepth)
    return false;
  uint8_t b = r.u8();
  if (!r.ok())
    return false;
  if (b < 0x80 || b >= 0xe0) { // fixint
    v.kind = Kind::integer;
    v.integer = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int8_t>(b)));
    return true;
  }
  if (b < 0x90)
    return read_members(r, v, b & 0xf, depth);
  if (b < 0xa0)
    return read_items(r, v, b & 0xf, depth);
  if (b < 0xc0)
    return read_text(r, v, b & 0x1f);
  switch (b) {
  case 0xc0:
    v.kind = Kind::nil;
    return true;
  case 0xc2:
  case 0xc3:
    v.kind = Kind::boolean;
    v.integer = b & 1;
    return true;
  case 0xc4:
  case 0xd9:
    return read_text(r, v, r.uint(1));
  case 0xc5:
  case 0xda:
    return read_text(r, v, r.uint(2));
  case 0xc6:
  case 0xdb:
    return read_text(r, v, r.uint(4));
  case 0xca:
    return read_real(r, v, 4);
  case 0xcb:
    return read_real(r, v, 8);
  case 0xcc:
  case 0xcd:
  case 0xce:
  case 0xcf:
    return read_integer(r, v, 1u << (b - 0xcc), false);
  case 0xd0:
  case 0xd1:
  case 0xd2:
  case 0xd3:
    return read_integer(r, v, 1u << (b - 0xd0), true);
  case 0xdc:
    return read_items(r, v, r.uint(2), depth);
  case 0xdd:
    return read_items(r, v, r.uint(4), depth);
  case 0xde:
    return read_members(r, v, r.uint(2), depth);
  case 0xdf:
    return read_members(r, v, r.uint(4), depth);
  default:
    return false; // extension types do not occur in AMDGPU metadata
  }
}

} // namespace

const MsgValue* MsgValue::find(std::string_view key) const {
  for (size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == key)
      return &items[i];
  return nullptr;
}
uint64_t MsgValue::number(std::string_view key, uint64_t otherwise) const {
  const MsgValue* v = find(key);
  return v && v->kind == Kind::integer ? v->integer : otherwise;
}
std::string MsgValue::string(std::string_view key) const {
  const MsgValue* v = find(key);
  return v && v->kind == Kind::text ? v->text : std::string();
}
bool MsgValue::flag(std::string_view key) const {
  const MsgValue* v = find(key);
  return v && (v->kind == Kind::boolean || v->kind == Kind::integer) && v->integer != 0;
}

Result<MsgValue> read_msgpack(Bytes bytes) {
  Reader r(bytes, /*big_endian=*/true);
  MsgValue v;
  if (!read_value(r, v, 0))
    return error(Code::invalid_code_object, "code object metadata is not well-formed MessagePack");
  return v;
}

} // namespace pumice::codeobj
