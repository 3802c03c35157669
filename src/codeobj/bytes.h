// SPDX-License-Identifier: MIT
// A bounded little-endian reader over bytes that may be hostile: every read checks, none throws.
// After a failed read `ok()` stays false and all later reads give zero.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace pumice::codeobj {

using Bytes = std::span<const uint8_t>;

/// Part of `b`, or an empty span when any of it lies outside. Overflow safe.
inline Bytes slice(Bytes b, uint64_t offset, uint64_t size) {
  if (offset > b.size() || size > b.size() - offset)
    return {};
  return b.subspan(static_cast<size_t>(offset), static_cast<size_t>(size));
}
inline bool fits(Bytes b, uint64_t offset, uint64_t size) {
  return offset <= b.size() && size <= b.size() - offset;
}

/// The NUL-terminated text at `offset` of a string table; empty when it is not terminated inside.
inline std::string_view text_at(Bytes table, uint64_t offset) {
  if (offset >= table.size())
    return {};
  const char* p = reinterpret_cast<const char*>(table.data()) + offset;
  size_t room = table.size() - static_cast<size_t>(offset);
  const void* end = std::memchr(p, 0, room);
  if (!end)
    return {};
  return {p, static_cast<size_t>(static_cast<const char*>(end) - p)};
}

class Reader {
public:
  explicit Reader(Bytes b, bool big_endian = false) : b_(b), big_(big_endian) {}
  bool ok() const { return ok_; }
  void fail() { ok_ = false; }
  size_t position() const { return pos_; }
  size_t left() const { return ok_ ? b_.size() - pos_ : 0; }
  bool at_end() const { return !ok_ || pos_ == b_.size(); }

  uint64_t uint(unsigned bytes) {
    if (left() < bytes)
      return fail(), 0;
    uint64_t v = 0;
    for (unsigned i = 0; i < bytes; ++i) {
      unsigned shift = 8 * (big_ ? bytes - 1 - i : i);
      v |= static_cast<uint64_t>(b_[pos_ + i]) << shift;
    }
    pos_ += bytes;
    return v;
  }
  uint8_t u8() { return static_cast<uint8_t>(uint(1)); }
  uint16_t u16() { return static_cast<uint16_t>(uint(2)); }
  uint32_t u32() { return static_cast<uint32_t>(uint(4)); }
  uint64_t u64() { return uint(8); }
  Bytes bytes(uint64_t n) {
    if (n > left())
      return fail(), Bytes{};
    Bytes r = b_.subspan(pos_, static_cast<size_t>(n));
    pos_ += static_cast<size_t>(n);
    return r;
  }
  std::string_view chars(uint64_t n) {
    Bytes r = bytes(n);
    return {reinterpret_cast<const char*>(r.data()), r.size()};
  }
  std::string_view c_string() {
    if (!ok_)
      return {};
    const uint8_t* p = b_.data() + pos_;
    const void* end = pos_ < b_.size() ? std::memchr(p, 0, b_.size() - pos_) : nullptr;
    if (!end)
      return fail(), std::string_view{};
    size_t n = static_cast<size_t>(static_cast<const uint8_t*>(end) - p);
    pos_ += n + 1;
    return {reinterpret_cast<const char*>(p), n};
  }
  uint64_t uleb() {
    uint64_t v = 0;
    for (unsigned shift = 0; ok_; shift += 7) {
      uint8_t byte = u8();
      if (shift < 64)
        v |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (!(byte & 0x80))
        break;
    }
    return v;
  }
  int64_t sleb() {
    uint64_t v = 0;
    unsigned shift = 0;
    uint8_t byte = 0;
    do {
      byte = u8();
      if (shift < 64)
        v |= static_cast<uint64_t>(byte & 0x7f) << shift;
      shift += 7;
    } while (ok_ && (byte & 0x80));
    if (shift < 64 && (byte & 0x40))
      v |= ~uint64_t{0} << shift;
    return static_cast<int64_t>(v);
  }
  void skip(uint64_t n) { (void)bytes(n); }
  void seek(uint64_t position) {
    if (position > b_.size())
      return fail();
    pos_ = static_cast<size_t>(position);
  }

private:
  Bytes b_;
  size_t pos_ = 0;
  bool ok_ = true, big_;
};

} // namespace pumice::codeobj
