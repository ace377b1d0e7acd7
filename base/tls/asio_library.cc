// base/tls/asio_library.cc: the bodies of Asio, which each source with its headers would compile otherwise
// (cmake/libraries.cmake).
#include <asio/impl/src.hpp>
#include <asio/ssl/impl/src.hpp>
