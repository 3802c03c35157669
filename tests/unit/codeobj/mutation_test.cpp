// SPDX-License-Identifier: MIT
// Damaged input must give errors, not crashes (run under the sanitizer presets). Seeded.
#include "codeobj/bundle.h"
#include "codeobj/code_object.h"
#include "codeobj/line_table.h"
#include "test_data.h"
#include <random>

using namespace pumice::codeobj;

static void consume(const std::vector<uint8_t>& b) {
  (void)parse_code_object(b).ok();
  (void)elf_size(b).ok();
  if (auto r = read_bundle(b); r.ok())
    (void)select_code_object(*r, *parse_target_id("gfx942")).ok();
  (void)LineTable::read(b).find(0x2000);
}

static void mutate(const char* name, int rounds, size_t dense_prefix) {
  auto original = read_test_file(name);
  std::mt19937 rng(1234);
  auto pick = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(rng); };
  constexpr uint8_t kValues[] = {0, 1, 0x7f, 0x80, 0xff, 0xfe};
  for (int i = 0; i < rounds; ++i) {
    auto b = original;
    size_t changes = 1 + pick(4);
    for (size_t c = 0; c < changes; ++c) {
      size_t at = pick(2) ? pick(std::min(dense_prefix, b.size())) : pick(b.size());
      b[at] = pick(2) ? kValues[pick(6)] : static_cast<uint8_t>(rng());
    }
    if (pick(8) == 0)
      b.resize(pick(b.size()) + 1);
    consume(b);
  }
}

TEST(Mutation, CodeObject) {
  mutate("basic.co", 1500, 2048);
}
TEST(Mutation, PlainBundle) {
  mutate("plain.hipfb", 300, 400);
}
TEST(Mutation, CompressedBundle) {
  mutate("compressed.hipfb", 300, 64);
}
TEST(Mutation, HostObject) {
  mutate("host.o", 300, 4096);
}

TEST(Mutation, EveryTruncationOfTheHead) {
  auto b = read_test_file("basic.co");
  for (size_t n = 0; n < 4096 && n < b.size(); n += 3)
    consume({b.begin(), b.begin() + static_cast<long>(n)});
}
