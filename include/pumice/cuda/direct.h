/* SPDX-License-Identifier: MIT */
/* What a CUDA source sees that is compiled without being ported; included ahead of it by pumice cc and pumice run. */
#ifndef PUMICE_CUDA_DIRECT_H
#define PUMICE_CUDA_DIRECT_H
#include <pumice/cuda/direct_host.h>
#include <hip/hip_runtime.h>
#include <pumice/cuda/logical_warp.h>
#include <pumice/cuda/overloads.h>
/* nvcc's sources rely on these being there. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cmath>
#include <algorithm>
/* Device code of sm_70 takes the branches that HIP has functions for. */
#if defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__ && !defined(__CUDA_ARCH__)
#define __CUDA_ARCH__ 700
#endif
#endif
