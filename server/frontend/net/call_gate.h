// server/frontend/net/call_gate.h: lets a test decide the fate of each call that a front end gets.
//
// Without a gate a front end makes one comparison for each call. Threads: every method may be called from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace vaquita::net {

// One of the places in the data that a call is for: an action's of a Multi.
struct CallTarget {
  std::string table;   // "ns:qualifier", or "qualifier" in the default namespace; empty: none
  std::string region;  // encoded name; empty: none, or not known
  std::string row;     // a scan's is where it starts
  bool has_row = false;
};

// The views live until the call ends.
struct GatedCall {
  std::string_view protocol;  // "hbase" or "grpc"
  std::string_view service;   // "ClientService"
  std::string_view method;    // HBase's name, "Multi"
  std::string_view client;    // host:port
  std::string_view user;
  int64_t request_bytes = 0;
  std::vector<CallTarget> targets;
};

// The fate of a call.
struct CallFate {
  enum class Answer {
    kGiven,
    kLost,    // the client never gets it
    kClosed,  // the connection closes instead
  };
  bool runs = true;
  absl::Status refusal;  // the answer of a call that does not run
  // The outcome of each target of a running call, if some targets are refused. Empty: no target is refused.
  std::vector<absl::Status> refused_targets;
  Answer answer = Answer::kGiven;
  int64_t fault = 0;  // the fault that decided; 0: none
};

struct CallEnd {
  absl::Status status;
  int64_t answer_bytes = 0;
  int64_t rows = 0;  // in a scan's answer
  std::chrono::microseconds took{0};
};

class CallGate {
 public:
  virtual ~CallGate() = default;
  // Returns whether Enter may wait: then it needs calls from threads that may wait.
  virtual bool MayWait() const = 0;
  // Decides about a call before it runs. Each call enters once, unless MayWait is false and it did not run to its end.
  virtual CallFate Enter(const GatedCall& call) = 0;
  virtual void Leave(const GatedCall& call, const CallFate& fate, const CallEnd& end) = 0;
  // Returns whether what decided a call's fate goes on. A call whose answer is lost need not wait any more if it does
  // not: the server stops, or the test has cleared the fault.
  virtual bool Lasts(const CallFate& fate) const = 0;
};

}  // namespace vaquita::net
