// server/frontend/http/http_message.h: reads requests of HTTP/1.1, and encodes their answers.
//
// Boost.Beast reads and writes the messages; docs/design/libraries.md says why. Source: RFC 9110, RFC 9112.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace vaquita::http {

enum class Method { kGet, kHead, kPost, kDelete, kOther };

struct Request {
  Method method = Method::kGet;
  std::string path;   // "/metrics", as it was sent: percent-encoding stays
  std::string query;  // after the '?'
  // Header fields; empty if they were not sent. A browser sends `origin` with each POST.
  std::string host;
  std::string origin;
  std::string fetch_site;  // Sec-Fetch-Site: the site of the asking page, by its browser
  std::string token;       // X-Vaquita-Token; no page of another site may send it
  std::string authorization;
  std::string content_type;
  std::string body;              // a POST's
  std::string client;            // its address, host:port; the server's, not the message's
  std::string certificate_name;  // the common name in its connection's certificate; likewise
  // Becomes true if the client goes before it has its answer, or closes its half: then it gets the answer all the same.
  std::shared_ptr<const std::atomic<bool>> client_gone;
};

struct Response {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  std::string allow;         // for 405: the methods that would be right
  std::string authenticate;  // for 401: WWW-Authenticate
};

// Returns a response whose body has only its status.
Response StatusResponse(int status);

// Returns the bytes of the answer. `keep_alive`: the connection stays open after it. `now_s`: for the header, seconds
// since the epoch.
std::string EncodeResponse(const Response& response, bool head, bool keep_alive, int64_t now_s);

// Reads one request from the bytes of a connection as they come. Threads: one at a time.
class RequestReader {
 public:
  enum class State {
    kHeader,   // the header is not complete yet
    kBody,     // the header is read, and the body comes next
    kDone,     // the request is read
    kRefused,  // `refusal()` is the answer: 400, 413, 414, 431 or 505
  };

  // Requests of more bytes before their body, or within it, are refused.
  RequestReader(size_t most_header_bytes, size_t most_body_bytes);
  ~RequestReader();

  // Takes bytes from the client. When the header is complete it returns kBody or kDone; the next call, which may have
  // no bytes, continues with the body.
  State Read(std::string_view bytes);
  // Returns whether the client waits for "100 Continue" before it sends the body.
  bool awaits_continue() const { return awaits_continue_; }
  // Returns whether another request may follow on the connection. REQUIRES: kDone.
  bool keeps_alive() const { return keeps_alive_; }
  // Returns the bytes behind the request, which belong to the next one.
  std::string TakeRest() { return std::move(unread_); }

  const Request& request() const { return request_; }
  // REQUIRES: kDone. The request is empty then.
  Request TakeRequest() { return std::move(request_); }
  // Returns the bytes of the body that it has.
  size_t body_bytes() const;
  const Response& refusal() const { return refusal_; }

 private:
  struct Parser;

  State ReadHeader();
  State ReadBody();
  State TakeHeader();
  State Refuse(int status);

  std::unique_ptr<Parser> parser_;
  std::string unread_;
  bool line_read_ = false;  // the first line
  State state_ = State::kHeader;
  bool awaits_continue_ = false;
  bool keeps_alive_ = false;
  Request request_;
  Response refusal_;
};

}  // namespace vaquita::http
