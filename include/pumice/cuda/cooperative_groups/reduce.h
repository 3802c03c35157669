/* SPDX-License-Identifier: MIT */
/* reduce() over tiles and coalesced lanes for CUDA sources that are compiled without being ported. */
#pragma once
#include <hip/hip_cooperative_groups.h>
