// SPDX-License-Identifier: MIT
// The cases of tests/hipify/cases; see its README.
#include "compiler/hipify/tree.h"
#include "hipify_test_util.h"
#include <filesystem>
#include <fstream>
#include <sstream>

namespace fs = std::filesystem;

namespace pumice::hipify {
namespace {

std::string lower(std::string s) {
  for (char& c : s)
    c = char(std::tolower(static_cast<unsigned char>(c)));
  return s;
}

TEST(Cases, HoldWhatTheyExpectAndSettleAfterOneTranslation) {
  size_t cases = 0;
  for (const auto& entry : fs::directory_iterator(HIPIFY_CASES)) {
    if (entry.path().extension() != ".expect")
      continue;
    fs::path source = entry.path();
    source.replace_extension(".cu");
    if (!fs::exists(source))
      source.replace_extension(".hip");
    SCOPED_TRACE(source.filename().string());
    std::string text = *read_file(source.string());
    Options o;
    o.is_cuda = is_cuda_file(source.string());
    Translation t = translate(text, o);
    EXPECT_EQ(translate(t.text, o).text, t.text);
    std::ifstream expect(entry.path());
    for (std::string line; std::getline(expect, line);) {
      if (line.starts_with("out: ")) {
        EXPECT_TRUE(has(t.text, line.substr(5))) << line;
      } else if (line.starts_with("not: ")) {
        EXPECT_FALSE(has(t.text, line.substr(5))) << line;
      } else if (line == "same") {
        EXPECT_EQ(t.text, text);
      } else if (line.starts_with("finding: ")) {
        std::istringstream words(line.substr(9));
        uint32_t at = 0;
        std::string word;
        words >> at >> word;
        bool found = false;
        for (const Finding& f : t.findings)
          found |= f.line == at && has(lower(f.message + " " + std::string(f.code->code)), lower(word));
        EXPECT_TRUE(found) << line;
      } else {
        EXPECT_TRUE(line.empty() || line == "compiles") << line;
      }
    }
    ++cases;
  }
  EXPECT_GE(cases, 7u);
}

} // namespace
} // namespace pumice::hipify
