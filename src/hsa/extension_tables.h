// SPDX-License-Identifier: MIT
// Function tables of the extensions that hsa_system_get_major_extension_table hands out.
#pragma once
#include <cstddef>
#include <cstdint>

namespace pumice::hsa {

struct TableView {
  const void* data;
  size_t size;
};
/// The newest table, or the prefix that minor version `minor` had.
TableView extension_table(uint16_t extension, uint16_t minor = UINT16_MAX);

} // namespace pumice::hsa
