// server/frontend/hbase/rpc/output_queue.h: answers that a socket has not taken yet.
//
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "server/frontend/hbase/rpc/wire.h"

namespace vaquita::hbase {

class OutputQueue {
 public:
  // Appends an answer. Small answers share a piece.
  void Append(std::string bytes);
  // Takes all pieces of `other`, which becomes empty.
  void AppendAll(OutputQueue* other);
  // Writes as much as the socket takes without waiting. Returns false if the socket has failed.
  bool Write(const Wire& wire);

  bool empty() const { return bytes_ == 0; }
  size_t bytes() const { return bytes_; }

 private:
  void RemoveFront(size_t size);

  std::deque<std::string> pieces_;
  size_t written_ = 0;  // bytes of the first piece
  size_t bytes_ = 0;    // not written
};

}  // namespace vaquita::hbase
