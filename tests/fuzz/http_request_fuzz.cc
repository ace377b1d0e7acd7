// tests/fuzz/http_request_fuzz.cc: the bytes of an HTTP client's connection, read in pieces, with the parameters of
// their URLs, as far as the answer's bytes.
//
// The first byte says how long the pieces are.
#include <string>

#include "server/frontend/http/host_check.h"
#include "server/frontend/http/http_message.h"
#include "server/frontend/http/url_query.h"
#include "tests/fuzz/fuzz_input.h"

namespace vaquita::http {
namespace {

constexpr size_t kMostHeaderBytes = 8192;
constexpr size_t kMostBodyBytes = 4096;

// Reads one request, and returns what stands behind it; empty if the connection ends.
std::string ReadOne(std::string_view bytes, size_t piece) {
  RequestReader reader(kMostHeaderBytes, kMostBodyBytes);
  RequestReader::State state = RequestReader::State::kHeader;
  while (state == RequestReader::State::kHeader || state == RequestReader::State::kBody) {
    // When the header is complete the next call may have no bytes.
    if (bytes.empty() && state == RequestReader::State::kHeader) return "";
    const bool was_body = state == RequestReader::State::kBody && bytes.empty();
    state = reader.Read(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(bytes.size(), piece));
    if (was_body && state == RequestReader::State::kBody) return "";
  }
  if (state == RequestReader::State::kRefused) {
    fuzz::Check(reader.refusal().status >= 400, "a refusal is an error");
    EncodeResponse(reader.refusal(), false, false, 0);
    return "";
  }
  const Request& request = reader.request();
  fuzz::Check(request.body.size() <= kMostBodyBytes, "the body is bounded");
  static_cast<void>(ParseUrlQuery(request.query));
  IsOwnHost(request.host, {"example.org"});
  Response response;
  response.body = request.path;
  EncodeResponse(response, request.method == Method::kHead, reader.keeps_alive(), 1'700'000'000);
  std::string rest = reader.keeps_alive() ? reader.TakeRest() : "";
  return reader.keeps_alive() ? rest.append(bytes) : "";
}

}  // namespace
}  // namespace vaquita::http

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  vaquita::fuzz::Input input(data, size);
  const size_t piece = size_t{1} + input.Byte();
  std::string bytes(input.Rest());
  while (!bytes.empty()) {
    const std::string rest = vaquita::http::ReadOne(bytes, piece);
    vaquita::fuzz::Check(rest.size() < bytes.size(), "each request takes bytes");
    bytes = rest;
  }
  return 0;
}
