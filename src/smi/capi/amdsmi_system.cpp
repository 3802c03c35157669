// SPDX-License-Identifier: MIT
// libamd_smi: start and end, handles, status texts, topology, processes, events.
#include "smi/capi/amdsmi.h"
#include "smi/uuid.h"
#include <algorithm>
#include <cstring>
#include <mutex>

using namespace pumice::smi;
using namespace pumice::smi::amdsmi;
namespace rsmi = pumice::smi::rsmi;

namespace {

constexpr size_t kMostCards = 256;
struct Record { // what a handle points to
  uint32_t card = 0;
};
Record g_processors[kMostCards];
Record g_sockets[kMostCards]; // one per card: cards of a socket are not told apart here

const Record* record(const void* h, const Record* table, size_t cards) {
  auto at = reinterpret_cast<uintptr_t>(h), base = reinterpret_cast<uintptr_t>(table);
  if (at < base || (at - base) % sizeof(Record) ||
      (at - base) / sizeof(Record) >= std::min(cards, kMostCards))
    return nullptr;
  return static_cast<const Record*>(h);
}

template <class F> amdsmi_status_t with_model(F&& f) {
  try {
    auto m = rsmi::current();
    if (!m)
      return AMDSMI_STATUS_NOT_INIT;
    return f(*m);
  } catch (...) {
    return AMDSMI_STATUS_INTERNAL_EXCEPTION;
  }
}

/// Fills a list in the two-call manner: null asks for the count.
template <class F> amdsmi_status_t list(uint32_t all, uint32_t* count, void** out, F&& at) {
  if (!count)
    return AMDSMI_STATUS_INVAL;
  if (!out) {
    *count = all;
    return AMDSMI_STATUS_SUCCESS;
  }
  *count = std::min(*count, all);
  for (uint32_t i = 0; i < *count; ++i)
    out[i] = at(i);
  return AMDSMI_STATUS_SUCCESS;
}

} // namespace

namespace pumice::smi::amdsmi {

amdsmi_status_t status(rsmi_status_t s) {
  switch (s) {
  case RSMI_STATUS_SUCCESS:
    return AMDSMI_STATUS_SUCCESS;
  case RSMI_STATUS_INVALID_ARGS:
    return AMDSMI_STATUS_INVAL;
  case RSMI_STATUS_NOT_SUPPORTED:
    return AMDSMI_STATUS_NOT_SUPPORTED;
  case RSMI_STATUS_FILE_ERROR:
    return AMDSMI_STATUS_FILE_ERROR;
  case RSMI_STATUS_PERMISSION:
    return AMDSMI_STATUS_NO_PERM;
  case RSMI_STATUS_OUT_OF_RESOURCES:
    return AMDSMI_STATUS_OUT_OF_RESOURCES;
  case RSMI_STATUS_INTERNAL_EXCEPTION:
    return AMDSMI_STATUS_INTERNAL_EXCEPTION;
  case RSMI_STATUS_INPUT_OUT_OF_BOUNDS:
    return AMDSMI_STATUS_INPUT_OUT_OF_BOUNDS;
  case RSMI_STATUS_INIT_ERROR:
    return AMDSMI_STATUS_INIT_ERROR;
  case RSMI_STATUS_NOT_YET_IMPLEMENTED:
    return AMDSMI_STATUS_NOT_YET_IMPLEMENTED;
  case RSMI_STATUS_NOT_FOUND:
    return AMDSMI_STATUS_NOT_FOUND;
  case RSMI_STATUS_INSUFFICIENT_SIZE:
    return AMDSMI_STATUS_INSUFFICIENT_SIZE;
  case RSMI_STATUS_INTERRUPT:
    return AMDSMI_STATUS_INTERRUPT;
  case RSMI_STATUS_UNEXPECTED_SIZE:
    return AMDSMI_STATUS_UNEXPECTED_SIZE;
  case RSMI_STATUS_NO_DATA:
    return AMDSMI_STATUS_NO_DATA;
  case RSMI_STATUS_UNEXPECTED_DATA:
    return AMDSMI_STATUS_UNEXPECTED_DATA;
  case RSMI_STATUS_BUSY:
    return AMDSMI_STATUS_BUSY;
  case RSMI_STATUS_REFCOUNT_OVERFLOW:
    return AMDSMI_STATUS_REFCOUNT_OVERFLOW;
  case RSMI_STATUS_SETTING_UNAVAILABLE:
    return AMDSMI_STATUS_SETTING_UNAVAILABLE;
  case RSMI_STATUS_AMDGPU_RESTART_ERR:
    return AMDSMI_STATUS_AMDGPU_RESTART_ERR;
  default:
    return AMDSMI_STATUS_UNKNOWN_ERROR;
  }
}

Target target(amdsmi_processor_handle h) {
  Target t;
  t.model = rsmi::current();
  if (!t.model) {
    t.error = AMDSMI_STATUS_NOT_INIT;
    return t;
  }
  const Record* r = record(h, g_processors, t.model->cards().size());
  if (!r) {
    t.error = AMDSMI_STATUS_INVAL;
    return t;
  }
  t.index = static_cast<uint32_t>(r - g_processors);
  t.card = t.model->cards()[t.index].get();
  return t;
}

amdsmi_processor_handle handle_of(uint32_t card) {
  return card < kMostCards ? &g_processors[card] : nullptr;
}

std::string uuid_text(const Card& k) {
  return card_uuid(k);
}

} // namespace pumice::smi::amdsmi

AMDSMI_EXPORT amdsmi_status_t amdsmi_init(uint64_t) {
  return status(rsmi_init(0));
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_shut_down(void) {
  rsmi_status_t s = rsmi_shut_down();
  return s == RSMI_STATUS_INIT_ERROR ? AMDSMI_STATUS_NOT_INIT : status(s);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_lib_version(amdsmi_version_t* v) {
  if (!v)
    return AMDSMI_STATUS_INVAL;
  *v = {AMDSMI_LIB_VERSION_YEAR, AMDSMI_LIB_VERSION_MAJOR, AMDSMI_LIB_VERSION_MINOR,
        AMDSMI_LIB_VERSION_RELEASE, "pumice"};
  return AMDSMI_STATUS_SUCCESS;
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_socket_handles(uint32_t* count,
                                                        amdsmi_socket_handle* out) {
  return with_model([&](Model& m) {
    return list(static_cast<uint32_t>(m.cards().size()), count, out,
                [](uint32_t i) { return &g_sockets[i]; });
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_socket_info(amdsmi_socket_handle h, size_t len,
                                                     char* name) {
  return with_model([&](Model& m) {
    const Record* r = record(h, g_sockets, m.cards().size());
    if (!r || !name || !len)
      return AMDSMI_STATUS_INVAL;
    std::string text = m.cards()[static_cast<size_t>(r - g_sockets)]->id.bdf.text();
    text.resize(text.rfind('.')); // without the function
    return status(rsmi::put_text(text, name, len));
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_processor_handles(amdsmi_socket_handle h, uint32_t* count,
                                                           amdsmi_processor_handle* out) {
  return with_model([&](Model& m) {
    const Record* r = record(h, g_sockets, m.cards().size());
    if (!r)
      return AMDSMI_STATUS_INVAL;
    return list(1, count, out,
                [&](uint32_t) { return handle_of(static_cast<uint32_t>(r - g_sockets)); });
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_processor_handles_by_type(amdsmi_socket_handle h,
                                                                   processor_type_t type,
                                                                   amdsmi_processor_handle* out,
                                                                   uint32_t* count) {
  if (type == AMDSMI_PROCESSOR_TYPE_AMD_GPU)
    return amdsmi_get_processor_handles(h, count, out);
  if (!count)
    return AMDSMI_STATUS_INVAL;
  *count = 0;
  return AMDSMI_STATUS_SUCCESS;
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_processor_type(amdsmi_processor_handle h,
                                                        processor_type_t* type) {
  return with_card(h, [&](Card&) {
    if (!type)
      return AMDSMI_STATUS_INVAL;
    *type = AMDSMI_PROCESSOR_TYPE_AMD_GPU;
    return AMDSMI_STATUS_SUCCESS;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_processor_info(amdsmi_processor_handle h, size_t len,
                                                        char* name) {
  return with_card(
      h, [&](Card& k) { return status(rsmi::put_text(std::to_string(k.index), name, len)); });
}
AMDSMI_EXPORT amdsmi_status_t
amdsmi_get_processor_count_from_handles(amdsmi_processor_handle* handles, uint32_t* count,
                                        uint32_t* sockets, uint32_t* cores, uint32_t* gpus) {
  if (!handles || !count || !sockets || !cores || !gpus)
    return AMDSMI_STATUS_INVAL;
  *sockets = *cores = *gpus = 0;
  for (uint32_t i = 0; i < *count; ++i) {
    if (Target t = target(handles[i]); t.error != AMDSMI_STATUS_SUCCESS)
      return t.error;
    ++*gpus;
  }
  return AMDSMI_STATUS_SUCCESS;
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_processor_handle_from_bdf(amdsmi_bdf_t bdf,
                                                                   amdsmi_processor_handle* out) {
  return with_model([&](Model& m) {
    if (!out)
      return AMDSMI_STATUS_INVAL;
    for (auto& k : m.cards()) {
      const Bdf& b = k->id.bdf;
      if (b.domain == bdf.domain_number && b.bus == bdf.bus_number &&
          b.device == bdf.device_number && b.function == bdf.function_number) {
        *out = handle_of(static_cast<uint32_t>(k->index));
        return AMDSMI_STATUS_SUCCESS;
      }
    }
    return AMDSMI_STATUS_API_FAILED;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_status_code_to_string(amdsmi_status_t s, const char** text) {
  if (!text)
    return AMDSMI_STATUS_INVAL;
  switch (s) {
#define CASE(name, meaning)                                                                        \
  case name:                                                                                       \
    *text = #name " - " meaning;                                                                   \
    break;
    CASE(AMDSMI_STATUS_SUCCESS, "The call did what it should")
    CASE(AMDSMI_STATUS_INVAL, "An argument is out of its domain")
    CASE(AMDSMI_STATUS_NOT_SUPPORTED, "This card or system does not have it")
    CASE(AMDSMI_STATUS_NOT_YET_IMPLEMENTED, "There is no code for it yet")
    CASE(AMDSMI_STATUS_FAIL_LOAD_MODULE, "A library cannot be loaded")
    CASE(AMDSMI_STATUS_FAIL_LOAD_SYMBOL, "A library lacks a symbol")
    CASE(AMDSMI_STATUS_DRM_ERROR, "libdrm refused")
    CASE(AMDSMI_STATUS_API_FAILED, "A call inside failed")
    CASE(AMDSMI_STATUS_TIMEOUT, "It took too long")
    CASE(AMDSMI_STATUS_RETRY, "Try again")
    CASE(AMDSMI_STATUS_NO_PERM, "This user may not do it")
    CASE(AMDSMI_STATUS_INTERRUPT, "A signal came in between")
    CASE(AMDSMI_STATUS_IO, "Reading or writing failed")
    CASE(AMDSMI_STATUS_ADDRESS_FAULT, "A bad address")
    CASE(AMDSMI_STATUS_FILE_ERROR, "A file of the driver is missing or unreadable")
    CASE(AMDSMI_STATUS_OUT_OF_RESOURCES, "No memory or handles left")
    CASE(AMDSMI_STATUS_INTERNAL_EXCEPTION, "Something failed inside the library")
    CASE(AMDSMI_STATUS_INPUT_OUT_OF_BOUNDS, "A value is outside the safe range")
    CASE(AMDSMI_STATUS_INIT_ERROR, "The library could not start")
    CASE(AMDSMI_STATUS_REFCOUNT_OVERFLOW, "Too many calls of amdsmi_init")
    CASE(AMDSMI_STATUS_BUSY, "Somebody else uses it")
    CASE(AMDSMI_STATUS_NOT_FOUND, "The thing asked for does not exist")
    CASE(AMDSMI_STATUS_NOT_INIT, "The library is not initialised")
    CASE(AMDSMI_STATUS_NO_SLOT, "No slot is free")
    CASE(AMDSMI_STATUS_DRIVER_NOT_LOADED, "The driver is not loaded")
    CASE(AMDSMI_STATUS_NO_DATA, "There is no value now")
    CASE(AMDSMI_STATUS_INSUFFICIENT_SIZE, "The caller's buffer is too small")
    CASE(AMDSMI_STATUS_UNEXPECTED_SIZE, "The driver gave another amount of data than expected")
    CASE(AMDSMI_STATUS_UNEXPECTED_DATA, "The driver's data make no sense")
    CASE(AMDSMI_STATUS_NON_AMD_CPU, "The CPU is not AMD's")
    CASE(AMDSMI_STATUS_NO_ENERGY_DRV, "The energy driver is not loaded")
    CASE(AMDSMI_STATUS_NO_MSR_DRV, "The MSR driver is not loaded")
    CASE(AMDSMI_STATUS_NO_HSMP_DRV, "The HSMP driver is not loaded")
    CASE(AMDSMI_STATUS_NO_HSMP_SUP, "HSMP is not supported")
    CASE(AMDSMI_STATUS_NO_HSMP_MSG_SUP, "This HSMP message is not supported")
    CASE(AMDSMI_STATUS_HSMP_TIMEOUT, "An HSMP message took too long")
    CASE(AMDSMI_STATUS_NO_DRV, "Neither energy nor HSMP driver is loaded")
    CASE(AMDSMI_STATUS_FILE_NOT_FOUND, "A file does not exist")
    CASE(AMDSMI_STATUS_ARG_PTR_NULL, "A pointer is null")
    CASE(AMDSMI_STATUS_AMDGPU_RESTART_ERR, "The driver did not restart")
    CASE(AMDSMI_STATUS_SETTING_UNAVAILABLE, "The card is in a mode without this setting")
    CASE(AMDSMI_STATUS_MAP_ERROR, "An inner error has no status here")
#undef CASE
  default:
    *text = "AMDSMI_STATUS_UNKNOWN_ERROR - The cause is not known";
  }
  return AMDSMI_STATUS_SUCCESS;
}

// ---- topology -----------------------------------------------------------------------------

namespace {
template <class F>
amdsmi_status_t with_link(amdsmi_processor_handle a, amdsmi_processor_handle b, F&& f) {
  try {
    Target s = target(a), d = target(b);
    if (s.error != AMDSMI_STATUS_SUCCESS || d.error != AMDSMI_STATUS_SUCCESS)
      return s.error != AMDSMI_STATUS_SUCCESS ? s.error : d.error;
    return f(s.index, d.index);
  } catch (...) {
    return AMDSMI_STATUS_INTERNAL_EXCEPTION;
  }
}
// rsmi: undefined 0, PCIe 1, xGMI 2; the same values as here.
amdsmi_io_link_type_t io_type(RSMI_IO_LINK_TYPE t) {
  return static_cast<amdsmi_io_link_type_t>(t);
}
} // namespace

AMDSMI_EXPORT amdsmi_status_t amdsmi_topo_get_numa_node_number(amdsmi_processor_handle h,
                                                               uint32_t* v) {
  return via(rsmi_topo_get_numa_node_number, h, v);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_topo_get_link_weight(amdsmi_processor_handle a,
                                                          amdsmi_processor_handle b, uint64_t* v) {
  return with_link(
      a, b, [&](uint32_t s, uint32_t d) { return status(rsmi_topo_get_link_weight(s, d, v)); });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_minmax_bandwidth_between_processors(
    amdsmi_processor_handle a, amdsmi_processor_handle b, uint64_t* min, uint64_t* max) {
  return with_link(a, b, [&](uint32_t s, uint32_t d) {
    return status(rsmi_minmax_bandwidth_get(s, d, min, max));
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_topo_get_link_type(amdsmi_processor_handle a,
                                                        amdsmi_processor_handle b, uint64_t* hops,
                                                        amdsmi_io_link_type_t* type) {
  return with_link(a, b, [&](uint32_t s, uint32_t d) {
    if (!hops || !type)
      return AMDSMI_STATUS_INVAL;
    RSMI_IO_LINK_TYPE t = RSMI_IOLINK_TYPE_UNDEFINED;
    rsmi_status_t r = rsmi_topo_get_link_type(s, d, hops, &t);
    *type = io_type(t);
    return status(r);
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_is_P2P_accessible(amdsmi_processor_handle a,
                                                       amdsmi_processor_handle b, bool* v) {
  return with_link(a, b,
                   [&](uint32_t s, uint32_t d) { return status(rsmi_is_P2P_accessible(s, d, v)); });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_topo_get_p2p_status(amdsmi_processor_handle a,
                                                         amdsmi_processor_handle b,
                                                         amdsmi_io_link_type_t* type,
                                                         amdsmi_p2p_capability_t* cap) {
  return with_link(a, b, [&](uint32_t s, uint32_t d) {
    if (!type || !cap)
      return AMDSMI_STATUS_INVAL;
    uint64_t hops = 0;
    RSMI_IO_LINK_TYPE t = RSMI_IOLINK_TYPE_UNDEFINED;
    rsmi_status_t r = rsmi_topo_get_link_type(s, d, &hops, &t);
    *type = io_type(t);
    uint8_t yes = t == RSMI_IOLINK_TYPE_XGMI ? 1 : 0;
    *cap = {yes, yes, yes, 1, yes};
    return status(r);
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_link_topology_nearest(amdsmi_processor_handle h,
                                                               amdsmi_link_type_t type,
                                                               amdsmi_topology_nearest_t* out) {
  return with_card(h, [&](Card& k) {
    if (!out || type > AMDSMI_LINK_TYPE_UNKNOWN)
      return AMDSMI_STATUS_INVAL;
    *out = {};
    auto m = rsmi::current();
    std::vector<std::pair<uint64_t, uint32_t>> found;
    for (auto& other : m->cards()) {
      Link l = m->link(k.index, other->index);
      bool match = (type == AMDSMI_LINK_TYPE_XGMI && l.type == LinkType::xgmi) ||
                   (type == AMDSMI_LINK_TYPE_PCIE && l.type == LinkType::pcie);
      if (match)
        found.push_back({l.weight, static_cast<uint32_t>(other->index)});
    }
    std::sort(found.begin(), found.end());
    for (auto& [weight, card] : found)
      if (out->count < AMDSMI_MAX_DEVICES)
        out->processor_list[out->count++] = handle_of(card);
    return AMDSMI_STATUS_SUCCESS;
  });
}

// ---- processes ----------------------------------------------------------------------------

AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_process_list(amdsmi_processor_handle h, uint32_t* most,
                                                          amdsmi_proc_info_t* out) {
  return with_card(h, [&](Card& k) {
    if (!most)
      return AMDSMI_STATUS_INVAL;
    auto all = rsmi::current()->processes();
    uint32_t n = 0, room = *most;
    for (const Process& p : all)
      for (const CardUse& u : p.cards) {
        if (u.card != k.index)
          continue;
        if (out && n < room) {
          amdsmi_proc_info_t& o = out[n];
          o = {};
          copy_text(o.name, p.name);
          o.pid = p.pid;
          o.mem = o.memory_usage.vram_mem = u.vram_bytes;
          o.memory_usage.gtt_mem = u.gtt_bytes;
          o.memory_usage.cpu_mem = u.cpu_bytes;
          o.engine_usage.gfx = u.gfx_ns;
          o.engine_usage.enc = u.enc_ns;
        }
        ++n;
      }
    *most = out ? std::min(room, n) : n;
    return out && room < n ? AMDSMI_STATUS_OUT_OF_RESOURCES : AMDSMI_STATUS_SUCCESS;
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_compute_process_info(amdsmi_process_info_t* procs,
                                                                  uint32_t* n) {
  static_assert(sizeof(amdsmi_process_info_t) == sizeof(rsmi_process_info_t));
  return with_model([&](Model&) {
    return status(rsmi_compute_process_info_get(reinterpret_cast<rsmi_process_info_t*>(procs), n));
  });
}
AMDSMI_EXPORT amdsmi_status_t
amdsmi_get_gpu_compute_process_info_by_pid(uint32_t pid, amdsmi_process_info_t* proc) {
  return with_model([&](Model&) {
    return status(
        rsmi_compute_process_info_by_pid_get(pid, reinterpret_cast<rsmi_process_info_t*>(proc)));
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_compute_process_gpus(uint32_t pid, uint32_t* cards,
                                                                  uint32_t* n) {
  return with_model([&](Model&) { return status(rsmi_compute_process_gpus_get(pid, cards, n)); });
}

// ---- events -------------------------------------------------------------------------------

AMDSMI_EXPORT amdsmi_status_t amdsmi_init_gpu_event_notification(amdsmi_processor_handle h) {
  return via(rsmi_event_notification_init, h);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_set_gpu_event_notification_mask(amdsmi_processor_handle h,
                                                                     uint64_t mask) {
  return via(rsmi_event_notification_mask_set, h, mask);
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_get_gpu_event_notification(
    int timeout_ms, uint32_t* n, amdsmi_evt_notification_data_t* data) {
  return with_model([&](Model&) {
    if (!n || !data || !*n)
      return AMDSMI_STATUS_INVAL;
    std::vector<rsmi_evt_notification_data_t> events(std::min<uint32_t>(*n, 256));
    uint32_t got = static_cast<uint32_t>(events.size());
    rsmi_status_t s = rsmi_event_notification_get(timeout_ms, &got, events.data());
    *n = got;
    for (uint32_t i = 0; i < got; ++i) {
      data[i].processor_handle = handle_of(events[i].dv_ind);
      data[i].event = static_cast<amdsmi_evt_notification_type_t>(events[i].event);
      std::memcpy(data[i].message, events[i].message, sizeof data[i].message);
    }
    return status(s);
  });
}
AMDSMI_EXPORT amdsmi_status_t amdsmi_stop_gpu_event_notification(amdsmi_processor_handle h) {
  return via(rsmi_event_notification_stop, h);
}
