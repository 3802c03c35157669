/* SPDX-License-Identifier: MIT
   Small helpers over the public HSA ABI, shared by the C and C++ tests. */
#pragma once
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HSA_OK(call)                                                                               \
  do {                                                                                             \
    hsa_status_t ok_s = (call);                                                                    \
    if (ok_s != HSA_STATUS_SUCCESS) {                                                              \
      const char* ok_t = "?";                                                                      \
      hsa_status_string(ok_s, &ok_t);                                                              \
      fprintf(stderr, "%s:%d: %s: %d %s\n", __FILE__, __LINE__, #call, (int)ok_s, ok_t);           \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

typedef struct {
  hsa_agent_t cpu, gpu;
  hsa_amd_memory_pool_t system, kernarg, device;
} test_node_t;

static inline hsa_status_t test_pick_agent(hsa_agent_t agent, void* data) {
  test_node_t* n = (test_node_t*)data;
  hsa_device_type_t type;
  HSA_OK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
  if (type == HSA_DEVICE_TYPE_CPU)
    n->cpu = agent;
  if (type == HSA_DEVICE_TYPE_GPU && !n->gpu.handle)
    n->gpu = agent;
  return HSA_STATUS_SUCCESS;
}
static inline hsa_status_t test_pick_cpu_pool(hsa_amd_memory_pool_t pool, void* data) {
  test_node_t* n = (test_node_t*)data;
  uint32_t flags;
  HSA_OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
  if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT)
    n->kernarg = pool;
  else if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED)
    n->system = pool;
  return HSA_STATUS_SUCCESS;
}
static inline hsa_status_t test_pick_gpu_pool(hsa_amd_memory_pool_t pool, void* data) {
  test_node_t* n = (test_node_t*)data;
  hsa_amd_segment_t segment;
  uint32_t flags = 0;
  HSA_OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
  HSA_OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
  if (segment == HSA_AMD_SEGMENT_GLOBAL && (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED))
    n->device = pool;
  return HSA_STATUS_SUCCESS;
}
static inline test_node_t test_node(void) {
  test_node_t n;
  memset(&n, 0, sizeof n);
  HSA_OK(hsa_iterate_agents(test_pick_agent, &n));
  HSA_OK(hsa_amd_agent_iterate_memory_pools(n.cpu, test_pick_cpu_pool, &n));
  HSA_OK(hsa_amd_agent_iterate_memory_pools(n.gpu, test_pick_gpu_pool, &n));
  return n;
}

static inline void* test_alloc(hsa_amd_memory_pool_t pool, size_t size) {
  void* p = NULL;
  HSA_OK(hsa_amd_memory_pool_allocate(pool, size, 0, &p));
  return p;
}

/* Loads a file for the agent and freezes; the file may be closed afterwards. */
static inline hsa_executable_t test_load(hsa_agent_t agent, const char* path) {
  FILE* f = fopen(path, "rb");
  if (!f) {
    fprintf(stderr, "cannot open %s\n", path);
    exit(1);
  }
  hsa_code_object_reader_t reader;
  HSA_OK(hsa_code_object_reader_create_from_file(fileno(f), &reader));
  fclose(f);
  hsa_executable_t e;
  HSA_OK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL,
                                   &e));
  HSA_OK(hsa_executable_load_agent_code_object(e, agent, reader, NULL, NULL));
  HSA_OK(hsa_executable_freeze(e, NULL));
  HSA_OK(hsa_code_object_reader_destroy(reader));
  return e;
}

typedef struct {
  uint64_t object;
  uint32_t kernarg_size, group_size, private_size;
} test_kernel_t;

static inline test_kernel_t test_kernel(hsa_executable_t e, hsa_agent_t agent, const char* name) {
  test_kernel_t k;
  hsa_executable_symbol_t s;
  HSA_OK(hsa_executable_get_symbol_by_name(e, name, &agent, &s));
  HSA_OK(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &k.object));
  HSA_OK(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE,
                                        &k.kernarg_size));
  HSA_OK(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE,
                                        &k.group_size));
  HSA_OK(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE,
                                        &k.private_size));
  return k;
}

static inline void* test_packet(hsa_queue_t* q, uint64_t* index) {
  *index = hsa_queue_add_write_index_scacq_screl(q, 1);
  while (*index - hsa_queue_load_read_index_scacquire(q) >= q->size) {
  }
  char* p = (char*)q->base_address + (*index & (q->size - 1)) * 64;
  memset(p + 2, 0, 62);
  return p;
}
static inline void test_publish(hsa_queue_t* q, void* packet, uint64_t index,
                                hsa_packet_type_t type, int barrier) {
  uint16_t header =
      (uint16_t)(type << HSA_PACKET_HEADER_TYPE | (barrier ? 1 : 0) << HSA_PACKET_HEADER_BARRIER |
                 HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                 HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE);
  __atomic_store_n((uint16_t*)packet, header, __ATOMIC_RELEASE);
  hsa_signal_store_screlease(q->doorbell_signal, (hsa_signal_value_t)index);
}

static inline void test_dispatch(hsa_queue_t* q, const test_kernel_t* k, void* kernarg,
                                 uint32_t grid, uint16_t group, hsa_signal_t completion,
                                 int barrier) {
  uint64_t index;
  hsa_kernel_dispatch_packet_t* p = (hsa_kernel_dispatch_packet_t*)test_packet(q, &index);
  p->setup = 1;
  p->workgroup_size_x = group;
  p->workgroup_size_y = p->workgroup_size_z = 1;
  p->grid_size_x = grid;
  p->grid_size_y = p->grid_size_z = 1;
  p->private_segment_size = k->private_size;
  p->group_segment_size = k->group_size;
  p->kernel_object = k->object;
  p->kernarg_address = kernarg;
  p->completion_signal = completion;
  test_publish(q, p, index, HSA_PACKET_TYPE_KERNEL_DISPATCH, barrier);
}

static inline hsa_signal_value_t test_wait_zero(hsa_signal_t s) {
  return hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_EQ, 0, 20000000000ull,
                                   HSA_WAIT_STATE_BLOCKED);
}
