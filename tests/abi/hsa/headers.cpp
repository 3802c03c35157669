/* SPDX-License-Identifier: MIT
   Every public header compiles on its own terms. */
#include <hsa/amd_hsa_common.h>
#include <hsa/amd_hsa_kernel_code.h>
#include <hsa/amd_hsa_queue.h>
#include <hsa/amd_hsa_signal.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_ext_finalize.h>
#include <hsa/hsa_ext_image.h>
#include <hsa/hsa_ven_amd_loader.h>
#include <hsa/hsa_ven_amd_pc_sampling.h>
#include <hsa/pumice_ext.h>
