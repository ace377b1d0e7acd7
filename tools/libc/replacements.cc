// tools/libc/replacements.cc: the static program's own versions of functions that load the machine's name services
// (NSS). A linker takes these instead of the ones in libc.a, so gRPC, Asio and c-ares call them, too.
#include <netdb.h>

#include <cerrno>

#include "tools/libc/address_lookup.h"

extern "C" {

int getaddrinfo(const char* host, const char* service, const addrinfo* hints, addrinfo** found) {
  return vaquita::LookUpAddresses(host, service, hints, found);
}

void freeaddrinfo(addrinfo* found) noexcept { vaquita::FreeAddresses(found); }

int getnameinfo(const sockaddr* address, socklen_t size, char* host, socklen_t host_size, char* service,
                socklen_t service_size, int flags) {
  return vaquita::DescribeAddress(address, size, host, host_size, service, service_size, flags);
}

// Only OpenSSL has this one, in functions that it tells not to use.
hostent* gethostbyname(const char*) {
  h_errno = HOST_NOT_FOUND;
  return nullptr;
}

// Ports have no names.
servent* getservbyname(const char*, const char*) { return nullptr; }

int getservbyport_r(int, const char*, servent*, char*, size_t, servent** found) {
  *found = nullptr;
  return ENOENT;
}

}  // extern "C"
