// tools/libc/address_lookup.h: addresses of names, without the machine's C library.
//
// glibc's getaddrinfo loads modules that the machine's /etc/nsswitch.conf names. They belong to the machine's own
// glibc, so a static program can crash in them or is without names. The static program has this function instead:
// numeric addresses are read here, names are looked up by c-ares in /etc/hosts and DNS. Names that only another source
// knows (LDAP, mDNS) are not found.
#pragma once

#include <netdb.h>
#include <sys/socket.h>

namespace vaquita {

// Does as getaddrinfo of POSIX, and returns its error codes. Services are port numbers. Of the flags it knows
// AI_PASSIVE and AI_NUMERICHOST. May be called from any thread; a name may take as long as its DNS servers, two tries
// each.
int LookUpAddresses(const char* host, const char* service, const addrinfo* hints, addrinfo** found);

// Does as getnameinfo of POSIX with NI_NUMERICHOST and NI_NUMERICSERV, whatever `flags` are: nobody is asked for names.
// With NI_NAMEREQD there is none.
int DescribeAddress(const sockaddr* address, socklen_t size, char* host, socklen_t host_size, char* service,
                    socklen_t service_size, int flags);

// Frees what LookUpAddresses has found; null is fine.
void FreeAddresses(addrinfo* found);

}  // namespace vaquita
