// SPDX-License-Identifier: MIT
// Answers as text and as JSON documents (schemas: share/pumice/schemas/matrix-*.schema.json), and the whole data as one HTML page.
#pragma once
#include "matrix/check.h"
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace pumice::matrix {

nlohmann::ordered_json to_json(const Matrix& m, const Query& q, const Answer& a);
nlohmann::ordered_json to_json(const std::string& from, const std::string& to, const std::vector<Change>& changes);
nlohmann::ordered_json to_json(const std::vector<Contradiction>& all);
nlohmann::ordered_json to_json(const Matrix& m, const std::vector<Step>& steps);
nlohmann::ordered_json everything(const Matrix& m);

std::string to_text(const Query& q, const Answer& a);
std::string to_text(const std::vector<Change>& changes);
std::string to_text(const std::vector<Contradiction>& all);
std::string to_text(const std::vector<Step>& steps);

/// Self-contained: no other file, no network.
std::string to_html(const Matrix& m);

} // namespace pumice::matrix
