// SPDX-License-Identifier: MIT
#include "smi/amd_smi/tool.h"
#include "smi/report.h"
#include "smi/uuid.h"
#include <gtest/gtest.h>

using namespace pumice::smi;

TEST(Report, CsvFieldsAreQuotedWhereTheyMustBe) {
  EXPECT_EQ(csv_field("plain"), "plain");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"x\""), "\"say \"\"x\"\"\"");
}

TEST(Report, AMachineFormatIsOneDocumentAlsoWhenNothingIsKnown) {
  Report r;
  r.expect_cards({0, 1});
  EXPECT_EQ(r.render(Format::json), "{\"card0\":{},\"card1\":{}}\n");
  EXPECT_EQ(r.render(Format::csv), "device\ncard0\ncard1\n");
  Report none;
  EXPECT_EQ(none.render(Format::json), "{}\n");
  EXPECT_EQ(none.render(Format::csv), "device\n");
}

TEST(Report, BytesThatAreNoTextStillGiveValidJson) {
  Report r;
  r.card(0, "Serial Number", std::string("\xff\xfe\"\n", 4));
  EXPECT_TRUE(nlohmann::json::accept(r.render(Format::json)));
}

TEST(Report, TextLinesAreRocms) {
  Report r;
  r.section(" Temperature ");
  r.card(3, "Temperature (Sensor junction) (C)", "41.0");
  EXPECT_NE(r.render(Format::text).find("GPU[3]\t\t: Temperature (Sensor junction) (C): 41.0\n"),
            std::string::npos);
}

TEST(Report, RowsOfDifferentCardsShareColumns) {
  using amd_smi::Tree;
  Tree a = {{"gpu", 0}, {"x", {{"value", 5}, {"unit", "W"}}}}, b = {{"gpu", 1}, {"y", "N/A"}};
  EXPECT_EQ(amd_smi::csv_of({a, b}, true), "gpu,x,y\n0,5,N/A\n1,N/A,N/A\n");
}

TEST(Model, BdfTextGoesBothWays) {
  auto b = Bdf::parse("0000:c1:00.3");
  ASSERT_TRUE(b);
  EXPECT_EQ(b->bus, 0xc1);
  EXPECT_EQ(b->text(), "0000:c1:00.3");
  for (const char* bad : {"", "c1:00.0", "0000:c1:00", "0000:c1:20.0", "0000:c1:00.8",
                          "0000:c1:00.0x", "zzzz:c1:00.0"})
    EXPECT_FALSE(Bdf::parse(bad)) << bad;
}

TEST(Model, TargetsAsDecimalDigits) {
  EXPECT_EQ(gfx_digits("gfx942"), 942u);
  EXPECT_EQ(gfx_digits("gfx90a"), 9010u);
  EXPECT_EQ(gfx_digits("gfx1100"), 1100u);
  EXPECT_FALSE(gfx_digits("gfx"));
  EXPECT_FALSE(gfx_digits("gfx9?2"));
}
