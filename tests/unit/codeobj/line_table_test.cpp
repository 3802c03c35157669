// SPDX-License-Identifier: MIT
// Compared with llvm-symbolizer-19 on every 4th byte of the text section.
#include "codeobj/code_object.h"
#include "codeobj/line_table.h"
#include "test_data.h"
#include <array>
#include <cstdio>
#include <memory>
#include <sstream>

using namespace pumice::codeobj;

TEST(LineTable, AgreesWithLlvmSymbolizer) {
  auto bytes = read_test_file("basic.co");
  LineTable t = LineTable::read(bytes);
  ASSERT_FALSE(t.empty());
  auto co = parse_code_object(bytes);
  ASSERT_TRUE(co.ok());
  int compared = 0;
  for (const Symbol& s : co->dynamic_symbols) {
    if (s.kind != Symbol::Kind::function)
      continue;
    std::ostringstream cmd;
    cmd << "llvm-symbolizer-19 --no-inlines --functions=none --obj=" << TEST_DATA << "/basic.co";
    for (uint64_t a = s.value; a < s.value + s.size; a += 4)
      cmd << " 0x" << std::hex << a;
    std::unique_ptr<FILE, int (*)(FILE*)> p(popen(cmd.str().c_str(), "r"), pclose);
    ASSERT_TRUE(p);
    std::array<char, 4096> line;
    uint64_t a = s.value;
    while (std::fgets(line.data(), line.size(), p.get())) {
      std::string text(line.data());
      if (text.size() < 2)
        continue;
      size_t c2 = text.rfind(':'), c1 = text.rfind(':', c2 - 1);
      unsigned want = static_cast<unsigned>(std::stoul(text.substr(c1 + 1)));
      auto got = t.find(a);
      if (want != 0) {
        ASSERT_TRUE(got) << std::hex << a;
        EXPECT_EQ(got->line, want) << std::hex << a;
        EXPECT_EQ(got->file, text.substr(0, c1));
        ++compared;
      }
      a += 4;
    }
  }
  EXPECT_GT(compared, 50);
}

TEST(LineTable, NothingOutsideText) {
  auto bytes = read_test_file("basic.co");
  LineTable t = LineTable::read(bytes);
  EXPECT_FALSE(t.find(0));
  EXPECT_FALSE(t.find(UINT64_MAX));
  EXPECT_TRUE(LineTable::read(read_test_file("v6.co")).empty()); // built without -g
}
