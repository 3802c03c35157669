// SPDX-License-Identifier: MIT
#include "compiler/nvcc/overlay.h"
#include "compiler/hipify/tree.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace pumice::nvcc {
namespace {

class OverlayTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "overlay-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  void TearDown() override { fs::remove_all(root_); }
  std::string file(const std::string& name, const std::string& text) {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << text;
    return (root_ / name).string();
  }
  fs::path root_;
};

TEST_F(OverlayTest, HeadersAreFoundBesideTheSourceAndInIncludeFolders) {
  std::string source = file("a.cu", "#include \"b.cuh\"\n#include <c.h>\n#include <missing.h>\nint f() { return cudaFree(0); }\n");
  file("b.cuh", "inline int g() { return cudaFree(0); }\n");
  file("inc/c.h", "inline int h() { return cudaFree(0); }\n");
  Overlay overlay;
  ASSERT_TRUE(overlay.add(source, {(root_ / "inc").string()}).ok());
  hipify::Options o;
  o.insert_main_header = false;
  o.keep_lines = true;
  Result<std::string> path = overlay.write(o);
  ASSERT_TRUE(path.ok());
  nlohmann::json j = nlohmann::json::parse(*hipify::read_file(*path));
  EXPECT_EQ(j["roots"].size(), 3u);
  for (const auto& r : j["roots"]) {
    std::string copy = *hipify::read_file(r["external-contents"]), original = *hipify::read_file(r["name"]);
    EXPECT_NE(copy.find("hipFree(0)"), copy.npos);
    EXPECT_EQ(std::count(copy.begin(), copy.end(), '\n'), std::count(original.begin(), original.end(), '\n'));
  }
  EXPECT_EQ(*hipify::read_file(source), "#include \"b.cuh\"\n#include <c.h>\n#include <missing.h>\nint f() { return cudaFree(0); }\n");
}
TEST_F(OverlayTest, FolderGoesWithTheObject) {
  std::string folder;
  {
    Overlay overlay;
    ASSERT_TRUE(overlay.add(file("a.cu", "int f() { return cudaFree(0); }\n"), {}).ok());
    ASSERT_TRUE(overlay.write({}).ok());
    folder = overlay.folder();
    EXPECT_TRUE(fs::exists(folder));
  }
  EXPECT_FALSE(fs::exists(folder));
}
TEST_F(OverlayTest, SourcesWithoutCudaNeedNoOverlay) {
  Overlay overlay;
  ASSERT_TRUE(overlay.add(file("a.cpp", "int f() { return 1; }\n"), {}).ok());
  Result<std::string> path = overlay.write({});
  ASSERT_TRUE(path.ok());
  EXPECT_TRUE(path->empty());
}
TEST_F(OverlayTest, IncludeCyclesEndAndMissingSourcesAreErrors) {
  Overlay overlay;
  file("b.h", "#include \"a.cu\"\n");
  EXPECT_TRUE(overlay.add(file("a.cu", "#include \"b.h\"\n"), {}).ok());
  EXPECT_FALSE(overlay.add((root_ / "none.cu").string(), {}).ok());
}
TEST_F(OverlayTest, StatementsOverSeveralLinesKeepTheirLines) {
  Overlay overlay;
  std::string text = "__device__ void f(unsigned& d) {\n  asm(\"mov.u32 %0, %%laneid;\"\n      : \"=r\"(d));\n}\nint end;\n";
  ASSERT_TRUE(overlay.add(file("a.cu", text), {}).ok());
  hipify::Options o;
  o.insert_main_header = false;
  o.keep_lines = true;
  Result<std::string> path = overlay.write(o);
  ASSERT_TRUE(path.ok());
  nlohmann::json j = nlohmann::json::parse(*hipify::read_file(*path));
  std::string copy = *hipify::read_file(j["roots"][0]["external-contents"]);
  EXPECT_EQ(std::count(copy.begin(), copy.end(), '\n'), 5);
  EXPECT_NE(copy.find("d = __lane_id()"), copy.npos);
}

} // namespace
} // namespace pumice::nvcc
