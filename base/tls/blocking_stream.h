// base/tls/blocking_stream.h: a client's connection, with TLS or without, on which every step ends in time.
//
// Threads: one.
#pragma once

#include <asio/error_code.hpp>
#include <asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/tls/tls_stream.h"

namespace vaquita {

class BlockingStream {
 public:
  // Connects. `tls`: null: without TLS; outlives the stream. After `deadline` every step fails.
  BlockingStream(const std::string& host, const std::string& port, TlsContext* tls,
                 std::chrono::steady_clock::time_point deadline);

  // These return false if the connection is broken, or breaks.
  bool Write(std::string_view bytes);
  bool Read(char* bytes, size_t size);  // all of them
  // Reads to the connection's end. More than `most` bytes are an error.
  bool ReadRest(std::string* bytes, size_t most = size_t{256} << 20);

  // Returns why the connection is broken; "" if it is not.
  const std::string& error() const { return error_; }

 private:
  void End(const asio::error_code& error);
  bool Await();

  const std::chrono::steady_clock::time_point deadline_;
  asio::io_context io_;
  TlsStream stream_{io_};
  bool step_ended_ = false;
  std::string error_;
};

}  // namespace vaquita
