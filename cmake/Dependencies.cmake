# SPDX-License-Identifier: MIT
# The one table of outside dependencies. `./pumice` installs the Debian packages of the first column.
#   package                 for
#   clang-19 lld-19         host compiler, HIP front end, AMDGPU code generation
#   llvm-19-dev             translation to host code (dlopened by the HSA library, never exported)
#   rocm-device-libs        device math library bitcode (ocml, ockl)
#   libzstd-dev             compressed offload bundles and code cache
#   nlohmann-json3-dev      device profiles, bench output, findings of hipify
#   llvm-19-tools           FileCheck, only for tests/conformance/hipify (optional)
#   libgtest-dev            tests
set(PUMICE_LLVM_MAJOR 19)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
find_package(nlohmann_json REQUIRED)
find_package(GTest REQUIRED)
include(GoogleTest)

option(PUMICE_WERROR "Warnings are errors" OFF)
set(PUMICE_WARNINGS -Wall -Wextra -Wno-unused-parameter)
if(PUMICE_WERROR)
  list(APPEND PUMICE_WARNINGS -Werror)
endif()
set(PUMICE_SANITIZE "" CACHE STRING "Sanitizers for every target, e.g. address,undefined")
if(PUMICE_SANITIZE)
  add_compile_options(-fsanitize=${PUMICE_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${PUMICE_SANITIZE})
endif()
