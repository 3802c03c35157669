// SPDX-License-Identifier: MIT
// librocm_smi64: start and end, processes, topology, events, counters, function iterators.
#include "smi/capi/metrics_fill.h"
#include "smi/capi/rsmi.h"
#include <algorithm>
#include <cstring>
#include <mutex>
#include <set>
#include <time.h>

using namespace pumice::smi;
using namespace pumice::smi::rsmi;

namespace {

std::mutex g_mutex; // below
std::shared_ptr<Model> g_model;
int64_t g_references = 0;

struct Listening {
  std::set<uint32_t> cards;
  uint64_t masks[64] = {};
  uint64_t next = 0;
} g_listening; // guarded by g_mutex

} // namespace

std::shared_ptr<Model> pumice::smi::rsmi::current() {
  std::lock_guard lock(g_mutex);
  return g_model;
}

RSMI_EXPORT rsmi_status_t rsmi_init(uint64_t) {
  try {
    std::lock_guard lock(g_mutex);
    if (g_references == INT32_MAX)
      return RSMI_STATUS_REFCOUNT_OVERFLOW;
    if (!g_model) {
      auto m = Model::open();
      if (!m.ok())
        return RSMI_STATUS_INIT_ERROR;
      g_model = std::shared_ptr<Model>(std::move(*m));
    }
    ++g_references;
    return RSMI_STATUS_SUCCESS;
  } catch (...) {
    return RSMI_STATUS_INIT_ERROR;
  }
}
RSMI_EXPORT rsmi_status_t rsmi_shut_down(void) {
  std::lock_guard lock(g_mutex);
  if (!g_references)
    return RSMI_STATUS_INIT_ERROR;
  if (--g_references == 0) {
    g_model.reset(); // calls in flight hold their own reference
    g_listening = {};
  }
  return RSMI_STATUS_SUCCESS;
}
RSMI_EXPORT rsmi_status_t rsmi_num_monitor_devices(uint32_t* n) {
  return with_model([&](Model& m) { return put(Reading<uint64_t>(m.cards().size()), n); });
}
RSMI_EXPORT rsmi_status_t rsmi_version_get(rsmi_version_t* v) {
  if (!v)
    return RSMI_STATUS_INVALID_ARGS;
  *v = {7, 4, 0, "pumice"};
  return RSMI_STATUS_SUCCESS;
}
RSMI_EXPORT rsmi_status_t rsmi_version_str_get(rsmi_sw_component_t component, char* text,
                                               uint32_t len) {
  return with_model([&](Model& m) {
    if (component != RSMI_SW_COMP_DRIVER)
      return RSMI_STATUS_INVALID_ARGS;
    for (auto& k : m.cards())
      if (k->id.driver_version.ok())
        return put_text(k->id.driver_version, text, len);
    return RSMI_STATUS_NOT_FOUND;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_status_string(rsmi_status_t s, const char** text) {
  if (!text)
    return RSMI_STATUS_INVALID_ARGS;
  switch (s) {
#define CASE(name, meaning)                                                                        \
  case name:                                                                                       \
    *text = #name ": " meaning;                                                                    \
    break;
    CASE(RSMI_STATUS_SUCCESS, "the call did what it should")
    CASE(RSMI_STATUS_INVALID_ARGS, "an argument is out of its domain")
    CASE(RSMI_STATUS_NOT_SUPPORTED, "this card or system does not have it")
    CASE(RSMI_STATUS_FILE_ERROR, "a file of the driver is missing")
    CASE(RSMI_STATUS_PERMISSION, "this user may not do it")
    CASE(RSMI_STATUS_OUT_OF_RESOURCES, "no memory or handles left")
    CASE(RSMI_STATUS_INTERNAL_EXCEPTION, "something failed inside the library")
    CASE(RSMI_STATUS_INPUT_OUT_OF_BOUNDS, "a value is outside the safe range")
    CASE(RSMI_STATUS_INIT_ERROR, "the library is not initialised")
    CASE(RSMI_STATUS_NOT_YET_IMPLEMENTED, "there is no code for it yet")
    CASE(RSMI_STATUS_NOT_FOUND, "the thing asked for does not exist")
    CASE(RSMI_STATUS_INSUFFICIENT_SIZE, "the caller's buffer is too small")
    CASE(RSMI_STATUS_INTERRUPT, "a signal came in between")
    CASE(RSMI_STATUS_UNEXPECTED_SIZE, "the driver gave another amount of data than expected")
    CASE(RSMI_STATUS_NO_DATA, "there is no value now")
    CASE(RSMI_STATUS_UNEXPECTED_DATA, "the driver's data make no sense")
    CASE(RSMI_STATUS_BUSY, "somebody else uses it")
    CASE(RSMI_STATUS_REFCOUNT_OVERFLOW, "too many calls of rsmi_init")
    CASE(RSMI_STATUS_SETTING_UNAVAILABLE, "the card is in a mode without this setting")
    CASE(RSMI_STATUS_AMDGPU_RESTART_ERR, "the driver did not restart")
    CASE(RSMI_STATUS_UNKNOWN_ERROR, "the cause is not known")
#undef CASE
  default:
    *text = "RSMI_STATUS_UNKNOWN_ERROR: no such status";
    return RSMI_STATUS_INVALID_ARGS;
  }
  return RSMI_STATUS_SUCCESS;
}
RSMI_EXPORT rsmi_status_t rsmi_dev_gpu_metrics_info_get(uint32_t i, rsmi_gpu_metrics_t* out) {
  return with_card(i, [&](Card& k) {
    auto m = k.metrics();
    if (!m.ok())
      return status(m.why());
    if (!out)
      return RSMI_STATUS_INVALID_ARGS;
    fill_metrics(*m, *out);
    return RSMI_STATUS_SUCCESS;
  });
}

// ---- processes ----------------------------------------------------------------------------

namespace {

rsmi_process_info_t info_of(const Process& p, std::optional<size_t> card) {
  rsmi_process_info_t r{p.pid, p.pasid.value_or(0), 0, 0, 0};
  bool known = false;
  for (const CardUse& u : p.cards) {
    if (card && u.card != *card)
      continue;
    r.vram_usage = saturated_sum(r.vram_usage, u.vram_bytes);
    r.sdma_usage = saturated_sum(r.sdma_usage, u.sdma_us);
    if (u.cu_percent.ok()) {
      r.cu_occupancy += *u.cu_percent;
      known = true;
    }
  }
  if (!known)
    r.cu_occupancy = CU_OCCUPANCY_INVALID;
  return r;
}

const Process* find(const std::vector<Process>& all, uint32_t pid) {
  auto it = std::find_if(all.begin(), all.end(), [&](const Process& p) { return p.pid == pid; });
  return it == all.end() ? nullptr : &*it;
}

} // namespace

RSMI_EXPORT rsmi_status_t rsmi_compute_process_info_get(rsmi_process_info_t* procs, uint32_t* n) {
  return with_model([&](Model& m) {
    if (!n)
      return RSMI_STATUS_INVALID_ARGS;
    auto all = m.processes();
    auto count = static_cast<uint32_t>(all.size());
    if (!procs) {
      *n = count;
      return RSMI_STATUS_SUCCESS;
    }
    uint32_t room = *n;
    *n = std::min(room, count);
    for (uint32_t i = 0; i < *n; ++i)
      procs[i] = info_of(all[i], std::nullopt);
    return room < count ? RSMI_STATUS_INSUFFICIENT_SIZE : RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_compute_process_info_by_pid_get(uint32_t pid,
                                                               rsmi_process_info_t* out) {
  return with_model([&](Model& m) {
    if (!out)
      return RSMI_STATUS_INVALID_ARGS;
    auto all = m.processes();
    const Process* p = find(all, pid);
    if (!p)
      return RSMI_STATUS_NOT_FOUND;
    *out = info_of(*p, std::nullopt);
    return RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_compute_process_info_by_device_get(uint32_t pid, uint32_t card,
                                                                  rsmi_process_info_t* out) {
  return with_card(card, [&](Card&) {
    if (!out)
      return RSMI_STATUS_INVALID_ARGS;
    auto all = current()->processes();
    const Process* p = find(all, pid);
    if (!p ||
        std::none_of(p->cards.begin(), p->cards.end(), [&](auto& u) { return u.card == card; }))
      return RSMI_STATUS_NOT_FOUND;
    *out = info_of(*p, card);
    return RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_compute_process_gpus_get(uint32_t pid, uint32_t* cards,
                                                        uint32_t* n) {
  return with_model([&](Model& m) {
    if (!n)
      return RSMI_STATUS_INVALID_ARGS;
    auto all = m.processes();
    const Process* p = find(all, pid);
    if (!p)
      return RSMI_STATUS_NOT_FOUND;
    auto count = static_cast<uint32_t>(p->cards.size());
    if (!cards) {
      *n = count;
      return RSMI_STATUS_SUCCESS;
    }
    uint32_t room = *n;
    *n = std::min(room, count);
    for (uint32_t i = 0; i < *n; ++i)
      cards[i] = static_cast<uint32_t>(p->cards[i].card);
    return room < count ? RSMI_STATUS_INSUFFICIENT_SIZE : RSMI_STATUS_SUCCESS;
  });
}

// ---- topology -----------------------------------------------------------------------------

namespace {
template <class F> rsmi_status_t with_link(uint32_t a, uint32_t b, F&& f) {
  return with_model([&](Model& m) {
    if (a >= m.cards().size() || b >= m.cards().size())
      return RSMI_STATUS_INVALID_ARGS;
    return f(m.link(a, b));
  });
}
} // namespace

RSMI_EXPORT rsmi_status_t rsmi_topo_get_numa_node_number(uint32_t i, uint32_t* v) {
  return with_card(i, [&](Card& k) { return put(k.id.numa_node, v); });
}
RSMI_EXPORT rsmi_status_t rsmi_topo_get_link_weight(uint32_t a, uint32_t b, uint64_t* v) {
  return with_link(a, b, [&](const Link& l) {
    if (!v)
      return RSMI_STATUS_INVALID_ARGS;
    if (l.type == LinkType::none)
      return RSMI_STATUS_NOT_SUPPORTED;
    *v = l.weight;
    return RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_minmax_bandwidth_get(uint32_t a, uint32_t b, uint64_t* min,
                                                    uint64_t* max) {
  return with_link(a, b, [&](const Link& l) {
    if (!min || !max || a == b)
      return RSMI_STATUS_INVALID_ARGS;
    if (l.type != LinkType::xgmi)
      return RSMI_STATUS_NOT_SUPPORTED;
    *min = l.min_mbps;
    *max = l.max_mbps;
    return RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_topo_get_link_type(uint32_t a, uint32_t b, uint64_t* hops,
                                                  RSMI_IO_LINK_TYPE* type) {
  return with_link(a, b, [&](const Link& l) {
    if (!hops || !type)
      return RSMI_STATUS_INVALID_ARGS;
    if (l.type == LinkType::none)
      return RSMI_STATUS_NOT_SUPPORTED;
    *hops = l.hops;
    *type = l.type == LinkType::xgmi ? RSMI_IOLINK_TYPE_XGMI : RSMI_IOLINK_TYPE_PCIEXPRESS;
    return RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_is_P2P_accessible(uint32_t a, uint32_t b, bool* v) {
  return with_link(a, b, [&](const Link& l) {
    if (!v)
      return RSMI_STATUS_INVALID_ARGS;
    *v = a == b || l.accessible;
    return RSMI_STATUS_SUCCESS;
  });
}

// ---- events -------------------------------------------------------------------------------

RSMI_EXPORT rsmi_status_t rsmi_event_notification_init(uint32_t i) {
  return with_card(i, [&](Card& k) {
    if (!k.id.software) // theirs come from an ioctl that nothing here makes
      return RSMI_STATUS_NOT_SUPPORTED;
    auto m = current();
    std::lock_guard lock(g_mutex);
    if (g_listening.cards.empty() && m)
      g_listening.next = m->next_event();
    g_listening.cards.insert(i);
    return RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_event_notification_mask_set(uint32_t i, uint64_t mask) {
  return with_card(i, [&](Card&) {
    std::lock_guard lock(g_mutex);
    if (!g_listening.cards.count(i))
      return RSMI_STATUS_INIT_ERROR;
    if (i < 64)
      g_listening.masks[i] = mask;
    return RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_event_notification_get(int timeout_ms, uint32_t* n,
                                                      rsmi_evt_notification_data_t* data) {
  return with_model([&](Model& m) {
    if (!n || !data || !*n)
      return RSMI_STATUS_INVALID_ARGS;
    uint32_t room = *n;
    *n = 0;
    for (int waited = 0;; waited += 10) {
      {
        std::lock_guard lock(g_mutex);
        for (const Event& e : m.events(g_listening.next)) {
          auto kind = static_cast<uint32_t>(e.kind);
          bool wanted = kind >= 1 && kind <= RSMI_EVT_NOTIF_LAST && e.card < 64 &&
                        g_listening.cards.count(static_cast<uint32_t>(e.card)) &&
                        (g_listening.masks[e.card] & RSMI_EVENT_MASK_FROM_INDEX(kind));
          if (wanted && *n == room)
            break;
          g_listening.next = e.number + 1;
          if (!wanted)
            continue;
          rsmi_evt_notification_data_t& d = data[(*n)++];
          d.dv_ind = static_cast<uint32_t>(e.card);
          d.event = static_cast<rsmi_evt_notification_type_t>(kind);
          std::memset(d.message, 0, sizeof d.message);
          std::memcpy(d.message, e.message.data(),
                      std::min(e.message.size(), sizeof d.message - 1));
        }
      }
      if (*n)
        return RSMI_STATUS_SUCCESS;
      if (timeout_ms >= 0 && waited >= timeout_ms)
        return RSMI_STATUS_NO_DATA;
      timespec nap{0, 10'000'000};
      nanosleep(&nap, nullptr);
    }
  });
}
RSMI_EXPORT rsmi_status_t rsmi_event_notification_stop(uint32_t i) {
  return with_card(i, [&](Card&) {
    std::lock_guard lock(g_mutex);
    return g_listening.cards.erase(i) ? RSMI_STATUS_SUCCESS : RSMI_STATUS_INVALID_ARGS;
  });
}

// ---- iterators over what a card supports --------------------------------------------------

struct rsmi_func_id_iter_handle {
  std::vector<std::string> names; // of functions; empty for variants
  std::vector<uint64_t> values;
  size_t at = 0;
  uint32_t card = 0;
};

namespace {

struct Probe {
  const char* name;
  rsmi_status_t (*ask)(uint32_t card);
};
// Asks with a null pointer: INVALID_ARGS means that the function is supported.
const Probe kProbes[] = {
#define ASK(name, ...) {#name, [](uint32_t c) { return name(c, __VA_ARGS__); }}
    ASK(rsmi_dev_id_get, nullptr),
    ASK(rsmi_dev_vendor_id_get, nullptr),
    ASK(rsmi_dev_revision_get, nullptr),
    ASK(rsmi_dev_sku_get, nullptr),
    ASK(rsmi_dev_name_get, nullptr, 0),
    ASK(rsmi_dev_brand_get, nullptr, 0),
    ASK(rsmi_dev_vendor_name_get, nullptr, 0),
    ASK(rsmi_dev_vram_vendor_get, nullptr, 0),
    ASK(rsmi_dev_serial_number_get, nullptr, 0),
    ASK(rsmi_dev_subsystem_id_get, nullptr),
    ASK(rsmi_dev_subsystem_name_get, nullptr, 0),
    ASK(rsmi_dev_drm_render_minor_get, nullptr),
    ASK(rsmi_dev_subsystem_vendor_id_get, nullptr),
    ASK(rsmi_dev_unique_id_get, nullptr),
    ASK(rsmi_dev_guid_get, nullptr),
    ASK(rsmi_dev_node_id_get, nullptr),
    ASK(rsmi_dev_pci_bandwidth_get, nullptr),
    ASK(rsmi_dev_pci_id_get, nullptr),
    ASK(rsmi_topo_numa_affinity_get, nullptr),
    ASK(rsmi_dev_pci_replay_counter_get, nullptr),
    ASK(rsmi_dev_power_ave_get, 0, nullptr),
    ASK(rsmi_dev_current_socket_power_get, nullptr),
    ASK(rsmi_dev_energy_count_get, nullptr, nullptr, nullptr),
    ASK(rsmi_dev_power_cap_get, 0, nullptr),
    ASK(rsmi_dev_power_cap_default_get, nullptr),
    ASK(rsmi_dev_power_cap_range_get, 0, nullptr, nullptr),
    ASK(rsmi_dev_memory_busy_percent_get, nullptr),
    ASK(rsmi_dev_memory_reserved_pages_get, nullptr, nullptr),
    ASK(rsmi_dev_fan_rpms_get, 0, nullptr),
    ASK(rsmi_dev_fan_speed_get, 0, nullptr),
    ASK(rsmi_dev_fan_speed_max_get, 0, nullptr),
    ASK(rsmi_dev_busy_percent_get, nullptr),
    ASK(rsmi_dev_perf_level_get, nullptr),
    ASK(rsmi_dev_overdrive_level_get, nullptr),
    ASK(rsmi_dev_gpu_metrics_info_get, nullptr),
    ASK(rsmi_dev_vbios_version_get, nullptr, 0),
    ASK(rsmi_dev_ecc_enabled_get, nullptr),
    ASK(rsmi_dev_xgmi_error_status, nullptr),
    ASK(rsmi_dev_xgmi_hive_id_get, nullptr),
    ASK(rsmi_topo_get_numa_node_number, nullptr),
    ASK(rsmi_dev_compute_partition_get, nullptr, 0),
    ASK(rsmi_dev_memory_partition_get, nullptr, 0),
    ASK(rsmi_dev_memory_total_get, RSMI_MEM_TYPE_VRAM, nullptr),
    ASK(rsmi_dev_memory_usage_get, RSMI_MEM_TYPE_VRAM, nullptr),
    ASK(rsmi_dev_gpu_clk_freq_get, RSMI_CLK_TYPE_SYS, nullptr),
    ASK(rsmi_dev_temp_metric_get, RSMI_TEMP_TYPE_JUNCTION, RSMI_TEMP_CURRENT, nullptr),
#undef ASK
};

template <class F>
void variants(std::vector<uint64_t>& out, uint64_t first, uint64_t last, F&& ask) {
  for (uint64_t v = first; v <= last; ++v)
    if (ask(v) == RSMI_STATUS_INVALID_ARGS)
      out.push_back(v);
}

} // namespace

RSMI_EXPORT rsmi_status_t rsmi_dev_supported_func_iterator_open(uint32_t i,
                                                                rsmi_func_id_iter_handle_t* out) {
  return with_card(i, [&](Card&) {
    if (!out)
      return RSMI_STATUS_INVALID_ARGS;
    auto h = std::make_unique<rsmi_func_id_iter_handle>();
    h->card = i;
    for (const Probe& p : kProbes)
      if (p.ask(i) == RSMI_STATUS_INVALID_ARGS)
        h->names.push_back(p.name);
    if (h->names.empty())
      return RSMI_STATUS_NO_DATA;
    *out = h.release();
    return RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_dev_supported_variant_iterator_open(
    rsmi_func_id_iter_handle_t parent, rsmi_func_id_iter_handle_t* out) {
  return with_model([&](Model&) {
    if (!parent || !out || parent->at >= std::max(parent->names.size(), parent->values.size()))
      return RSMI_STATUS_INVALID_ARGS;
    auto h = std::make_unique<rsmi_func_id_iter_handle>();
    uint32_t c = h->card = parent->card;
    const std::string& name = parent->names.empty() ? "" : parent->names[parent->at];
    if (name == "rsmi_dev_memory_total_get")
      variants(h->values, 0, RSMI_MEM_TYPE_LAST, [c](uint64_t v) {
        return rsmi_dev_memory_total_get(c, static_cast<rsmi_memory_type_t>(v), nullptr);
      });
    else if (name == "rsmi_dev_memory_usage_get")
      variants(h->values, 0, RSMI_MEM_TYPE_LAST, [c](uint64_t v) {
        return rsmi_dev_memory_usage_get(c, static_cast<rsmi_memory_type_t>(v), nullptr);
      });
    else if (name == "rsmi_dev_gpu_clk_freq_get")
      variants(h->values, 0, RSMI_CLK_TYPE_LAST, [c](uint64_t v) {
        return rsmi_dev_gpu_clk_freq_get(c, static_cast<rsmi_clk_type_t>(v), nullptr);
      });
    else if (name == "rsmi_dev_temp_metric_get")
      variants(h->values, 0, RSMI_TEMP_LAST, [c](uint64_t v) {
        return rsmi_dev_temp_metric_get(c, RSMI_TEMP_TYPE_JUNCTION,
                                        static_cast<rsmi_temperature_metric_t>(v), nullptr);
      });
    if (h->values.empty())
      return RSMI_STATUS_NO_DATA;
    *out = h.release();
    return RSMI_STATUS_SUCCESS;
  });
}
RSMI_EXPORT rsmi_status_t rsmi_func_iter_next(rsmi_func_id_iter_handle_t h) {
  if (!h)
    return RSMI_STATUS_INVALID_ARGS;
  size_t n = std::max(h->names.size(), h->values.size());
  if (h->at + 1 >= n) {
    h->at = n;
    return RSMI_STATUS_NO_DATA;
  }
  ++h->at;
  return RSMI_STATUS_SUCCESS;
}
RSMI_EXPORT rsmi_status_t rsmi_dev_supported_func_iterator_close(rsmi_func_id_iter_handle_t* h) {
  if (!h)
    return RSMI_STATUS_INVALID_ARGS;
  delete *h;
  *h = nullptr;
  return RSMI_STATUS_SUCCESS;
}
RSMI_EXPORT rsmi_status_t rsmi_func_iter_value_get(rsmi_func_id_iter_handle_t h,
                                                   rsmi_func_id_value_t* v) {
  if (!h || !v)
    return RSMI_STATUS_INVALID_ARGS;
  if (h->at < h->names.size())
    v->name = h->names[h->at].c_str();
  else if (h->at < h->values.size())
    v->id = h->values[h->at];
  else
    return RSMI_STATUS_NO_DATA;
  return RSMI_STATUS_SUCCESS;
}
