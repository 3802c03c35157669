// SPDX-License-Identifier: MIT
// What hipcc makes of a command line. The expected words are those that ROCm's driver documents.
#include "compiler/hipcc.h"
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <map>

using namespace pumice::compiler;

namespace {

std::vector<std::string> command(const std::vector<std::string>& args, std::map<std::string, std::string> vars = {}) {
  auto env = [vars](const std::string& n) -> std::optional<std::string> {
    auto it = vars.find(n);
    return it == vars.end() ? std::nullopt : std::optional(it->second);
  };
  auto plan = plan_hipcc(args, env, "hipcc");
  EXPECT_TRUE(plan.ok()) << plan.status().message;
  return plan ? plan->command : std::vector<std::string>{};
}
bool has(const std::vector<std::string>& c, const std::string& w) { return std::find(c.begin(), c.end(), w) != c.end(); }
bool follows(const std::vector<std::string>& c, const std::vector<std::string>& words) {
  return std::search(c.begin(), c.end(), words.begin(), words.end()) != c.end();
}

TEST(Hipcc, TreatsSourcesAsHip) {
  for (const char* file : {"a.cu", "a.hip", "a.cpp", "a.cc", "a.cxx"}) {
    auto c = command({file, "-c"});
    EXPECT_TRUE(follows(c, {"-x", "hip", file, "-x", "none"})) << file;
    EXPECT_TRUE(has(c, "--offload-arch=gfx942"));
    EXPECT_TRUE(has(c, "-O3"));
    EXPECT_TRUE(has(c, "-D__HIP_PLATFORM_AMD__=1"));
    EXPECT_FALSE(has(c, "-lamdhip64"));
  }
  EXPECT_TRUE(follows(command({"b.c", "-c"}), {"-x", "c", "b.c"}));
}

TEST(Hipcc, LinksTheRuntime) {
  auto c = command({"a.o", "b.o", "-o", "prog"});
  EXPECT_TRUE(has(c, "-lamdhip64"));
  EXPECT_TRUE(has(c, "--hip-link"));
  EXPECT_FALSE(has(c, "-O3"));
  EXPECT_TRUE(follows(c, {"-o", "prog"}));
  EXPECT_FALSE(has(command({"a.o", "-no-hip-rt"}), "-lamdhip64"));
}

TEST(Hipcc, LinksUnoptimisedDeviceCodeOfSeveralFiles) {
  const std::vector<std::string> words = {"-Xoffload-linker", "--lto-O1"};
  EXPECT_TRUE(follows(command({"-O0", "-fgpu-rdc", "a.hip", "b.hip"}), words));
  EXPECT_TRUE(follows(command({"-O3", "-O0", "-fgpu-rdc", "a.o", "b.o"}), words));
  EXPECT_FALSE(follows(command({"-O0", "-O3", "-fgpu-rdc", "a.hip", "b.hip"}), words));
  EXPECT_FALSE(follows(command({"-O0", "-fgpu-rdc", "-c", "a.hip"}), words));
  EXPECT_FALSE(follows(command({"-O0", "a.hip"}), words));
}

TEST(Hipcc, TakesTargets) {
  auto c = command({"--offload-arch=gfx90a,gfx942", "a.hip", "--offload-arch=gfx906"});
  EXPECT_TRUE(has(c, "--offload-arch=gfx90a"));
  EXPECT_TRUE(has(c, "--offload-arch=gfx942"));
  EXPECT_TRUE(has(c, "--offload-arch=gfx906"));
  EXPECT_TRUE(has(command({"--amdgpu-target=gfx90a", "a.hip"}), "--offload-arch=gfx90a"));
  EXPECT_TRUE(has(command({"a.hip"}, {{"HCC_AMDGPU_TARGET", "gfx90a"}}), "--offload-arch=gfx90a"));
  EXPECT_TRUE(has(command({"--offload-arch=native", "a.hip"}, {{"PUMICE_DEVICES", "2xMI210"}}), "--offload-arch=gfx90a"));
}

TEST(Hipcc, KeepsWhatTheUserSays) {
  auto c = command({"-O1", "-mcode-object-version=4", "-x", "c++", "host.cpp", "-I", "dir.hip", "-c"});
  EXPECT_FALSE(has(c, "-O3"));
  EXPECT_FALSE(has(c, "-mcode-object-version=5"));
  EXPECT_TRUE(follows(c, {"-x", "c++", "host.cpp", "-I", "dir.hip"}));
  auto g = command({"--genco", "a.hip", "-o", "a.co"});
  EXPECT_TRUE(has(g, "--cuda-device-only"));
  EXPECT_FALSE(has(g, "-lamdhip64"));
}

TEST(Hipcc, ReadsResponseFilesAndEnvironment) {
  std::string path = testing::TempDir() + "hipcc_args.rsp";
  std::ofstream(path) << "\"with space.hip\" -c\n-DX='a b'";
  auto c = command({"@" + path});
  EXPECT_TRUE(follows(c, {"-x", "hip", "with space.hip"}));
  EXPECT_TRUE(has(c, "-DX=a b"));
  c = command({"a.hip"}, {{"HIPCC_COMPILE_FLAGS_APPEND", "-DQ -g"}, {"HIPCC_LINK_FLAGS_APPEND", "-lextra"}});
  EXPECT_TRUE(has(c, "-DQ"));
  EXPECT_TRUE(has(c, "-lextra"));
}

TEST(Hipcc, RefusesOtherPlatforms) {
  auto env = [](const std::string& n) -> std::optional<std::string> {
    return n == "HIP_PLATFORM" ? std::optional<std::string>("nvidia") : std::nullopt;
  };
  EXPECT_FALSE(plan_hipcc({"a.hip"}, env, "hipcc").ok());
}

} // namespace
