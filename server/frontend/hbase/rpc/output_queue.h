// server/frontend/hbase/rpc/output_queue.h: answers that a socket has not taken yet.
//
// Threads: none of its own; one owner.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

namespace vaquita::hbase {

class OutputQueue {
 public:
  // Small ones go into one piece with those before them.
  void Append(std::string bytes);
  // Takes all pieces of `other`, which is empty then.
  void AppendAll(OutputQueue* other);
  // Writes as much as the socket takes without waiting. False if it takes no more for ever.
  bool Write(int socket);

  bool empty() const { return bytes_ == 0; }
  size_t bytes() const { return bytes_; }

 private:
  void RemoveFront(size_t size);

  std::deque<std::string> pieces_;
  size_t written_ = 0;  // of the first piece
  size_t bytes_ = 0;    // not written
};

}  // namespace vaquita::hbase
