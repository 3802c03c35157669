// SPDX-License-Identifier: MIT
// Runs random programs on interpreter and translator and compares every register and all memory, bit for bit. A program
// that differs is cut down to the instructions that matter and listed.
//
//   asm-differential [--target gfx942] [--seed N] [--count N] [--seconds N] [--atoms N] [--only PREFIX] [--approximate]
//                    [--list] [--keep-going N] [--each]   (--each: programs of one instruction each, all instructions)
#include "engine_runner.h"
#include "engines/engine_list.h"
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

using namespace pumice;
using namespace pumice::test;

namespace {

std::unique_ptr<device::Engine> engine(const char* name) {
  for (const auto& e : engines::engine_list())
    if (std::string(e.name) == name) return e.make();
  std::fprintf(stderr, "no engine %s\n", name);
  std::exit(2);
}

struct Session {
  std::unique_ptr<device::Engine> interp = engine("interp"), jit = engine("jit");
  EngineRunner runner;

  std::string difference(const Program& p) {
    RunResult a = runner.run(*interp, p);
    return compare(p, a, runner.run(*jit, p));
  }

  static Program without(const Program& p, const std::vector<bool>& gone) {
    Program q = p;
    for (size_t k = 0; k < p.atoms.size(); k++)
      if (gone[k])
        for (uint32_t w = 0; w < p.atoms[k].count; w++) q.words[p.atoms[k].first + w] = 0xbf800000u; // s_nop 0
    return q;
  }

  /// Takes out what can be taken out with a difference left.
  Program shrink(const Program& p) {
    std::vector<bool> gone(p.atoms.size(), false);
    for (size_t size = std::max<size_t>(p.atoms.size() / 2, 1);; size /= 2) {
      for (size_t at = 0; at < p.atoms.size(); at += size) {
        std::vector<bool> attempt = gone;
        bool any = false;
        for (size_t k = at; k < std::min(at + size, p.atoms.size()); k++) any |= !attempt[k], attempt[k] = true;
        if (any && !difference(without(p, attempt)).empty()) gone = attempt;
      }
      if (size <= 1) break;
    }
    return without(p, gone);
  }
};

/// One small program per instruction; names those that differ.
int each(Session& s, isa::Target target, uint64_t seed, GeneratorOptions options, bool shrinking) {
  int different = 0, ran = 0;
  for (size_t n = 1; n < isa::kOpCount; ++n) {
    const isa::Row& r = isa::row(static_cast<isa::Op>(n));
    if (r.opcode[static_cast<int>(target)] < 0 || !std::string_view(r.mnemonic).starts_with(options.only)) continue;
    GeneratorOptions one = options;
    one.only = r.mnemonic;
    one.exactly = true;
    Program p = generate(target, seed, one);
    std::string d = s.difference(p);
    ran++;
    if (d.empty()) continue;
    different++;
    std::printf("%-28s %s\n", r.mnemonic, d.c_str());
    if (shrinking) {
      p = s.shrink(p);
      std::printf("  rsrc1 0x%x: %s\n%s", p.rsrc1, s.difference(p).c_str(), listing(p).c_str());
    }
    std::fflush(stdout);
  }
  std::printf("%d instructions of %s, %d differ\n", ran, isa::target_name(target), different);
  return different != 0;
}

} // namespace

int main(int argc, char** argv) {
  std::string target = "gfx942";
  uint64_t seed = 1, count = 100;
  double seconds = 1e9;
  int keep_going = 1;
  bool list = false, no_shrink = false, all = false;
  GeneratorOptions options;
  for (int k = 1; k < argc; k++) {
    std::string a = argv[k];
    auto value = [&] {
      if (k + 1 >= argc) {
        std::fprintf(stderr, "%s wants a value\n", a.c_str());
        std::exit(2);
      }
      return argv[++k];
    };
    if (a == "--target") target = value();
    else if (a == "--seed") seed = std::strtoull(value(), nullptr, 0);
    else if (a == "--count") count = std::strtoull(value(), nullptr, 0);
    else if (a == "--seconds") seconds = std::atof(value()), count = ~0ull;
    else if (a == "--atoms") options.atoms = static_cast<unsigned>(std::atoi(value()));
    else if (a == "--only") options.only = value();
    else if (a == "--approximate") options.approximate = true;
    else if (a == "--list") list = true;
    else if (a == "--each") all = true;
    else if (a == "--no-shrink") no_shrink = true;
    else if (a == "--keep-going") keep_going = std::atoi(value());
    else {
      std::fprintf(stderr, "unknown argument %s\n", a.c_str());
      return 2;
    }
  }
  if (target != "gfx942" && target != "gfx90a") {
    std::fprintf(stderr, "unknown target %s\n", target.c_str());
    return 2;
  }
  setenv("PUMICE_JIT_WAIT", "1", 1);
  setenv("PUMICE_CACHE", "0", 1);
  Session s;
  auto begin = std::chrono::steady_clock::now();
  auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  if (all) return each(s, target == "gfx942" ? isa::Target::gfx942 : isa::Target::gfx90a, seed, options, !no_shrink);
  uint64_t ran = 0;
  int failures = 0;
  for (; ran < count && elapsed() < seconds; ran++) {
    Program p = generate(target == "gfx942" ? isa::Target::gfx942 : isa::Target::gfx90a, seed + ran, options);
    if (list) std::printf("%s", listing(p).c_str());
    std::string d = s.difference(p);
    if (d.empty()) continue;
    std::printf("seed %llu %s: interpreter and translator differ: %s\n", static_cast<unsigned long long>(p.seed), target.c_str(), d.c_str());
    if (!no_shrink) {
      Program small = s.shrink(p);
      std::printf("cut down (%u work-items, rsrc1 0x%x): %s\n%s", p.workgroup, p.rsrc1, s.difference(small).c_str(), listing(small).c_str());
    }
    std::fflush(stdout);
    if (++failures >= keep_going) break;
  }
  std::printf("%llu programs for %s, %d differ, %.1f s\n", static_cast<unsigned long long>(ran + (failures && failures >= keep_going)), target.c_str(), failures, elapsed());
  return failures != 0;
}
