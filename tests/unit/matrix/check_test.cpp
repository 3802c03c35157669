// SPDX-License-Identifier: MIT
// Expected verdicts are what the pages named in the tables say.
#include "matrix/check.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace pumice::matrix;

namespace {
const Matrix& data() {
  static const Matrix m = [] {
    auto r = load(PUMICE_MATRIX_FOLDER);
    EXPECT_TRUE(r.ok()) << r.status().message;
    return *r;
  }();
  return m;
}
Query ask(const char* card, const char* rocm, const char* os = "") {
  Query q;
  q.card = card, q.rocm = rocm, q.os = os;
  return q;
}
Verdict verdict(const Query& q) { return check(data(), q).verdict; }
const Item* item(const Answer& a, const std::string& subject) {
  auto it = std::find_if(a.items.begin(), a.items.end(), [&](auto& i) { return i.subject == subject; });
  return it == a.items.end() ? nullptr : &*it;
}
} // namespace

TEST(MatrixCheck, CardOnListedSystemIsSupported) {
  EXPECT_EQ(verdict(ask("MI300X", "6.3.3", "Ubuntu 22.04.5")), Verdict::supported);
  EXPECT_EQ(verdict(ask("MI210", "7.0.0", "RHEL 8.10")), Verdict::supported);
  EXPECT_EQ(verdict(ask("gfx942", "6.3.3")), Verdict::supported);
}

TEST(MatrixCheck, PointReleaseThatIsNotListedIsNotSupported) {
  EXPECT_EQ(verdict(ask("MI300X", "6.3.3", "Ubuntu 22.04.3")), Verdict::not_supported);
  EXPECT_EQ(verdict(ask("MI300X", "6.3.3", "Ubuntu 22.04")), Verdict::supported) << "22.04 asks for any point release";
}

TEST(MatrixCheck, CardNewerThanTheReleaseIsNotSupported) {
  EXPECT_EQ(verdict(ask("MI355X", "6.0.0")), Verdict::not_supported);
}

TEST(MatrixCheck, SystemOfAnotherCardDoesNotCount) {
  // Debian 12 is listed for 7.1.0, but with the MI300X and MI300A only.
  Answer a = check(data(), ask("MI100", "7.1.0", "Debian 12"));
  ASSERT_NE(item(a, "card on os"), nullptr);
  EXPECT_EQ(item(a, "card on os")->verdict, Verdict::not_supported);
  EXPECT_EQ(a.verdict, Verdict::not_supported);
}

TEST(MatrixCheck, ReleaseNewerThanTheDataIsUnknown) {
  Answer a = check(data(), ask("MI300X", "11.2"));
  EXPECT_EQ(a.verdict, Verdict::unknown);
  EXPECT_NE(a.items[0].reason.find("newer than this data"), std::string::npos);
}

TEST(MatrixCheck, UnknownCardIsUnknown) { EXPECT_EQ(verdict(ask("Voodoo 3", "6.3.3")), Verdict::unknown); }

TEST(MatrixCheck, EveryAnswerButUnknownNamesASourceWithADate) {
  for (const char* rocm : {"6.0.0", "6.2.4", "6.4.1", "7.0.0", "7.1.1", "7.2.2", "7.14.0", "10.1"}) {
    Query q = ask("MI300X", rocm, "Ubuntu 22.04.5");
    q.frameworks = {{"PyTorch", "2.4"}, {"JAX", ""}};
    q.kernel = "5.15.0-91-generic";
    for (auto& i : check(data(), q).items) {
      if (i.verdict == Verdict::unknown) continue;
      EXPECT_FALSE(i.sources.empty()) << rocm << " " << i.subject;
      for (auto& s : i.sources) EXPECT_FALSE(s.date.empty());
    }
  }
}

TEST(MatrixCheck, PagesThatDisagreeMakeAnAnswerUnknown) {
  Query q = ask("MI300X", "7.1.0");
  q.frameworks = {{"JAX", "0.6.0"}};
  Answer a = check(data(), q);
  ASSERT_NE(item(a, "JAX"), nullptr);
  EXPECT_EQ(item(a, "JAX")->verdict, Verdict::unknown);
  EXPECT_FALSE(item(a, "JAX")->contradictions.empty());
}

TEST(MatrixCheck, ContradictionIsShownWithASupportedAnswerToo) {
  Query q = ask("MI300X", "6.4.1");
  q.frameworks = {{"ONNX Runtime", "1.20.0"}};
  Answer a = check(data(), q);
  EXPECT_EQ(item(a, "ONNX Runtime")->verdict, Verdict::supported);
  EXPECT_FALSE(item(a, "ONNX Runtime")->contradictions.empty());
}

TEST(MatrixCheck, FrameworkIsJudgedForTheCardsTarget) {
  Query q = ask("MI210", "7.14.0");
  q.frameworks = {{"JAX", ""}};
  EXPECT_EQ(item(check(data(), q), "JAX")->verdict, Verdict::not_supported);
  q.card = "MI300X";
  EXPECT_EQ(item(check(data(), q), "JAX")->verdict, Verdict::supported);
}

TEST(MatrixCheck, KernelOfTheSystemIsChecked) {
  Query q = ask("MI300X", "7.1.0", "RHEL 9.6");
  q.kernel = "5.14.0-570.12.1.el9_6.x86_64";
  EXPECT_EQ(item(check(data(), q), "kernel")->verdict, Verdict::supported);
  q.kernel = "6.14.0-24-generic";
  EXPECT_EQ(item(check(data(), q), "kernel")->verdict, Verdict::not_supported);
}

TEST(MatrixDiff, NewTargetAppears) {
  auto d = diff(data(), "6.4.1", "7.0.0");
  ASSERT_TRUE(d.ok());
  auto it = std::find_if(d->begin(), d->end(), [](auto& c) { return c.category == "gpu"; });
  ASSERT_NE(it, d->end());
  EXPECT_EQ(std::count(it->before.begin(), it->before.end(), "gfx950"), 0);
  EXPECT_EQ(std::count(it->after.begin(), it->after.end(), "gfx950"), 1);
}

TEST(MatrixDiff, SameReleaseDiffersInNothing) {
  auto d = diff(data(), "6.3.3", "6.3.3");
  ASSERT_TRUE(d.ok());
  EXPECT_TRUE(d->empty());
}

TEST(MatrixSuggest, NewestFittingReleaseComesFirst) {
  Query q = ask("MI300X", "", "Ubuntu 24.04.2");
  q.frameworks = {{"PyTorch", "2.6"}};
  auto steps = suggest(data(), q, "6.2.0");
  auto it = std::find_if(steps.begin(), steps.end(), [](auto& s) { return s.answer.verdict == Verdict::supported; });
  ASSERT_NE(it, steps.end());
  EXPECT_EQ(it->release, "6.4.3");
  for (auto& s : steps) EXPECT_NE(s.release, "6.1.2") << "older than the release in use";
}
