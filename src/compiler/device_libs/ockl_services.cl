// SPDX-License-Identifier: MIT
// Replacements for three families of ockl that are large there: strings of printf, and device malloc and free.
// Small code matters here: every kernel that prints or allocates carries it. Becomes hip.bc, which clang links before
// ockl.bc. Host side: src/hip/hostcall.cpp.

typedef ulong __attribute__((ext_vector_type(2))) word_pair;
extern word_pair __ockl_hostcall_preview(uint service, ulong a0, ulong a1, ulong a2, ulong a3, ulong a4, ulong a5,
                                         ulong a6, ulong a7);
extern const __constant int __oclc_ABI_version;

enum { kServicePrintf = 2, kServiceDeviceMemory = 3 };

// --- printf strings: fragments of up to seven words; bit 1 of the descriptor ends the message, bits 5..7 count words.

// Bytes [at, at + 8) of a string of `length`, zero beyond its end.
__attribute__((noinline)) static ulong string_word(const char* text, ulong at, ulong length) {
  ulong word = 0;
  ulong n = at < length ? length - at : 0;
  if (n > 8) n = 8;
  for (ulong i = 0; i < n; ++i) word |= (ulong)(uchar)text[at + i] << (8 * i);
  return word;
}

__attribute__((noinline)) static ulong append_string(ulong desc, const char* text, ulong length, uint last) {
  if (!text) length = 0;
  ulong at = 0;
  do {
    ulong left = length - at;
    ulong words = left > 56 ? 7 : (left + 7) / 8;
    if (words == 0) words = 1; // an empty string is one word of zeros
    ulong d = (desc & ~0xe2ul) | words << 5;
    if (last && left <= 56) d |= 2;
    desc = __ockl_hostcall_preview(kServicePrintf, d, string_word(text, at, length), string_word(text, at + 8, length),
                                   string_word(text, at + 16, length), string_word(text, at + 24, length),
                                   string_word(text, at + 32, length), string_word(text, at + 40, length),
                                   string_word(text, at + 48, length)).x;
    at += 56;
  } while (at < length);
  return desc;
}

ulong __ockl_printf_append_string_n(ulong desc, const char* text, ulong length, uint last) {
  return append_string(desc, text, length, last);
}
ulong __ockl_fprintf_append_string_n(ulong desc, const char* text, ulong length, uint last) {
  return append_string(desc, text, length, last);
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
  const __constant ulong* implicit = (const __constant ulong*)__builtin_amdgcn_implicitarg_ptr();
  return (__global heap_t*)implicit[12];
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

static ulong host_memory(ulong address, ulong bytes) {
  return __ockl_hostcall_preview(kServiceDeviceMemory, address, bytes, 0, 0, 0, 0, 0, 0).x;
}

__attribute__((noinline)) ulong __ockl_dm_alloc(ulong size) {
  if (size == 0) return 0;
  ulong bytes = size + kHeader;
  uint class_bits = bytes <= (1u << kSmallest) ? kSmallest : 64 - (uint)__builtin_clzl(bytes - 1);
  uint index = class_bits - kSmallest;
  ulong block;
  if (index >= CLASSES) {
    block = host_memory(0, bytes);
    if (!block) return 0;
    *(__global ulong*)block = kDirect;
    return block + kHeader;
  }
  __global atomic_ulong* head = &the_heap()->head[index];
  block = pop(head);
  if (!block) {
    block = host_memory(0, kRefill);
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
  if (index == kDirect) host_memory(block, 0);
  else if (index < CLASSES) push(&the_heap()->head[index], block);
}
