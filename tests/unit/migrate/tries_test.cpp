// SPDX-License-Identifier: MIT
// Tries with a stand-in for the compiler: a script that writes down its arguments.
#include "migrate/tries.h"
#include "project.h"

using namespace pumice::migrate;

TEST_F(Project, ASourceWithOpenMPIsTriedWithIt) {
  file("threads/a.cu", "#include <cstdio>\n#include <omp.h>\nint main() { cudaFree(0); return omp_get_num_procs() == 0; }\n");
  file("plain/b.cu", "int main() { cudaFree(0); }\n");
  file("unit/c.cu", "void f() {\n#pragma omp parallel\n  cudaFree(0);\n}\n");
  std::filesystem::path tool = root_.string() + "-compiler";
  std::ofstream(tool) << "#!/bin/sh\necho \"$@\"\nexit 1\n";
  std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
  TryOptions o;
  o.compiler = tool.string();
  auto tries = try_project(scanned(), o, [](const std::string&) {});
  std::filesystem::remove(tool);
  ASSERT_TRUE(tries.ok()) << tries.status().message;
  ASSERT_EQ(tries->size(), 3u);
  for (auto& t : *tries)
    EXPECT_EQ(t.log.find("-Xcompiler -fopenmp") != std::string::npos, t.folder != "plain") << t.sources.front() << ": " << t.log;
}

TEST_F(Project, ErrorsAreNotHiddenByTheTranslatorsWarnings) {
  file("a/a.cu", "int main() { cudaFree(0); }\n");
  std::filesystem::path tool = root_.string() + "-compiler";
  std::ofstream(tool) << "#!/bin/sh\necho 'a.cu:2:1: error: no such thing'; echo '    2 | thing'\nfor i in $(seq 200); do echo \"a.cu:$i:5: warning: nvmlInit (NVML): another interface [L005]\"; done\nexit 1\n";
  std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
  TryOptions o;
  o.compiler = tool.string();
  auto tries = try_project(scanned(), o, [](const std::string&) {});
  std::filesystem::remove(tool);
  ASSERT_TRUE(tries.ok() && tries->size() == 1);
  EXPECT_EQ(tries->front().log, "a.cu:2:1: error: no such thing\n    2 | thing");
}

TEST_F(Project, ExpectedAssertionsAndMissingInputAreNoWrongResults) {
  file("a/a.cu", "int main() { cudaFree(0); }\n");
  std::filesystem::path tool = root_.string() + "-compiler";
  struct Case {
    std::string said;
    int status;
    std::string verified;
    Outcome ran;
  };
  for (const Case& c : {Case{"a.cu:3: k: Device-side assertion `i < n` failed.\\nDevice assert failed as expected\\nTest returned OK", 0, "yes", Outcome::ok},
                        Case{"a.cu:3: k: Assertion `i < n` failed.\\nTest returned OK", 0, "no", Outcome::ok},
                        Case{"Error: Failed to open file model.bin at a.cu:7", 1, "", Outcome::blocked},
                        Case{"the result is wrong", 1, "no", Outcome::failed}}) {
    // The program, a script too, comes after -o.
    std::ofstream(tool) << "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\nprintf '#!/bin/sh\\ncat <<\"END\"\\n" << c.said
                        << "\\nEND\\nexit " << c.status << "\\n' >\"$2\"\nchmod +x \"$2\"\n";
    std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
    TryOptions o;
    o.compiler = tool.string();
    auto tries = try_project(scanned(), o, [](const std::string&) {});
    ASSERT_TRUE(tries.ok() && tries->size() == 1);
    EXPECT_EQ(tries->front().verified, c.verified) << tries->front().log;
    EXPECT_EQ(tries->front().ran, c.ran) << tries->front().log;
  }
  std::filesystem::remove(tool);
}
