# SPDX-License-Identifier: MIT
"""Functions of AMD SMI over libamd_smi.so, with the names and keys of ROCm 6.3's Python interface.

A figure that a card does not have is the string "N/A"; a failing call raises AmdSmiLibraryException, an argument of the
wrong kind AmdSmiParameterException. Functions without an implementation in the library exist and raise with
AMDSMI_STATUS_NOT_SUPPORTED.
"""
import ctypes as C
import re

from ._enums import *  # noqa: F401, F403
from ._enums import (AmdSmiAcceleratorPartitionType, AmdSmiClkType, AmdSmiComputePartitionType, AmdSmiDevPerfLevel, AmdSmiEvtNotificationType,
                     AmdSmiFreqInd, AmdSmiFwBlock, AmdSmiGpuBlock, AmdSmiInitFlags, AmdSmiLinkType, AmdSmiMemoryPartitionType, AmdSmiMemoryType,
                     AmdSmiPowerProfilePresetMasks, AmdSmiProcessorType, AmdSmiRasErrState, AmdSmiTemperatureMetric, AmdSmiTemperatureType,
                     AmdSmiUtilizationCounterType, AmdSmiVoltageMetric, AmdSmiVoltageType)
from ._library import lib as _lib
from .amdsmi_exception import (RETRY, TIMEOUT, AmdSmiBdfFormatException, AmdSmiLibraryException, AmdSmiParameterException, AmdSmiRetryException,
                               AmdSmiTimeoutException)

NOT_SUPPORTED = 2

U8, U16, U32, U64 = C.c_uint8, C.c_uint16, C.c_uint32, C.c_uint64


def _struct(name, *fields):
    return type(name, (C.Structure,), {"_fields_": list(fields)})


def _text(n):
    return C.c_char * n


_Version = _struct("Version", ("year", U32), ("major", U32), ("minor", U32), ("release", U32), ("build", C.c_char_p))
_Asic = _struct("Asic", ("market_name", _text(256)), ("vendor_id", U32), ("vendor_name", _text(64)), ("subvendor_id", U32), ("device_id", U64),
                ("rev_id", U32), ("asic_serial", _text(32)), ("oam_id", U32), ("num_compute_units", U32), ("target_graphics_version", U64),
                ("reserved", U32 * 15))
_Kfd = _struct("Kfd", ("kfd_id", U64), ("node_id", U32), ("current_partition_id", U32), ("reserved", U32 * 12))
_Engine = _struct("Engine", ("gfx_activity", U32), ("umc_activity", U32), ("mm_activity", U32), ("reserved", U32 * 13))
_VramUsage = _struct("VramUsage", ("vram_total", U32), ("vram_used", U32), ("reserved", U32 * 2))
_VramInfo = _struct("VramInfo", ("vram_type", U32), ("vram_vendor", U32), ("vram_size", U64), ("vram_bit_width", U32), ("reserved", U64 * 5))
_Power = _struct("Power", ("current_socket_power", U32), ("average_socket_power", U32), ("gfx_voltage", U32), ("soc_voltage", U32),
                 ("mem_voltage", U32), ("power_limit", U32), ("reserved", U32 * 11))
_Cap = _struct("Cap", ("power_cap", U64), ("default_power_cap", U64), ("dpm_cap", U64), ("min_power_cap", U64), ("max_power_cap", U64),
               ("reserved", U64 * 3))
_Clock = _struct("Clock", ("clk", U32), ("min_clk", U32), ("max_clk", U32), ("clk_locked", U8), ("clk_deep_sleep", U8), ("reserved", U32 * 4))
_Vbios = _struct("Vbios", ("name", _text(64)), ("build_date", _text(32)), ("part_number", _text(64)), ("version", _text(32)), ("reserved", U32 * 16))
_Driver = _struct("Driver", ("driver_version", _text(64)), ("driver_date", _text(64)), ("driver_name", _text(64)))
_Board = _struct("Board", ("model_number", _text(256)), ("product_serial", _text(32)), ("fru_id", _text(32)), ("product_name", _text(256)),
                 ("manufacturer_name", _text(64)), ("reserved", U32 * 32))
_Ecc = _struct("Ecc", ("correctable_count", U64), ("uncorrectable_count", U64), ("deferred_count", U64), ("reserved", U64 * 5))
_Xgmi = _struct("Xgmi", ("xgmi_lanes", U8), ("xgmi_hive_id", U64), ("xgmi_node_id", U64), ("index", U32), ("reserved", U32 * 9))
_PcieStatic = _struct("PcieStatic", ("max_pcie_width", U16), ("max_pcie_speed", U32), ("pcie_interface_version", U32), ("slot_type", U32),
                      ("reserved", U64 * 10))
_PcieMetric = _struct("PcieMetric", ("pcie_width", U16), ("pcie_speed", U32), ("pcie_bandwidth", U32), ("pcie_replay_count", U64),
                      ("pcie_l0_to_recovery_count", U64), ("pcie_replay_roll_over_count", U64), ("pcie_nak_sent_count", U64),
                      ("pcie_nak_received_count", U64), ("pcie_lc_perf_other_end_recovery_count", U32), ("reserved", U64 * 12))
_Pcie = _struct("Pcie", ("pcie_static", _PcieStatic), ("pcie_metric", _PcieMetric), ("reserved", U64 * 32))
_EngineUse = _struct("EngineUse", ("gfx", U64), ("enc", U64), ("reserved", U32 * 12))
_MemoryUse = _struct("MemoryUse", ("gtt_mem", U64), ("cpu_mem", U64), ("vram_mem", U64), ("reserved", U32 * 10))
_Process = _struct("Process", ("name", _text(32)), ("pid", U32), ("mem", U64), ("engine_usage", _EngineUse), ("memory_usage", _MemoryUse),
                   ("container_name", _text(32)), ("reserved", U32 * 4))
_Event = _struct("Event", ("processor_handle", C.c_void_p), ("event", C.c_int), ("message", _text(64)))
_Page = _struct("Page", ("page_address", U64), ("page_size", U64), ("status", C.c_int))
_Violation = _struct("Violation", *[(n, U64) for n in (
    "reference_timestamp violation_timestamp acc_counter acc_prochot_thrm acc_ppt_pwr acc_socket_thrm acc_vr_thrm acc_hbm_thrm "
    "per_prochot_thrm per_ppt_pwr per_socket_thrm per_vr_thrm per_hbm_thrm").split()],
    *[(n, U8) for n in "active_prochot_thrm active_ppt_pwr active_socket_thrm active_vr_thrm active_hbm_thrm".split()], ("reserved", U64 * 30))


def _fields(kind, words):
    """Members of one kind: "name" or "name:elements"."""
    out = []
    for word in words.split():
        name, _, n = word.partition(":")
        out.append((name, kind * int(n) if n else kind))
    return out


_CacheEntry = _struct("CacheEntry", *_fields(U32, "cache_properties cache_size cache_level max_num_cu_shared num_cache_instance reserved:3"))
_Caches = _struct("Caches", ("num_cache_types", U32), ("cache", _CacheEntry * 10), ("reserved", U32 * 15))
_FwEntry = _struct("FwEntry", ("fw_id", C.c_int), ("fw_version", U64), ("reserved", U64 * 2))
_Fw = _struct("Fw", ("num_fw_info", U8), ("fw_info_list", _FwEntry * (max(AmdSmiFwBlock) + 1)), ("reserved", U32 * 7))
_Frequencies = _struct("Frequencies", ("has_deep_sleep", C.c_bool), ("num_supported", U32), ("current", U32), ("frequency", U64 * 33))
_Bandwidth = _struct("Bandwidth", ("transfer_rate", _Frequencies), ("lanes", U32 * 33))
_LinkEntry = _struct("LinkEntry", ("bdf", U64), ("bit_rate", U32), ("max_bandwidth", U32), ("link_type", C.c_int), ("read", U64), ("write", U64),
                     ("reserved", U64 * 2))
_Links = _struct("Links", ("num_links", U32), ("links", _LinkEntry * 64), ("reserved", U64 * 7))
_P2p = _struct("P2p", *_fields(U8, "is_iolink_coherent is_iolink_atomics_32bit is_iolink_atomics_64bit is_iolink_dma is_iolink_bi_directional"))
_Accelerator = _struct("Accelerator", ("profile_type", C.c_int), *_fields(U32, "num_partitions profile_index memory_caps num_resources"),
                       ("resources", U32 * (8 * 32)), ("reserved", U64 * 6))
_Profiles = _struct("Profiles", ("available_profiles", U64), ("current", U64), ("num_profiles", U32))
_Policy = _struct("Policy", ("policy_id", U32), ("policy_description", _text(32)))
_PolicyList = _struct("PolicyList", ("num_supported", U32), ("current", U32), ("policies", _Policy * 32))
_Counter = _struct("Counter", ("type", C.c_int), ("value", U64), ("fine_value", U64 * 4), ("fine_value_count", U16))
_ComputeProcess = _struct("ComputeProcess", *_fields(U32, "process_id pasid"), *_fields(U64, "vram_usage sdma_usage"), ("cu_occupancy", U32))
_Nearest = _struct("Nearest", ("count", U32), ("processor_list", C.c_void_p * 32), ("reserved", U64 * 15))
_MetricsHeader = _struct("MetricsHeader", ("structure_size", U16), ("format_revision", U8), ("content_revision", U8))
_Xcp = _struct("Xcp", *_fields(U32, "gfx_busy_inst:8"), *_fields(U16, "jpeg_busy:32 vcn_busy:4"), *_fields(U64, "gfx_busy_acc:8"))
_Metrics = _struct(
    "Metrics", *[
        ("common_header", _MetricsHeader),
        *_fields(U16,
                 "temperature_edge temperature_hotspot temperature_mem temperature_vrgfx temperature_vrsoc "
                 "temperature_vrmem average_gfx_activity average_umc_activity average_mm_activity average_socket_power"),
        *_fields(U64, "energy_accumulator system_clock_counter"),
        *_fields(U16,
                 "average_gfxclk_frequency average_socclk_frequency average_uclk_frequency average_vclk0_frequency "
                 "average_dclk0_frequency average_vclk1_frequency average_dclk1_frequency current_gfxclk current_socclk "
                 "current_uclk current_vclk0 current_dclk0 current_vclk1 current_dclk1"),
        *_fields(U32, "throttle_status"),
        *_fields(U16, "current_fan_speed pcie_link_width pcie_link_speed"),
        *_fields(U32, "gfx_activity_acc mem_activity_acc"),
        *_fields(U16, "temperature_hbm:4"),
        *_fields(U64, "firmware_timestamp"),
        *_fields(U16, "voltage_soc voltage_gfx voltage_mem"),
        *_fields(U64, "indep_throttle_status"),
        *_fields(U16, "current_socket_power vcn_activity:4"),
        *_fields(U32, "gfxclk_lock_status"),
        *_fields(U16, "xgmi_link_width xgmi_link_speed"),
        *_fields(U64,
                 "pcie_bandwidth_acc pcie_bandwidth_inst pcie_l0_to_recov_count_acc pcie_replay_count_acc "
                 "pcie_replay_rover_count_acc xgmi_read_data_acc:8 xgmi_write_data_acc:8"),
        *_fields(U16, "current_gfxclks:8 current_socclks:4 current_vclk0s:4 current_dclk0s:4 jpeg_activity:32"),
        *_fields(U32, "pcie_nak_sent_count_acc pcie_nak_rcvd_count_acc"),
        *_fields(U64,
                 "accumulation_counter prochot_residency_acc ppt_residency_acc socket_thm_residency_acc "
                 "vr_thm_residency_acc hbm_thm_residency_acc"),
        *_fields(U16, "num_partition"),
        ("xcp_stats", _Xcp * 8),
        *_fields(U32, "pcie_lc_perf_other_end_recovery"),
    ])


def _check(code):
    if code == RETRY:
        raise AmdSmiRetryException()
    if code == TIMEOUT:
        raise AmdSmiTimeoutException()
    if code:
        raise AmdSmiLibraryException(code)


def _handle(h):
    if not isinstance(h, C.c_void_p):
        raise AmdSmiParameterException(h, C.c_void_p)
    return h


def _whole(value, most=0xFFFFFFFFFFFFFFFF):
    """An integer that the library's parameter can hold."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise AmdSmiParameterException(value, int)
    return value


def _choice(enum, value):
    """A member of `enum`, its value or its name."""
    try:
        return enum[value] if isinstance(value, str) else enum(value)
    except (KeyError, ValueError):
        raise AmdSmiParameterException(value, enum) from None


def _plain(value, kind):
    if isinstance(value, C.Structure):
        return _dict(value)
    if isinstance(value, C.Array):
        return [_plain(v, kind._type_) for v in value]
    if isinstance(value, bytes):
        return value.decode(errors="replace") or "N/A"
    ones = {U8: 0xFF, U16: 0xFFFF, U32: 0xFFFFFFFF, U64: 0xFFFFFFFFFFFFFFFF}.get(kind)
    return "N/A" if ones is not None and value == ones else value


def _dict(s):
    return {name: _plain(getattr(s, name), kind) for name, kind in s._fields_ if name != "reserved"}


def _get(function, struct, *before):
    """Calls function(handle, *before, &struct) and gives the struct as a dictionary."""
    def call(h):
        s = struct()
        _check(getattr(_lib, function)(_handle(h), *before, C.byref(s)))
        return _dict(s)
    return call


def _number(function, kind, *before):
    v = kind()
    return v, lambda h: _check(getattr(_lib, function)(_handle(h), *before, C.byref(v)))


def _string(function, h, size=256):
    b = C.create_string_buffer(size)
    _check(getattr(_lib, function)(_handle(h), b, C.c_size_t(size)))
    return b.value.decode(errors="replace")


def amdsmi_init(flag=AmdSmiInitFlags.INIT_AMD_GPUS):
    _check(_lib.amdsmi_init(U64(flag)))


def amdsmi_shut_down():
    _check(_lib.amdsmi_shut_down())


def amdsmi_get_lib_version():
    v = _Version()
    _check(_lib.amdsmi_get_lib_version(C.byref(v)))
    return _dict(v)


def _handles(function, *before):
    n = U32()
    _check(getattr(_lib, function)(*before, C.byref(n), None))
    all_ = (C.c_void_p * n.value)()
    _check(getattr(_lib, function)(*before, C.byref(n), all_))
    return [C.c_void_p(h) for h in all_[: n.value]]


def amdsmi_get_socket_handles():
    return _handles("amdsmi_get_socket_handles")


def amdsmi_get_processor_handles():
    return [h for s in amdsmi_get_socket_handles() for h in _handles("amdsmi_get_processor_handles", s)]


def _bdf_text(b):
    return f"{b >> 16:04x}:{b >> 8 & 0xFF:02x}:{b >> 3 & 31:02x}.{b & 7}"


def amdsmi_get_gpu_device_bdf(h):
    v, call = _number("amdsmi_get_gpu_device_bdf", U64)
    call(h)
    return _bdf_text(v.value)


def amdsmi_get_processor_handle_from_bdf(bdf):
    if not isinstance(bdf, str) or not re.fullmatch(r"([0-9a-fA-F]{1,8}:)?[0-9a-fA-F]{1,2}:[0-9a-fA-F]{1,2}\.[0-7]", bdf):
        raise AmdSmiBdfFormatException(bdf)
    domain, bus, rest = (["0"] + bdf.split(":"))[-3:]
    device, function = rest.split(".")
    bdf = f"{int(domain, 16):04x}:{int(bus, 16):02x}:{int(device, 16):02x}.{function}"
    for h in amdsmi_get_processor_handles():
        if amdsmi_get_gpu_device_bdf(h) == bdf:
            return h
    raise AmdSmiLibraryException(31)


def amdsmi_get_gpu_device_uuid(h):
    n, b = C.c_uint(38), C.create_string_buffer(38)
    _check(_lib.amdsmi_get_gpu_device_uuid(_handle(h), C.byref(n), b))
    return b.value.decode()


def amdsmi_get_gpu_asic_info(h):
    d = _get("amdsmi_get_gpu_asic_info", _Asic)(h)
    for key in ("vendor_id", "subvendor_id", "device_id", "rev_id"):
        if d[key] != "N/A":
            d[key] = hex(d[key])
    version = d["target_graphics_version"]
    if version != "N/A":  # major, minor and stepping, each in decimal
        d["target_graphics_version"] = "gfx90a" if version == 9010 else f"gfx{version}"
    return d


amdsmi_get_gpu_kfd_info = _get("amdsmi_get_gpu_kfd_info", _Kfd)
amdsmi_get_gpu_activity = _get("amdsmi_get_gpu_activity", _Engine)
amdsmi_get_gpu_vram_usage = _get("amdsmi_get_gpu_vram_usage", _VramUsage)
amdsmi_get_gpu_vram_info = _get("amdsmi_get_gpu_vram_info", _VramInfo)
amdsmi_get_power_info = _get("amdsmi_get_power_info", _Power)
amdsmi_get_power_cap_info = _get("amdsmi_get_power_cap_info", _Cap, U32(0))
amdsmi_get_gpu_vbios_info = _get("amdsmi_get_gpu_vbios_info", _Vbios)
amdsmi_get_gpu_driver_info = _get("amdsmi_get_gpu_driver_info", _Driver)
amdsmi_get_gpu_board_info = _get("amdsmi_get_gpu_board_info", _Board)
amdsmi_get_gpu_total_ecc_count = _get("amdsmi_get_gpu_total_ecc_count", _Ecc)
amdsmi_get_xgmi_info = _get("amdsmi_get_xgmi_info", _Xgmi)
amdsmi_get_pcie_info = _get("amdsmi_get_pcie_info", _Pcie)
amdsmi_get_violation_status = _get("amdsmi_get_violation_status", _Violation)


def amdsmi_get_gpu_ecc_count(h, block):
    return _get("amdsmi_get_gpu_ecc_count", _Ecc, U64(_choice(AmdSmiGpuBlock, block)))(h)


def amdsmi_get_clock_info(h, clock):
    return _get("amdsmi_get_clock_info", _Clock, C.c_int(_choice(AmdSmiClkType, clock)))(h)


def amdsmi_get_temp_metric(h, sensor, metric):
    v, call = _number("amdsmi_get_temp_metric", C.c_int64, C.c_int(_choice(AmdSmiTemperatureType, sensor)), C.c_int(_choice(AmdSmiTemperatureMetric, metric)))
    call(h)
    return v.value


def amdsmi_get_gpu_memory_total(h, kind):
    v, call = _number("amdsmi_get_gpu_memory_total", U64, C.c_int(_choice(AmdSmiMemoryType, kind)))
    call(h)
    return v.value


def amdsmi_get_gpu_memory_usage(h, kind):
    v, call = _number("amdsmi_get_gpu_memory_usage", U64, C.c_int(_choice(AmdSmiMemoryType, kind)))
    call(h)
    return v.value


def _simple(function, kind):
    def call(h):
        v, do = _number(function, kind)
        do(h)
        return v.value
    return call


amdsmi_get_gpu_id = _simple("amdsmi_get_gpu_id", U16)
amdsmi_get_gpu_revision = _simple("amdsmi_get_gpu_revision", U16)
amdsmi_get_gpu_bdf_id = _simple("amdsmi_get_gpu_bdf_id", U64)
amdsmi_get_gpu_topo_numa_affinity = _simple("amdsmi_get_gpu_topo_numa_affinity", C.c_int32)
amdsmi_topo_get_numa_node_number = _simple("amdsmi_topo_get_numa_node_number", U32)
amdsmi_get_gpu_ecc_enabled = _simple("amdsmi_get_gpu_ecc_enabled", U64)
amdsmi_get_gpu_pci_replay_counter = _simple("amdsmi_get_gpu_pci_replay_counter", U64)
amdsmi_get_gpu_overdrive_level = _simple("amdsmi_get_gpu_overdrive_level", U32)
amdsmi_gpu_xgmi_error_status = _simple("amdsmi_gpu_xgmi_error_status", C.c_int)


def amdsmi_get_gpu_vendor_name(h):
    return _string("amdsmi_get_gpu_vendor_name", h)


def amdsmi_get_gpu_vram_vendor(h):
    return _string("amdsmi_get_gpu_vram_vendor", h)


def amdsmi_get_gpu_compute_partition(h):
    return _string("amdsmi_get_gpu_compute_partition", h)


def amdsmi_get_gpu_memory_partition(h):
    return _string("amdsmi_get_gpu_memory_partition", h)


def amdsmi_get_gpu_process_list(h):
    n = U32()
    _check(_lib.amdsmi_get_gpu_process_list(_handle(h), C.byref(n), None))
    n.value += 16  # some may have come meanwhile
    all_ = (_Process * n.value)()
    _check(_lib.amdsmi_get_gpu_process_list(h, C.byref(n), all_))
    return [_dict(p) for p in all_[: n.value]]


def amdsmi_topo_get_link_type(a, b):
    hops, kind = U64(), C.c_int()
    _check(_lib.amdsmi_topo_get_link_type(_handle(a), _handle(b), C.byref(hops), C.byref(kind)))
    return {"hops": hops.value, "type": kind.value}


def amdsmi_topo_get_link_weight(a, b):
    v = U64()
    _check(_lib.amdsmi_topo_get_link_weight(_handle(a), _handle(b), C.byref(v)))
    return v.value


def amdsmi_get_minmax_bandwidth_between_processors(a, b):
    low, high = U64(), U64()
    _check(_lib.amdsmi_get_minmax_bandwidth_between_processors(_handle(a), _handle(b), C.byref(low), C.byref(high)))
    return {"min_bandwidth": low.value, "max_bandwidth": high.value}


def amdsmi_is_P2P_accessible(a, b):
    v = C.c_bool()
    _check(_lib.amdsmi_is_P2P_accessible(_handle(a), _handle(b), C.byref(v)))
    return v.value


class AmdSmiEventReader:
    """with AmdSmiEventReader(handle, AmdSmiEvtNotificationType.THERMAL_THROTTLE) as r: r.read(1000)"""

    def __init__(self, h, *event_types):
        self.handle = _handle(h)
        mask = 0
        for e in event_types:
            mask |= 1 << (_choice(AmdSmiEvtNotificationType, e) - 1) if e else 0
        _check(_lib.amdsmi_init_gpu_event_notification(self.handle))
        _check(_lib.amdsmi_set_gpu_event_notification_mask(self.handle, U64(mask)))

    def read(self, timeout_ms, num_elem=10):
        n, all_ = U32(num_elem), (_Event * num_elem)()
        _check(_lib.amdsmi_get_gpu_event_notification(C.c_int(timeout_ms), C.byref(n), all_))
        return [{"processor_handle": C.c_void_p(e.processor_handle), "event": AmdSmiEvtNotificationType(e.event).name,
                 "message": e.message.decode(errors="replace")} for e in all_[: n.value]]

    def stop(self):
        _check(_lib.amdsmi_stop_gpu_event_notification(self.handle))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


# ---- what the functions above leave of the library ----


def amdsmi_get_socket_info(socket):
    b = C.create_string_buffer(64)
    _check(_lib.amdsmi_get_socket_info(_handle(socket), C.c_size_t(64), b))
    return b.value.decode()


def amdsmi_get_processor_info(h):
    b = C.create_string_buffer(64)
    _check(_lib.amdsmi_get_processor_info(_handle(h), C.c_size_t(64), b))
    return b.value.decode()


def amdsmi_get_processor_type(h):
    v, call = _number("amdsmi_get_processor_type", C.c_int)
    call(h)
    return {"processor_type": AmdSmiProcessorType(v.value).name}


def amdsmi_get_processor_handles_by_type(socket, kind):
    kind = C.c_int(_choice(AmdSmiProcessorType, kind))
    n = U32()
    _check(_lib.amdsmi_get_processor_handles_by_type(_handle(socket), kind, None, C.byref(n)))
    all_ = (C.c_void_p * n.value)()
    if n.value:
        _check(_lib.amdsmi_get_processor_handles_by_type(socket, kind, all_, C.byref(n)))
    return [C.c_void_p(h) for h in all_]


def amdsmi_get_processor_count_from_handles(handles):
    all_ = (C.c_void_p * len(handles))(*[_handle(h).value for h in handles])
    n, sockets, cores, gpus = U32(len(handles)), U32(), U32(), U32()
    _check(_lib.amdsmi_get_processor_count_from_handles(all_, C.byref(n), C.byref(sockets), C.byref(cores), C.byref(gpus)))
    return {"sock_count": sockets.value, "core_count": cores.value, "gpu_count": gpus.value}


def amdsmi_get_rocm_version():
    """Whether it is known, and the ROCm version whose interface this is."""
    return True, "6.3.0"


def amdsmi_status_code_to_string(status):
    text = C.c_char_p()
    _check(_lib.amdsmi_status_code_to_string(C.c_int(status), C.byref(text)))
    return (text.value or b"").decode()


amdsmi_get_gpu_subsystem_id = _simple("amdsmi_get_gpu_subsystem_id", U16)
amdsmi_is_gpu_power_management_enabled = _simple("amdsmi_is_gpu_power_management_enabled", C.c_bool)
amdsmi_get_gpu_process_isolation = _simple("amdsmi_get_gpu_process_isolation", U32)
amdsmi_get_gpu_metrics_info = _get("amdsmi_get_gpu_metrics_info", _Metrics)
amdsmi_get_gpu_metrics_header_info = _get("amdsmi_get_gpu_metrics_header_info", _MetricsHeader)


def amdsmi_get_gpu_subsystem_name(h):
    return _string("amdsmi_get_gpu_subsystem_name", h)


def amdsmi_get_gpu_perf_level(h):
    v, call = _number("amdsmi_get_gpu_perf_level", C.c_int)
    call(h)
    return "AMDSMI_DEV_PERF_LEVEL_" + AmdSmiDevPerfLevel(v.value).name


def amdsmi_get_fw_info(h):
    """Versions as numbers in hexadecimal, that of the power management (PM) with dots."""
    s = _Fw()
    _check(_lib.amdsmi_get_fw_info(_handle(h), C.byref(s)))
    def text(e):
        v = e.fw_version
        return ".".join(str(v >> 8 * i & 255) for i in (3, 2, 1, 0)) if e.fw_id == AmdSmiFwBlock.PM else f"{v:08X}"
    return {"fw_list": [{"fw_name": AmdSmiFwBlock(e.fw_id), "fw_version": text(e)} for e in s.fw_info_list[: s.num_fw_info]]}


def amdsmi_get_gpu_cache_info(h):
    s = _Caches()
    _check(_lib.amdsmi_get_gpu_cache_info(_handle(h), C.byref(s)))
    names = {2: "DATA_CACHE", 4: "INST_CACHE", 8: "CPU_CACHE", 16: "SIMD_CACHE"}
    return {"cache": [dict(_dict(e), cache_properties=[n for bit, n in names.items() if e.cache_properties & bit])
                      for e in s.cache[: s.num_cache_types]]}


def amdsmi_get_gpu_ecc_status(h, block):
    v, call = _number("amdsmi_get_gpu_ecc_status", C.c_int, U64(_choice(AmdSmiGpuBlock, block)))
    call(h)
    return AmdSmiRasErrState(v.value)


def amdsmi_get_gpu_ras_block_features_enabled(h):
    return [{"block": b.name, "status": amdsmi_get_gpu_ecc_status(h, b).name} for b in AmdSmiGpuBlock]


def _sensor(function, kind):
    def call(h, sensor_idx=0):
        v, do = _number(function, kind, U32(_whole(sensor_idx, 0xFFFFFFFF)))
        do(h)
        return v.value
    return call


amdsmi_get_gpu_fan_rpms = _sensor("amdsmi_get_gpu_fan_rpms", C.c_int64)
amdsmi_get_gpu_fan_speed = _sensor("amdsmi_get_gpu_fan_speed", C.c_int64)
amdsmi_get_gpu_fan_speed_max = _sensor("amdsmi_get_gpu_fan_speed_max", U64)


def amdsmi_get_gpu_volt_metric(h, sensor, metric):
    v, call = _number("amdsmi_get_gpu_volt_metric", C.c_int64, C.c_int(_choice(AmdSmiVoltageType, sensor)), C.c_int(_choice(AmdSmiVoltageMetric, metric)))
    call(h)
    return v.value


def _frequencies(s):
    return {"num_supported": s.num_supported, "current": s.current, "frequency": list(s.frequency[: s.num_supported])}


def amdsmi_get_clk_freq(h, clock):
    s = _Frequencies()
    _check(_lib.amdsmi_get_clk_freq(_handle(h), C.c_int(_choice(AmdSmiClkType, clock)), C.byref(s)))
    return _frequencies(s)


def amdsmi_get_gpu_pci_bandwidth(h):
    s = _Bandwidth()
    _check(_lib.amdsmi_get_gpu_pci_bandwidth(_handle(h), C.byref(s)))
    return {"transfer_rate": _frequencies(s.transfer_rate), "lanes": list(s.lanes[: s.transfer_rate.num_supported])}


def amdsmi_get_energy_count(h):
    count, unit, time = U64(), C.c_float(), U64()
    _check(_lib.amdsmi_get_energy_count(_handle(h), C.byref(count), C.byref(unit), C.byref(time)))
    return {"energy_accumulator": count.value, "counter_resolution": unit.value, "timestamp": time.value}


def amdsmi_get_utilization_count(h, counter_types):
    kinds = [_choice(AmdSmiUtilizationCounterType, t) for t in counter_types]
    if not kinds:
        raise AmdSmiParameterException(counter_types, AmdSmiUtilizationCounterType)
    all_, time = (_Counter * len(kinds))(*[_Counter(type=k) for k in kinds]), U64()
    _check(_lib.amdsmi_get_utilization_count(_handle(h), all_, U32(len(kinds)), C.byref(time)))
    return [{"timestamp": time.value}] + [{"type": AmdSmiUtilizationCounterType(c.type).name, "value": c.value} for c in all_]


def amdsmi_get_gpu_power_profile_presets(h, sensor_idx=0):
    return _get("amdsmi_get_gpu_power_profile_presets", _Profiles, U32(_whole(sensor_idx, 0xFFFFFFFF)))(h)


def _pages_of(function):
    def call(h):
        n = U32()
        _check(getattr(_lib, function)(_handle(h), C.byref(n), None))
        all_ = (_Page * max(1, n.value))()
        _check(getattr(_lib, function)(h, C.byref(n), all_))
        return [{"value": i, "page_address": p.page_address, "page_size": p.page_size, "status": p.status} for i, p in enumerate(all_[: n.value])]
    return call


amdsmi_get_gpu_bad_page_info = _pages_of("amdsmi_get_gpu_bad_page_info")
amdsmi_get_gpu_memory_reserved_pages = _pages_of("amdsmi_get_gpu_memory_reserved_pages")


def amdsmi_get_gpu_compute_process_info():
    n = U32()
    _check(_lib.amdsmi_get_gpu_compute_process_info(None, C.byref(n)))
    n.value += 16  # some may have come meanwhile
    all_ = (_ComputeProcess * n.value)()
    _check(_lib.amdsmi_get_gpu_compute_process_info(all_, C.byref(n)))
    return [_dict(p) for p in all_[: n.value]]


def amdsmi_get_gpu_compute_process_info_by_pid(pid):
    s = _ComputeProcess()
    _check(_lib.amdsmi_get_gpu_compute_process_info_by_pid(U32(_whole(pid, 0xFFFFFFFF)), C.byref(s)))
    return _dict(s)


def amdsmi_get_gpu_compute_process_gpus(pid):
    n = U32()
    _check(_lib.amdsmi_get_gpu_compute_process_gpus(U32(_whole(pid, 0xFFFFFFFF)), None, C.byref(n)))
    all_ = (U32 * max(1, n.value))()
    _check(_lib.amdsmi_get_gpu_compute_process_gpus(U32(pid), all_, C.byref(n)))
    return list(all_[: n.value])


def amdsmi_topo_get_p2p_status(a, b):
    kind, cap = C.c_int(), _P2p()
    _check(_lib.amdsmi_topo_get_p2p_status(_handle(a), _handle(b), C.byref(kind), C.byref(cap)))
    return {"type": kind.value, "cap": _dict(cap)}


def amdsmi_get_link_topology_nearest(h, link_type):
    s = _Nearest()
    _check(_lib.amdsmi_get_link_topology_nearest(_handle(h), C.c_int(_choice(AmdSmiLinkType, link_type)), C.byref(s)))
    return {"processor_list": [C.c_void_p(p) for p in s.processor_list[: s.count]]}


def amdsmi_get_link_metrics(h):
    s = _Links()
    _check(_lib.amdsmi_get_link_metrics(_handle(h), C.byref(s)))
    return {"num_links": s.num_links,
            "links": [dict(_dict(e), bdf=_bdf_text(e.bdf), link_type=AmdSmiLinkType(e.link_type).name) for e in s.links[: s.num_links]]}


def amdsmi_get_gpu_accelerator_partition_profile(h):
    s, part = _Accelerator(), U32()
    _check(_lib.amdsmi_get_gpu_accelerator_partition_profile(_handle(h), C.byref(s), C.byref(part)))
    return {"partition_id": part.value,
            "partition_profile": {"profile_type": AmdSmiAcceleratorPartitionType(s.profile_type).name, "num_partitions": s.num_partitions,
                                  "profile_index": s.profile_index, "num_resources": s.num_resources,
                                  "memory_caps": [n for i, n in enumerate(("NPS1", "NPS2", "NPS4", "NPS8")) if s.memory_caps >> i & 1]}}


def _policies(function, list_name):
    def call(h):
        s = _PolicyList()
        _check(getattr(_lib, function)(_handle(h), C.byref(s)))
        all_ = [_dict(p) for p in s.policies[: s.num_supported]]
        return {"num_supported": s.num_supported, "current_id": all_[s.current]["policy_id"] if s.current < len(all_) else "N/A", list_name: all_}
    return call


amdsmi_get_soc_pstate = _policies("amdsmi_get_soc_pstate", "policies")
amdsmi_get_xgmi_plpd = _policies("amdsmi_get_xgmi_plpd", "plpds")


def _setter(function, *kinds):
    """Parameters are ctypes' widths (whole numbers) or enumerations."""
    def call(h, *values):
        if len(values) != len(kinds):
            raise TypeError(f"{function}() takes {len(kinds) + 1} arguments, {len(values) + 1} were given")
        passed = []
        for k, v in zip(kinds, values):
            if k in (U32, U64):
                passed.append(k(_whole(v, 0xFFFFFFFF if k is U32 else 0xFFFFFFFFFFFFFFFF)))
            else:
                passed.append((U64 if k is AmdSmiPowerProfilePresetMasks else C.c_int)(_choice(k, v)))
        _check(getattr(_lib, function)(_handle(h), *passed))
    call.__name__ = function
    return call


amdsmi_set_power_cap = _setter("amdsmi_set_power_cap", U32, U64)
amdsmi_set_gpu_perf_level = _setter("amdsmi_set_gpu_perf_level", AmdSmiDevPerfLevel)
amdsmi_set_gpu_fan_speed = _setter("amdsmi_set_gpu_fan_speed", U32, U64)
amdsmi_set_gpu_compute_partition = _setter("amdsmi_set_gpu_compute_partition", AmdSmiComputePartitionType)
amdsmi_set_gpu_memory_partition = _setter("amdsmi_set_gpu_memory_partition", AmdSmiMemoryPartitionType)
amdsmi_set_gpu_pci_bandwidth = _setter("amdsmi_set_gpu_pci_bandwidth", U64)
amdsmi_set_gpu_power_profile = _setter("amdsmi_set_gpu_power_profile", U32, AmdSmiPowerProfilePresetMasks)
amdsmi_set_gpu_perf_determinism_mode = _setter("amdsmi_set_gpu_perf_determinism_mode", U64)
amdsmi_set_gpu_clk_range = _setter("amdsmi_set_gpu_clk_range", U64, U64, AmdSmiClkType)
amdsmi_set_gpu_od_clk_info = _setter("amdsmi_set_gpu_od_clk_info", AmdSmiFreqInd, U64, AmdSmiClkType)
amdsmi_set_gpu_od_volt_info = _setter("amdsmi_set_gpu_od_volt_info", U32, U64, U64)
amdsmi_set_gpu_overdrive_level = _setter("amdsmi_set_gpu_overdrive_level", U32)
amdsmi_set_soc_pstate = _setter("amdsmi_set_soc_pstate", U32)
amdsmi_set_xgmi_plpd = _setter("amdsmi_set_xgmi_plpd", U32)
amdsmi_set_gpu_process_isolation = _setter("amdsmi_set_gpu_process_isolation", U32)
amdsmi_clean_gpu_local_data = _setter("amdsmi_clean_gpu_local_data")
amdsmi_reset_gpu_fan = _setter("amdsmi_reset_gpu_fan", U32)
amdsmi_reset_gpu = _setter("amdsmi_reset_gpu")
amdsmi_reset_gpu_xgmi_error = _setter("amdsmi_reset_gpu_xgmi_error")
_set_clk_freq = _setter("amdsmi_set_clk_freq", AmdSmiClkType, U64)
_set_clk_limit = _setter("amdsmi_set_gpu_clk_limit", AmdSmiClkType, AmdSmiFreqInd, U64)


def amdsmi_set_clk_freq(h, clk_type, freq_bitmask):
    """`clk_type`: a member of AmdSmiClkType, or "sclk", "mclk", "fclk", "socclk", "dcefclk"."""
    names = {"sclk": "SYS", "mclk": "MEM", "fclk": "DF", "socclk": "SOC", "dcefclk": "DCEF"}
    _set_clk_freq(h, names.get(clk_type.lower(), clk_type) if isinstance(clk_type, str) else clk_type, freq_bitmask)


def amdsmi_set_gpu_clk_limit(h, clk_type, limit_type, value):
    """`clk_type`: "sclk" or "mclk", `limit_type`: "min" or "max"."""
    if isinstance(clk_type, str):
        clk_type = {"sclk": "SYS", "mclk": "MEM"}.get(clk_type.lower(), clk_type)
    _set_clk_limit(h, clk_type, limit_type.upper() if isinstance(limit_type, str) else limit_type, value)


def __getattr__(name):
    """What the library exports and this module does not wrap answers as the library would for a card without it."""
    if name.startswith("amdsmi_") and hasattr(_lib, name):
        def absent(*_):
            raise AmdSmiLibraryException(NOT_SUPPORTED)
        return absent
    raise AttributeError(f"module 'amdsmi' has no attribute {name!r}")
