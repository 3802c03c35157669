/* SPDX-License-Identifier: MIT */
/* What host code sees that was written for nvcc's environment; included ahead of every C and C++ source by pumice cc. */
#ifndef PUMICE_CUDA_DIRECT_HOST_H
#define PUMICE_CUDA_DIRECT_HOST_H
/* Branches on CUDA's version take those of the CUDA whose interface HIP follows. */
#ifndef CUDA_VERSION
#define CUDA_VERSION 11080
#endif
#ifndef CUDART_VERSION
#define CUDART_VERSION 11080
#endif
#endif
