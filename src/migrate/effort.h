// SPDX-License-Identifier: MIT
// Effort by stage, as ranges with the rule and the count behind each number, and a checklist for the decision.
#pragma once
#include "matrix/check.h"
#include "migrate/scan.h"
#include "migrate/tries.h"

namespace pumice::migrate {

struct Rule {
  std::string id, stage, unit, why, why_zh;
  double low = 0, high = 0, most = 0; // hours per unit; most: units that count in full (0: all)
};
/// Reads a rates file (TOML). Error: the line and what is wrong there.
Result<std::vector<Rule>> load_rates(const std::string& path);

struct Estimate {
  Rule rule;
  double count = 0, low = 0, high = 0; // hours
};

enum class Decision : uint8_t { go, conditional, no_go };
const char* decision_name(Decision d); // "go", "conditional", "no-go"

struct Check {
  std::string id, title, title_zh, reason, reason_zh;
  Decision decision = Decision::go;
};

struct FrameworkSupport {
  std::string framework, version;
  matrix::Item item;
};

struct Assessment {
  Scan scan;
  std::vector<Try> tries;
  bool tried = false;
  std::string card, rocm;
  std::vector<FrameworkSupport> frameworks;
  std::vector<Estimate> estimates;
  std::vector<Check> checks;
  Decision decision = Decision::go;
  std::string data_read; // of the support matrix
};

/// What the rules count.
std::map<std::string, double> counts(const Scan& scan, const std::vector<Try>& tries);
std::vector<Estimate> estimate(const std::vector<Rule>& rules, const std::map<std::string, double>& counts);
/// Fills frameworks, estimates, checks and decision from scan and tries.
void assess(Assessment& a, const std::vector<Rule>& rules, const matrix::Matrix* m);

} // namespace pumice::migrate
