#include "server/frontend/http/http_message.h"

#include <algorithm>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/string_body.hpp>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/absl_text.h"

namespace vaquita::http {
namespace {

namespace beast = boost::beast;
using beast::http::field;
using beast::http::verb;

constexpr std::string_view kLineEnd = "\r\n";
constexpr unsigned kHttp11 = 11;

std::string_view StdView(beast::string_view text) { return {text.data(), text.size()}; }

std::string Date(int64_t now_s) {
  return absl::FormatTime("%a, %d %b %Y %H:%M:%S GMT", absl::FromUnixSeconds(now_s), absl::UTCTimeZone());
}

bool IsVisible(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

// A proxy's form, "http://host:port/path", names the path as well.
std::string_view WithoutHost(std::string_view target) {
  constexpr std::string_view kScheme = "http://";
  if (!absl::StartsWithIgnoreCase(AbslText(target), AbslText(kScheme))) return target;
  const size_t path = target.find('/', kScheme.size());
  return path == std::string_view::npos ? "/" : target.substr(path);
}

Method MethodOf(verb method) {
  switch (method) {
    case verb::get:
      return Method::kGet;
    case verb::head:
      return Method::kHead;
    case verb::post:
      return Method::kPost;
    case verb::delete_:
      return Method::kDelete;
    default:
      return Method::kOther;
  }
}

// Returns whether a line ends with a version, such as HTTP/3.0.
bool NamesVersion(std::string_view line) {
  constexpr std::string_view kForm = " HTTP/d.d";
  if (line.size() < kForm.size()) return false;
  line.remove_prefix(line.size() - kForm.size());
  return std::equal(line.begin(), line.end(), kForm.begin(),
                    [](char is, char form) { return form == 'd' ? absl::ascii_isdigit(is) : is == form; });
}

// Returns the status that tells the client about an error, where `text` is not read yet.
int StatusOf(const boost::system::error_code& error, std::string_view text) {
  if (error == beast::http::error::bad_version) return NamesVersion(text.substr(0, text.find(kLineEnd))) ? 505 : 400;
  return error == beast::http::error::body_limit ? 413 : 400;
}

}  // namespace

struct RequestReader::Parser {
  beast::http::request_parser<beast::http::string_body> parser;
};

RequestReader::RequestReader(size_t most_header_bytes, size_t most_body_bytes) : parser_(std::make_unique<Parser>()) {
  parser_->parser.header_limit(static_cast<std::uint32_t>(most_header_bytes));
  parser_->parser.body_limit(most_body_bytes);
}

RequestReader::~RequestReader() = default;

RequestReader::State RequestReader::Read(std::string_view bytes) {
  unread_ += bytes;
  if (state_ == State::kHeader) return ReadHeader();
  return state_ == State::kBody ? ReadBody() : state_;
}

RequestReader::State RequestReader::ReadHeader() {
  boost::system::error_code error;
  const size_t read = parser_->parser.put(boost::asio::const_buffer(unread_.data(), unread_.size()), error);
  line_read_ = line_read_ || read > 0 || unread_.find(kLineEnd) != std::string::npos;
  if (error == beast::http::error::header_limit) return Refuse(line_read_ ? 431 : 414);
  if (error && error != beast::http::error::need_more) return Refuse(StatusOf(error, unread_));
  unread_.erase(0, read);
  return parser_->parser.is_header_done() ? TakeHeader() : state_;
}

RequestReader::State RequestReader::TakeHeader() {
  const auto& message = parser_->parser.get();
  std::string_view target = StdView(message.target());
  if (!IsVisible(target)) return Refuse(400);
  const auto hosts = message.equal_range(field::host);
  const auto host_count = std::distance(hosts.first, hosts.second);
  if (host_count > 1 || (host_count == 0 && message.version() >= kHttp11)) return Refuse(400);
  request_.method = MethodOf(message.method());
  target = WithoutHost(target);
  if (!target.starts_with('/')) return Refuse(400);
  const size_t path_end = std::min(target.find('?'), target.size());
  request_.path = target.substr(0, path_end);
  request_.query = target.substr(std::min(path_end + 1, target.size()));
  request_.host = StdView(message[field::host]);
  request_.origin = StdView(message[field::origin]);
  request_.fetch_site = StdView(message["Sec-Fetch-Site"]);
  request_.token = StdView(message["X-Vaquita-Token"]);
  request_.authorization = StdView(message[field::authorization]);
  request_.content_type = StdView(message[field::content_type]);
  // Nobody needs the body of another method; where it ends is not known, so nothing may follow.
  keeps_alive_ = message.keep_alive() && (request_.method == Method::kPost || parser_->parser.is_done());
  if (request_.method != Method::kPost) return state_ = State::kDone;
  awaits_continue_ = absl::EqualsIgnoreCase(AbslText(StdView(message[field::expect])), "100-continue");
  return state_ = parser_->parser.is_done() ? State::kDone : State::kBody;
}

RequestReader::State RequestReader::ReadBody() {
  // A body in chunks ends with "0", and two ends of lines. The parser asserts that it gets no less a second time.
  constexpr size_t kLeastInChunks = 5;
  const size_t least = parser_->parser.chunked() ? kLeastInChunks : 1;
  boost::system::error_code error;
  while (!error && !parser_->parser.is_done() && unread_.size() >= least) {
    const size_t read = parser_->parser.put(boost::asio::const_buffer(unread_.data(), unread_.size()), error);
    unread_.erase(0, read);
  }
  if (error && error != beast::http::error::need_more) return Refuse(StatusOf(error, unread_));
  if (!parser_->parser.is_done()) return state_;
  request_.body = std::move(parser_->parser.get().body());
  return state_ = State::kDone;
}

size_t RequestReader::body_bytes() const {
  return state_ == State::kDone ? request_.body.size() : parser_->parser.get().body().size() + unread_.size();
}

RequestReader::State RequestReader::Refuse(int status) {
  refusal_ = StatusResponse(status);
  return state_ = State::kRefused;
}

Response StatusResponse(int status) {
  const auto reason = beast::http::obsolete_reason(beast::http::int_to_status(static_cast<unsigned>(status)));
  return {.status = status, .body = absl::StrCat(status, " ", AbslText(StdView(reason)), "\n")};
}

std::string EncodeResponse(const Response& response, bool head, bool keep_alive, int64_t now_s) {
  beast::http::response<beast::http::string_body> message(
      beast::http::int_to_status(static_cast<unsigned>(response.status)), kHttp11);
  message.set(field::date, Date(now_s));
  message.set(field::content_type, response.content_type);
  if (!response.allow.empty()) message.set(field::allow, response.allow);
  if (!response.authenticate.empty()) message.set(field::www_authenticate, response.authenticate);
  message.set(field::cache_control, "no-store");
  message.set("X-Content-Type-Options", "nosniff");
  message.set("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'");
  message.set(field::connection, keep_alive ? "keep-alive" : "close");
  message.content_length(response.body.size());
  beast::http::response_serializer<beast::http::string_body> serializer(message);
  serializer.split(true);
  std::string text;
  boost::system::error_code error;
  serializer.next(error, [&](boost::system::error_code&, const auto& buffers) {
    for (const boost::asio::const_buffer buffer : beast::buffers_range_ref(buffers)) {
      text.append(static_cast<const char*>(buffer.data()), buffer.size());
    }
  });
  if (!head) text += response.body;
  return text;
}

}  // namespace vaquita::http
