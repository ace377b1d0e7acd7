// client/hbase/pending_call.h: a call of HBase's RPC, from its start until its answer has come.
//
// Threads: the caller waits, in any thread; the connection finishes it, once, in the thread that does the I/O.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "client/hbase/call_waiters.h"
#include "client/server_link.h"

namespace vaquita::client {

class PendingCall {
 public:
  // `head` is the request's frame up to its cells.
  PendingCall(uint32_t id, std::string head, std::string cells, std::shared_ptr<CallWaiters> waiters)
      : id(id), head(std::move(head)), cells(std::move(cells)), waiters_(std::move(waiters)) {}

  const uint32_t id;
  const std::string head;
  const std::string cells;

  CallWaiters::Waiter& waiter() { return waiter_; }
  // REQUIRES for these: the call is done. They return its outcome and, if that is OK, the answer's message and cells,
  // which live as long as the call.
  const CallOutcome& outcome() const { return outcome_; }
  std::string_view answer() const { return answer_; }
  std::string_view answer_cells() const { return answer_cells_; }

  void Fail(CallOutcome outcome) {
    outcome_ = std::move(outcome);
    End();
  }
  // The answer begins at `answer_at` in `frame`, and its cells follow it.
  void Succeed(std::string frame, size_t answer_at, size_t answer_size, size_t cells_size) {
    frame_ = std::move(frame);
    answer_ = std::string_view(frame_).substr(answer_at, answer_size);
    answer_cells_ = std::string_view(frame_).substr(answer_at + answer_size, cells_size);
    End();
  }

 private:
  void End() { waiters_->SetDone(&waiter_); }

  const std::shared_ptr<CallWaiters> waiters_;
  CallWaiters::Waiter waiter_;
  CallOutcome outcome_;
  std::string frame_;
  std::string_view answer_, answer_cells_;
};

}  // namespace vaquita::client
