# A program that needs no library and no file of its own: the same objects and archives as the dynamic program, with Debian's
# archives in the place of its shared libraries.

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

# vaquita_static_program(NAME PROGRAM [SOURCES FILE...] [LINKS LIBRARY...] [WITHOUT LIBRARY...]): links PROGRAM once more, as a
# static-pie. SOURCES stand in for functions of the C library, and LINKS for the project's libraries WITHOUT which it is.
function(vaquita_static_program name program)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SOURCES;LINKS;WITHOUT")
  get_target_property(direct ${program} LINK_LIBRARIES)
  set(folders)
  set(archives)
  vaquita_collect_libraries(${direct} ${arg_LINKS})
  add_executable(${name} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${program}> ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  list(TRANSFORM folders REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
  target_link_libraries(${name} PRIVATE -Wl,--start-group ${files} ${archives} ${VAQUITA_ARCHIVES_OF_ARCHIVES} -Wl,--end-group)
  # Packed relocations make the program 1.7 MB smaller; strings that end alike are kept once.
  # Functions with the same instructions become one (docs/design/start-order.md).
  target_link_options(${name} PRIVATE -static-pie -Wl,--gc-sections -Wl,--pack-dyn-relocs=relr -Wl,-O2
                      $<$<AND:$<BOOL:${LLD}>,$<CONFIG:Release>>:-Wl,--icf=all>
                      -Wl,--dependency-file=${CMAKE_BINARY_DIR}/${name}.inputs)  # for the licences of what is in it
  add_dependencies(${name} ${folders})
endfunction()
