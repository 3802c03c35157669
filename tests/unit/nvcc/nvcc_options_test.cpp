// SPDX-License-Identifier: MIT
// Option forms are those of NVIDIA's nvcc documentation.
#include "compiler/nvcc/nvcc_options.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>

namespace pumice::nvcc {
namespace {

Command parse(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words{std::istream_iterator<std::string>(in), {}};
  auto c = parse_nvcc(words);
  EXPECT_TRUE(c.ok()) << line;
  return c.ok() ? *c : Command{};
}
using Words = std::vector<std::string>;

TEST(NvccOptions, ArchitecturesHaveNoEffectInAnyForm) {
  for (const char* s : {"-arch=sm_80 a.cu", "-arch sm_80 a.cu", "--gpu-architecture=sm_80 a.cu",
                        "-gencode arch=compute_70,code=sm_70 a.cu", "-gencode=arch=compute_70,code=[sm_70,compute_70] a.cu",
                        "--generate-code=arch=compute_70,code=sm_70 a.cu"}) {
    Command c = parse(s);
    EXPECT_TRUE(c.flags.empty()) << s;
    ASSERT_EQ(c.inputs.size(), 1u) << s;
  }
}
TEST(NvccOptions, HostOptionsArePassedOn) {
  EXPECT_EQ(parse("-Xcompiler -Wall,-fPIC a.cu").flags, (Words{"-Wall", "-fPIC"}));
  EXPECT_EQ(parse("-Xcompiler=-fopenmp a.cu").flags, (Words{"-fopenmp"}));
  EXPECT_EQ(parse("--compiler-options -march=native a.cu").flags, (Words{"-Xarch_host", "-march=native"}));
}
TEST(NvccOptions, CompileDefineIncludeAndOutput) {
  Command c = parse("-c -O3 -g -DA=1 -D B -Iinc -I inc2 -std=c++14 -o x.o a.cu");
  EXPECT_TRUE(c.compile_only);
  EXPECT_EQ(c.output, "x.o");
  EXPECT_EQ(c.flags, (Words{"-O3", "-g", "-DA=1", "-DB", "-Iinc", "-Iinc2", "-std=c++14"}));
  EXPECT_EQ(c.include_dirs, (Words{"inc", "inc2"}));
}
TEST(NvccOptions, OutputDirectoryInEveryForm) {
  for (const char* s : {"-odir obj -c a.cu", "-odir=obj -c a.cu", "--output-directory obj -c a.cu", "--output-directory=obj -c a.cu"})
    EXPECT_EQ(parse(s).output_dir, "obj") << s;
}
TEST(NvccOptions, OptionsOfPtxasAndFriendsVanishWithTheirValues) {
  EXPECT_TRUE(parse("-Xptxas -v -ccbin g++ --expt-relaxed-constexpr --extended-lambda -Xcudafe --x a.cu").flags.empty());
}
TEST(NvccOptions, RelocatableDeviceCode) {
  EXPECT_TRUE(parse("-rdc=true a.cu").rdc);
  EXPECT_TRUE(parse("-rdc true a.cu").rdc);
  EXPECT_FALSE(parse("-rdc=false a.cu").rdc);
  Command c = parse("-dc a.cu");
  EXPECT_TRUE(c.rdc && c.compile_only);
  EXPECT_TRUE(parse("-dlink a.o -o b.o").device_link);
}
TEST(NvccOptions, CudaLibrariesBecomeRocmsOrVanish) {
  EXPECT_EQ(parse("a.o -lcudart -lcublas -lcurand -lm -Llib -lcuda").libraries,
            (Words{"-lhipblas", "-lhiprand", "-lm", "-Llib"}));
}
TEST(NvccOptions, LanguagesByNameAndByOption) {
  Command c = parse("a.cu b.cpp c.c d.o e.a");
  EXPECT_EQ(c.inputs[0].language, Language::cuda);
  EXPECT_EQ(c.inputs[1].language, Language::cpp);
  EXPECT_EQ(c.inputs[2].language, Language::c);
  EXPECT_EQ(c.inputs[3].language, Language::none);
  EXPECT_EQ(parse("-x cu b.cpp").inputs[0].language, Language::cuda);
}
TEST(NvccOptions, MathOptions) {
  EXPECT_EQ(parse("-use_fast_math a.cu").flags, (Words{"-fgpu-flush-denormals-to-zero", "-fgpu-approx-transcendentals"}));
  EXPECT_EQ(parse("--fmad=false a.cu").flags, (Words{"-ffp-contract=off"}));
  EXPECT_EQ(parse("-ftz=true -prec-div=false a.cu").flags, (Words{"-fgpu-flush-denormals-to-zero"}));
}
TEST(NvccOptions, DependencyFilesAndSharedLibraries) {
  EXPECT_EQ(parse("-MD -MF a.d -MT a.o -shared a.cu").flags, (Words{"-MD", "-MF", "a.d", "-MT", "a.o", "-shared"}));
}
TEST(NvccOptions, MissingValuesAnd32BitAreErrors) {
  EXPECT_FALSE(parse_nvcc({"a.cu", "-o"}).ok());
  EXPECT_FALSE(parse_nvcc({"-m32", "a.cu"}).ok());
}
TEST(NvccOptions, UnknownOptionsReachTheCompiler) {
  EXPECT_EQ(parse("-Wall -fno-rtti -pthread a.cu").flags, (Words{"-Wall", "-fno-rtti", "-pthread"}));
  EXPECT_EQ(parse("-march=native a.cu").flags, (Words{"-Xarch_host", "-march=native"}));
}

} // namespace
} // namespace pumice::nvcc
