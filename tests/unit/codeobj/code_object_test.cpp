// SPDX-License-Identifier: MIT
// Expected numbers come from the sources in tests/kernels and from the ABI, not from the reader.
#include "codeobj/code_object.h"
#include "test_data.h"
#include <algorithm>

using namespace pumice;
using namespace pumice::codeobj;

static const Symbol* dynamic(const CodeObject& co, const char* name) {
  for (const Symbol& s : co.dynamic_symbols)
    if (s.name == name)
      return &s;
  return nullptr;
}

TEST(CodeObject, ReadsClangOutput) {
  auto bytes = read_test_file("basic.co");
  auto r = parse_code_object(bytes);
  ASSERT_TRUE(r.ok()) << r.status().message;
  EXPECT_EQ(r->version, 5u);
  EXPECT_EQ(r->target.isa_name(), "amdgcn-amd-amdhsa--gfx942");
  EXPECT_EQ(r->segments.size(), 4u);
  ASSERT_EQ(r->relocations.size(), 1u);
  EXPECT_EQ(r->relocations[0].type, RelocationType::relative64);
  EXPECT_EQ(r->relocations[0].offset, dynamic(*r, "counter_address")->value);
  EXPECT_EQ(static_cast<uint64_t>(r->relocations[0].addend), dynamic(*r, "counter")->value);

  const KernelMetadata* k = r->kernel("saxpy");
  ASSERT_TRUE(k);
  EXPECT_EQ(k, r->kernel("saxpy.kd"));
  EXPECT_EQ(k->wavefront_size, 64u);
  EXPECT_EQ(k->max_flat_workgroup_size, 1024u);
  EXPECT_EQ(k->kernarg_align, 8u);
  ASSERT_GE(k->args.size(), 4u);
  EXPECT_EQ(k->args[0].value_kind, "by_value");
  EXPECT_EQ(k->args[1].value_kind, "global_buffer");
  EXPECT_EQ(k->args[1].offset, 8u);
  EXPECT_EQ(k->args[3].offset, 24u);
  EXPECT_EQ(k->args[3].size, 4u);
  EXPECT_TRUE(std::any_of(k->args.begin(), k->args.end(), [](auto& a) { return a.hidden(); }));
  EXPECT_EQ(r->kernel("reverse")->group_size, 1024u);
  EXPECT_GE(r->kernel("scratch")->private_size, 256u);
  EXPECT_EQ(r->kernel("nothing_here"), nullptr);
}

TEST(CodeObject, KernelDescriptorPointsAtItsFunction) {
  auto bytes = read_test_file("basic.co");
  auto r = parse_code_object(bytes);
  ASSERT_TRUE(r.ok());
  for (const KernelMetadata& k : r->kernels) {
    const Symbol *kd = dynamic(*r, k.symbol.c_str()), *fn = dynamic(*r, k.name.c_str());
    ASSERT_TRUE(kd && fn);
    EXPECT_EQ(kd->size, kKernelDescriptorSize);
    auto seg = std::find_if(r->segments.begin(), r->segments.end(), [&](const Segment& s) {
      return kd->value >= s.vaddr && kd->value < s.vaddr + s.file_size;
    });
    ASSERT_NE(seg, r->segments.end());
    KernelDescriptor d =
        decode_kernel_descriptor(bytes.data() + seg->file_offset + (kd->value - seg->vaddr));
    EXPECT_EQ(kd->value + static_cast<uint64_t>(d.entry_offset), fn->value);
    EXPECT_EQ(d.kernarg_size, k.kernarg_size);
    EXPECT_EQ(d.group_segment_fixed_size, k.group_size);
    EXPECT_TRUE(d.properties & (1u << 3) || k.args.empty()); // kernarg segment pointer
  }
}

TEST(CodeObject, OtherVersionsAndTargets) {
  auto v4 = parse_code_object(read_test_file("v4.co"));
  ASSERT_TRUE(v4.ok()) << v4.status().message;
  EXPECT_EQ(v4->version, 4u);
  EXPECT_EQ(v4->target.short_name(), "gfx90a:sramecc+:xnack-");
  auto v6 = parse_code_object(read_test_file("v6.co"));
  ASSERT_TRUE(v6.ok()) << v6.status().message;
  EXPECT_EQ(v6->version, 6u);
}

TEST(CodeObject, ErrorsNameTheProblem) {
  auto bytes = read_test_file("basic.co");
  EXPECT_EQ(parse_code_object(Bytes(bytes).subspan(0, 40)).status().code,
            Code::invalid_code_object);
  auto wrong = bytes;
  wrong[18] = 62; // e_machine = x86-64
  auto r = parse_code_object(wrong);
  ASSERT_FALSE(r.ok());
  EXPECT_NE(r.status().message.find("AMDGPU"), std::string::npos);
  wrong = bytes;
  wrong[8] = 9; // EI_ABIVERSION
  EXPECT_EQ(parse_code_object(wrong).status().code, Code::incompatible);
}

TEST(CodeObject, SizeComesFromHeaders) {
  auto bytes = read_test_file("basic.co");
  auto padded = bytes;
  padded.resize(bytes.size() + 1000);
  auto r = elf_size(padded);
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(*r, bytes.size());
}
