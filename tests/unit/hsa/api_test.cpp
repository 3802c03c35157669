// SPDX-License-Identifier: MIT
// The parts of the HSA ABI that need no kernel: life cycle, agents, pools, executables, errors,
// sharing.
#include "hsa_test_util.h"
#include <fstream>
#include <gtest/gtest.h>
#include <hsa/hsa_ven_amd_loader.h>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

// ThreadSanitizer cannot start threads in a child of a process that had some.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SKIP_FORK_UNDER_TSAN() GTEST_SKIP() << "no threads after fork under ThreadSanitizer"
#endif
#endif
#ifndef SKIP_FORK_UNDER_TSAN
#define SKIP_FORK_UNDER_TSAN() (void)0
#endif

class HsaApi : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(hsa_init(), HSA_STATUS_SUCCESS);
    node_ = test_node();
  }
  void TearDown() override { EXPECT_EQ(hsa_shut_down(), HSA_STATUS_SUCCESS); }
  test_node_t node_{};
};

TEST(HsaLife, InitIsCounted) {
  uint16_t v;
  EXPECT_EQ(hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &v),
            HSA_STATUS_ERROR_NOT_INITIALIZED);
  EXPECT_EQ(hsa_shut_down(), HSA_STATUS_ERROR_NOT_INITIALIZED);
  EXPECT_EQ(hsa_init(), HSA_STATUS_SUCCESS);
  EXPECT_EQ(hsa_init(), HSA_STATUS_SUCCESS);
  EXPECT_EQ(hsa_shut_down(), HSA_STATUS_SUCCESS);
  EXPECT_EQ(hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &v), HSA_STATUS_SUCCESS);
  EXPECT_EQ(v, 1);
  EXPECT_EQ(hsa_shut_down(), HSA_STATUS_SUCCESS);
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(hsa_init(), HSA_STATUS_SUCCESS);
    ASSERT_EQ(hsa_shut_down(), HSA_STATUS_SUCCESS);
  }
}

TEST(HsaLife, UnknownDeviceIsAnError) {
  setenv("PUMICE_DEVICES", "MI9999", 1);
  EXPECT_EQ(hsa_init(), HSA_STATUS_ERROR);
  unsetenv("PUMICE_DEVICES");
}

TEST(HsaLife, SeveralDevices) {
  setenv("PUMICE_DEVICES", "2xMI210,MI325X", 1);
  ASSERT_EQ(hsa_init(), HSA_STATUS_SUCCESS);
  std::vector<std::string> names;
  hsa_iterate_agents(
      [](hsa_agent_t a, void* data) {
        char name[64];
        HSA_OK(hsa_agent_get_info(a, static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_PRODUCT_NAME),
                                  name));
        static_cast<std::vector<std::string>*>(data)->push_back(name);
        return HSA_STATUS_SUCCESS;
      },
      &names);
  ASSERT_EQ(names.size(), 4u);
  EXPECT_EQ(names[1], "AMD Instinct MI210");
  EXPECT_EQ(names[3], "AMD Instinct MI325X");
  EXPECT_EQ(hsa_shut_down(), HSA_STATUS_SUCCESS);
  unsetenv("PUMICE_DEVICES");
}

TEST(HsaLife, ChildStartsOver) {
  SKIP_FORK_UNDER_TSAN();
  ASSERT_EQ(hsa_init(), HSA_STATUS_SUCCESS);
  pid_t pid = fork();
  if (pid == 0) {
    uint16_t v;
    bool ok = hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &v) ==
                  HSA_STATUS_ERROR_NOT_INITIALIZED &&
              hsa_init() == HSA_STATUS_SUCCESS && hsa_shut_down() == HSA_STATUS_SUCCESS;
    _exit(ok ? 0 : 1);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(hsa_shut_down(), HSA_STATUS_SUCCESS);
}

TEST_F(HsaApi, AgentAttributes) {
  char text[64];
  EXPECT_EQ(hsa_agent_get_info(node_.gpu, HSA_AGENT_INFO_NAME, text), HSA_STATUS_SUCCESS);
  EXPECT_STREQ(text, "gfx942");
  uint32_t n;
  HSA_OK(hsa_agent_get_info(
      node_.gpu, static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT), &n));
  EXPECT_EQ(n, 304u);
  EXPECT_EQ(hsa_agent_get_info({1}, HSA_AGENT_INFO_NAME, text), HSA_STATUS_ERROR_INVALID_AGENT);
  EXPECT_EQ(hsa_agent_get_info(node_.gpu, static_cast<hsa_agent_info_t>(9999), text),
            HSA_STATUS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(hsa_agent_get_info(node_.gpu, HSA_AGENT_INFO_NAME, nullptr),
            HSA_STATUS_ERROR_INVALID_ARGUMENT);
  hsa_isa_t isa;
  HSA_OK(hsa_agent_get_info(node_.gpu, HSA_AGENT_INFO_ISA, &isa));
  char name[128];
  HSA_OK(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, name));
  EXPECT_STREQ(name, "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-");
  hsa_isa_t other;
  bool fits = false;
  HSA_OK(hsa_isa_from_name("amdgcn-amd-amdhsa--gfx942", &other));
  HSA_OK(hsa_isa_compatible(other, isa, &fits));
  EXPECT_TRUE(fits);
  EXPECT_EQ(hsa_isa_from_name("amdgcn-amd-amdhsa--gfx803", &other),
            HSA_STATUS_ERROR_INVALID_ISA_NAME);
}

TEST_F(HsaApi, PoolsAndPointers) {
  void* p;
  EXPECT_EQ(hsa_amd_memory_pool_allocate({3}, 100, 0, &p), HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
  EXPECT_EQ(hsa_amd_memory_pool_allocate(node_.device, size_t{1} << 60, 0, &p),
            HSA_STATUS_ERROR_INVALID_ALLOCATION);
  p = test_alloc(node_.device, 5000);
  hsa_amd_pointer_info_t info{};
  info.size = sizeof info;
  uint32_t count = 0;
  hsa_agent_t* list = nullptr;
  HSA_OK(hsa_amd_pointer_info(static_cast<char*>(p) + 4000, &info, malloc, &count, &list));
  EXPECT_EQ(info.type, HSA_EXT_POINTER_TYPE_HSA);
  EXPECT_EQ(info.agentBaseAddress, p);
  EXPECT_EQ(info.sizeInBytes, 5000u);
  EXPECT_EQ(info.agentOwner.handle, node_.gpu.handle);
  EXPECT_EQ(count, 2u);
  free(list);
  HSA_OK(hsa_amd_pointer_info(&info, &info, nullptr, nullptr, nullptr));
  EXPECT_EQ(info.type, HSA_EXT_POINTER_TYPE_UNKNOWN);
  HSA_OK(hsa_amd_agents_allow_access(1, &node_.cpu, nullptr, p));
  int released = 0;
  HSA_OK(hsa_amd_register_deallocation_callback(
      p, [](void*, void* n) { ++*static_cast<int*>(n); }, &released));
  HSA_OK(hsa_amd_memory_pool_free(p));
  EXPECT_EQ(released, 1);
  EXPECT_EQ(hsa_amd_memory_pool_free(p), HSA_STATUS_ERROR_INVALID_ALLOCATION);

  std::vector<char> host(10000);
  void* device_view;
  HSA_OK(hsa_amd_memory_lock(host.data(), host.size(), &node_.gpu, 1, &device_view));
  info.size = sizeof info;
  HSA_OK(hsa_amd_pointer_info(host.data() + 9999, &info, nullptr, nullptr, nullptr));
  EXPECT_EQ(info.type, HSA_EXT_POINTER_TYPE_LOCKED);
  HSA_OK(hsa_amd_memory_unlock(host.data()));
}

TEST_F(HsaApi, MemoryRunsOut) {
  size_t total = 0, avail = 0;
  HSA_OK(hsa_amd_memory_pool_get_info(node_.device, HSA_AMD_MEMORY_POOL_INFO_SIZE, &total));
  void* p = test_alloc(node_.device, total / 4 * 3); // nothing is touched
  HSA_OK(hsa_agent_get_info(
      node_.gpu, static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_MEMORY_AVAIL), &avail));
  EXPECT_LE(avail, total / 4 + 4096);
  void* q;
  EXPECT_EQ(hsa_amd_memory_pool_allocate(node_.device, total / 2, 0, &q),
            HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  HSA_OK(hsa_amd_memory_pool_free(p));
}

TEST_F(HsaApi, ExecutablesAndSymbols) {
  hsa_executable_t e = test_load(node_.gpu, TEST_DATA "/basic.co");
  hsa_executable_symbol_t s;
  EXPECT_EQ(hsa_executable_get_symbol_by_name(e, "nothing.kd", &node_.gpu, &s),
            HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
  HSA_OK(hsa_executable_get_symbol_by_name(e, "reverse.kd", &node_.gpu, &s));
  uint32_t n;
  HSA_OK(
      hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &n));
  EXPECT_EQ(n, 1024u);
  char name[16] = {};
  HSA_OK(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH, &n));
  ASSERT_EQ(n, 10u);
  HSA_OK(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_NAME, name));
  EXPECT_STREQ(name, "reverse.kd");
  int kernels = 0;
  HSA_OK(hsa_executable_iterate_agent_symbols(
      e, node_.gpu,
      [](hsa_executable_t, hsa_agent_t, hsa_executable_symbol_t sym, void* data) {
        hsa_symbol_kind_t kind;
        HSA_OK(hsa_executable_symbol_get_info(sym, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind));
        *static_cast<int*>(data) += kind == HSA_SYMBOL_KIND_KERNEL;
        return HSA_STATUS_SUCCESS;
      },
      &kernels));
  EXPECT_EQ(kernels, 11); // kernels in tests/kernels/basic.hip
  EXPECT_EQ(hsa_executable_freeze(e, nullptr), HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
  HSA_OK(hsa_executable_destroy(e));
  EXPECT_EQ(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH, &n),
            HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL);
  EXPECT_EQ(hsa_executable_destroy(e), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
}

TEST_F(HsaApi, WrongCodeObjects) {
  hsa_executable_t e;
  HSA_OK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT,
                                   nullptr, &e));
  hsa_code_object_reader_t r;
  const char junk[] = "this is no code object";
  HSA_OK(hsa_code_object_reader_create_from_memory(junk, sizeof junk, &r));
  EXPECT_EQ(hsa_executable_load_agent_code_object(e, node_.gpu, r, nullptr, nullptr),
            HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  HSA_OK(hsa_code_object_reader_destroy(r));
  std::ifstream f(TEST_DATA "/gfx90a.co", std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(f), {}};
  HSA_OK(hsa_code_object_reader_create_from_memory(bytes.data(), bytes.size(), &r));
  EXPECT_EQ(hsa_executable_load_agent_code_object(e, node_.gpu, r, nullptr, nullptr),
            HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
  HSA_OK(hsa_code_object_reader_destroy(r));
  EXPECT_EQ(hsa_code_object_reader_destroy(r), HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
  HSA_OK(hsa_executable_destroy(e));
}

TEST_F(HsaApi, LoaderTable) {
  hsa_ven_amd_loader_1_03_pfn_t t;
  HSA_OK(hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, sizeof t, &t));
  hsa_executable_t e = test_load(node_.gpu, TEST_DATA "/basic.co"), found;
  hsa_executable_symbol_t s;
  uint64_t object;
  HSA_OK(hsa_executable_get_symbol_by_name(e, "saxpy.kd", &node_.gpu, &s));
  HSA_OK(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object));
  auto* address = reinterpret_cast<const void*>(object);
  HSA_OK(t.hsa_ven_amd_loader_query_executable(address, &found));
  EXPECT_EQ(found.handle, e.handle);
  const void* host = nullptr;
  HSA_OK(t.hsa_ven_amd_loader_query_host_address(address, &host));
  EXPECT_EQ(host, address);
  EXPECT_NE(t.hsa_ven_amd_loader_query_host_address(&t, &host), HSA_STATUS_SUCCESS);
  std::string uri;
  HSA_OK(t.hsa_ven_amd_loader_executable_iterate_loaded_code_objects(
      e,
      [](hsa_executable_t, hsa_loaded_code_object_t l, void* data) {
        hsa_ven_amd_loader_1_03_pfn_t table;
        HSA_OK(hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, sizeof table,
                                                    &table));
        uint32_t n;
        auto get = table.hsa_ven_amd_loader_loaded_code_object_get_info;
        HSA_OK(get(l, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH, &n));
        auto& u = *static_cast<std::string*>(data);
        u.resize(n);
        return get(l, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI, u.data());
      },
      &uri));
  EXPECT_EQ(uri, "file://" TEST_DATA "/basic.co");
  HSA_OK(hsa_executable_destroy(e));
}

TEST_F(HsaApi, SignalOperations) {
  hsa_signal_t s;
  HSA_OK(hsa_signal_create(6, 0, nullptr, &s));
  hsa_signal_add_relaxed(s, 4);
  EXPECT_EQ(hsa_signal_load_relaxed(s), 10);
  hsa_signal_subtract_acq_rel(s, 3);
  hsa_signal_and_screlease(s, 6);
  EXPECT_EQ(hsa_signal_load_acquire(s), 6);
  hsa_signal_or_acquire(s, 1);
  hsa_signal_xor_relaxed(s, 2);
  EXPECT_EQ(hsa_signal_exchange_scacq_screl(s, 9), 5);
  EXPECT_EQ(hsa_signal_cas_relaxed(s, 1, 2), 9);
  EXPECT_EQ(hsa_signal_cas_release(s, 9, 2), 9);
  EXPECT_EQ(hsa_signal_load_scacquire(s), 2);
  EXPECT_EQ(hsa_signal_wait_relaxed(s, HSA_SIGNAL_CONDITION_LT, 0, 1000, HSA_WAIT_STATE_BLOCKED),
            2);
  volatile hsa_signal_value_t* value;
  HSA_OK(hsa_amd_signal_value_pointer(s, &value));
  *value = 77;
  EXPECT_EQ(hsa_signal_load_relaxed(s), 77);
  std::atomic<int> called{0};
  struct Context {
    std::atomic<int>* called;
  } context{&called};
  HSA_OK(hsa_amd_signal_async_handler(
      s, HSA_SIGNAL_CONDITION_EQ, 0,
      [](hsa_signal_value_t v, void* c) {
        *static_cast<Context*>(c)->called = v == 0 ? 1 : 2;
        return false;
      },
      &context));
  hsa_signal_store_relaxed(s, 0);
  while (!called)
    std::this_thread::yield();
  EXPECT_EQ(called, 1);
  HSA_OK(hsa_signal_destroy(s));
  EXPECT_EQ(hsa_signal_destroy(s), HSA_STATUS_ERROR_INVALID_SIGNAL);
}

TEST_F(HsaApi, QueueArguments) {
  hsa_queue_t* q = nullptr;
  EXPECT_EQ(hsa_queue_create(node_.gpu, 100, 0, nullptr, nullptr, 0, 0, &q),
            HSA_STATUS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(hsa_queue_create(node_.cpu, 64, 0, nullptr, nullptr, 0, 0, &q),
            HSA_STATUS_ERROR_INVALID_QUEUE_CREATION);
  HSA_OK(hsa_queue_create(node_.gpu, 64, 0, nullptr, nullptr, 0, 0, &q));
  EXPECT_EQ(q->size, 64u);
  EXPECT_EQ(hsa_queue_add_write_index_relaxed(q, 2), 0u);
  EXPECT_EQ(hsa_queue_cas_write_index_relaxed(q, 1, 9), 2u);
  EXPECT_EQ(hsa_queue_cas_write_index_relaxed(q, 2, 3), 2u);
  EXPECT_EQ(hsa_queue_load_write_index_relaxed(q), 3u);
  uint32_t mask[10];
  HSA_OK(hsa_amd_queue_cu_get_mask(q, 320, mask));
  EXPECT_EQ(mask[8], 0xffffffffu);
  EXPECT_EQ(mask[9], 0xffffu); // 304 = 9 * 32 + 16
  HSA_OK(hsa_amd_queue_set_priority(q, HSA_AMD_QUEUE_PRIORITY_HIGH));
  HSA_OK(hsa_queue_destroy(q));
}

TEST_F(HsaApi, VirtualMemory) {
  constexpr size_t kSize = 1 << 20;
  void* va;
  HSA_OK(hsa_amd_vmem_address_reserve(&va, 2 * kSize, 0, 0));
  hsa_amd_vmem_alloc_handle_t h;
  HSA_OK(hsa_amd_vmem_handle_create(node_.device, kSize, MEMORY_TYPE_NONE, 0, &h));
  auto* second = static_cast<char*>(va) + kSize;
  HSA_OK(hsa_amd_vmem_map(va, kSize, 0, h, 0));
  HSA_OK(hsa_amd_vmem_map(second, kSize, 0, h, 0));
  hsa_amd_memory_access_desc_t access{HSA_ACCESS_PERMISSION_RW, node_.gpu};
  HSA_OK(hsa_amd_vmem_set_access(va, 2 * kSize, &access, 1));
  static_cast<char*>(va)[5] = 42;
  EXPECT_EQ(second[5], 42);
  int fd;
  HSA_OK(hsa_amd_vmem_export_shareable_handle(&fd, h, 0));
  hsa_amd_vmem_alloc_handle_t imported;
  HSA_OK(hsa_amd_vmem_import_shareable_handle(fd, &imported));
  close(fd);
  HSA_OK(hsa_amd_vmem_handle_release(imported));
  EXPECT_NE(hsa_amd_vmem_address_free(va, 2 * kSize), HSA_STATUS_SUCCESS); // still mapped
  HSA_OK(hsa_amd_vmem_unmap(va, kSize));
  HSA_OK(hsa_amd_vmem_unmap(second, kSize));
  HSA_OK(hsa_amd_vmem_handle_release(h));
  HSA_OK(hsa_amd_vmem_address_free(va, 2 * kSize));
}

TEST_F(HsaApi, IpcMemoryReachesAnotherProcess) {
  SKIP_FORK_UNDER_TSAN();
  auto* p = static_cast<int*>(test_alloc(node_.device, 1 << 20));
  p[1000] = 123;
  hsa_amd_ipc_memory_t handle;
  HSA_OK(hsa_amd_ipc_memory_create(p, 1 << 20, &handle));
  pid_t pid = fork();
  if (pid == 0) {
    void* mapped = nullptr;
    bool ok =
        hsa_init() == HSA_STATUS_SUCCESS &&
        hsa_amd_ipc_memory_attach(&handle, 1 << 20, 0, nullptr, &mapped) == HSA_STATUS_SUCCESS;
    auto* q = static_cast<int*>(mapped);
    ok = ok && q[1000] == 123;
    if (ok)
      q[2000] = 456;
    ok = ok && hsa_amd_ipc_memory_detach(mapped) == HSA_STATUS_SUCCESS;
    _exit(ok ? 0 : 1);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(p[2000], 456);
  HSA_OK(hsa_amd_memory_pool_free(p));
}

} // namespace
