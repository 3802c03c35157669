// SPDX-License-Identifier: MIT
#include "compiler/hipify/tree.h"
#include "hipify_test_util.h"
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

namespace pumice::hipify {
namespace {

class Tree : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "hipify-tree-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  void TearDown() override { fs::remove_all(root_); }
  void file(const std::string& name, const std::string& text) {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << text;
  }
  TreeSummary run(TreeOptions o = {}) {
    o.threads = 2;
    texts_.clear();
    return translate_tree(
        root_.string(), o,
        [&](const FileResult& r, const std::string&) {
          texts_[r.relative] = r.skipped.empty() ? r.translation.text : "skipped: " + r.skipped;
          return ok_status();
        },
        [](size_t, size_t) {});
  }
  fs::path root_;
  std::map<std::string, std::string> texts_;
};

TEST_F(Tree, NamesDeclaredAnywhereInTheProjectAreItsOwn) {
  file("include/check.h", "#define CUDA_CHECK(x) x\n");
  file("src/a.cu", "void f() { CUDA_CHECK(cudaFree(0)); }\n");
  TreeSummary s = run();
  EXPECT_TRUE(s.findings.empty());
  EXPECT_EQ(s.files, 2u);
  EXPECT_EQ(s.changed, 1u);
  EXPECT_TRUE(has(texts_["src/a.cu"], "CUDA_CHECK(hipFree(0))"));
}
TEST_F(Tree, BinaryFilesAreSkippedWithANote) {
  file("a.cu", std::string("a\0b", 3));
  file("b.cu", "\xFF\xFE#\0i\0");
  TreeSummary s = run();
  EXPECT_EQ(s.skipped, 2u);
  ASSERT_EQ(s.findings.size(), 2u);
  EXPECT_EQ(s.findings[0].code->code, "N001");
}
TEST_F(Tree, ExclusionsAndVersionControlFoldersAreNotRead) {
  file(".git/a.cu", "cudaFree(0);");
  file("third_party/a.cu", "cudaFree(0);");
  file("keep/skip_me.cu", "cudaFree(0);");
  file("keep/a.cu", "cudaFree(0);");
  TreeOptions o;
  o.exclude_dirs = {"third_*"};
  o.exclude_files = {"skip_*"};
  EXPECT_EQ(run(o).files, 1u);
}
TEST_F(Tree, SymbolicLinkLoopsEnd) {
  file("a.cu", "cudaFree(0);");
  fs::create_directory_symlink(root_, root_ / "loop");
  EXPECT_EQ(run().files, 1u);
}
TEST_F(Tree, BuildFilesGetHints) {
  file("CMakeLists.txt", "project(x LANGUAGES CXX CUDA)\ntarget_link_libraries(x CUDA::cublas)\n");
  TreeSummary s = run();
  ASSERT_GE(s.findings.size(), 2u);
  EXPECT_EQ(s.findings[0].code->code, "B001");
  EXPECT_TRUE(has(s.findings.back().suggestion, "hipblas"));
}
TEST_F(Tree, IncludedHeadersOfASingleFileAreConsulted) {
  file("inc/check.h", "#define CUDA_CHECK(x) x\n");
  file("a.cu", "#include \"inc/check.h\"\n");
  EXPECT_EQ(names_of_includes((root_ / "a.cu").string(), "#include \"inc/check.h\"\n").own.count("CUDA_CHECK"), 1u);
}

} // namespace
} // namespace pumice::hipify
