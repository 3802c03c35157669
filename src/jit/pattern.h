// SPDX-License-Identifier: MIT
// Pattern: 64 compile-time lane offsets. A vector register whose lanes are `scalar base + pattern[lane]` needs no
// vector at all; loads and stores at such addresses become scalar, broadcast or contiguous accesses.
// Patterns are interned: equal contents are the same pointer.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace pumice::jit {

struct Pattern {
  std::array<int64_t, 64> lane;
  int64_t min, max;
  bool zero;
  /// Common difference when the pattern is 0, s, 2s, ...; 0 for the zero pattern, kNoStride otherwise.
  int64_t stride;
  static constexpr int64_t kNoStride = INT64_MIN;
};

class Patterns {
public:
  Patterns();
  const Pattern* zero() const { return zero_; }
  const Pattern* iota(int64_t step);
  const Pattern* make(const std::array<int64_t, 64>& lanes);
  /// Lane-wise `f(a)`; results are kept as 64-bit numbers.
  const Pattern* map(const Pattern* a, const std::function<int64_t(int64_t)>& f);
  const Pattern* zip(const Pattern* a, const Pattern* b, const std::function<int64_t(int64_t, int64_t)>& f);

private:
  std::unordered_multimap<uint64_t, std::unique_ptr<Pattern>> all_;
  const Pattern* zero_;
};

} // namespace pumice::jit
