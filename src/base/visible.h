// SPDX-License-Identifier: MIT
// ROCR_VISIBLE_DEVICES: the cards that the HSA runtime and the tools of its level (rocminfo,
// rocm_agent_enumerator) show, and in which order. HIP's own variable is read in hip/ only.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace pumice {

/// Positions in `uuids` that `list` keeps, in the list's order. The list has card numbers and UUIDs
/// ("GPU-" and 16 hexadecimal digits, or a beginning of at least five characters that fits one card
/// only) with commas between them. It ends at the first word that names no card, or one named
/// before. No list (null) keeps every card; an empty one keeps none.
/// `uuids`: of each card; one that is not of that form ("GPU-XX") can be named by number only.
std::vector<size_t> visible_devices(const char* list, const std::vector<std::string>& uuids);
/// The same with the environment's list.
std::vector<size_t> visible_devices(const std::vector<std::string>& uuids);

} // namespace pumice
