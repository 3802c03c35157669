// SPDX-License-Identifier: MIT
// What is wrong with a machine and what to do about it: rules over the facts, and the support matrix's answer for the
// installed card, release, system and frameworks.
#pragma once
#include "doctor/facts.h"
#include "matrix/check.h"
#include <nlohmann/json_fwd.hpp>

namespace pumice::doctor {

enum class Severity : uint8_t { ok, note, warning, error };
const char* severity_name(Severity s);

struct Finding {
  std::string id; // stable: "kfd-permission"
  Severity severity = Severity::note;
  std::string what, why, fix;
};

struct Diagnosis {
  Facts facts;
  std::vector<Finding> findings; // worst first
  std::vector<std::pair<matrix::Query, matrix::Answer>> support;
};

/// `m` may be null: then nothing is said about support.
Diagnosis diagnose(Facts facts, const matrix::Matrix* m);

std::string to_text(const Diagnosis& d);
/// For support tickets; see facts.h for what is left out.
nlohmann::ordered_json to_json(const Diagnosis& d);

} // namespace pumice::doctor
