# Headers that most sources read, compiled once for each kind of target: a batch of sources in debug takes about a second less
# (docs/design/build-time.md). Sources that are compiled one by one read them, since that is to find a missing include. So do
# builds with sanitizers, whose compilers and settings differ.

set(VAQUITA_PRECOMPILES OFF)
if(VAQUITA_UNITY AND NOT VAQUITA_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(VAQUITA_PRECOMPILES ON)
  add_compile_options(-pthread)  # gRPC's targets ask for it, and GCC uses compiled headers only with the options that they have
endif()

set(VAQUITA_COMMON_HEADERS <algorithm> <atomic> <chrono> <condition_variable> <cstdint> <deque> <filesystem> <functional> <map>
  <memory> <mutex> <optional> <set> <span> <string> <string_view> <thread> <unordered_map> <utility> <variant> <vector>
  <absl/status/status.h> <absl/status/statusor.h> <absl/strings/str_cat.h> <absl/strings/str_format.h>
  <absl/strings/str_join.h> <absl/strings/str_split.h> <google/protobuf/message.h>)

# vaquita_precompile(KIND HEADER... [LINKS LIBRARY...] [OPTIONS OPTION...]): compiles the headers for the targets of a kind.
function(vaquita_precompile kind)
  if(NOT VAQUITA_PRECOMPILES)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS;OPTIONS")
  file(CONFIGURE OUTPUT precompiled.cc CONTENT "")
  add_library(vaquita_precompiled_${kind} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/precompiled.cc)
  target_link_libraries(vaquita_precompiled_${kind} PRIVATE ${arg_LINKS})
  target_compile_options(vaquita_precompiled_${kind} PRIVATE -fpch-preprocess ${arg_OPTIONS})
  target_precompile_headers(vaquita_precompiled_${kind} PRIVATE ${arg_UNPARSED_ARGUMENTS})
endfunction()

# vaquita_use_precompiled(TARGET KIND): the target's sources find the headers of this kind compiled. With `none` they read them,
# as they have to if the target has another level of optimization.
function(vaquita_use_precompiled target kind)
  if(kind STREQUAL "none")
    set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  elseif(VAQUITA_PRECOMPILES)
    target_precompile_headers(${target} REUSE_FROM vaquita_precompiled_${kind})
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # without it ccache compiles each time
  endif()
endfunction()

set(common_links absl::statusor absl::str_format protobuf::libprotobuf)
vaquita_precompile(code ${VAQUITA_COMMON_HEADERS} LINKS ${common_links})
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  vaquita_precompile(small_code ${VAQUITA_COMMON_HEADERS} LINKS ${common_links} OPTIONS -Os)
endif()
vaquita_precompile(tests ${VAQUITA_COMMON_HEADERS} <gmock/gmock.h> <gtest/gtest.h> LINKS ${common_links} GTest::gmock)
