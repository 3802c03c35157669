# SPDX-License-Identifier: MIT
"""The `amdsmi` module over libamd_smi.so, with the function and key names of ROCm 6.3.

A figure that a card does not have is the string "N/A"; a failing call raises AmdSmiLibraryException.
Functions without an implementation in the library exist and raise with AMDSMI_STATUS_NOT_SUPPORTED.
"""
import ctypes as C
import os
from enum import IntEnum

NOT_SUPPORTED = 2


class AmdSmiInitFlags(IntEnum):
    INIT_ALL_PROCESSORS = 0xFFFFFFFF
    INIT_AMD_CPUS = 1
    INIT_AMD_GPUS = 2
    INIT_AMD_APUS = 3


class AmdSmiTemperatureType(IntEnum):
    EDGE = 0
    HOTSPOT = 1
    JUNCTION = 1
    VRAM = 2
    HBM_0 = 3
    HBM_1 = 4
    HBM_2 = 5
    HBM_3 = 6
    PLX = 7


AmdSmiTemperatureMetric = IntEnum("AmdSmiTemperatureMetric", (
    "CURRENT MAX MIN MAX_HYST MIN_HYST CRITICAL CRITICAL_HYST EMERGENCY EMERGENCY_HYST CRIT_MIN CRIT_MIN_HYST OFFSET LOWEST HIGHEST"), start=0)


class AmdSmiClkType(IntEnum):
    SYS = 0
    GFX = 0
    DF = 1
    DCEF = 2
    SOC = 3
    MEM = 4
    PCIE = 5
    VCLK0 = 6
    VCLK1 = 7
    DCLK0 = 8
    DCLK1 = 9


class AmdSmiMemoryType(IntEnum):
    VRAM = 0
    VIS_VRAM = 1
    GTT = 2


AmdSmiGpuBlock = IntEnum("AmdSmiGpuBlock", {n: 1 << i for i, n in enumerate(
    "UMC SDMA GFX MMHUB ATHUB PCIE_BIF HDP XGMI_WAFL DF SMN SEM MP0 MP1 FUSE MCA VCN JPEG IH MPIO".split())})
AmdSmiEvtNotificationType = IntEnum("AmdSmiEvtNotificationType", "NONE VMFAULT THERMAL_THROTTLE GPU_PRE_RESET GPU_POST_RESET RING_HANG", start=0)
AmdSmiIoLinkType = IntEnum("AmdSmiIoLinkType", "UNDEFINED PCIEXPRESS XGMI", start=0)


class AmdSmiException(Exception):
    pass


class AmdSmiLibraryException(AmdSmiException):
    def __init__(self, code):
        text = C.c_char_p()
        _lib.amdsmi_status_code_to_string(code, C.byref(text))
        self.err_code = code
        self.err_info = (text.value or b"").decode()
        super().__init__(f"Error code:\n\t{code} | {self.err_info}")

    def get_error_code(self):
        return self.err_code

    def get_error_info(self, detailed=True):
        return self.err_info if detailed else self.err_info.split(" - ")[0]


class AmdSmiParameterException(AmdSmiException):
    pass


def _load():
    here = os.path.dirname(os.path.abspath(__file__))
    for path in (os.path.join(here, "../../../lib/libamd_smi.so.24"), "libamd_smi.so.24", "libamd_smi.so"):
        if os.sep in path and not os.path.exists(path):
            continue
        try:
            return C.CDLL(path)
        except OSError:
            continue
    raise ImportError("libamd_smi.so.24 is not found beside this module or in LD_LIBRARY_PATH")


_lib = _load()
_lib.amdsmi_free_name_value_pairs.restype = None
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


def _check(code):
    if code:
        raise AmdSmiLibraryException(code)


def _handle(h):
    if not isinstance(h, C.c_void_p):
        raise AmdSmiParameterException(f"not a processor handle: {h!r}")
    return h


def _plain(value, kind):
    if isinstance(value, C.Structure):
        return _dict(value)
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


def amdsmi_get_gpu_device_bdf(h):
    v, call = _number("amdsmi_get_gpu_device_bdf", U64)
    call(h)
    b = v.value
    return f"{b >> 16:04x}:{b >> 8 & 0xFF:02x}:{b >> 3 & 31:02x}.{b & 7}"


def amdsmi_get_processor_handle_from_bdf(bdf):
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
    return _get("amdsmi_get_gpu_ecc_count", _Ecc, C.c_uint64(block))(h)


def amdsmi_get_clock_info(h, clock):
    return _get("amdsmi_get_clock_info", _Clock, C.c_int(clock))(h)


def amdsmi_get_temp_metric(h, sensor, metric):
    v, call = _number("amdsmi_get_temp_metric", C.c_int64, C.c_int(sensor), C.c_int(metric))
    call(h)
    return v.value


def amdsmi_get_gpu_memory_total(h, kind):
    v, call = _number("amdsmi_get_gpu_memory_total", U64, C.c_int(kind))
    call(h)
    return v.value


def amdsmi_get_gpu_memory_usage(h, kind):
    v, call = _number("amdsmi_get_gpu_memory_usage", U64, C.c_int(kind))
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


def amdsmi_get_gpu_bad_page_info(h):
    n = U32()
    _check(_lib.amdsmi_get_gpu_bad_page_info(_handle(h), C.byref(n), None))
    all_ = (_Page * max(1, n.value))()
    _check(_lib.amdsmi_get_gpu_bad_page_info(h, C.byref(n), all_))
    return [{"value": i, "page_address": p.page_address, "page_size": p.page_size, "status": p.status} for i, p in enumerate(all_[: n.value])]


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
            mask |= 1 << (int(e) - 1)
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


def _setter(function, *kinds):
    def call(h, *values):
        _check(getattr(_lib, function)(_handle(h), *[k(v) for k, v in zip(kinds, values)]))
    return call


amdsmi_set_power_cap = _setter("amdsmi_set_power_cap", U32, U64)
amdsmi_set_gpu_perf_level = _setter("amdsmi_set_gpu_perf_level", C.c_int)
amdsmi_set_gpu_fan_speed = _setter("amdsmi_set_gpu_fan_speed", U32, U64)
amdsmi_set_gpu_compute_partition = _setter("amdsmi_set_gpu_compute_partition", C.c_int)
amdsmi_set_gpu_memory_partition = _setter("amdsmi_set_gpu_memory_partition", C.c_int)
amdsmi_reset_gpu_fan = _setter("amdsmi_reset_gpu_fan", U32)
amdsmi_reset_gpu = _setter("amdsmi_reset_gpu")
amdsmi_reset_gpu_xgmi_error = _setter("amdsmi_reset_gpu_xgmi_error")


def __getattr__(name):
    """What the library exports and this module does not wrap answers as the library would for a card without it."""
    if name.startswith("amdsmi_") and hasattr(_lib, name):
        def absent(*_):
            raise AmdSmiLibraryException(NOT_SUPPORTED)
        return absent
    raise AttributeError(f"module 'amdsmi' has no attribute {name!r}")
