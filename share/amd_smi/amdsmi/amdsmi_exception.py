# SPDX-License-Identifier: MIT
"""What the functions of this package raise."""
import ctypes as C

from ._library import lib

RETRY, TIMEOUT = 9, 8


class AmdSmiException(Exception):
    """Any of the others."""


class AmdSmiLibraryException(AmdSmiException):
    """A call of the library failed: its status, and what it means."""

    def __init__(self, code):
        text = C.c_char_p()
        lib.amdsmi_status_code_to_string(code, C.byref(text))
        self.err_code = code
        self.err_info = (text.value or b"").decode()
        super().__init__(f"Error code:\n\t{code} | {self.err_info}")

    def get_error_code(self):
        return self.err_code

    def get_error_info(self, detailed=True):
        return self.err_info if detailed else self.err_info.split(" - ")[0]


class AmdSmiRetryException(AmdSmiLibraryException):
    def __init__(self):
        super().__init__(RETRY)


class AmdSmiTimeoutException(AmdSmiLibraryException):
    def __init__(self):
        super().__init__(TIMEOUT)


class AmdSmiParameterException(AmdSmiException):
    """An argument of the wrong kind never reached the library."""

    def __init__(self, received=None, expected=None, msg=None):
        if msg is None:
            msg = f"Invalid parameter: {received!r}" + (f", {getattr(expected, '__name__', expected)} is expected" if expected else "")
        super().__init__(msg)


class AmdSmiKeyException(AmdSmiException):
    def __init__(self, key):
        super().__init__(f"Key {key} is missing from output")


class AmdSmiBdfFormatException(AmdSmiException):
    def __init__(self, bdf):
        super().__init__(f"Wrong BDF format: {bdf!r}; domain:bus:device.function in hexadecimal is expected")
