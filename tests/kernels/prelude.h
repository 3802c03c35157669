// SPDX-License-Identifier: MIT
// What test kernels need of the HIP language, without any HIP header.
#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define BLOCK_X __builtin_amdgcn_workgroup_id_x()
#define THREAD_X __builtin_amdgcn_workitem_id_x()
#define BLOCK_DIM_X __builtin_amdgcn_workgroup_size_x()
