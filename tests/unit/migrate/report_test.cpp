// SPDX-License-Identifier: MIT
#include "migrate/report.h"
#include "project.h"

using namespace pumice::migrate;

namespace {
Assessment small() {
  Assessment a;
  a.scan.name = "p", a.card = "MI300X", a.rocm = "6.4.3";
  FindingView f;
  f.file = "a.cu", f.line = 1, f.group = "warp-size", f.severity = "warning", f.excerpt = "</script><script>alert(1)</script><!-- \xff";
  a.scan.findings.push_back(f);
  return a;
}
} // namespace

TEST(MigrateReport, SourceTextCannotEndTheDataElement) {
  std::string page = to_html(to_json(small()));
  size_t at = page.find("id=\"data\"");
  ASSERT_NE(at, std::string::npos);
  size_t end = page.find("</script>", at);
  EXPECT_EQ(page.find("alert(1)", at) < end, true) << "the excerpt is still inside";
  EXPECT_EQ(page.substr(at, end - at).find("<!--"), std::string::npos);
}

TEST(MigrateReport, PageLoadsNothingFromElsewhere) {
  std::string page = to_html(to_json(small()));
  for (const char* part : {"src=\"http", "href=\"http", "@import", "url("}) EXPECT_EQ(page.find(part), std::string::npos) << part;
}

TEST(MigrateReport, ChineseWordsCoverClassesUnitsAndTitles) {
  std::string page = to_html(to_json(small()));
  for (auto& c : pumice::hipify::Tables::get().codes()) EXPECT_NE(page.find("\"" + std::string(c.group) + "\": [\""), std::string::npos) << c.group;
  auto rules = load_rates(std::string(PUMICE_MIGRATE_FOLDER) + "/rates.toml");
  ASSERT_TRUE(rules.ok());
  for (auto& r : *rules) EXPECT_NE(page.find("\"" + r.unit + "\": [\""), std::string::npos) << r.unit;
}

TEST(MigrateReport, ComparingWithItselfShowsNoChange) {
  auto j = to_json(small());
  auto d = compare(j, j);
  ASSERT_TRUE(d.ok());
  EXPECT_TRUE((*d)["findings"].empty());
  EXPECT_TRUE((*d)["tries"].empty());
}

TEST(MigrateReport, ComparingShowsFewerFindings) {
  Assessment after = small();
  after.scan.findings.clear();
  auto d = compare(to_json(small()), to_json(after));
  ASSERT_TRUE(d.ok());
  EXPECT_EQ((*d)["findings"]["warp-size"]["before"], 1);
  EXPECT_EQ((*d)["findings"]["warp-size"]["after"], 0);
}

TEST(MigrateReport, OtherDocumentsAreRefused) { EXPECT_FALSE(compare(nlohmann::ordered_json::object(), to_json(small())).ok()); }
