// SPDX-License-Identifier: MIT
// The rows themselves, and that docs/migration is what they say.
#include "compiler/hipify/chinese.h"
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
TEST(Rows, WhatTheRowsSayHasChinese) {
  auto chinese = [](std::string_view s) { return std::any_of(s.begin(), s.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; }); };
  // A product or identifier alone stays as it is.
  auto wanted = [&](std::string_view s) {
    bool words = s.find(' ') != s.npos && s.find('(') == s.npos && std::any_of(s.begin(), s.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    return words && s != "HIP RT";
  };
  const Tables& t = Tables::get();
  for (const CodeRow& r : t.codes()) {
    EXPECT_TRUE(chinese(r.why_zh) && !r.title_zh.empty() && !r.suggestion_zh.empty()) << r.code;
    EXPECT_EQ(chinese(r.suggestion_zh), r.suggestion.find(' ') != r.suggestion.npos || r.suggestion == "none") << r.code;
  }
  for (const BehaviourRow& r : t.behaviours())
    for (std::string_view s : {r.what, r.suggestion})
      EXPECT_TRUE(s.empty() || chinese(phrase_in_chinese(s))) << s;
  for (const HeaderRow& r : t.headers())
    EXPECT_TRUE(!wanted(r.note) || chinese(phrase_in_chinese(r.note))) << r.note;
  for (const PtxRow& r : t.ptx())
    EXPECT_TRUE(!wanted(r.note) || chinese(phrase_in_chinese(r.note))) << r.note;
}
TEST(Rows, AFindingInChineseKeepsItsIdentifiers) {
  auto say = [](std::string_view text, size_t which = 0) { return in_chinese(findings(text).at(which)).message; };
  EXPECT_EQ(say("__global__ void k(int* p) { *p = __shfl_sync(0xffffffff, *p, 0); }"),
            "__shfl_sync 的掩码 0xffffffff 为 32 位：线程掩码为 64 位；该掩码漏掉第 32 到 63 个线程，而且在改为 64 位之前 HIP 无法编译它");
  EXPECT_EQ(say("#include <cuda_pipeline.h>\n"), "cuda_pipeline.h：到共享内存的异步拷贝没有对应；经寄存器拷贝：cuda::pipeline、cuda::barrier 和 memcpy_async 不属于 HIP");
  EXPECT_EQ(in_chinese(findings("nvmlInit();").at(0)).suggestion, "用 AMD SMI（amd_smi/amdsmi.h）");
  EXPECT_EQ(say("__global__ void k(int* p, int a) { asm(\"mul.wide.u32 %0, %1, %2;\" : \"=l\"(*p) : \"r\"(a), \"r\"(a)); }"),
            "内联 PTX mul.wide.u32 已替换为 *p = (unsigned long long)(unsigned)(a) * (unsigned)(a)：该指令有等价写法，已替换");
  Finding unknown{"a.cu", 1, 1, &Tables::get().code("A011"), "something no row says: " + std::string(Tables::get().code("A011").why), "odd advice"};
  EXPECT_EQ(in_chinese(unknown).message, "行为不同（something no row says）：名称可以转换，但在 AMD GPU 上效果不同");
  EXPECT_EQ(in_chinese(unknown).suggestion, "odd advice");
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
