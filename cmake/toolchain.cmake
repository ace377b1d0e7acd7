# Compiler and linker settings for all targets: ccache and lld when present, warnings, sanitizers by VAQUITA_SANITIZE.

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
find_program(LLD ld.lld)
if(LLD)
  add_link_options(-fuse-ld=lld)
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers)
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
elseif(VAQUITA_SANITIZE)
  message(FATAL_ERROR "VAQUITA_SANITIZE is '${VAQUITA_SANITIZE}'; it takes 'address', 'thread', 'fuzzer' or nothing")
endif()

# vaquita_tests(NAME LIBS...): one test program of the folder's *_test.cc, each of its tests known to ctest.
function(vaquita_tests name)
  file(GLOB sources CONFIGURE_DEPENDS *_test.cc)
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${ARGN} GTest::gmock GTest::gtest_main)
  include(GoogleTest)
  # Tests of a suite named ...Child are processes that a test starts to kill; alone they are no tests.
  gtest_discover_tests(${name} TEST_FILTER "-*Child.*" NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT 600)
endfunction()
