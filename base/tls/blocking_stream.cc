#include "base/tls/blocking_stream.h"

#include <asio/connect.hpp>
#include <asio/read.hpp>
#include <asio/write.hpp>
#include <string>

namespace vaquita {

BlockingStream::BlockingStream(const std::string& host, const std::string& port, TlsContext* tls,
                               std::chrono::steady_clock::time_point deadline)
    : deadline_(deadline) {
  asio::error_code error;
  const auto endpoints = asio::ip::tcp::resolver(io_).resolve(host, port, error);
  if (error) {
    error_ = error.message();
    return;
  }
  asio::async_connect(stream_.socket(), endpoints,
                      [this](const asio::error_code& failed, const asio::ip::tcp::endpoint&) { End(failed); });
  if (!Await()) return;
  stream_.Handshake(tls, host, [this](const std::string& why) {
    if (!why.empty()) error_ = "TLS: " + why;
    step_ended_ = true;
  });
  Await();
}

bool BlockingStream::Write(std::string_view bytes) {
  if (!error_.empty()) return false;
  asio::async_write(stream_, asio::buffer(bytes), [this](const asio::error_code& failed, size_t) { End(failed); });
  return Await();
}

bool BlockingStream::Read(char* bytes, size_t size) {
  if (!error_.empty()) return false;
  asio::async_read(stream_, asio::buffer(bytes, size), [this](const asio::error_code& failed, size_t) { End(failed); });
  return Await();
}

bool BlockingStream::ReadRest(std::string* bytes, size_t most) {
  if (!error_.empty()) return false;
  bool whole = false;
  asio::async_read(stream_, asio::dynamic_buffer(*bytes, most + 1), [&](const asio::error_code& failed, size_t) {
    whole = failed == asio::error::eof;
    End(whole ? asio::error_code() : failed);
  });
  if (!Await()) return false;
  if (!whole) error_ = "the answer has more than " + std::to_string(most) + " bytes";
  return whole;
}

void BlockingStream::End(const asio::error_code& error) {
  if (error) error_ = error == asio::error::eof ? "the connection ended" : error.message();
  step_ended_ = true;
}

// Returns whether the step that was begun has succeeded.
bool BlockingStream::Await() {
  io_.restart();
  while (!step_ended_ && io_.run_one_until(deadline_) > 0) {
  }
  if (!step_ended_) {
    asio::error_code ignored;
    stream_.socket().close(ignored);
    io_.restart();
    io_.run();  // the step ends, and with it its use of the caller's memory
    error_ = "timed out";
  }
  step_ended_ = false;
  return error_.empty();
}

}  // namespace vaquita
