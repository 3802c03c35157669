// SPDX-License-Identifier: MIT
// Expected hours are computed by hand.
#include "migrate/effort.h"
#include "migrate/process.h"
#include "project.h"
#include <algorithm>

using namespace pumice::migrate;

namespace {
Rule rule(const char* unit, double low, double high, double most) { return {"r", "port", unit, "", "", low, high, most}; }
} // namespace

TEST(MigrateEffort, RangeIsCountTimesRate) {
  auto e = estimate({rule("kernels", 0.5, 2, 0)}, {{"kernels", 10}});
  ASSERT_EQ(e.size(), 1u);
  EXPECT_DOUBLE_EQ(e[0].low, 5);
  EXPECT_DOUBLE_EQ(e[0].high, 20);
}

TEST(MigrateEffort, UnitsBeyondTheCapCountATenth) {
  auto e = estimate({rule("kernels", 1, 1, 10)}, {{"kernels", 30}});
  EXPECT_DOUBLE_EQ(e[0].low, 12); // 10 + 20 / 10
}

TEST(MigrateEffort, NothingCountedCostsNothing) { EXPECT_TRUE(estimate({rule("kernels", 1, 2, 0)}, {{"kernels", 0}}).empty()); }

TEST_F(Project, RatesAreReadAndBadOnesNamed) {
  auto shipped = load_rates(std::string(PUMICE_MIGRATE_FOLDER) + "/rates.toml");
  ASSERT_TRUE(shipped.ok()) << shipped.status().message;
  EXPECT_GE(shipped->size(), 10u);
  struct Bad {
    const char *text, *part;
  };
  for (auto& b : {Bad{"[[rule]]\nid = \"a\"\nunit = \"kernels\"\nstage = \"later\"\nlow = 1\nhigh = 2\n", "stage is"},
                  Bad{"[[rule]]\nid = \"a\"\nunit = \"kernels\"\nstage = \"port\"\nlow = 3\nhigh = 2\n", "low <= high"}, Bad{"rule = [\n", ":"}, Bad{"x = 1\n", "no [[rule]]"}}) {
    file("rates.toml", b.text);
    auto r = load_rates((root_ / "rates.toml").string());
    ASSERT_FALSE(r.ok()) << b.text;
    EXPECT_NE(r.status().message.find(b.part), std::string::npos) << r.status().message;
  }
}

TEST_F(Project, TensorRtMakesItANoGo) {
  file("requirements.txt", "tensorrt==8.6\n");
  Assessment a;
  a.scan = scanned(), a.card = "MI300X", a.rocm = "6.4.3";
  assess(a, {}, nullptr);
  EXPECT_EQ(a.decision, Decision::no_go);
}

TEST_F(Project, PortableProjectThatRanIsAGo) {
  file("a.cu", "#include <cuda_runtime.h>\nint main() { cudaDeviceSynchronize(); }\n");
  Assessment a;
  a.scan = scanned(), a.card = "MI300X", a.rocm = "6.4.3", a.tried = true;
  Try t;
  t.compiled = t.ran = Outcome::ok, t.verified = "yes";
  a.tries = {t};
  assess(a, {}, nullptr);
  for (auto& c : a.checks) EXPECT_EQ(c.decision, Decision::go) << c.id << ": " << c.reason;
  a.tries[0].verified = "no", a.checks.clear(), a.decision = Decision::go;
  assess(a, {}, nullptr);
  EXPECT_EQ(a.decision, Decision::conditional) << "a wrong result is no go";
}

namespace {
const Check* check_of(const Assessment& a, const std::string& id) {
  for (auto& c : a.checks)
    if (c.id == id) return &c;
  return nullptr;
}
FindingView finding(const char* file, const char* group, const char* message, bool conditional) {
  FindingView f;
  f.file = file, f.group = group, f.severity = "error", f.message = message, f.conditional = conditional;
  return f;
}
} // namespace

TEST_F(Project, FastPathInAnIfBranchIsNoReasonAgainstTheProject) {
  Assessment a;
  a.card = "MI300X", a.rocm = "6.4.3", a.scan.gpu_files = 3;
  a.scan.findings = {finding("a.cuh", "wgmma", "wgmma.fence", true)};
  assess(a, {}, nullptr);
  EXPECT_EQ(check_of(a, "hopper")->decision, Decision::conditional);
  a.checks.clear(), a.scan.findings[0].conditional = false;
  assess(a, {}, nullptr);
  EXPECT_EQ(check_of(a, "hopper")->decision, Decision::no_go) << "one of three files is what the project is about";
  a.checks.clear(), a.scan.gpu_files = 100;
  assess(a, {}, nullptr);
  EXPECT_EQ(check_of(a, "hopper")->decision, Decision::conditional) << "one of a hundred is not";
}

TEST_F(Project, SameNameAgainIsNotANewProblem) {
  Scan s;
  for (int k = 0; k < 5; k++) s.findings.push_back(finding("a.cu", "unsupported-api", "cudaX", false));
  s.findings.push_back(finding("a.cu", "inline-ptx", "inline PTX foo", false));
  for (const char* file : {"a.cu", "a.cu", "b.cu"}) s.findings.push_back(finding(file, "wgmma", "w", false));
  s.findings.push_back(finding("a.cu", "library-nvshmem", "n", false));
  auto c = counts(s, {});
  EXPECT_EQ(c["error_names"], 1);
  EXPECT_EQ(c["error_places"], 4);
  EXPECT_EQ(c["ptx_instructions"], 1);
  EXPECT_EQ(c["matrix_files"], 2);
  EXPECT_EQ(c["libraries_missing"], 1) << "a library costs once, not once for each of its names";
}

TEST_F(Project, LibraryThatThisMachineLacksSaysNothingAboutTheProject) {
  Assessment a;
  a.card = "MI300X", a.rocm = "6.4.3", a.tried = true;
  Try t;
  t.compiled = Outcome::blocked, t.missing = {"hipblas.h"};
  a.tries = {t};
  assess(a, {}, nullptr);
  EXPECT_NE(check_of(a, "tries")->reason.find("lacks hipblas.h"), std::string::npos);
  EXPECT_EQ(counts(a.scan, a.tries)["failed_units"], 0);
}

TEST_F(Project, EveryRuleCountsSomethingThatIsCounted) {
  auto rules = load_rates(std::string(PUMICE_MIGRATE_FOLDER) + "/rates.toml");
  ASSERT_TRUE(rules.ok());
  Scan s;
  for (auto& f : {finding("a", "unsupported-api", "x", false), finding("a", "inline-ptx", "y", false), finding("a", "wmma", "z", false)}) s.findings.push_back(f), s.findings.push_back(f);
  s.findings.push_back(finding("a", "warp-size", "w", false)), s.findings.back().severity = "warning";
  Try bad;
  bad.compiled = bad.ran = Outcome::failed;
  auto c = counts(s, {bad});
  for (auto& r : *rules) {
    EXPECT_TRUE(c.count(r.unit)) << r.id << " counts " << r.unit;
    EXPECT_FALSE(r.why.empty() || r.why_zh.empty()) << r.id;
  }
}

TEST_F(Project, FrameworkOfAnotherTimeIsNotSupported) {
  file("requirements.txt", "torch==1.4.0\n");
  auto m = pumice::matrix::load(PUMICE_MATRIX_FOLDER);
  ASSERT_TRUE(m.ok());
  Assessment a;
  a.scan = scanned(), a.card = "MI300X", a.rocm = "6.4.3";
  assess(a, {}, &*m);
  ASSERT_EQ(a.frameworks.size(), 1u);
  EXPECT_EQ(a.frameworks[0].item.verdict, pumice::matrix::Verdict::not_supported);
}

TEST(MigrateProcess, ProgramThatHangsIsEndedWithItsChildren) {
  auto r = pumice::migrate::run({"sh", "-c", "echo begun; sleep 100 & sleep 100"}, "/", {}, 1);
  EXPECT_TRUE(r.timed_out);
  EXPECT_EQ(r.output, "begun\n");
  EXPECT_LT(r.seconds, 20);
}

TEST(MigrateProcess, ExitStatusAndOutputComeBack) {
  auto r = pumice::migrate::run({"sh", "-c", "echo $X; exit 3"}, "/", {{"X", "seen"}}, 20);
  EXPECT_EQ(r.exit_code, 3);
  EXPECT_EQ(r.output, "seen\n");
  EXPECT_EQ(pumice::migrate::run({"no-such-program-anywhere"}, "/", {}, 20).exit_code, 127);
}
