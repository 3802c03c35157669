# SPDX-License-Identifier: MIT
# What CMake's HIP language support asks of a ROCm installation: the runtime target that HIP objects link.
get_filename_component(_hip_lang_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

# The other packages of this installation are found when only the compiler was named (HIPCXX, ROCM_PATH): after what
# the user set, before a ROCm of the distribution, which belongs to another runtime.
if(NOT "${_hip_lang_root}" IN_LIST CMAKE_SYSTEM_PREFIX_PATH)
  list(INSERT CMAKE_SYSTEM_PREFIX_PATH 0 "${_hip_lang_root}")
endif()

# CMake's first link with a HIP compiler finds out which folders the compiler searches by itself, and leaves those out
# of every run path. --hip-link makes clang search lib/ of this installation, which the loader does not know: without it
# in that one link, programs find libamdhip64.so.6 where they were linked.
set(_hip_lang_link "--hip-link" "--rocm-path=${_hip_lang_root}")
if(PROJECT_NAME STREQUAL "CMAKE_TRY_COMPILE" AND NOT CMAKE_HIP_ABI_COMPILED)
  set(_hip_lang_link)
endif()

# A program of HIP sources alone gets the runtime from the language, and CMake gives no run path for such libraries.
# In the build folder it runs anyhow; what is installed is the project's decision, as ever.
if(NOT "${_hip_lang_root}/lib" IN_LIST CMAKE_BUILD_RPATH)
  list(APPEND CMAKE_BUILD_RPATH "${_hip_lang_root}/lib")
endif()

if(NOT TARGET hip-lang::amdhip64)
  add_library(hip-lang::amdhip64 SHARED IMPORTED)
  set_target_properties(hip-lang::amdhip64 PROPERTIES
    IMPORTED_LOCATION "${_hip_lang_root}/lib/libamdhip64.so.6"
    IMPORTED_SONAME "libamdhip64.so.6"
    INTERFACE_INCLUDE_DIRECTORIES "${_hip_lang_root}/include"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${_hip_lang_root}/include")
endif()
if(NOT TARGET hip-lang::host)
  add_library(hip-lang::host INTERFACE IMPORTED)
  set_target_properties(hip-lang::host PROPERTIES INTERFACE_LINK_LIBRARIES hip-lang::amdhip64)
endif()
if(NOT TARGET hip-lang::device)
  add_library(hip-lang::device INTERFACE IMPORTED)
  set_target_properties(hip-lang::device PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_hip_lang_root}/include"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${_hip_lang_root}/include"
    INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:HIP>:SHELL:--rocm-path=${_hip_lang_root}>"
    INTERFACE_LINK_OPTIONS "$<$<LINK_LANGUAGE:HIP>:${_hip_lang_link}>"
    INTERFACE_LINK_LIBRARIES hip-lang::amdhip64)
endif()
set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET "hip-lang::device")
set(hip-lang_INSTALL_PREFIX "${_hip_lang_root}")
set(hip_lang_FOUND TRUE)
