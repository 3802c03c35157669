# SPDX-License-Identifier: MIT
# What CMake's HIP language support asks of a ROCm installation: the runtime target that HIP objects link.
get_filename_component(_hip_lang_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

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
    INTERFACE_LINK_OPTIONS "$<$<LINK_LANGUAGE:HIP>:--hip-link>;$<$<LINK_LANGUAGE:HIP>:--rocm-path=${_hip_lang_root}>"
    INTERFACE_LINK_LIBRARIES hip-lang::amdhip64)
endif()
set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET "hip-lang::device")
set(hip-lang_INSTALL_PREFIX "${_hip_lang_root}")
set(hip_lang_FOUND TRUE)
