// base/caller.h: the sender of a request, and the proof of that.
//
// A front end makes a CallerClaim of what a client shows and says; server/access/access_control.h makes a Caller of it
// where users have rights. Threads: plain data.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vaquita {

struct Caller {
  enum class Proof {
    kWord,         // the client's own word, which proves nothing (HBase's simple authentication)
    kToken,        // a token that the server knows
    kCertificate,  // the name in the certificate of its TLS connection
    kKerberos,     // its Kerberos ticket
    kDelegation,   // a delegation token, which a client has got that had proved to be the user by Kerberos
    kProcess,      // it is a process of the cluster, or a part of one
  };

  std::string name;
  std::string principal;  // by which Kerberos knows it, as ada@EXAMPLE.COM; empty without
  Proof proof = Proof::kWord;
  bool superuser = false;  // it has every right
};

// A client shows and says this of itself. Empty: nothing.
struct CallerClaim {
  std::string_view certificate_name;  // the common name in its verified certificate
  std::string_view principal;         // its Kerberos ticket's, as ada@EXAMPLE.COM
  std::string_view delegation;        // the name of its delegation token, whose password it knows
  std::string_view token;
  std::string_view said_name;
  // It calls in the name of this user (UserGroupInformation.createProxyUser, doAs). A user without a name is nobody,
  // and must not be taken for the client itself.
  std::optional<std::string_view> acts_for;
};

}  // namespace vaquita
