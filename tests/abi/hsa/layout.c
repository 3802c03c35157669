/* SPDX-License-Identifier: MIT
   Sizes and offsets of public structures, from the HSA 1.2 specification and ROCm 6's headers. */
#include <hsa/amd_hsa_kernel_code.h>
#include <hsa/amd_hsa_queue.h>
#include <hsa/amd_hsa_signal.h>
#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_ven_amd_loader.h>

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define ASSERT(cond) typedef char JOIN(assertion_on_line_, __LINE__)[(cond) ? 1 : -1]
#define SIZE(type, n) ASSERT(sizeof(type) == (n))
#define AT(type, member, n) ASSERT(offsetof(type, member) == (n))

SIZE(hsa_queue_t, 40);
AT(hsa_queue_t, base_address, 8);
AT(hsa_queue_t, doorbell_signal, 16);
AT(hsa_queue_t, size, 24);
AT(hsa_queue_t, id, 32);
SIZE(hsa_kernel_dispatch_packet_t, 64);
AT(hsa_kernel_dispatch_packet_t, workgroup_size_x, 4);
AT(hsa_kernel_dispatch_packet_t, grid_size_x, 12);
AT(hsa_kernel_dispatch_packet_t, private_segment_size, 24);
AT(hsa_kernel_dispatch_packet_t, kernel_object, 32);
AT(hsa_kernel_dispatch_packet_t, kernarg_address, 40);
AT(hsa_kernel_dispatch_packet_t, completion_signal, 56);
SIZE(hsa_agent_dispatch_packet_t, 64);
SIZE(hsa_barrier_and_packet_t, 64);
AT(hsa_barrier_and_packet_t, dep_signal, 8);
SIZE(hsa_barrier_or_packet_t, 64);
SIZE(hsa_amd_barrier_value_packet_t, 64);
AT(hsa_amd_barrier_value_packet_t, signal, 8);
AT(hsa_amd_barrier_value_packet_t, cond, 32);
AT(hsa_amd_barrier_value_packet_t, completion_signal, 56);
SIZE(hsa_amd_pointer_info_t, 56);
AT(hsa_amd_pointer_info_t, agentOwner, 40);
SIZE(hsa_amd_ipc_memory_t, 32);
SIZE(hsa_amd_memory_pool_link_info_t, 28);
SIZE(hsa_amd_event_t, 32);
SIZE(hsa_pitched_ptr_t, 24);
SIZE(hsa_ven_amd_loader_segment_descriptor_t, 64);
SIZE(hsa_ven_amd_loader_1_00_pfn_t, 24);
SIZE(hsa_ven_amd_loader_1_03_pfn_t, 56);
SIZE(hsa_ext_images_1_pfn_t, 104);
SIZE(amd_signal_t, 64);
AT(amd_signal_t, value, 8);
AT(amd_signal_t, event_mailbox_ptr, 16);
AT(amd_signal_t, event_id, 24);
AT(amd_signal_t, start_ts, 32);
AT(amd_signal_t, queue_ptr, 48);
SIZE(amd_queue_t, 256);
AT(amd_queue_t, write_dispatch_id, 56);
AT(amd_queue_t, group_segment_aperture_base_hi, 64);
AT(amd_queue_t, private_segment_aperture_base_hi, 68);
AT(amd_queue_t, read_dispatch_id, 128);
AT(amd_queue_t, scratch_resource_descriptor, 144);
AT(amd_queue_t, scratch_backing_memory_location, 160);
AT(amd_queue_t, scratch_wave64_lane_byte_size, 176);
AT(amd_queue_t, queue_properties, 180);
AT(amd_queue_t, queue_inactive_signal, 192);
SIZE(amd_kernel_descriptor_t, 64);
AT(amd_kernel_descriptor_t, kernel_code_entry_byte_offset, 16);
AT(amd_kernel_descriptor_t, compute_pgm_rsrc3, 44);
AT(amd_kernel_descriptor_t, kernel_code_properties, 56);
ASSERT(HSA_AMD_AGENT_INFO_CHIP_ID == 0xa000 && HSA_AMD_AGENT_INFO_NUM_XCC == 0xa111);
ASSERT(HSA_STATUS_ERROR_FATAL == 0x1026 && HSA_STATUS_ERROR_MEMORY_FAULT == 43);
