# The program itself: the project's libraries, and Debian's archives in the place of its shared libraries. Loading 69 of them took 14
# of the 35 ms until `vaquita` was ready (docs/design/start-order.md).

# vaquita_collect_libraries(ITEM...): appends what the items link, and what that links in turn, to the variables of the caller:
# `folders`, the libraries of this project, and `archives`, those of Debian as files or names for -l.
macro(vaquita_collect_libraries)
  set(pending ${ARGN})
  set(seen)
  while(pending)
    list(POP_FRONT pending item)
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" item "${item}")
    if("${item}" STREQUAL "" OR "${item}" MATCHES "^(::@|-pthread)" OR "${item}" IN_LIST seen OR "${item}" IN_LIST arg_WITHOUT)
      continue()
    endif()
    list(APPEND seen "${item}")
    if(NOT TARGET "${item}")
      string(REGEX REPLACE "\\.so[.0-9]*$" ".a" archive "${item}")
      list(APPEND archives "${archive}")
      continue()
    endif()
    get_target_property(alias ${item} ALIASED_TARGET)
    if(alias)
      set(item ${alias})
    endif()
    get_target_property(type ${item} TYPE)
    get_target_property(imported ${item} IMPORTED)
    if(NOT imported AND NOT type STREQUAL "INTERFACE_LIBRARY")
      list(APPEND folders ${item})
    elseif(NOT type STREQUAL "INTERFACE_LIBRARY")
      get_target_property(file ${item} LOCATION)
      string(REGEX REPLACE "\\.so[.0-9]*$" ".a" archive "${file}")
      list(APPEND archives "${archive}")
    endif()
    get_target_property(links ${item} INTERFACE_LINK_LIBRARIES)
    if(links)
      list(APPEND pending ${links})
    endif()
  endwhile()
endmacro()

# vaquita_program_of_archives(NAME OBJECTS [STATIC_PIE] [SOURCES FILE...] [LINKS LIBRARY...] [WITHOUT LIBRARY...]): links the object
# library OBJECTS, SOURCES, LINKS and what these link in turn, WITHOUT these libraries. STATIC_PIE: the C library is an archive, too,
# and the program needs no file of its machine.
function(vaquita_program_of_archives name objects)
  cmake_parse_arguments(PARSE_ARGV 2 arg "STATIC_PIE" "" "SOURCES;LINKS;WITHOUT")
  get_target_property(direct ${objects} LINK_LIBRARIES)
  set(folders)
  set(archives)
  vaquita_collect_libraries(${direct} ${arg_LINKS})
  add_executable(${name} $<TARGET_OBJECTS:${objects}> ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  if(VAQUITA_SANITIZE)
    target_link_libraries(${name} PRIVATE ${direct} ${arg_LINKS})  # sanitizers need shared libraries
    return()
  endif()
  list(TRANSFORM folders REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
  set(linked -Wl,--start-group ${files} ${archives} ${VAQUITA_ARCHIVES_OF_ARCHIVES} -Wl,--end-group)
  if(arg_STATIC_PIE)
    set(kind -static-pie -Wl,--pack-dyn-relocs=relr)  # 1.7 MB smaller; glibc's loader does not take what lld 14 packs
  else()
    set(kind -static-libstdc++ -static-libgcc)
    set(linked -Wl,-Bstatic ${linked} -Wl,-Bdynamic)
  endif()
  target_link_libraries(${name} PRIVATE ${linked})
  # Strings that end alike are kept once. Functions with the same instructions become one (docs/design/start-order.md).
  target_link_options(${name} PRIVATE ${kind} -Wl,--gc-sections -Wl,-O2
                      $<$<AND:$<BOOL:${LLD}>,$<CONFIG:Release>>:-Wl,--icf=all>
                      -Wl,--dependency-file=${CMAKE_BINARY_DIR}/${name}.inputs)  # for the licences of what is in it
  add_dependencies(${name} ${folders})
  vaquita_order_functions(${name})
endfunction()
