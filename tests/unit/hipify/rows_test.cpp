// SPDX-License-Identifier: MIT
// The rows themselves, and that docs/migration is what they say.
#include "compiler/hipify/docs.h"
#include "compiler/hipify/tree.h"
#include "hipify_test_util.h"
#include <set>

namespace pumice::hipify {
namespace {

TEST(Rows, EveryCodeHasAReasonARemedyAndAnExample) {
  std::set<std::string_view> seen;
  for (const CodeRow& r : Tables::get().codes()) {
    EXPECT_TRUE(seen.insert(r.code).second) << r.code;
    EXPECT_FALSE(r.why.empty()) << r.code;
    EXPECT_FALSE(r.suggestion.empty()) << r.code;
    if (r.code != "N001") {
      EXPECT_FALSE(r.before.empty()) << r.code;
      EXPECT_FALSE(r.after.empty()) << r.code;
    }
  }
}
TEST(Rows, EveryNameIsFoundByItsHash) {
  const Tables& t = Tables::get();
  EXPECT_GT(t.names().size(), 8900u);
  for (const NameRow& r : t.names())
    ASSERT_EQ(&t.name(t.find(r.cuda)), &r) << r.cuda;
  EXPECT_LT(t.find("no_such_name"), 0);
}
TEST(Rows, TranslatingEveryNameTwiceEqualsOnce) {
  Options o;
  o.experimental = true;
  for (const NameRow& r : Tables::get().names()) {
    std::string once = hip(std::string(r.cuda) + " x;", o);
    ASSERT_EQ(hip(once, o), once) << r.cuda;
  }
}
TEST(Rows, TranslatingEveryHeaderTwiceEqualsOnce) {
  for (const HeaderRow& r : Tables::get().headers()) {
    if (r.cuda.ends_with("/*"))
      continue;
    std::string once = hip("#include <" + std::string(r.cuda) + ">\n");
    ASSERT_EQ(hip(once), once) << r.cuda;
  }
}
TEST(Rows, HostileTextIsTranslatedInLinearTime) {
  // Each of these was quadratic in one rule's first form; a minute would pass instead of well under a second.
  for (std::string unit : {"a <<< ", "cudaMallocHost(", "#include <cuda.h>\n", "#if A\n#include <cublas_v2.h>\n", "k<a<", "asm(\"", "{",
                           "__shfl_sync(0xffffffff, "}) {
    std::string text;
    while (text.size() < 400000)
      text += unit;
    Options o;
    o.launches = LaunchSyntax::hip;
    o.libraries = Libraries::roc;
    EXPECT_GE(translate(text, o).text.size(), 1u);
  }
}
TEST(Rows, CommittedDocumentsAreTheGeneratedOnes) {
  for (const auto& [name, text] : rule_documents()) {
    Result<std::string> file = read_file(std::string(MIGRATION_DOCS) + "/" + name);
    ASSERT_TRUE(file.ok()) << name;
    EXPECT_TRUE(*file == text) << name << " is stale: run hipify --docs docs/migration";
  }
}

} // namespace
} // namespace pumice::hipify
