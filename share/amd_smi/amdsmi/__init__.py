# SPDX-License-Identifier: MIT
"""The `amdsmi` module of ROCm 6.3 over Pumice's libamd_smi.so; see amdsmi_interface."""
from . import amdsmi_interface
from ._enums import *  # noqa: F401, F403
from .amdsmi_exception import (AmdSmiBdfFormatException, AmdSmiException, AmdSmiKeyException,  # noqa: F401
                               AmdSmiLibraryException, AmdSmiParameterException, AmdSmiRetryException, AmdSmiTimeoutException)
from .amdsmi_interface import *  # noqa: F401, F403
from .amdsmi_interface import NOT_SUPPORTED, C  # noqa: F401

__version__ = "24.7.0+pumice"


def __getattr__(name):
    return getattr(amdsmi_interface, name)
