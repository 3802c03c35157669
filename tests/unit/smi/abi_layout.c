/* SPDX-License-Identifier: MIT
   Structure sizes and enum values of ROCm's headers, by hand from their published declarations. */
#include "amd_smi/amdsmi.h"
#include "rocm_smi/rocm_smi.h"

#define CHECK(name, e) typedef char check_##name[(e) ? 1 : -1]
CHECK(frequencies, sizeof(rsmi_frequencies_t) == 4 + 4 + 4 + 4 + 33 * 8);
CHECK(pcie, sizeof(rsmi_pcie_bandwidth_t) == sizeof(rsmi_frequencies_t) + 136);
CHECK(process, sizeof(rsmi_process_info_t) == 32);
CHECK(event, sizeof(rsmi_evt_notification_data_t) == 72);
CHECK(xcp, sizeof(struct amdgpu_xcp_metrics_t) == 168);
CHECK(metrics_same, sizeof(rsmi_gpu_metrics_t) == sizeof(amdsmi_gpu_metrics_t));
CHECK(status, RSMI_STATUS_AMDGPU_RESTART_ERR == 19 && AMDSMI_STATUS_SETTING_UNAVAILABLE == 55);
CHECK(bdf, sizeof(amdsmi_bdf_t) == 8);
CHECK(asic, sizeof(amdsmi_asic_info_t) == 256 + 4 + 64 + 4 + 8 + 4 + 32 + 4 + 4 + 4 + 8 + 60 + 4);
CHECK(proc, sizeof(amdsmi_proc_info_t) == 32 + 8 + 8 + 16 + 48 + 24 + 40 + 32 + 16);
CHECK(reserved_first, sizeof(amdsmi_violation_status_t) == 13 * 8 + 8 + 30 * 8);
CHECK(hsmp_packed, sizeof(amdsmi_hsmp_metrics_table_t) % 4 == 0);

int main(void) { return 0; }
