# Functions that make a library, a program or a test program of a folder.
#
# A compiler reads about 125,000 lines of headers for a source of 60 lines. Unity builds let several sources of a target share
# that: CMake makes files that include up to VAQUITA_UNITY_BATCH sources each (docs/design/build-time.md has the figures). So
# names in the anonymous namespaces of one folder must differ; the compiler says where they do not. -DVAQUITA_UNITY=OFF compiles
# each source by itself, as dev/check does: that is what finds a missing include.

option(VAQUITA_UNITY "Compile several sources together" ON)
set(VAQUITA_UNITY_BATCH 16 CACHE STRING "How many sources at most are compiled together")

# vaquita_share_headers(TARGET): the target's sources are compiled in as few batches as there have to be, all about the same size.
function(vaquita_share_headers target)
  if(NOT VAQUITA_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  list(LENGTH sources count)
  if(count LESS 2)
    return()
  endif()
  math(EXPR batches "(${count} + ${VAQUITA_UNITY_BATCH} - 1) / ${VAQUITA_UNITY_BATCH}")
  math(EXPR size "(${count} + ${batches} - 1) / ${batches}")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
  # GCC takes any source but the main one for a header, where a type of the anonymous namespace would be a fault.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

# vaquita_messages(NAME PROTO... [LINKS LIBRARY...]): a static library of the messages of these files of the folder. A release
# compiles them with -O1: that takes two thirds of the time, and a put or a get executes 1% more instructions
# (docs/design/build-time.md).
function(vaquita_messages name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS")
  add_library(${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${arg_LINKS})
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_BINARY_DIR}>)
  target_compile_options(${name} PRIVATE -w $<$<CONFIG:Release>:-O1>)
  protobuf_generate(TARGET ${name} LANGUAGE cpp IMPORT_DIRS ${CMAKE_CURRENT_SOURCE_DIR} PROTOC_OUT_DIR ${CMAKE_CURRENT_BINARY_DIR})
  if(VAQUITA_UNITY)
    # protoc gives two variables the same names in each file: each file gets its own.
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 10 UNITY_BUILD_UNIQUE_ID VAQUITA_FILE
      UNITY_BUILD_CODE_BEFORE_INCLUDE [[
#define VAQUITA_JOINED(a, b) a##_##b
#define VAQUITA_JOIN(a, b) VAQUITA_JOINED(a, b)
#define schemas VAQUITA_JOIN(schemas, VAQUITA_FILE)
#define file_default_instances VAQUITA_JOIN(file_default_instances, VAQUITA_FILE)]])
  endif()
endfunction()

# vaquita_glob(VARIABLE [PATTERN...]): the folder's sources that are neither tests nor a program's main.
function(vaquita_glob variable)
  set(patterns ${ARGN})
  if(NOT patterns)
    set(patterns *.cc)
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cc$")
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# vaquita_library(NAME [HOT|COLD] [SOURCES FILE...] [LINKS LIBRARY...] [PRIVATE_LINKS LIBRARY...]): a static library, of the
# folder's sources if none are named. HOT: each request runs through it, so speed counts for more than size. COLD: it works for
# people, or waits for the network or the disk, so size and the time of the build count for more.
function(vaquita_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HOT;COLD" "" "SOURCES;LINKS;PRIVATE_LINKS")
  if(NOT arg_SOURCES)
    vaquita_glob(arg_SOURCES)
  endif()
  add_library(${name} STATIC ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)  # a folder may hold headers only
  target_link_libraries(${name} PUBLIC ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS})
  vaquita_share_headers(${name})
  if(arg_COLD AND CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${name} PRIVATE -Os)
    vaquita_use_precompiled(${name} small_code)
  else()
    vaquita_use_precompiled(${name} code)
  endif()
  if(arg_HOT)
    # GCC stops inlining when a compilation has grown by 40%, which a batch of sources reaches sooner than a source alone.
    target_compile_options(${name} PRIVATE
      $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:--param=large-unit-insns=10000000>)
  endif()
endfunction()

# vaquita_program(NAME [SOURCES FILE...] [LINKS LIBRARY...]): a program, of the folder's main.cc if no sources are named.
function(vaquita_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS")
  if(NOT arg_SOURCES)
    set(arg_SOURCES main.cc)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINKS})
  vaquita_share_headers(${name})
  vaquita_use_precompiled(${name} code)
endfunction()

# vaquita_order_functions(PROGRAM): in a release, the linker puts the functions that the start runs side by side:
# docs/design/start-order.md. Names in the list that no longer exist do no harm.
function(vaquita_order_functions program)
  if(NOT LLD OR NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    return()
  endif()
  set(order ${CMAKE_SOURCE_DIR}/cmake/start_order.txt)
  target_link_options(${program} PRIVATE -Wl,--symbol-ordering-file=${order} -Wl,--no-warn-symbol-ordering)
  set_target_properties(${program} PROPERTIES LINK_DEPENDS ${order})
endfunction()

# vaquita_tests(NAME_tests LIBRARY... [SOURCES FILE...]): one test program, of the folder's *_test.cc if no sources are named. ctest
# knows each test as NAME.SUITE.TEST, so `./test -R NAME` runs a folder's tests; those outside tests/ have the label `unit`.
function(vaquita_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS")
  if(NOT arg_SOURCES)
    file(GLOB arg_SOURCES CONFIGURE_DEPENDS *_test.cc)
  endif()
  if(NOT arg_SOURCES)
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_UNPARSED_ARGUMENTS} ${arg_LINKS} vaquita_base_testing GTest::gmock GTest::gtest_main)
  vaquita_share_headers(${name})
  vaquita_use_precompiled(${name} tests)
  string(REGEX REPLACE "_tests$" "." prefix ${name})
  # Tests beside the code are unit tests; those below tests/ span processes or much time.
  set(label unit)
  if(CMAKE_CURRENT_SOURCE_DIR MATCHES "^${CMAKE_SOURCE_DIR}/tests(/|$)")
    set(label whole)
  endif()
  if(label STREQUAL unit)
    if(NOT TARGET unit_tests)
      add_custom_target(unit_tests)
    endif()
    add_dependencies(unit_tests ${name})
  endif()
  include(GoogleTest)
  # Tests of a suite named ...Child are processes that a test starts to kill; alone they are no tests.
  gtest_discover_tests(${name} TEST_PREFIX ${prefix} TEST_FILTER "-*Child.*" NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST
                       DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600 LABELS ${label})
endfunction()
