// tools/libc/address_lookup.h: addresses of names, without the machine's C library.
//
// glibc's getaddrinfo loads modules that the machine's /etc/nsswitch.conf names. They belong to the machine's own
// glibc, so a static program can crash in them, or finds no names. The static program uses this function instead. It
// parses numeric addresses; c-ares looks up names in /etc/hosts and DNS. Names that only another source knows (LDAP,
// mDNS) are not found.
#pragma once

#include <netdb.h>
#include <sys/socket.h>

namespace vaquita {

// Works as POSIX's getaddrinfo, and returns its error codes. Services are port numbers. Of the flags it knows
// AI_PASSIVE and AI_NUMERICHOST. May be called from any thread; a name may take as long as its DNS servers, two tries
// each.
int LookUpAddresses(const char* host, const char* service, const addrinfo* hints, addrinfo** found);

// Works as POSIX's getnameinfo with NI_NUMERICHOST and NI_NUMERICSERV, which `flags` need not have: it looks up no
// names. With NI_NAMEREQD it returns EAI_NONAME.
int DescribeAddress(const sockaddr* address, socklen_t size, char* host, socklen_t host_size, char* service,
                    socklen_t service_size, int flags);

// Frees LookUpAddresses's result, which may be null.
void FreeAddresses(addrinfo* found);

}  // namespace vaquita
