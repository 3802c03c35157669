// SPDX-License-Identifier: MIT
// Runs tests/isa/<encoding>/*.s on the interpreter (case_file.h describes the format). Registers
// start as zero, EXEC full, MODE as HIP kernels have it (IEEE, DX10 clamp, denormals kept).
#include "case_file.h"
#include "device_program.h"
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>

namespace {

using namespace pumice;

struct Machine {
  std::unique_ptr<exec::Wave> wave = std::make_unique<exec::Wave>();
  std::vector<uint32_t> lds = std::vector<uint32_t>(exec::kLdsBytes / 4),
                        global = std::vector<uint32_t>(1024),
                        scratch = std::vector<uint32_t>(64 * 64);
  exec::Workgroup group{};
  std::vector<uint8_t> text;

  explicit Machine(std::vector<uint8_t> code) : text(std::move(code)) {
    exec::Wave& w = *wave;
    std::memset(static_cast<void*>(&w), 0, sizeof w);
    uint64_t address = reinterpret_cast<uint64_t>(global.data());
    w.sgpr[0] = static_cast<uint32_t>(address);
    w.sgpr[1] = static_cast<uint32_t>(address >> 32);
    w.set_exec(~uint64_t{0});
    w.mode = 0x3f0;
    w.pc = reinterpret_cast<uint64_t>(text.data());
    w.lds = reinterpret_cast<uint8_t*>(lds.data());
    w.lds_bytes = 4096;
    w.scratch = reinterpret_cast<uint8_t*>(scratch.data());
    w.scratch_bytes = 256;
    w.group = &group;
  }

  /// Pointers to the 32-bit cells of a place; 64-bit scalar places give two.
  std::vector<uint32_t*> cells(const std::string& place, unsigned index) {
    exec::Wave& w = *wave;
    static const std::map<std::string, unsigned> kPairs = {{"vcc", isa::kVccLo},
                                                           {"exec", isa::kExecLo}};
    if (auto it = kPairs.find(place); it != kPairs.end())
      return {&w.sgpr[it->second], &w.sgpr[it->second + 1]};
    if (place == "m0")
      return {&w.sgpr[isa::kM0]};
    if (place == "scc")
      return {&w.scc};
    if (place == "mode")
      return {&w.mode};
    if (place == "lds" && index < lds.size())
      return {&lds[index]};
    if (place == "global" && index < global.size())
      return {&global[index]};
    if (place == "scratch" && index < scratch.size())
      return {&scratch[index]}; // raw dwords: offset / 4 * 64 + lane
    unsigned number = static_cast<unsigned>(std::strtoul(place.c_str() + 1, nullptr, 10));
    if (place[0] == 's' && number < 102)
      return {&w.sgpr[number]};
    if (place[0] == 'v' && number < 256 && index < 64)
      return {&w.vgpr[number][index]};
    if (place[0] == 'a' && number < 256 && index < 64)
      return {&w.vgpr[256 + number][index]};
    return {};
  }
};

bool is_vector(const std::string& place) {
  return (place[0] == 'v' || place[0] == 'a') && std::isdigit(static_cast<unsigned char>(place[1]));
}
std::vector<unsigned> indices_of(const test::CaseLine& line) {
  if (!line.indices.empty())
    return line.indices;
  std::vector<unsigned> all(is_vector(line.place) ? 64 : 1);
  for (unsigned n = 0; n < all.size(); ++n)
    all[n] = n;
  return all;
}

std::vector<std::string> case_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(PUMICE_TEST_CASES))
    if (entry.path().extension() == ".s")
      files.push_back(std::filesystem::relative(entry.path(), PUMICE_TEST_CASES).string());
  std::sort(files.begin(), files.end());
  return files;
}

class ExecCase : public testing::TestWithParam<std::string> {};

TEST_P(ExecCase, Interpreter) {
  std::string error, path = std::string(PUMICE_TEST_CASES) + "/" + GetParam();
  test::CaseFile file = test::read_case(path, error);
  ASSERT_EQ(error, "") << path;
  for (const std::string& target : file.targets) {
    SCOPED_TRACE(target);
    std::vector<uint8_t> code = test::assemble(file.text + "\n\ts_endpgm\n", target);
    ASSERT_FALSE(code.empty());
    Machine m(std::move(code));
    for (const test::CaseLine& line : file.init)
      for (unsigned index : indices_of(line)) {
        auto cells = m.cells(line.place, index);
        ASSERT_FALSE(cells.empty()) << path << ":" << line.line << ": no place " << line.place;
        uint64_t value = test::evaluate(line.expression, index, error);
        ASSERT_EQ(error, "") << path << ":" << line.line;
        for (size_t n = 0; n < cells.size(); ++n)
          *cells[n] = static_cast<uint32_t>(value >> 32 * n);
      }
    exec::run(*m.wave, target == "gfx90a" ? isa::Target::gfx90a : isa::Target::gfx942,
              m.text.data(), m.text.size(), 10000);
    if (file.fault.empty()) {
      ASSERT_EQ(m.wave->status, exec::WaveStatus::ended)
          << exec::fault_kind_name(m.wave->fault.kind) << " at +"
          << m.wave->fault.pc - reinterpret_cast<uint64_t>(m.text.data());
    } else {
      ASSERT_EQ(m.wave->status, exec::WaveStatus::faulted);
      EXPECT_EQ(file.fault, exec::fault_kind_name(m.wave->fault.kind));
    }
    for (const test::CaseLine& line : file.expect)
      for (unsigned index : indices_of(line)) {
        auto cells = m.cells(line.place, index);
        ASSERT_FALSE(cells.empty()) << path << ":" << line.line << ": no place " << line.place;
        uint64_t expected = test::evaluate(line.expression, index, error), actual = 0;
        ASSERT_EQ(error, "") << path << ":" << line.line;
        for (size_t n = 0; n < cells.size(); ++n)
          actual |= static_cast<uint64_t>(*cells[n]) << 32 * n;
        if (cells.size() == 1)
          expected &= 0xffffffff;
        EXPECT_EQ(actual, expected)
            << std::hex << path << ":" << std::dec << line.line << ": " << line.place << "["
            << index << "] is 0x" << std::hex << actual << ", expected 0x" << expected;
        if (actual != expected)
          break;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, ExecCase, testing::ValuesIn(case_files()), [](const auto& info) {
  std::string name = info.param.substr(0, info.param.size() - 2);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return name;
});

} // namespace
