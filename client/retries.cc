#include "client/retries.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <variant>

#include "base/fibers.h"
#include "base/status.h"

namespace vaquita::client {
namespace {

using std::chrono::milliseconds;

// An operation that has waited so long tells it (ConnectionOptions::on_wait).
constexpr milliseconds kPatience{1000};
constexpr milliseconds kNap{10};  // between two questions whether the operation is given up

constexpr int64_t kBackoff[] = {1, 2, 3, 5, 10, 20, 40, 100, 100, 100, 100, 200, 200};

// Up to 1% more, so that clients that failed together do not come back together.
int64_t WithJitter(int64_t pause_ms) {
  thread_local std::minstd_rand random(std::random_device{}());
  return pause_ms + static_cast<int64_t>(pause_ms * 0.01 * std::uniform_real_distribution<>(0, 1)(random));
}

bool MayPass(const CallOutcome& failed, Repeatable repeatable) {
  const bool may_have_run = failed.may_have_run || IsError(failed.status, ErrorKind::kRegionServerAborted);
  if (may_have_run && repeatable == Repeatable::kOnlyIfNotRun) return false;
  if (ErrorKind kind; GetErrorKind(failed.status, &kind)) return IsRetryable(failed.status);
  switch (failed.status.code()) {
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kCancelled:
      return true;  // by the server, when it stops
    default:
      return false;
  }
}

}  // namespace

Repeatable RepeatableOf(const Action& action, bool server_knows_repeats) {
  if (server_knows_repeats || std::holds_alternative<Get>(action)) return Repeatable::kYes;
  if (const auto* mutation = std::get_if<Mutation>(&action)) {
    return IsDelta(mutation->type) ? Repeatable::kOnlyIfNotRun : Repeatable::kYes;
  }
  const auto* row = std::get_if<RowMutations>(&action);
  const bool again = row != nullptr && std::none_of(row->mutations.begin(), row->mutations.end(),
                                                    [](const Mutation& mutation) { return IsDelta(mutation.type); });
  return again ? Repeatable::kYes : Repeatable::kOnlyIfNotRun;
}

int64_t BackoffMs(int64_t pause_ms, int attempt) {
  const int last = static_cast<int>(std::size(kBackoff)) - 1;
  return pause_ms * kBackoff[std::clamp(attempt, 0, last)];
}

Retries::Retries(const ConnectionOptions& options) : options_(options) { Restart(); }

void Retries::Restart() {
  failed_attempts_ = 0;
  start_ = std::chrono::steady_clock::now();
  deadline_ = start_ + milliseconds(options_.operation_timeout_ms);
}

TimePoint Retries::AttemptDeadline() const {
  return std::min(deadline_, std::chrono::steady_clock::now() + milliseconds(options_.rpc_timeout_ms));
}

bool Retries::MayRepeat(const CallOutcome& failed, Repeatable repeatable) const {
  if (failed_attempts_ >= options_.retries || !MayPass(failed, repeatable)) return false;
  if (GivenUp()) return false;
  return std::chrono::steady_clock::now() + milliseconds(BackoffMs(options_.pause_ms, failed_attempts_)) < deadline_;
}

void Retries::Pause(const absl::Status& error) {
  const TimePoint now = std::chrono::steady_clock::now();
  if (options_.on_wait != nullptr && !has_told_ && now - start_ >= kPatience) {
    has_told_ = true;
    options_.on_wait(error, std::chrono::duration_cast<milliseconds>(deadline_ - now).count());
  }
  milliseconds left(WithJitter(BackoffMs(options_.pause_ms, failed_attempts_++)));
  if (options_.given_up == nullptr) return SleepUntil(now + left);
  for (; left.count() > 0 && !options_.given_up(); left -= kNap) {
    SleepUntil(std::chrono::steady_clock::now() + std::min(left, kNap));
  }
}

bool Retries::Again(const CallOutcome& failed, Repeatable repeatable) {
  if (!MayRepeat(failed, repeatable)) return false;
  Pause(failed.status);
  return !GivenUp();
}

bool Retries::GivenUp() const { return options_.given_up != nullptr && options_.given_up(); }

}  // namespace vaquita::client
