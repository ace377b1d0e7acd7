#include "server/frontend/grpc/grpc_unsent_answers.h"

#include <grpc/grpc.h>

#include <algorithm>
#include <iterator>

#include "base/steady_ms.h"

namespace vaquita {
namespace {

constexpr int64_t kBytesOfPatience = 4 << 20;
constexpr int64_t kCrowdedHaste = 10;
// A message, and its bytes, which gRPC has.
constexpr int64_t kCopies = 2;

constexpr char kTooSlow[] = "the client did not take the answer in time";
constexpr char kTooMany[] = "the clients do not take their answers, and this one has waited longest";
constexpr char kStopping[] = "the server is stopping";

}  // namespace

GrpcUnsentAnswers::GrpcUnsentAnswers(const Limits& limits) : limits_(limits), thread_([this] { Watch(); }) {}

GrpcUnsentAnswers::~GrpcUnsentAnswers() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

GrpcUnsentAnswers::Answer GrpcUnsentAnswers::Add(grpc::ServerContextBase* context,
                                                 const google::protobuf::Message& answer, bool holds_thread) {
  const auto bytes = static_cast<int64_t>(answer.ByteSizeLong()) * kCopies;
  std::lock_guard lock(mutex_);
  entries_.push_back({context->c_call(), bytes, holds_thread, SteadyMs(), false});
  bytes_ += bytes;
  if (holds_thread) ++threads_;
  for (auto entry = entries_.begin(); bytes_ > limits_.most_bytes && entry != std::prev(entries_.end()); ++entry) {
    End(&*entry, kTooMany);
  }
  if (ends_all_) End(&entries_.back(), kStopping);
  if (std::exchange(asleep_, false)) changed_.notify_all();
  Answer added;
  added.owner_ = this;
  added.entry_ = std::prev(entries_.end());
  return added;
}

void GrpcUnsentAnswers::Remove(std::list<Entry>::iterator entry) {
  std::lock_guard lock(mutex_);
  if (!entry->ended) bytes_ -= entry->bytes;
  if (entry->holds_thread) --threads_;
  entries_.erase(entry);
  if (entries_.empty()) emptied_.notify_all();
}

void GrpcUnsentAnswers::EndAll(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  emptied_.wait_for(lock, patience, [this] { return entries_.empty(); });
  ends_all_ = true;
  for (Entry& entry : entries_) End(&entry, kStopping);
}

// Other than TryCancel it chooses the code: CANCELLED would tell clients that nobody wants the answer.
void GrpcUnsentAnswers::End(Entry* entry, const char* why) {
  if (std::exchange(entry->ended, true)) return;
  bytes_ -= entry->bytes;
  grpc_call_cancel_with_status(entry->call, GRPC_STATUS_UNAVAILABLE, why, nullptr);
}

void GrpcUnsentAnswers::EndOverdue() {
  const bool crowded = bytes_ > limits_.most_bytes / 2 || threads_ > limits_.most_threads / 2;
  const int64_t now_ms = SteadyMs();
  for (Entry& entry : entries_) {
    const int64_t patience_ms = limits_.patience_ms * (1 + entry.bytes / kCopies / kBytesOfPatience);
    if (now_ms - entry.since_ms > patience_ms / (crowded ? kCrowdedHaste : 1)) End(&entry, kTooSlow);
  }
}

void GrpcUnsentAnswers::Watch() {
  const std::chrono::milliseconds period(std::clamp<int64_t>(limits_.patience_ms / kCrowdedHaste / 4, 1, 1000));
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (entries_.empty()) {
      asleep_ = true;
      changed_.wait(lock, [this] { return stopping_ || !asleep_; });
    }
    if (changed_.wait_for(lock, period, [this] { return stopping_; })) break;
    EndOverdue();
  }
}

}  // namespace vaquita
