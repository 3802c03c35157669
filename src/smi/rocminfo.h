// SPDX-License-Identifier: MIT
// rocminfo and rocm_agent_enumerator over the model: no HSA library is started and no device is
// opened, so that they answer also when a driver or card hangs. As with the runtime's tools,
// ROCR_VISIBLE_DEVICES chooses the cards (base/visible.h).
#pragma once
#include "smi/model.h"
#include <string>

namespace pumice::smi {

/// rocminfo's text in ROCm 6.x's layout.
std::string rocminfo_text(Model& m);
/// The same facts as one JSON document: {"agents": [...]}.
std::string rocminfo_json(Model& m);

/// Target names, one a line; "gfx000" first for the host unless `gpus_only`. With `full`, ISA names
/// with their features.
enum class Names : unsigned char { targets, full };
std::string agent_list(Model& m, bool gpus_only, Names names);

} // namespace pumice::smi
