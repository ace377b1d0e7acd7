#include "client/table_factory.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "client/action_view.h"
#include "client/batch.h"

namespace vaquita::client {
namespace {

// While its thread sends one buffer, callers fill the next; a caller waits if that one is full too. So two buffers
// bound the memory, and mutations of a row are sent in the order in which they came.
class BufferedMutatorImpl final : public BufferedMutator {
 public:
  BufferedMutatorImpl(std::shared_ptr<Cluster> cluster, TableName table, const BufferedMutatorOptions& options)
      : cluster_(std::move(cluster)),
        table_(std::move(table)),
        options_(options),
        full_bytes_(std::max<int64_t>(1, options.write_buffer_bytes)),
        sender_([this] { SendBuffers(); }) {}
  ~BufferedMutatorImpl() override { (void)Close(); }

  absl::Status Mutate(Mutation mutation) override {
    const auto bytes = static_cast<int64_t>(SizeOf(mutation));
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || bytes_ < full_bytes_ || IsSender(); });
    if (closed_) return absl::FailedPreconditionError("Cannot put when the BufferedMutator is closed.");
    buffer_.emplace_back(std::move(mutation));
    ++accepted_;
    bytes_ += bytes;
    if (bytes_ >= full_bytes_) changed_.notify_all();
    return absl::OkStatus();
  }

  absl::Status Flush() override {
    std::unique_lock lock(mutex_);
    if (IsSender()) return FromCallback();
    const int64_t mine = accepted_;  // later mutations of other threads need not be sent
    flush_to_ = mine;
    changed_.notify_all();
    changed_.wait(lock, [&] { return done_ >= mine; });
    return std::exchange(first_error_, absl::OkStatus());
  }

  absl::Status Close() override {
    {
      std::lock_guard lock(mutex_);
      if (IsSender()) return FromCallback();
      closed_ = true;
      changed_.notify_all();
    }
    absl::Status flushed = Flush();
    std::call_once(joined_, [this] { sender_.join(); });
    return flushed;
  }

 private:
  bool IsSender() const { return std::this_thread::get_id() == sender_id_; }
  static absl::Status FromCallback() {
    return absl::FailedPreconditionError("on_error may not flush or close its BufferedMutator, which waits for it");
  }

  // The sender's thread: until closed and empty.
  void SendBuffers() {
    std::unique_lock lock(mutex_);
    sender_id_ = std::this_thread::get_id();
    for (;;) {
      changed_.wait(lock, [this] { return closed_ || done_ < flush_to_ || bytes_ >= full_bytes_; });
      if (buffer_.empty()) return;  // only a closed one has nothing to send
      const std::vector<Action> actions = std::exchange(buffer_, {});
      bytes_ = 0;
      changed_.notify_all();
      lock.unlock();
      absl::Status error = Send(actions);
      lock.lock();
      if (first_error_.ok()) first_error_ = std::move(error);
      done_ += static_cast<int64_t>(actions.size());
      changed_.notify_all();
    }
  }

  // The first error that no callback took.
  absl::Status Send(const std::vector<Action>& actions) {
    absl::Status first_error;
    const std::vector<ActionResult> results = RunBatch(*cluster_, table_, actions);
    for (size_t i = 0; i < results.size(); ++i) {
      if (results[i].status.ok()) continue;
      if (options_.on_error) {
        options_.on_error(std::get<Mutation>(actions[i]), results[i].status);
      } else if (first_error.ok()) {
        first_error = results[i].status;
      }
    }
    return first_error;
  }

  const std::shared_ptr<Cluster> cluster_;
  const TableName table_;
  const BufferedMutatorOptions options_;
  const int64_t full_bytes_;  // a buffer of so many is sent; at least 1, for an empty one cannot be

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Action> buffer_;
  int64_t bytes_ = 0;
  // Counts of mutations: accepted, sent, and the number up to which a Flush waits.
  int64_t accepted_ = 0, done_ = 0, flush_to_ = 0;
  bool closed_ = false;
  absl::Status first_error_;
  std::once_flag joined_;
  std::thread::id sender_id_;
  std::thread sender_;  // last: it uses the others
};

}  // namespace

std::unique_ptr<BufferedMutator> MakeBufferedMutator(std::shared_ptr<Cluster> cluster, const TableName& table,
                                                     const BufferedMutatorOptions& options) {
  return std::make_unique<BufferedMutatorImpl>(std::move(cluster), table, options);
}

}  // namespace vaquita::client
