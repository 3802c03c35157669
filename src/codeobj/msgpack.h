// SPDX-License-Identifier: MIT
// The part of MessagePack that AMDGPU metadata uses: a small tree of values, read from untrusted
// bytes.
#pragma once
#include "base/result.h"
#include "codeobj/bytes.h"
#include <string>
#include <vector>

namespace pumice::codeobj {

struct MsgValue {
  enum class Kind : uint8_t { nil, boolean, integer, real, text, array, map };
  Kind kind = Kind::nil;
  uint64_t integer = 0; // two's complement for negative numbers; 0/1 for boolean
  double real = 0;
  std::string text;              // also binary
  std::vector<std::string> keys; // map: one per item; empty text for keys that are no text
  std::vector<MsgValue> items;   // array elements, or the values of a map

  /// Member of a map, or null.
  const MsgValue* find(std::string_view key) const;
  uint64_t number(std::string_view key, uint64_t otherwise = 0) const;
  std::string string(std::string_view key) const;
  bool flag(std::string_view key) const;
};

/// Nesting deeper than 32 and truncated input are invalid_code_object. Trailing bytes are ignored.
Result<MsgValue> read_msgpack(Bytes bytes);

} // namespace pumice::codeobj
