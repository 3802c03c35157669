/* SPDX-License-Identifier: MIT */
/* Cooperative groups: thread blocks, tiles of a wave, coalesced lanes, the whole grid. */
#ifndef HIP_INCLUDE_HIP_HIP_COOPERATIVE_GROUPS_H
#define HIP_INCLUDE_HIP_HIP_COOPERATIVE_GROUPS_H
#include <hip/amd_detail/amd_user_macros_off.h>
#include <hip/hip_runtime.h>
#if defined(__cplusplus) && defined(__HIP__) && defined(__clang__)
#include <hip/amd_detail/amd_hip_cooperative_groups.h>
#endif
#include <hip/amd_detail/amd_user_macros_on.h>
#endif
