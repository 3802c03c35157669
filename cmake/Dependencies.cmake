# SPDX-License-Identifier: MIT
# The one table of outside dependencies. `./pumice` installs the Debian packages of the first column.
#   package                 for
#   clang-19 clang-tools-19 lld-19  host compiler, HIP front end, AMDGPU code generation, offload bundler
#   llvm-19-dev             translation to host code (dlopened by the HSA library, never exported)
#   rocm-device-libs        device math library bitcode (ocml, ockl)
#   libzstd-dev             compressed offload bundles and code cache
#   libcli11-dev libfmt-dev command lines and text of the system tools
#   nlohmann-json3-dev      device profiles, bench output, findings of hipify
#   llvm-19-tools           FileCheck, only for tests/conformance/hipify (optional)
#   libgtest-dev            tests
#   csmith libcsmith-dev    random C programs for the host and device comparison
#   python3-jsonschema      tests: machine formats of the system tools against their schemas
#   libtomlplusplus-dev     rates of the migration assessment
set(PUMICE_LLVM_MAJOR 19)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_path(PUMICE_TOMLPLUSPLUS toml++/toml.h REQUIRED)
find_package(GTest REQUIRED)
include(GoogleTest)

option(PUMICE_WERROR "Warnings are errors" OFF)
set(PUMICE_WARNINGS -Wall -Wextra -Wno-unused-parameter)
if(PUMICE_WERROR)
  list(APPEND PUMICE_WARNINGS -Werror)
endif()
