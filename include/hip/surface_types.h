/* SPDX-License-Identifier: MIT */
#ifndef HIP_INCLUDE_HIP_SURFACE_TYPES_H
#define HIP_INCLUDE_HIP_SURFACE_TYPES_H
#include <hip/amd_detail/amd_user_macros_off.h>
#include <hip/driver_types.h>

struct __hip_surface;
typedef struct __hip_surface* hipSurfaceObject_t;
struct surfaceReference {
  hipSurfaceObject_t surfaceObject;
};
enum hipSurfaceBoundaryMode {
  hipBoundaryModeZero = 0,
  hipBoundaryModeTrap = 1,
  hipBoundaryModeClamp = 2
};

#include <hip/amd_detail/amd_user_macros_on.h>
#endif
