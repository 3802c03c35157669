# SPDX-License-Identifier: MIT
# add_test_code_object(<target> OUTPUT <file> SOURCE <hip file> ARCH <list> [OPTIONS <flags>...])
#   Compiles device code with stock clang at build time. One ARCH and no BUNDLE: a bare code object;
#   several, or BUNDLE: an offload bundle. The source must not need HIP headers.
function(add_test_code_object target)
  cmake_parse_arguments(CO "BUNDLE" "OUTPUT;SOURCE" "ARCH;OPTIONS" ${ARGN})
  set(flags)
  foreach(a ${CO_ARCH})
    list(APPEND flags --offload-arch=${a})
  endforeach()
  if(NOT CO_BUNDLE)
    list(APPEND flags --no-gpu-bundle-output)
  endif()
  add_custom_command(OUTPUT ${CO_OUTPUT}
    COMMAND clang-19 -x hip ${flags} -nogpuinc -nogpulib --cuda-device-only -c ${CO_OPTIONS}
            ${CO_SOURCE} -o ${CO_OUTPUT}
    DEPENDS ${CO_SOURCE} VERBATIM)
  add_custom_target(${target} DEPENDS ${CO_OUTPUT})
endfunction()
