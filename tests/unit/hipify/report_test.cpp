// SPDX-License-Identifier: MIT
#include "compiler/hipify/report.h"
#include "hipify_test_util.h"
#include <nlohmann/json.hpp>

namespace pumice::hipify {
namespace {

std::vector<Finding> sample() {
  Options o;
  o.file = "a.cu";
  return findings("void f() {\n  cudaBrandNew(1);\n}\n", o);
}

TEST(Report, TextNamesPlaceCodeReasonAndRemedy) {
  EXPECT_TRUE(text_of(sample()[0]).starts_with("a.cu:2:3: [A002] cudaBrandNew"));
  EXPECT_TRUE(has(text_of(sample()[0]), "; if it is the project's own"));
}
TEST(Report, JsonHasExactlyTheDocumentedFields) {
  nlohmann::json j = nlohmann::json::parse(findings_json(sample()));
  ASSERT_EQ(j.size(), 1u);
  ASSERT_EQ(j["findings"].size(), 1u);
  std::vector<std::string> keys;
  for (const auto& [k, v] : j["findings"][0].items())
    keys.push_back(k);
  EXPECT_EQ(keys, (std::vector<std::string>{"class", "code", "column", "file", "line", "message", "suggestion"}));
  EXPECT_EQ(j["findings"][0]["line"], 2);
}
TEST(Report, SarifNamesRulesAndPlaces) {
  nlohmann::json j = nlohmann::json::parse(findings_sarif(sample()));
  EXPECT_EQ(j["version"], "2.1.0");
  EXPECT_EQ(j["runs"][0]["results"][0]["ruleId"], "A002");
  EXPECT_EQ(j["runs"][0]["tool"]["driver"]["rules"][0]["id"], "A002");
  EXPECT_EQ(j["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
}
TEST(Report, BytesThatAreNotUtf8DoNotBreakJson) {
  Options o;
  o.file = "a\xFF.cu";
  EXPECT_FALSE(findings_json(findings("cudaBrand\xFE(1);", o)).empty());
}
TEST(Report, StatisticsAccountForEveryName) {
  Translation t = translate("#define cuMine 1\ncudaFree(p); cudaGraphConditionalHandle h; cudaBrandNew(cuMine); q.cudaFree();", {});
  nlohmann::json j = nlohmann::json::parse(statistics_json(t.statistics));
  EXPECT_EQ(j["translated"]["cudaFree"]["uses"], 1);
  EXPECT_EQ(j["unsupported"]["cudaGraphConditionalHandle"]["uses"], 1);
  EXPECT_EQ(j["unknown"]["cudaBrandNew"], 1);
  EXPECT_EQ(j["own"]["cuMine"], 2);
  EXPECT_EQ(j["kept"]["cudaFree"], 1);
}
TEST(Report, DiffAppliesToTheOldText) {
  EXPECT_EQ(unified_diff("a\nb\n", "a\nb\n", "f"), "");
  EXPECT_EQ(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n", "f"),
            "--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n");
  EXPECT_EQ(unified_diff("a\n", "h\na\n", "f"), "--- f\n+++ f\n@@ -1,1 +1,2 @@\n+h\n a\n");
  EXPECT_TRUE(has(unified_diff("a", "b", "f"), "\\ No newline at end of file"));
}

} // namespace
} // namespace pumice::hipify
