/* SPDX-License-Identifier: MIT */
/* namespace cooperative_groups. Waves have 64 lanes; tiles are powers of two up to that. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_COOPERATIVE_GROUPS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_COOPERATIVE_GROUPS_H
#include <hip/amd_detail/amd_hip_runtime.h>

#pragma push_macro("__CG__")
#undef __CG__
#define __CG__ __device__ inline __attribute__((always_inline))

namespace cooperative_groups {

namespace internal {
/* What hidden_multigrid_sync_arg points at in a cooperative launch; ROCm's device library has the
 * same layout. */
struct grid_sync_block {
  void* multi;
  unsigned grid_id, num_grids;
  unsigned long long previous_sum, all_sum;
  unsigned w0, w1;
  unsigned num_wg;
};
extern "C" __device__ __attribute__((const)) size_t __ockl_get_num_groups(unsigned);

static __CG__ const grid_sync_block* sync_block() {
  auto* implicit = reinterpret_cast<const unsigned long long*>(
      reinterpret_cast<unsigned long long>(__builtin_amdgcn_implicitarg_ptr()));
#if defined(__AMDGCN_CODE_OBJECT_VERSION__) && __AMDGCN_CODE_OBJECT_VERSION__ < 5
  return reinterpret_cast<const grid_sync_block*>(implicit[6]);
#else
  return reinterpret_cast<const grid_sync_block*>(implicit[11]);
#endif
}
static __CG__ unsigned block_rank_of_thread() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
static __CG__ unsigned block_size() {
  return blockDim.x * blockDim.y * blockDim.z;
}
static __CG__ unsigned num_blocks() {
  return gridDim.x * gridDim.y * gridDim.z;
}
} // namespace internal

class thread_group {
public:
  __CG__ unsigned size() const { return size_; }
  __CG__ unsigned num_threads() const { return size_; }
  __CG__ unsigned thread_rank() const {
    return kind_ == block ? internal::block_rank_of_thread()
                          : internal::block_rank_of_thread() % size_;
  }
  __CG__ bool is_valid() const { return size_ != 0; }
  __CG__ void sync() const {
    if (kind_ == block)
      __syncthreads();
    else
      __syncwarp();
  }

protected:
  enum kind_t : unsigned { block, tile, other };
  __CG__ thread_group(kind_t kind, unsigned size) : kind_(kind), size_(size) {}
  kind_t kind_;
  unsigned size_;
  friend __CG__ thread_group tiled_partition(const thread_group& parent, unsigned size);
};
__CG__ thread_group tiled_partition(const thread_group&, unsigned size) {
  return thread_group(thread_group::tile, size);
}

class thread_block : public thread_group {
public:
  __CG__ thread_block() : thread_group(block, internal::block_size()) {}
  static __CG__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __CG__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static __CG__ dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static __CG__ dim3 dim_threads() { return group_dim(); }
  static __CG__ unsigned thread_rank() { return internal::block_rank_of_thread(); }
  static __CG__ unsigned size() { return internal::block_size(); }
  static __CG__ unsigned num_threads() { return internal::block_size(); }
  static __CG__ void sync() { __syncthreads(); }
};
static __CG__ thread_block this_thread_block() {
  return thread_block();
}

/// All blocks of a cooperative launch (hipLaunchCooperativeKernel).
class grid_group {
public:
  __CG__ bool is_valid() const { return internal::sync_block() != nullptr; }
  __CG__ unsigned long long size() const {
    return (unsigned long long)internal::num_blocks() * internal::block_size();
  }
  __CG__ unsigned long long num_threads() const { return size(); }
  __CG__ unsigned num_blocks() const { return internal::num_blocks(); }
  __CG__ dim3 group_dim() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  __CG__ dim3 dim_blocks() const { return group_dim(); }
  __CG__ unsigned block_rank() const {
    return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  __CG__ unsigned long long thread_rank() const {
    return (unsigned long long)block_rank() * internal::block_size() +
           internal::block_rank_of_thread();
  }
  __CG__ void sync() const {
    auto* b = const_cast<internal::grid_sync_block*>(internal::sync_block());
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
    __builtin_amdgcn_s_barrier();
    if (internal::block_rank_of_thread() == 0) {
      /* The low half of w0 counts arrivals, the high half rounds: the last to arrive opens the next
       * round. */
      unsigned round = __hip_atomic_load(&b->w1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
      unsigned arrived =
          __hip_atomic_fetch_add(&b->w0, 1u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT) + 1;
      if (arrived == b->num_wg) {
        __hip_atomic_store(&b->w0, 0u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
        __hip_atomic_store(&b->w1, round + 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
      } else {
        while (__hip_atomic_load(&b->w1, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == round)
          __builtin_amdgcn_s_sleep(2);
      }
    }
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
  }
};
static __CG__ grid_group this_grid() {
  return grid_group();
}

/// The lanes of a wave that reached this point together.
class coalesced_group {
public:
  __CG__ explicit coalesced_group(unsigned long long lanes) : lanes_(lanes) {}
  __CG__ unsigned size() const { return __popcll(lanes_); }
  __CG__ unsigned num_threads() const { return size(); }
  __CG__ unsigned thread_rank() const {
    return __builtin_amdgcn_mbcnt_hi(unsigned(lanes_ >> 32),
                                     __builtin_amdgcn_mbcnt_lo(unsigned(lanes_), 0));
  }
  __CG__ bool is_valid() const { return true; }
  __CG__ void sync() const { __syncwarp(); }
  template <class T> __CG__ T shfl(T value, int rank) const {
    return hip_impl::lane_read(value, lane_of(unsigned(rank) % size()));
  }
  template <class T> __CG__ T shfl_down(T value, unsigned delta) const {
    unsigned to = thread_rank() + delta;
    return hip_impl::lane_read(value, to < size() ? lane_of(to) : int(__lane_id()));
  }
  template <class T> __CG__ T shfl_up(T value, unsigned delta) const {
    unsigned rank = thread_rank();
    return hip_impl::lane_read(value, rank >= delta ? lane_of(rank - delta) : int(__lane_id()));
  }
  __CG__ unsigned long long ballot(int predicate) const {
    return compact(__ballot(predicate) & lanes_);
  }
  __CG__ int any(int predicate) const { return (__ballot(predicate) & lanes_) != 0; }
  __CG__ int all(int predicate) const { return (__ballot(predicate) & lanes_) == lanes_; }
  template <class T> __CG__ unsigned long long match_any(T value) const {
    return compact(__match_any_sync(lanes_, value));
  }

private:
  __CG__ int lane_of(unsigned rank) const { return __fns64(lanes_, 0, int(rank) + 1); }
  __CG__ unsigned long long compact(unsigned long long mask) const {
    unsigned long long out = 0, left = lanes_;
    for (unsigned rank = 0; left; ++rank, left &= left - 1)
      out |= ((mask >> __builtin_ctzll(left)) & 1ull) << rank;
    return out;
  }
  unsigned long long lanes_;
};
static __CG__ coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

/// `Size` neighbouring lanes of a wave.
template <unsigned Size, class Parent = void> class thread_block_tile {
  static_assert(Size && (Size & (Size - 1)) == 0 && Size <= 64,
                "a tile has a power of two of lanes, at most 64");

public:
  thread_block_tile() = default;
  /* A tile of a known parent is a tile. */
  template <class Other> __CG__ thread_block_tile(const thread_block_tile<Size, Other>&) {}
  static __CG__ unsigned size() { return Size; }
  static __CG__ unsigned num_threads() { return Size; }
  static __CG__ unsigned thread_rank() { return internal::block_rank_of_thread() & (Size - 1); }
  static __CG__ unsigned meta_group_rank() { return internal::block_rank_of_thread() / Size; }
  static __CG__ unsigned meta_group_size() { return (internal::block_size() + Size - 1) / Size; }
  static __CG__ bool is_valid() { return true; }
  static __CG__ void sync() { __syncwarp(); }
  template <class T> static __CG__ T shfl(T value, int lane) {
    return hip_impl::lane_read(value, hip_impl::shfl_lane(lane, Size));
  }
  template <class T> static __CG__ T shfl_down(T value, unsigned delta) {
    return hip_impl::lane_read(value, hip_impl::shfl_down_lane(delta, Size));
  }
  template <class T> static __CG__ T shfl_up(T value, unsigned delta) {
    return hip_impl::lane_read(value, hip_impl::shfl_up_lane(delta, Size));
  }
  template <class T> static __CG__ T shfl_xor(T value, unsigned mask) {
    return hip_impl::lane_read(value, hip_impl::shfl_xor_lane(int(mask), Size));
  }
  static __CG__ unsigned long long ballot(int predicate) {
    return (__ballot(predicate) >> shift()) & mask();
  }
  __CG__ operator thread_group() const { return tiled_partition(this_thread_block(), Size); }
  static __CG__ int any(int predicate) { return ballot(predicate) != 0; }
  static __CG__ int all(int predicate) { return ballot(!predicate) == 0; }
  template <class T> static __CG__ unsigned long long match_any(T value) {
    return (__match_any_sync(mask() << shift(), value) >> shift()) & mask();
  }
  template <class T> static __CG__ unsigned long long match_all(T value, int& predicate) {
    return (__match_all_sync(mask() << shift(), value, &predicate) >> shift()) & mask();
  }

private:
  static __CG__ unsigned shift() { return __lane_id() & ~(Size - 1); }
  static __CG__ constexpr unsigned long long mask() {
    return Size == 64 ? ~0ull : (1ull << (Size & 63)) - 1;
  }
};
template <unsigned Size, class Parent>
static __CG__ thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<Size, Parent>();
}

template <class G> __CG__ void sync(const G& g) {
  g.sync();
}
template <class G> __CG__ auto group_size(const G& g) {
  return g.size();
}
template <class G> __CG__ auto thread_rank(const G& g) {
  return g.thread_rank();
}
template <class G> __CG__ bool is_valid(const G& g) {
  return g.is_valid();
}

/* Reductions over a tile or coalesced lanes; CUDA's cooperative_groups/reduce.h. AMD's HIP has none: a port that must build there uses shuffles. */
template <class T> struct plus {
  __CG__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
  __CG__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
  __CG__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
  __CG__ T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
  __CG__ T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
  __CG__ T operator()(T a, T b) const { return a ^ b; }
};
template <class T, class Op> __CG__ T reduce(const coalesced_group& group, T value, Op op) {
  T all = group.shfl(value, 0);
  for (unsigned rank = 1; rank < group.size(); ++rank)
    all = op(all, group.shfl(value, int(rank)));
  return all;
}
template <unsigned Size, class Parent, class T, class Op>
__CG__ T reduce(const thread_block_tile<Size, Parent>& tile, T value, Op op) {
  for (unsigned step = Size / 2; step > 0; step /= 2)
    value = op(value, tile.shfl_xor(value, step));
  return value;
}

} // namespace cooperative_groups

#pragma pop_macro("__CG__")
#endif
