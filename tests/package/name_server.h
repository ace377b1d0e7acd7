// tests/package/name_server.h: a DNS server that knows one name, at an address of the loopback that is of this process.
#pragma once

#include <unistd.h>

#include <string>
#include <thread>

#include "asio/ip/udp.hpp"

namespace vaquita {

class NameServer {
 public:
  // Answers questions for the IPv4 address of `name` with 127.0.0.1, and all others with "no such name".
  explicit NameServer(const std::string& name) : question_(InQuestion(name)), socket_(io_, asio::ip::udp::v4()) {
    const int pid = getpid();
    const asio::ip::address_v4 own(
        {127, static_cast<uint8_t>(1 + pid / 65536), static_cast<uint8_t>(pid / 256), static_cast<uint8_t>(pid)});
    socket_.bind({own, 53}, error_);
    if (!error_) thread_ = std::thread([this] { Serve(); });
  }
  ~NameServer() {
    if (error_) return;
    asio::io_context io;
    asio::ip::udp::socket(io, asio::ip::udp::v4()).send_to(asio::buffer("", 0), socket_.local_endpoint());
    thread_.join();
  }
  NameServer(const NameServer&) = delete;

  // Why it does not serve: DNS has one port, 53, which only root may listen at.
  const std::error_code& error() const { return error_; }
  std::string address() const { return socket_.local_endpoint().address().to_string(); }

 private:
  static constexpr size_t kHeader = 12;

  // RFC 1035, 3.1: each label after its length, and a zero.
  static std::string InQuestion(const std::string& name) {
    std::string question;
    for (size_t begin = 0; begin < name.size();) {
      const size_t end = std::min(name.find('.', begin), name.size());
      question += static_cast<char>(end - begin) + name.substr(begin, end - begin);
      begin = end + 1;
    }
    return question + '\0';
  }

  void Serve() {
    while (true) {
      char bytes[512];
      asio::ip::udp::endpoint client;
      const size_t size = socket_.receive_from(asio::buffer(bytes), client);
      if (size < kHeader) return;  // the end
      const std::string answer = Answer(std::string(bytes, size));
      socket_.send_to(asio::buffer(answer), client);
    }
  }

  std::string Answer(std::string query) const {
    const std::string_view type_a("\0\1", 2);
    const size_t end = kHeader + question_.size() + 4;
    const std::string_view asked = std::string_view(query).substr(kHeader);
    const bool known = asked.starts_with(question_);
    const bool has_address = known && asked.substr(question_.size()).starts_with(type_a);
    query[2] = static_cast<char>(0x81);                 // an answer
    query[3] = static_cast<char>(known ? 0x80 : 0x83);  // "no such name" is 3
    query[7] = has_address ? 1 : 0;                     // answers
    query[11] = 0;                                      // additional records, as of EDNS
    if (!has_address) return query;
    return query.substr(0, end) + std::string("\xC0\x0C\0\1\0\1\0\0\0\1\0\4\x7F\0\0\1", 16);
  }

  const std::string question_;
  asio::io_context io_;
  asio::ip::udp::socket socket_;
  std::error_code error_;
  std::thread thread_;
};

}  // namespace vaquita
