/* SPDX-License-Identifier: MIT */
/* The version of HIP that this installation implements. Keep in step with
 * src/compiler/hip_version_file. */
#ifndef HIP_INCLUDE_HIP_HIP_VERSION_H
#define HIP_INCLUDE_HIP_HIP_VERSION_H

#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 4
#define HIP_VERSION_PATCH 43484
#define HIP_VERSION_GITHASH "pumice"
#define HIP_VERSION_BUILD_ID 0
#define HIP_VERSION_BUILD_NAME ""
#define HIP_VERSION (HIP_VERSION_MAJOR * 10000000 + HIP_VERSION_MINOR * 100000 + HIP_VERSION_PATCH)

#define __HIP_HAS_GET_PCH 0

#endif
