// base/os_user.h: the operating system's user whom this process runs as.
#pragma once

#include <string>

namespace vaquita {

// Returns the name by which Hadoop's clients and servers know themselves without Kerberos: $HADOOP_USER_NAME, else the
// user's name in /etc/passwd, else $USER, else "uid" and its number. Users that only another source knows (LDAP) are
// not found in /etc/passwd: the C library's own functions load what /etc/nsswitch.conf names, which a static program
// must not (tools/libc).
std::string OsUserName();

}  // namespace vaquita
