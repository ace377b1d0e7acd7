# Debian 12's packages, as targets. RocksDB is linked statically: its writes are 20-35% faster than through the shared library
# (thread-local access), and its asserts and checks are the same.

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(Protobuf REQUIRED)
find_package(gRPC CONFIG REQUIRED)
find_package(absl CONFIG REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(CLI11 REQUIRED)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)
pkg_check_modules(EDIT REQUIRED IMPORTED_TARGET libedit)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(HTTPLIB REQUIRED IMPORTED_TARGET cpp-httplib)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)  # only tests link it
find_package(pugixml REQUIRED)
find_package(nlohmann_json REQUIRED)

set(VAQUITA_ROCKSDB "" CACHE FILEPATH "a librocksdb.a to link instead of Debian's; dev/rocksdb makes one without assertions")
if(VAQUITA_ROCKSDB)
  get_filename_component(ROCKSDB_STATIC ${VAQUITA_ROCKSDB} ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
  if(NOT EXISTS ${ROCKSDB_STATIC})
    message(FATAL_ERROR "VAQUITA_ROCKSDB is ${ROCKSDB_STATIC}, which is not there; dev/rocksdb makes it")
  endif()
else()
  find_library(ROCKSDB_STATIC NAMES librocksdb.a REQUIRED)
endif()
# The programs' malloc (docs/design/libraries.md). The sanitizers bring their own.
find_library(TCMALLOC_STATIC NAMES libtcmalloc_minimal.a REQUIRED)
if(VAQUITA_SANITIZE)
  set(VAQUITA_MALLOC)
else()
  set(VAQUITA_MALLOC ${TCMALLOC_STATIC})
endif()
add_library(rocksdb_static INTERFACE)
target_link_libraries(rocksdb_static INTERFACE ${ROCKSDB_STATIC} snappy lz4 zstd z bz2 Threads::Threads ${CMAKE_DL_LIBS})

# Kerberos (docs/design/kerberos.md), linked statically, so that a machine needs no package of Heimdal's to run the programs.
find_path(HEIMDAL_INCLUDE NAMES gssapi/gssapi_krb5.h PATH_SUFFIXES heimdal REQUIRED)
set(heimdal_archives)
foreach(name gssapi krb5 heimntlm hx509 asn1 hcrypto heimbase roken wind)
  find_library(HEIMDAL_${name} NAMES lib${name}.a PATH_SUFFIXES heimdal REQUIRED)
  list(APPEND heimdal_archives ${HEIMDAL_${name}})
endforeach()
add_library(heimdal_static INTERFACE)
target_include_directories(heimdal_static SYSTEM INTERFACE ${HEIMDAL_INCLUDE})
target_link_libraries(heimdal_static INTERFACE ${heimdal_archives} com_err crypt resolv PkgConfig::SQLITE ${CMAKE_DL_LIBS})

# The bodies of spdlog and fmt are in base/log_library.cc: Debian has no archives of them.

# Libraries that libedit's archive needs; its shared library names them itself.
set(VAQUITA_ARCHIVES_OF_ARCHIVES bsd md tinfo)

# Asio decides by what was included before it whether it allocates with aligned_alloc or with new; translation units that
# decide differently would free with the wrong one. Its bodies are in base/tls/asio_library.cc: a batch of sources that uses Asio
# takes a second less, in release as in debug.
add_library(asio_standalone INTERFACE)
target_compile_definitions(asio_standalone INTERFACE ASIO_STANDALONE ASIO_NO_DEPRECATED ASIO_DISABLE_STD_ALIGNED_ALLOC
                           ASIO_SEPARATE_COMPILATION)
target_link_libraries(asio_standalone INTERFACE Threads::Threads)
