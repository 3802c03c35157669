# SPDX-License-Identifier: MIT
# Sanitizer presets. PUMICE_SANITIZE (e.g. address,undefined) instruments every target; the sanitizer's runtime is in
# each program, and the libraries take its symbols from there. Programs that are made by something else:
#   hipcc         HIPCC_COMPILE_FLAGS_APPEND sanitizes the host half: PUMICE_HIPCC runs hipcc with it, tests have it set
#   users' CMake  LDFLAGS and HIPFLAGS, set for tests: CMake links its test of the HIP compiler's name without LDFLAGS
#   no compiler   python3 and Debian's rocminfo: PUMICE_SANITIZER_PRELOAD names the shared runtime for LD_PRELOAD
# Options and suppressions: tests/sanitizers, linked into every program.
set(PUMICE_SANITIZE "" CACHE STRING "Sanitizers for every target, e.g. address,undefined")
set(PUMICE_HIPCC_ENV)
set(PUMICE_C_INTERFACE)
if(NOT PUMICE_SANITIZE)
  return()
endif()
add_compile_options(-fsanitize=${PUMICE_SANITIZE} -fno-omit-frame-pointer)
add_link_options(-fsanitize=${PUMICE_SANITIZE})
# For libraries with a C interface: a C program may pass any integer where an enum is wanted and gets an error code for
# it; without -fstrict-enums clang takes no advantage of the enum's range.
set(PUMICE_C_INTERFACE -fno-sanitize=enum)

set(folder ${CMAKE_SOURCE_DIR}/tests/sanitizers)
foreach(kind LSAN TSAN)
  string(TOLOWER ${kind} file)
  file(READ ${folder}/${file}.supp ${kind}_SUPPRESSIONS)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/${file}.supp)
endforeach()
configure_file(${folder}/options.cpp.in ${CMAKE_BINARY_DIR}/sanitizer_options.cpp @ONLY)
file(MD5 ${CMAKE_BINARY_DIR}/sanitizer_options.cpp hash) # a new name relinks every program
set(PUMICE_SANITIZER_OPTIONS ${CMAKE_BINARY_DIR}/sanitizer_options_${hash}.o)
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -fPIC -O1 -c ${CMAKE_BINARY_DIR}/sanitizer_options.cpp -o ${PUMICE_SANITIZER_OPTIONS}
  COMMAND_ERROR_IS_FATAL ANY)
add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:${PUMICE_SANITIZER_OPTIONS}>)

if(PUMICE_SANITIZE MATCHES "thread")
  set(runtime libclang_rt.tsan-x86_64.so)
  set(factor 10)
else()
  set(runtime libclang_rt.asan-x86_64.so)
  set(factor 5)
endif()
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${runtime} OUTPUT_VARIABLE PUMICE_SANITIZER_PRELOAD OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REPLACE ",fuzzer-no-link" "" host_sanitize ${PUMICE_SANITIZE})
# The linking of device code says that it passes over the host's option.
set(host_flags "-Wno-option-ignored -Xarch_host -fsanitize=${host_sanitize} -Xarch_host -fno-omit-frame-pointer")
set(link_flags -Wl,${PUMICE_SANITIZER_OPTIONS}) # the linker's: an earlier "-x hip" would make it a source
set(PUMICE_HIPCC_ENV ${CMAKE_COMMAND} -E env "HIPCC_COMPILE_FLAGS_APPEND=${host_flags}" "HIPCC_LINK_FLAGS_APPEND=${link_flags}")
set(PUMICE_TEST_ENVIRONMENT "HIPCC_COMPILE_FLAGS_APPEND=set:${host_flags}" "HIPCC_LINK_FLAGS_APPEND=set:${link_flags}"
  "LDFLAGS=set:${host_flags}" "HIPFLAGS=set:${host_flags}" "PUMICE_TEST_PRELOAD=set:${PUMICE_SANITIZER_PRELOAD}" "PUMICE_TEST_SLOWER=set:${factor}")
set(PUMICE_TEST_SLOWER ${factor})

# As CMake's, and for each test: the environment above, a limit `factor` times as long.
function(set_tests_properties)
  set(names)
  set(i 0)
  while(i LESS ARGC AND NOT ARGV${i} STREQUAL "PROPERTIES")
    list(APPEND names ${ARGV${i}})
    math(EXPR i "${i} + 1")
  endwhile()
  math(EXPR i "${i} + 1")
  while(i LESS ARGC)
    math(EXPR v "${i} + 1")
    set(key ${ARGV${i}})
    set(value "${ARGV${v}}")
    if(key STREQUAL "TIMEOUT")
      math(EXPR value "${value} * ${PUMICE_TEST_SLOWER}")
    endif()
    _set_tests_properties(${names} PROPERTIES ${key} "${value}")
    math(EXPR i "${i} + 2")
  endwhile()
  _set_tests_properties(${names} PROPERTIES ENVIRONMENT_MODIFICATION "${PUMICE_TEST_ENVIRONMENT}")
endfunction()
