# SPDX-License-Identifier: MIT
"""Finds libamd_smi.so.24: beside this module, else where the loader looks."""
import ctypes as C
import os


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


lib = _load()
lib.amdsmi_free_name_value_pairs.restype = None
