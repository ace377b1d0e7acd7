// server/frontend/http/http_message.h: a request of HTTP/1.1 that asks for a page, and its answer.
//
// Requests have no body here, and a connection carries one of them. Source: RFC 9110, RFC 9112.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vaquita::http {

struct Request {
  bool head = false;  // the page's header only
  std::string path;   // "/metrics", as it was sent: what is percent-encoded stays so
  std::string query;  // after the '?'
};

struct Response {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  std::string allow;  // of 405: the methods that would be right
};

// A response that says no more than its status.
Response StatusResponse(int status);

// Reads what a client sent up to the empty line, all of it; true: `*request` is what it asks for. False: `*refusal` is
// the answer: 400, 405 or 505.
bool ParseRequest(std::string_view text, Request* request, Response* refusal);

// The bytes of the answer; the connection closes after it. `now_s`: for the header, seconds since the epoch.
std::string EncodeResponse(const Response& response, bool head, int64_t now_s);

}  // namespace vaquita::http
