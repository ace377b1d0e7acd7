#include "server/test_control/call_log.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <utility>

#include "base/absl_text.h"
#include "base/named_exception.h"
#include "base/status.h"
#include "base/unicode.h"
#include "model/region_info.h"

namespace vaquita {
namespace {

constexpr int kMostRows = 16;

std::string ResultOf(const absl::Status& status) {
  if (status.ok()) return "OK";
  NamedException named;
  return GetNamedException(status, &named) ? named.java_class : std::string(ExceptionClass(status));
}

// The first refusal, of the call or of one of its targets.
absl::Status OutcomeOf(const net::CallFate& fate, const net::CallEnd& end) {
  if (!end.status.ok()) return end.status;
  for (const absl::Status& refused : fate.refused_targets) {
    if (!refused.ok()) return refused;
  }
  return absl::OkStatus();
}

std::string Shortened(std::string_view text, std::string (*as_text)(std::string_view)) {
  size_t end = std::min(text.size(), CallLog::kMostTextBytes);
  while (end > 0 && end < text.size() && ContinuesUtf8(text[end])) --end;
  return as_text(text.substr(0, end)) + (end < text.size() ? "..." : "");
}

// Returns a text that a client chose. gRPC and JSON take UTF-8 alone, so other bytes get HBase's notation.
std::string TextOf(std::string_view text) {
  return Shortened(text, [](std::string_view part) { return IsUtf8(part) ? std::string(part) : ToStringBinary(part); });
}

std::string RowOf(std::string_view row) { return Shortened(row, ToStringBinary); }

bool IsSystemCall(const v1::TestCall& call) { return call.table().starts_with("hbase:"); }

}  // namespace

void CallLog::Add(const net::GatedCall& call, const net::CallFate& fate, const net::CallEnd& end) {
  v1::TestCall entry;
  entry.set_time_ms(clock_->NowMs());
  entry.set_protocol(TextOf(call.protocol));
  entry.set_service(TextOf(call.service));
  entry.set_method(TextOf(call.method));
  entry.set_client(TextOf(call.client));
  entry.set_user(TextOf(call.user));
  int64_t rows = 0;
  for (const net::CallTarget& target : call.targets) {
    if (entry.table().empty()) entry.set_table(TextOf(target.table));
    if (!target.has_row) continue;
    if (++rows <= kMostRows) entry.add_rows(RowOf(target.row));
  }
  entry.set_row_count(static_cast<int32_t>(
      std::min<int64_t>(call.method == "Scan" ? end.rows : rows, std::numeric_limits<int32_t>::max())));
  entry.set_request_bytes(call.request_bytes);
  entry.set_answer_bytes(end.answer_bytes);
  const absl::Status outcome = OutcomeOf(fate, end);
  const bool dropped = !fate.runs && fate.answer == net::CallFate::Answer::kClosed;
  entry.set_result(dropped ? "dropped" : TextOf(ResultOf(outcome)));
  entry.set_message(TextOf(StdText(outcome.message())));
  entry.set_micros(end.took.count());
  entry.set_fault(fate.fault);
  std::lock_guard lock(mutex_);
  entry.set_number(NextLocked());
  next_ = entry.number() + 1;
  bytes_ += entry.ByteSizeLong();
  calls_.push_back(std::move(entry));
  while (calls_.size() > kMostCalls || bytes_ > most_bytes_) {
    last_dropped_ = calls_.front().number();
    ++dropped_;
    bytes_ -= calls_.front().ByteSizeLong();
    calls_.pop_front();
  }
}

int64_t CallLog::NextLocked() const {
  if (numbers_ == Numbers::kCounted) return next_;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::max<int64_t>(next_, std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

// By time the numbers do not say how many there were in between; then it is how many are forgotten at all.
int64_t CallLog::ForgottenSince(int64_t since) const {
  if (since > last_dropped_) return 0;
  return numbers_ == Numbers::kCounted ? last_dropped_ + 1 - since : dropped_;
}

v1::ListCallsResponse CallLog::List(const v1::ListCallsRequest& request) const {
  std::lock_guard lock(mutex_);
  v1::ListCallsResponse answer;
  answer.set_next(NextLocked());
  answer.set_forgotten(ForgottenSince(std::max<int64_t>(1, request.since())));
  for (const v1::TestCall& call : calls_) {
    if (call.number() < request.since()) continue;
    if (!request.system() && IsSystemCall(call)) continue;
    if (!request.table().empty() && request.table() != call.table()) continue;
    if (!request.method().empty() && request.method() != call.method()) continue;
    *answer.add_calls() = call;
  }
  return answer;
}

void CallLog::Forget() {
  std::lock_guard lock(mutex_);
  calls_.clear();
  bytes_ = 0;
  next_ = 1;
  dropped_ = 0;
  last_dropped_ = 0;
}

}  // namespace vaquita
