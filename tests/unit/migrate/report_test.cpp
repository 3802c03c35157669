// SPDX-License-Identifier: MIT
#include "migrate/page_words.h"
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

TEST(MigrateReport, NotesOfPythonPackagesHaveChinese) {
  std::ifstream rows(std::string(PUMICE_MIGRATE_FOLDER) + "/python.tsv");
  std::string words = kPageWords;
  size_t seen = 0;
  for (std::string line; std::getline(rows, line);) {
    if (line.starts_with("#") || line.starts_with("package\t")) continue;
    std::istringstream fields(line);
    std::string name, counterpart, effort, note;
    std::getline(fields, name, '\t'), std::getline(fields, counterpart, '\t'), std::getline(fields, effort, '\t'), std::getline(fields, note, '\t');
    for (std::string text : {counterpart, note}) {
      if (text.find(' ') == std::string::npos) continue; // a name alone
      for (size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) text.insert(at, "\\");
      EXPECT_NE(words.find("\"" + text + "\": \""), std::string::npos) << text;
      seen++;
    }
  }
  EXPECT_GT(seen, 10u);
}
