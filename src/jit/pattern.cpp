// SPDX-License-Identifier: MIT
#include "jit/pattern.h"
#include <algorithm>

namespace pumice::jit {

Patterns::Patterns() { zero_ = make({}); }

const Pattern* Patterns::make(const std::array<int64_t, 64>& lanes) {
  uint64_t h = 1469598103934665603ull;
  for (int64_t v : lanes) h = (h ^ static_cast<uint64_t>(v)) * 1099511628211ull;
  auto [first, last] = all_.equal_range(h);
  for (auto it = first; it != last; ++it)
    if (it->second->lane == lanes) return it->second.get();
  auto p = std::make_unique<Pattern>();
  p->lane = lanes;
  p->min = *std::min_element(lanes.begin(), lanes.end());
  p->max = *std::max_element(lanes.begin(), lanes.end());
  p->zero = p->min == 0 && p->max == 0;
  p->stride = lanes[0] == 0 ? lanes[1] : Pattern::kNoStride;
  for (int64_t l = 0; l < 64 && p->stride != Pattern::kNoStride; l++)
    if (lanes[l] != l * p->stride) p->stride = Pattern::kNoStride;
  const Pattern* out = p.get();
  all_.emplace(h, std::move(p));
  return out;
}

const Pattern* Patterns::iota(int64_t step) {
  std::array<int64_t, 64> a;
  for (int l = 0; l < 64; l++) a[l] = l * step;
  return make(a);
}

const Pattern* Patterns::map(const Pattern* a, const std::function<int64_t(int64_t)>& f) {
  std::array<int64_t, 64> r;
  for (int l = 0; l < 64; l++) r[l] = f(a->lane[l]);
  return make(r);
}

const Pattern* Patterns::zip(const Pattern* a, const Pattern* b,
                             const std::function<int64_t(int64_t, int64_t)>& f) {
  std::array<int64_t, 64> r;
  for (int l = 0; l < 64; l++) r[l] = f(a->lane[l], b->lane[l]);
  return make(r);
}

} // namespace pumice::jit
