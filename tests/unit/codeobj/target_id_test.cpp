// SPDX-License-Identifier: MIT
#include "codeobj/target_id.h"
#include <gtest/gtest.h>

using namespace pumice;
using namespace pumice::codeobj;

static TargetId id(const char* s) {
  auto r = parse_target_id(s);
  EXPECT_TRUE(r.ok()) << s << ": " << r.status().message;
  return r.ok() ? *r : TargetId{};
}

TEST(TargetId, ParsesEveryForm) {
  EXPECT_EQ(id("gfx942").processor, "gfx942");
  EXPECT_EQ(id("gfx942").xnack, Feature::any);
  TargetId t = id("amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-");
  EXPECT_EQ(t.processor, "gfx90a");
  EXPECT_EQ(t.sramecc, Feature::on);
  EXPECT_EQ(t.xnack, Feature::off);
  EXPECT_EQ(t.isa_name(), "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-");
  EXPECT_EQ(id("hipv4-amdgcn-amd-amdhsa--gfx942").processor, "gfx942");
  EXPECT_EQ(id("hip-amdgcn-amd-amdhsa-gfx906").processor, "gfx906");
  EXPECT_EQ(id("gfx9-4-generic").processor, "gfx9-4-generic");
}

TEST(TargetId, RejectsOthers) {
  for (const char* s : {"", "host-x86_64-unknown-linux-gnu-", "gfx", "xgfx942", "gfx942:xnack",
                        "gfx942:tls+", "gfx942:", "gfx9 42"})
    EXPECT_FALSE(parse_target_id(s).ok()) << s;
}

TEST(TargetId, MatchFollowsFeatureRules) {
  TargetId agent = id("gfx90a:sramecc+:xnack-");
  EXPECT_EQ(match(id("gfx90a"), agent), Match::any_features);
  EXPECT_EQ(match(id("gfx90a:xnack-"), agent), Match::exact);
  EXPECT_EQ(match(id("gfx90a:sramecc+:xnack-"), agent), Match::exact);
  EXPECT_EQ(match(id("gfx90a:xnack+"), agent), Match::none);
  EXPECT_EQ(match(id("gfx90a:sramecc-"), agent), Match::none);
  EXPECT_EQ(match(id("gfx942"), agent), Match::none);
  EXPECT_EQ(match(id("gfx9-4-generic"), id("gfx942:sramecc+:xnack-")), Match::generic);
  EXPECT_EQ(match(id("gfx9-4-generic"), agent), Match::none);
}
