/* SPDX-License-Identifier: MIT */
/* The driver API in the form of newer CUDA versions: what pumice cc puts in the place of cuda.h. */
#ifndef PUMICE_CUDA_DRIVER_FORMS_H
#define PUMICE_CUDA_DRIVER_FORMS_H
#include <hip/hip_runtime.h>
/* Parameters of a context that HIP's have no use for: affinity to multiprocessors, interoperation with graphics. */
typedef struct CUctxCreateParams_st {
  void* execAffinityParams;
  int numExecAffinityParams;
  void* cigParams;
} CUctxCreateParams;
#ifdef __cplusplus
/* CUDA 13's four parameters. Parameters that ask for something are refused. */
static inline hipError_t hipCtxCreate(hipCtx_t* context, const CUctxCreateParams* params, unsigned flags, hipDevice_t device) {
  if (params && (params->numExecAffinityParams || params->cigParams)) return hipErrorNotSupported;
  return hipCtxCreate(context, flags, device);
}
#endif
#endif
