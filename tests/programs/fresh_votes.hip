// SPDX-License-Identifier: MIT
// Votes, shuffles and elections while lanes are away: nested branches, loops that lanes leave one by one, partly filled
// waves; the host plays all 64 lanes.
#include "check.h"
#include <cstdint>

__global__ void votes(const int* x, uint64_t* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int v = x[i];
  uint64_t* o = out + (size_t)i * 8;
  for (int k = 0; k < 8; k++)
    o[k] = 0;
  if (v % 3) {
    o[0] = __ballot(v & 1);
    if (v % 5 > 1) {
      o[1] = __ballot(1);
      o[2] = (uint64_t)__any(v == 44) | (uint64_t)__all(v > 3) << 1;
    } else {
      o[1] = __ballot(v > 100);
    }
  }
  int turns = 0;
  uint64_t seen = 0;
  for (int k = v % 13; k >= 0; k--) { // lanes leave
    seen ^= __ballot(k & 1);
    turns += __popcll(__ballot(1));
  }
  o[3] = seen;
  o[4] = turns;
  // Each value in turn is taken by all lanes that hold it: the elected lane is the first of those left.
  int rounds = 0;
  bool done = false;
  while (!done) {
    int first = __builtin_amdgcn_readfirstlane(v % 7);
    uint64_t same = __ballot(v % 7 == first); // asked of all that are left: what follows a loop's end is not
    rounds++;
    if (v % 7 == first) {
      o[5] = same + rounds;
      done = true;
    }
  }
  o[6] = (uint64_t)(unsigned)__shfl(v, (v + 5) % 64) << 32 | (unsigned)__shfl_up(v, 3);
  o[7] = (uint64_t)(unsigned)__shfl_down(v, 7, 16) << 32 | (unsigned)__shfl_xor(v, 21);
}

// The wave of lanes [0, lanes): everything by hand.
static void host_wave(const int* x, int lanes, std::vector<uint64_t>& out) {
  auto ballot = [&](auto active, auto bit) {
    uint64_t m = 0;
    for (int l = 0; l < lanes; l++)
      if (active(l) && bit(l))
        m |= 1ull << l;
    return m;
  };
  auto everyone = [](int) { return true; };
  out.assign(64 * 8, 0);
  for (int l = 0; l < lanes; l++) {
    int v = x[l];
    auto third = [&](int q) { return x[q] % 3 != 0; };
    if (third(l)) {
      out[l * 8] = ballot(third, [&](int q) { return x[q] & 1; });
      auto inner = [&](int q) { return third(q) && x[q] % 5 > 1; };
      auto outer = [&](int q) { return third(q) && !(x[q] % 5 > 1); };
      if (inner(l)) {
        out[l * 8 + 1] = ballot(inner, everyone);
        bool any = false, all = true;
        for (int q = 0; q < lanes; q++)
          if (inner(q))
            any |= x[q] == 44, all &= x[q] > 3;
        out[l * 8 + 2] = (uint64_t)any | (uint64_t)all << 1;
      } else {
        out[l * 8 + 1] = ballot(outer, [&](int q) { return x[q] > 100; });
      }
    }
    uint64_t seen = 0;
    int turns = 0;
    for (int step = 0; step <= v % 13; step++) {
      auto inside = [&](int q) { return x[q] % 13 >= step; };
      seen ^= ballot(inside, [&](int q) { return (x[q] % 13 - step) & 1; });
      turns += __builtin_popcountll(ballot(inside, everyone));
    }
    out[l * 8 + 3] = seen, out[l * 8 + 4] = turns;
    int rounds = 0;
    std::vector<bool> gone(64, false);
    for (bool found = false; !found;) {
      int first = 0;
      while (gone[first])
        first++;
      int value = x[first] % 7;
      rounds++;
      uint64_t m = 0;
      for (int q = 0; q < lanes; q++)
        if (!gone[q] && x[q] % 7 == value)
          m |= 1ull << q, gone[q] = true, found |= q == l;
      if (found)
        out[l * 8 + 5] = m + rounds;
    }
    auto at = [&](int q) { return q < lanes ? (unsigned)x[q] : 0u; };
    unsigned up3 = l >= 3 ? at(l - 3) : (unsigned)v, down7 = (l % 16) + 7 < 16 ? at(l + 7) : (unsigned)v;
    out[l * 8 + 6] = (uint64_t)at((v + 5) % 64) << 32 | up3;
    out[l * 8 + 7] = (uint64_t)down7 << 32 | at(l ^ 21);
  }
}

int main() {
  for (int block : {64, 128, 100}) {
    const int n = 700;
    std::vector<int> x(n);
    for (int i = 0; i < n; i++)
      x[i] = (i * 7919 + block) % 211;
    std::vector<uint64_t> got((size_t)n * 8), want;
    auto* d = up(got);
    votes<<<(n + block - 1) / block, block>>>(up(x), d, n);
    got = down(d, got.size());
    for (int first = 0; first < n;) {
      int in_block = first % block, lanes = std::min({64, block - in_block, n - first});
      host_wave(&x[first], lanes, want);
      for (int l = 0; l < lanes; l++)
        for (int k = 0; k < 8; k++) {
          uint64_t g = got[(size_t)(first + l) * 8 + k], w = want[l * 8 + k];
          if (lanes < 64 && k >= 6)
            continue; // reads lanes that do not exist
          EXPECT(g == w, "block %d item %d value %d: %llx want %llx", block, first + l, k, (unsigned long long)g, (unsigned long long)w);
        }
      first += lanes;
    }
  }
  DONE();
}
