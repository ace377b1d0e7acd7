# Compiler and linker settings for all targets: ccache and lld when present, warnings, sanitizers by VAQUITA_SANITIZE.

find_program(CCACHE ccache)
if(CCACHE)
  # Compiled headers (cmake/precompiled.cmake) hide from ccache which macros they read.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
find_program(LLD ld.lld)
if(LLD)
  add_link_options(-fuse-ld=lld)
  if(CMAKE_CROSSCOMPILING)
    # A cross compiler looks for it beside its own linkers alone.
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/linkers)
    file(CREATE_LINK ${LLD} ${CMAKE_BINARY_DIR}/linkers/ld.lld SYMBOLIC)
    add_link_options(-B${CMAKE_BINARY_DIR}/linkers/)
  endif()
endif()

# docs/design/hardening.md
add_link_options(-Wl,-z,relro -Wl,-z,now)
set(VAQUITA_HARDENING -fstack-protector-strong -fstack-clash-protection -D_FORTIFY_SOURCE=3
    CACHE STRING "Options of a release's compiler that find overflows")
add_compile_options("$<$<CONFIG:Release>:${VAQUITA_HARDENING}>")
# In all builds, so that tests meet what would end a release.
add_compile_definitions(_GLIBCXX_ASSERTIONS)

option(VAQUITA_WERROR "Warnings are errors, as in continuous integration" OFF)
add_compile_options(-Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers $<$<BOOL:${VAQUITA_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC collects garbage from 128 MB of heap on; from 512 MB on it takes a tenth less time.
  add_compile_options(--param=ggc-min-heapsize=524288)
endif()
include_directories(${CMAKE_SOURCE_DIR})

set(VAQUITA_SANITIZE "" CACHE STRING "address (with undefined), thread or fuzzer (libFuzzer and address, by clang); empty for none")
if(VAQUITA_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-maybe-uninitialized)  # GCC: "sanitizers may cause false positives", as in libstdc++'s <regex>
endif()
if(VAQUITA_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(VAQUITA_SANITIZE STREQUAL "fuzzer")
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(VAQUITA_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
  # Protobuf's header gives a map field two more members then, of which Debian's library knows nothing.
  file(CONFIGURE OUTPUT map_layout.h CONTENT [[
#pragma once
#pragma push_macro("__SANITIZE_THREAD__")
#undef __SANITIZE_THREAD__
#include <google/protobuf/map_field.h>
#pragma pop_macro("__SANITIZE_THREAD__")
]])
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${CMAKE_BINARY_DIR}/map_layout.h>")
elseif(VAQUITA_SANITIZE)
  message(FATAL_ERROR "VAQUITA_SANITIZE is '${VAQUITA_SANITIZE}'; it takes 'address', 'thread', 'fuzzer' or nothing")
endif()
