// SPDX-License-Identifier: MIT
// Replacements for parts of ockl that are large there: hostcall, printf, device malloc and free.
// Small code matters here: every kernel that prints or allocates carries it. Becomes hip.bc, which clang links before
// ockl.bc. Host side: src/hip/hostcall.cpp.

typedef ulong __attribute__((ext_vector_type(2))) word_pair;
extern const __constant int __oclc_ABI_version;
extern void __ockl_hsa_signal_add(ulong signal, long value, int order);

enum { kServicePrintf = 2, kServiceDeviceMemory = 3 };

static const __constant ulong* implicit_arguments(void) {
  return (const __constant ulong*)__builtin_amdgcn_implicitarg_ptr();
}

// --- hostcall: the active lanes of a wave fill one packet and wait until the host cleared its ready bit. Layouts are
// those of ROCm's runtime. Packet handles are an index below `index_mask` and a tag above it; zero is none.

typedef struct {
  ulong next;
  ulong active_lanes;
  uint service;
  atomic_uint control; // bit 0: ready
} packet_header;
typedef struct {
  ulong slots[64][8];
} packet_payload;
typedef struct {
  __global packet_header* headers;
  __global packet_payload* payloads;
  ulong doorbell;
  atomic_ulong free_stack;
  atomic_ulong ready_stack;
  ulong index_mask;
} hostcall_buffer;

#define SYSTEM __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES

static ulong first_lane(ulong x) {
  uint lo = __builtin_amdgcn_readfirstlane((uint)x), hi = __builtin_amdgcn_readfirstlane((uint)(x >> 32));
  return (ulong)hi << 32 | lo;
}
static void push_packet(__global hostcall_buffer* b, __global atomic_ulong* stack, ulong packet) {
  __global packet_header* header = b->headers + (packet & b->index_mask);
  ulong top = __opencl_atomic_load(stack, __ATOMIC_RELAXED, SYSTEM);
  do header->next = top;
  while (!__opencl_atomic_compare_exchange_strong(stack, &top, packet, __ATOMIC_RELEASE, __ATOMIC_RELAXED, SYSTEM));
}

__attribute__((noinline)) word_pair __ockl_hostcall_preview(uint service, ulong a0, ulong a1, ulong a2, ulong a3,
                                                            ulong a4, ulong a5, ulong a6, ulong a7) {
  __global hostcall_buffer* b =
      (__global hostcall_buffer*)implicit_arguments()[__oclc_ABI_version < 500 ? 3 : 10];
  uint lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
  bool leader = lane == __builtin_amdgcn_readfirstlane(lane);
  ulong packet = 0;
  if (leader) {
    packet = __opencl_atomic_load(&b->free_stack, __ATOMIC_ACQUIRE, SYSTEM);
    while (!__opencl_atomic_compare_exchange_strong(&b->free_stack, &packet,
                                                    b->headers[packet & b->index_mask].next, __ATOMIC_ACQUIRE,
                                                    __ATOMIC_ACQUIRE, SYSTEM))
      __builtin_amdgcn_s_sleep(1);
  }
  packet = first_lane(packet);
  __global packet_header* header = b->headers + (packet & b->index_mask);
  __global ulong* slots = b->payloads[packet & b->index_mask].slots[lane];
  slots[0] = a0;
  slots[1] = a1;
  slots[2] = a2;
  slots[3] = a3;
  slots[4] = a4;
  slots[5] = a5;
  slots[6] = a6;
  slots[7] = a7;
  ulong active = __builtin_amdgcn_read_exec();
  if (leader) {
    header->service = service;
    header->active_lanes = active;
    __opencl_atomic_store(&header->control, 1u, __ATOMIC_RELAXED, SYSTEM);
    push_packet(b, &b->ready_stack, packet);
    __ockl_hsa_signal_add(b->doorbell, 1, 3 /* release */);
  }
  while (__builtin_amdgcn_readfirstlane(__opencl_atomic_load(&header->control, __ATOMIC_ACQUIRE, SYSTEM)) & 1)
    __builtin_amdgcn_s_sleep(1);
  word_pair result = {((volatile __global ulong*)slots)[0], ((volatile __global ulong*)slots)[1]};
  if (leader) {
    ulong again = packet + b->index_mask + 1; // a new tag, so that a stale exchange fails
    if (again == 0) again = b->index_mask + 1;
    push_packet(b, &b->free_stack, again);
  }
  return result;
}

// --- printf: fragments of up to seven words; bit 0 of the descriptor begins a message, bit 1 ends it, bits 5..7 count
// words. The first word of a message says where it goes: 0 standard output, 1 standard error.

static ulong begin_message(ulong control) {
  return __ockl_hostcall_preview(kServicePrintf, 1ul | 1ul << 5, control, 0, 0, 0, 0, 0, 0).x;
}
ulong __ockl_printf_begin(ulong version) { return begin_message(0); }
ulong __ockl_fprintf_stdout_begin(void) { return begin_message(0); }
ulong __ockl_fprintf_stderr_begin(void) { return begin_message(1); }

static ulong append_words(ulong desc, uint count, ulong a0, ulong a1, ulong a2, ulong a3, ulong a4, ulong a5, ulong a6,
                          uint last) {
  desc = (desc & ~0xe2ul) | (ulong)count << 5 | (last ? 2 : 0);
  return __ockl_hostcall_preview(kServicePrintf, desc, a0, a1, a2, a3, a4, a5, a6).x;
}
ulong __ockl_printf_append_args(ulong desc, uint count, ulong a0, ulong a1, ulong a2, ulong a3, ulong a4, ulong a5,
                                ulong a6, uint last) {
  return append_words(desc, count, a0, a1, a2, a3, a4, a5, a6, last);
}
ulong __ockl_fprintf_append_args(ulong desc, uint count, ulong a0, ulong a1, ulong a2, ulong a3, ulong a4, ulong a5,
                                 ulong a6, uint last) {
  return append_words(desc, count, a0, a1, a2, a3, a4, a5, a6, last);
}

typedef struct __attribute__((packed)) {
  ulong value;
} unaligned_word;

static ulong append_string(ulong desc, const char* text, ulong length, uint last) {
  if (!text) length = 0;
  ulong at = 0;
  do {
    ulong left = length - at;
    uint n = left > 56 ? 56 : (uint)left;
    const char* p = text + at;
    // The word that the string ends in is gathered byte by byte: what follows it may not be readable.
    uint whole = n / 8, rest = n % 8;
    ulong tail = 0;
    for (uint i = 0; i < rest; ++i) tail |= (ulong)(uchar)p[whole * 8 + i] << (8 * i);
    ulong w[7];
#pragma unroll
    for (uint k = 0; k < 7; ++k) w[k] = k < whole ? ((const unaligned_word*)p)[k].value : k == whole ? tail : 0;
    uint words = whole + (rest != 0);
    if (words == 0) words = 1; // an empty string is one word of zeros
    desc = append_words(desc, words, w[0], w[1], w[2], w[3], w[4], w[5], w[6], last && left <= 56);
    at += 56;
  } while (at < length);
  return desc;
}
__attribute__((noinline)) ulong __ockl_printf_append_string_n(ulong desc, const char* text, ulong length, uint last) {
  return append_string(desc, text, length, last);
}
__attribute__((noinline)) ulong __ockl_fprintf_append_string_n(ulong desc, const char* text, ulong length, uint last) {
  return append_string(desc, text, length, last);
}
ulong __ockl_devmem_request(ulong address, ulong bytes) {
  return __ockl_hostcall_preview(kServiceDeviceMemory, address, bytes, 0, 0, 0, 0, 0, 0).x;
}

// --- malloc and free: one lock-free stack of free blocks per power of two; blocks come from the host 64 KiB at a time.

#define CLASSES 12 /* 32 bytes .. 64 KiB */
enum { kSmallest = 5, kRefill = 65536, kHeader = 16, kDirect = 255 };

// The runtime hands a zeroed block to kernels of code object version 5; version 4 uses one per code object.
typedef struct {
  atomic_ulong head[CLASSES]; // address in bits 0..47, a tag against reuse above
} heap_t;
static __global heap_t version4_heap;

static __global heap_t* the_heap(void) {
  if (__oclc_ABI_version < 500) return &version4_heap;
  return (__global heap_t*)implicit_arguments()[12];
}

#define ADDRESS(x) ((x) & 0xfffffffffffful)

static void push(__global atomic_ulong* head, ulong block) {
  ulong seen = __opencl_atomic_load(head, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE);
  ulong next;
  do {
    *(__global ulong*)block = ADDRESS(seen);
    next = block | ((seen & ~0xfffffffffffful) + (1ul << 48));
  } while (!__opencl_atomic_compare_exchange_strong(head, &seen, next, __ATOMIC_RELEASE, __ATOMIC_RELAXED,
                                                    __OPENCL_MEMORY_SCOPE_DEVICE));
}

// A popped block may already be in use when its link is read; the tag makes the exchange fail then.
static ulong pop(__global atomic_ulong* head) {
  ulong seen = __opencl_atomic_load(head, __ATOMIC_ACQUIRE, __OPENCL_MEMORY_SCOPE_DEVICE);
  while (ADDRESS(seen)) {
    ulong next = *(volatile __global ulong*)ADDRESS(seen);
    next = ADDRESS(next) | ((seen & ~0xfffffffffffful) + (1ul << 48));
    if (__opencl_atomic_compare_exchange_strong(head, &seen, next, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE,
                                                __OPENCL_MEMORY_SCOPE_DEVICE))
      return ADDRESS(seen);
  }
  return 0;
}

__attribute__((noinline)) ulong __ockl_dm_alloc(ulong size) {
  if (size == 0) return 0;
  ulong bytes = size + kHeader;
  uint class_bits = bytes <= (1u << kSmallest) ? kSmallest : 64 - (uint)__builtin_clzl(bytes - 1);
  uint index = class_bits - kSmallest;
  ulong block;
  if (index >= CLASSES) {
    block = __ockl_devmem_request(0, bytes);
    if (!block) return 0;
    *(__global ulong*)block = kDirect;
    return block + kHeader;
  }
  __global atomic_ulong* head = &the_heap()->head[index];
  block = pop(head);
  if (!block) {
    block = __ockl_devmem_request(0, kRefill);
    if (!block) return 0;
    ulong step = 1ul << class_bits;
    for (ulong at = step; at < kRefill; at += step) push(head, block + at);
  }
  *(__global ulong*)block = index;
  return block + kHeader;
}

__attribute__((noinline)) void __ockl_dm_dealloc(ulong address) {
  if (!address) return;
  ulong block = address - kHeader;
  ulong index = *(__global ulong*)block;
  if (index == kDirect) __ockl_devmem_request(block, 0);
  else if (index < CLASSES) push(&the_heap()->head[index], block);
}
