# vaquita_grpc_methods(PROTO...): for each file of the folder a header FILE.methods.h, with the names and the types of the methods
# of its services (proto/vaquita/grpc_method.h). Beside the structure it has a macro that lists the methods' names. A method is on
# one line, its types are of the same package, it may stream its answer, and the service's name ends with Service.
function(vaquita_grpc_methods)
  foreach(proto ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${proto})
    file(READ ${proto} text)
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    string(REPLACE ";" "," text "${text}")  # which would divide a list
    string(REGEX MATCH "package ([a-z0-9.]+)" matched "${text}")
    set(package ${CMAKE_MATCH_1})
    string(REPLACE . :: namespace ${package})
    string(REGEX MATCHALL "service [A-Za-z]+Service {[^}]*}" services "${text}")
    set(structures)
    foreach(service IN LISTS services)
      string(REGEX MATCH "service ([A-Za-z]+)Service {(.*)}" matched "${service}")
      set(name ${CMAKE_MATCH_1})
      set(methods "${CMAKE_MATCH_2}")
      set(path ${package}.${name}Service)
      string(REGEX MATCHALL "rpc [A-Za-z]+" names "${methods}")
      string(REGEX REPLACE "[ \n]*rpc ([A-Za-z]+)[(]([A-Za-z]+)[)] returns [(]([A-Za-z]+)[)],"
             "\n  static constexpr GrpcMethod<\\2, \\3> \\1{\"/${path}/\\1\"};" methods "${methods}")
      string(REGEX REPLACE "[ \n]*rpc ([A-Za-z]+)[(]([A-Za-z]+)[)] returns [(]stream ([A-Za-z]+)[)],"
             "\n  static constexpr GrpcStreamMethod<\\2, \\3> \\1{\"/${path}/\\1\"};" methods "${methods}")
      if(methods MATCHES "rpc [^\n]*")
        message(FATAL_ERROR "${proto}: ${CMAKE_MATCH_0}: must have the form of the other methods")
      endif()
      string(REGEX REPLACE "([a-z])([A-Z])" "\\1_\\2" macro VAQUITA_${name}_METHODS)
      string(TOUPPER ${macro} macro)
      string(REGEX REPLACE "rpc ([A-Za-z]+)" "M(\\1)" names "${names}")
      string(JOIN " " names ${names})
      string(APPEND structures "\nstruct ${name}Methods {\n  static constexpr char kService[] = \"${path}\";${methods}\n};\n"
                               "#define ${macro}(M) ${names}\n")
    endforeach()
    cmake_path(RELATIVE_PATH proto BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE file)
    cmake_path(REPLACE_EXTENSION file LAST_ONLY "")
    file(CONFIGURE OUTPUT ${file}.methods.h @ONLY CONTENT [[
// The methods of the services in @file@.proto, made by cmake/grpc_methods.cmake.
#pragma once

#include "proto/vaquita/grpc_method.h"
#include "@file@.pb.h"

namespace @namespace@ {
@structures@
}  // namespace @namespace@
]])
  endforeach()
endfunction()
