/* SPDX-License-Identifier: MIT */
#ifndef HIP_INCLUDE_HIP_HIP_TEXTURE_TYPES_H
#define HIP_INCLUDE_HIP_HIP_TEXTURE_TYPES_H
#include <hip/amd_detail/amd_user_macros_off.h>
#include <hip/texture_types.h>
#include <hip/amd_detail/amd_user_macros_on.h>
#endif
