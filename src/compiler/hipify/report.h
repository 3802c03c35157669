// SPDX-License-Identifier: MIT
// Findings and statistics as text, JSON and SARIF 2.1.0. Pure functions.
#pragma once
#include "compiler/hipify/translate.h"
#include <string>
#include <vector>

namespace pumice::hipify {

/// `file:line:col: [code] what and why; what to do`
std::string text_of(const Finding& finding);
/// {"findings":[{file,line,column,code,class,message,suggestion}]}
std::string findings_json(const std::vector<Finding>& findings);
std::string findings_sarif(const std::vector<Finding>& findings);
/// {"bytes":..,"translated":{name:{uses,library,hip}},"unsupported":..,"unknown":..,"own":..,"kept":..}
std::string statistics_json(const Statistics& statistics);
std::string statistics_text(const Statistics& statistics);
/// Unified diff between two texts, or "" when they are equal.
std::string unified_diff(std::string_view before, std::string_view after, const std::string& name);

} // namespace pumice::hipify
