// SPDX-License-Identifier: MIT
// Answers from the support matrix. An answer is supported, not supported or unknown, always with the pages it rests on;
// where pages disagree, the disagreement is part of the answer.
#pragma once
#include "matrix/data.h"
#include <optional>

namespace pumice::matrix {

enum class Verdict : uint8_t { supported, unknown, not_supported };
const char* verdict_name(Verdict v); // "supported", "unknown", "not supported"

struct Query {
  std::string card;      // "MI300X" or "gfx942"; may be empty
  std::string rocm;      // "6.3.3", "6.3"
  std::string os;        // "Ubuntu 22.04.5"; may be empty
  std::string kernel;    // "5.15.0-91-generic"; may be empty
  std::string driver;    // amdgpu or KFD version; may be empty
  std::vector<std::pair<std::string, std::string>> frameworks; // name, version ("" = any)
};

struct Item {
  std::string subject;   // "card", "os", "card on os", "kernel", "driver", "PyTorch"
  std::string asked;
  Verdict verdict = Verdict::unknown;
  std::string reason;
  std::vector<std::string> listed;      // what the pages list instead
  std::vector<Source> sources;
  std::vector<std::string> contradictions;
};

struct Answer {
  Verdict verdict = Verdict::unknown;
  std::vector<Item> items;
};
Answer check(const Matrix& m, const Query& q);

/// Pages that list different values for the same component of the same release: found in the tables, and noted by hand.
std::vector<Contradiction> contradictions(const Matrix& m);

struct Change {
  std::string category, component;
  std::vector<std::string> before, after; // empty: not listed
};
/// What the pages list differently for two releases. Error not_found: a release without data.
Result<std::vector<Change>> diff(const Matrix& m, const std::string& from, const std::string& to);

struct Step {
  std::string release;
  Answer answer;
};
/// Releases after `from` (or all) with their answers for the query's card, system and frameworks, newest first.
std::vector<Step> suggest(const Matrix& m, Query q, const std::string& from);

} // namespace pumice::matrix
