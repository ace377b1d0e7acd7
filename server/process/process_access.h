// server/process/process_access.h: the users of a process: who clients are, what they may do, and the token by which
// the process itself calls the cluster's others.
//
// Threads: any.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/options.h"
#include "base/status.h"
#include "server/access/access_control.h"
#include "server/access/http_caller.h"
#include "server/data_root/process_token.h"
#include "server/frontend/http/user_check.h"

namespace vaquita {

struct ProcessAccess {
  std::unique_ptr<AccessControl> control;  // null: users have no rights
  std::string token;                       // empty then

  // `root` is the cluster's data root. InvalidArgument, naming the option; or an error of the token's file.
  static absl::StatusOr<ProcessAccess> Create(const Options& options, const std::string& root, bool test_control) {
    ProcessAccess access;
    const bool kerberos = options.authentication == "kerberos";
    if (!kerberos && options.authentication != "simple") {
      return absl::InvalidArgumentError("hbase.security.authentication is " + options.authentication +
                                        "; it is simple or kerberos");
    }
    if (kerberos && !options.authorization) {
      return absl::InvalidArgumentError(
          "hbase.security.authentication is kerberos, which needs hbase.security.authorization=true");
    }
    if (!options.authorization) return access;
    if (test_control) {
      return absl::InvalidArgumentError(
          "the test control lets everybody do everything, and cannot be used with hbase.security.authorization");
    }
    VAQUITA_ASSIGN_OR_RETURN(access.token, ProcessToken(root));
    VAQUITA_ASSIGN_OR_RETURN(access.control, AccessControl::Create(options, access.token));
    return access;
  }

  // Returns the check of who reads the console and the pages with clients' requests; null: everybody may.
  http::UserCheck ForSuperusers() const {
    if (control == nullptr) return nullptr;
    return [control = control.get()](const http::Request& request) {
      return CheckHttpSuperuser(*control, request.authorization, request.certificate_name);
    };
  }

  // Returns QueryServerOptions::identify.
  std::function<absl::StatusOr<Caller>(const std::string&, const std::string&)> Identify() const {
    if (control == nullptr) return nullptr;
    return [control = control.get()](const std::string& authorization, const std::string& certificate_name) {
      return HttpCallerOf(*control, authorization, certificate_name);
    };
  }
};

}  // namespace vaquita
