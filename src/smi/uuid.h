// SPDX-License-Identifier: MIT
#pragma once
#include "smi/model.h"

namespace pumice::smi {

/// The identifier of AMD SMI: serial number and device id in the shape of a UUID.
/// Empty when the card has no serial number.
std::string card_uuid(const Card& k);

} // namespace pumice::smi
