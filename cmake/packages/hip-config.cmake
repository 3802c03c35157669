# SPDX-License-Identifier: MIT
# find_package(hip): targets hip::host (runtime API from any language), hip::device (compile HIP sources with a C++
# compiler that is clang) and hip::amdhip64; variables that ROCm's package sets and projects read.
get_filename_component(_hip_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

set(hip_INSTALL_DIR "${_hip_root}")
set(hip_INCLUDE_DIR "${_hip_root}/include")
set(hip_INCLUDE_DIRS "${_hip_root}/include")
set(hip_LIB_INSTALL_DIR "${_hip_root}/lib")
set(hip_BIN_INSTALL_DIR "${_hip_root}/bin")
set(hip_LIBRARY_DIRS "${_hip_root}/lib")
set(hip_LIBRARY "hip::host")
set(hip_LIBRARIES "hip::host")
set(hip_HIPCC_EXECUTABLE "${_hip_root}/bin/hipcc")
set(hip_HIPCONFIG_EXECUTABLE "${_hip_root}/bin/hipconfig")
set(HIP_COMPILER "clang")
set(HIP_RUNTIME "rocclr")
set(HIP_PLATFORM "amd")
set(HIP_PATH "${_hip_root}")
set(HIP_CXX_COMPILER "${CMAKE_CXX_COMPILER}")

set(AMDGPU_TARGETS "gfx942;gfx90a" CACHE STRING "AMD GPU targets to compile HIP sources for")
if(NOT GPU_TARGETS)
  set(GPU_TARGETS "${AMDGPU_TARGETS}" CACHE STRING "GPU targets to compile HIP sources for")
endif()

if(NOT TARGET hip::amdhip64)
  add_library(hip::amdhip64 SHARED IMPORTED)
  set_target_properties(hip::amdhip64 PROPERTIES
    IMPORTED_LOCATION "${_hip_root}/lib/libamdhip64.so.6"
    IMPORTED_SONAME "libamdhip64.so.6"
    INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__=1"
    INTERFACE_INCLUDE_DIRECTORIES "${_hip_root}/include"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${_hip_root}/include")
endif()
if(NOT TARGET hip::host)
  add_library(hip::host INTERFACE IMPORTED)
  set_target_properties(hip::host PROPERTIES INTERFACE_LINK_LIBRARIES hip::amdhip64)
endif()
if(NOT TARGET hip::device)
  add_library(hip::device INTERFACE IMPORTED)
  # C++ sources become HIP sources where the compiler is clang. GCC has no HIP: with it the sources stay plain C++, and
  # the kernels of such a program are in sources of the HIP language, which need nothing from here.
  set(_hip_cxx "$<COMPILE_LANG_AND_ID:CXX,Clang>")
  set(_hip_options "$<${_hip_cxx}:SHELL:-x hip>" "$<${_hip_cxx}:--rocm-path=${_hip_root}>")
  set(_hip_link "--hip-link" "--rocm-path=${_hip_root}")
  foreach(_hip_target ${GPU_TARGETS})
    list(APPEND _hip_options "$<${_hip_cxx}:--offload-arch=${_hip_target}>")
    list(APPEND _hip_link "--offload-arch=${_hip_target}")
  endforeach()
  set_target_properties(hip::device PROPERTIES
    INTERFACE_COMPILE_OPTIONS "${_hip_options}"
    INTERFACE_LINK_OPTIONS "$<$<LINK_LANG_AND_ID:CXX,Clang>:${_hip_link}>"
    INTERFACE_LINK_LIBRARIES hip::host)
endif()
set(hip_FOUND TRUE)
