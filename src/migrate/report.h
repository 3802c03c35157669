// SPDX-License-Identifier: MIT
// The assessment as JSON (schema: share/pumice/schemas/migrate.schema.json) and as one HTML page in English and Chinese, and what
// changed between two JSON reports.
#pragma once
#include "migrate/effort.h"
#include <nlohmann/json.hpp>

namespace pumice::migrate {

nlohmann::ordered_json to_json(const Assessment& a);
/// Self-contained page over the JSON; charts are drawn from it.
std::string to_html(const nlohmann::ordered_json& report);
/// Short text for a terminal.
std::string to_text(const Assessment& a);
/// Differences of counts, checks and tries. Error invalid_argument: a document that is no report.
Result<nlohmann::ordered_json> compare(const nlohmann::ordered_json& before, const nlohmann::ordered_json& after);
std::string compare_text(const nlohmann::ordered_json& difference);

} // namespace pumice::migrate
