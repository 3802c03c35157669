// SPDX-License-Identifier: MIT
#include "codeobj/bundle.h"
#include "codeobj/code_object.h"
#include "test_data.h"
#include <zlib.h>
#include <zstd.h>

using namespace pumice;
using namespace pumice::codeobj;

static TargetId id(const char* s) {
  return *parse_target_id(s);
}

TEST(Bundle, PlainFromClang) {
  auto bytes = read_test_file("plain.hipfb");
  auto r = read_bundle(bytes);
  ASSERT_TRUE(r.ok()) << r.status().message;
  EXPECT_EQ(list_targets(*r), "gfx1030, gfx90a:xnack+, gfx90a:xnack-, gfx942");
  auto e = select_code_object(*r, id("gfx90a:sramecc+:xnack-"));
  ASSERT_TRUE(e.ok());
  EXPECT_EQ((*e)->target.short_name(), "gfx90a:xnack-");
  auto co = parse_code_object((*e)->bytes);
  ASSERT_TRUE(co.ok()) << co.status().message;
  EXPECT_EQ(co->target.xnack, Feature::off);
  EXPECT_EQ((*select_code_object(*r, id("gfx942:sramecc+:xnack-")))->target.processor, "gfx942");
}

TEST(Bundle, MissingTargetTellsWhatIsThere) {
  auto bytes = read_test_file("plain.hipfb");
  auto r = read_bundle(bytes);
  auto e = select_code_object(*r, id("gfx908:sramecc+:xnack-"));
  ASSERT_FALSE(e.ok());
  EXPECT_EQ(e.status().code, Code::incompatible);
  for (const char* part : {"gfx908", "gfx1030", "gfx942", "--offload-arch=gfx908"})
    EXPECT_NE(e.status().message.find(part), std::string::npos) << e.status().message;
}

TEST(Bundle, CompressedFromClang) {
  auto bytes = read_test_file("compressed.hipfb");
  ASSERT_TRUE(is_compressed_bundle(bytes));
  auto r = read_bundle(bytes);
  ASSERT_TRUE(r.ok()) << r.status().message;
  EXPECT_EQ(list_targets(*r), "gfx90a, gfx942");
  auto e = select_code_object(*r, id("gfx942:sramecc+:xnack-"));
  ASSERT_TRUE(e.ok());
  EXPECT_TRUE(parse_code_object((*e)->bytes).ok());
  auto at = read_bundle_at(bytes.data());
  ASSERT_TRUE(at.ok()) << at.status().message;
  EXPECT_EQ(at->size(), r->size());
}

static void put(std::vector<uint8_t>& b, uint64_t v, int n) {
  for (int i = 0; i < n; ++i)
    b.push_back(static_cast<uint8_t>(v >> (8 * i)));
}

TEST(Bundle, EveryCompressedVersionAndMethod) {
  auto plain = read_test_file("plain.hipfb");
  for (int version = 1; version <= 3; ++version)
    for (int method = 0; method <= 1; ++method) {
      std::vector<uint8_t> data(
          std::max<size_t>(ZSTD_compressBound(plain.size()), compressBound(plain.size())));
      if (method == 1) {
        data.resize(ZSTD_compress(data.data(), data.size(), plain.data(), plain.size(), 3));
      } else {
        uLongf n = data.size();
        ASSERT_EQ(compress(data.data(), &n, plain.data(), plain.size()), Z_OK);
        data.resize(n);
      }
      std::vector<uint8_t> b = {'C', 'C', 'O', 'B'};
      put(b, static_cast<uint64_t>(version), 2);
      put(b, static_cast<uint64_t>(method), 2);
      size_t header = version == 1 ? 20 : version == 2 ? 24 : 32;
      if (version >= 2)
        put(b, header + data.size(), version == 3 ? 8 : 4);
      put(b, plain.size(), version == 3 ? 8 : 4);
      put(b, 0, 8);
      ASSERT_EQ(b.size(), header);
      b.insert(b.end(), data.begin(), data.end());
      auto r = read_bundle(b);
      ASSERT_TRUE(r.ok()) << version << "/" << method << ": " << r.status().message;
      EXPECT_EQ(list_targets(*r), "gfx1030, gfx90a:xnack+, gfx90a:xnack-, gfx942");
    }
}

TEST(Bundle, HostObjectAndBareCodeObject) {
  auto host = read_test_file("host.o");
  auto r = read_bundle(host);
  ASSERT_TRUE(r.ok()) << r.status().message;
  EXPECT_EQ(list_targets(*r), "gfx90a, gfx942");
  auto bare = read_test_file("basic.co");
  auto b = read_bundle(bare);
  ASSERT_TRUE(b.ok()) << b.status().message;
  EXPECT_EQ(list_targets(*b), "gfx942");
  EXPECT_TRUE(read_bundle_at(bare.data()).ok());
}

TEST(Bundle, FatBinaryWrapper) {
  auto bytes = read_test_file("plain.hipfb");
  struct {
    uint32_t magic = kFatBinaryMagic, version = 1;
    const void* binary;
    const void* unused = nullptr;
  } wrapper{.binary = bytes.data()};
  auto r = read_fat_binary(&wrapper);
  ASSERT_TRUE(r.ok()) << r.status().message;
  EXPECT_EQ(r->size(), read_bundle(bytes)->size());
  wrapper.magic = 1;
  EXPECT_FALSE(read_fat_binary(&wrapper).ok());
}
