#include "server/master/procedure/procedure_executor.h"

#include <atomic>
#include <chrono>
#include <utility>

#include "base/status.h"

namespace vaquita {
namespace {

constexpr int kThreads = 2;

absl::Status NotFound(int64_t id) { return absl::NotFoundError("Procedure pid=" + std::to_string(id) + " not found"); }

}  // namespace

struct ProcedureExecutor::Entry : ProcedureExecutor::Progress {
  void SetTotal(int64_t steps) override {
    done = 0;
    total = steps;
  }
  void Advance(int64_t steps) override { done += steps; }

  int64_t id = 0;
  std::string description;
  std::string lock;
  Body body;
  int64_t request_bytes = 0;
  std::atomic<int64_t> done{0};
  std::atomic<int64_t> total{1};
  // Under the executor's mutex:
  Procedure::State state = Procedure::State::kRunning;
  absl::Status status;
  bool left = false;  // unfinished, for the next master
  bool locked = false;
  int64_t submitted_ms = 0;
  int64_t started_ms = 0;
  int64_t ended_ms = 0;
};

ProcedureExecutor::ProcedureExecutor(int64_t first_id, Clock* clock) : clock_(clock), next_id_(first_id) {
  for (int i = 0; i < kThreads; ++i) threads_.emplace_back([this] { Run(); });
}

ProcedureExecutor::~ProcedureExecutor() { Stop(); }

int64_t ProcedureExecutor::NewId() {
  std::lock_guard guard(mutex_);
  return next_id_++;
}

absl::Status ProcedureExecutor::HasRoom(int64_t request_bytes) const {
  std::lock_guard guard(mutex_);
  if (queue_.size() >= kMostWaiting) {
    return Error(ErrorKind::kIO, std::to_string(kMostWaiting) + " procedures wait to run; try again later");
  }
  if (queue_.empty() || queue_bytes_ + request_bytes <= kMostWaitingBytes) return absl::OkStatus();
  return Error(ErrorKind::kIO, "procedures with requests of " + std::to_string(queue_bytes_) +
                                   " bytes wait to run, and one of " + std::to_string(request_bytes) +
                                   " would exceed " + std::to_string(kMostWaitingBytes) + "; try again later");
}

absl::StatusOr<int64_t> ProcedureExecutor::Submit(std::string description, std::string lock, Body body) {
  VAQUITA_RETURN_IF_ERROR(HasRoom());
  const int64_t id = NewId();
  VAQUITA_RETURN_IF_ERROR(Start(id, std::move(description), std::move(lock), std::move(body)));
  return id;
}

absl::Status ProcedureExecutor::Start(int64_t id, std::string description, std::string lock, Body body,
                                      int64_t request_bytes) {
  auto entry = std::make_shared<Entry>();
  entry->description = std::move(description);
  entry->lock = std::move(lock);
  entry->body = std::move(body);
  entry->request_bytes = request_bytes;
  std::lock_guard guard(mutex_);
  if (stopping_) return Error(ErrorKind::kMasterNotRunning, "Master is stopping");
  ForgetOld();
  entry->id = id;
  entry->submitted_ms = entry->started_ms = clock_->NowMs();
  entries_[entry->id] = entry;
  queue_.push_back(entry);
  queue_bytes_ += request_bytes;
  work_.notify_one();
  return absl::OkStatus();
}

void ProcedureExecutor::AddEnded(int64_t id, std::string description, std::string lock, const absl::Status& status,
                                 int64_t ended_ms) {
  auto entry = std::make_shared<Entry>();
  entry->id = id;
  entry->description = std::move(description);
  entry->lock = std::move(lock);
  entry->submitted_ms = entry->started_ms = ended_ms;
  std::lock_guard guard(mutex_);
  Finish(*entry, status);
  entry->ended_ms = ended_ms;
  entries_[id] = std::move(entry);
}

absl::StatusOr<Procedure> ProcedureExecutor::Get(int64_t id) const {
  std::lock_guard guard(mutex_);
  const auto it = entries_.find(id);
  if (it == entries_.end()) return NotFound(id);
  return Describe(*it->second);
}

absl::StatusOr<Procedure> ProcedureExecutor::Await(int64_t id, int64_t at_most_ms) {
  std::unique_lock guard(mutex_);
  const auto it = entries_.find(id);
  if (it == entries_.end()) return NotFound(id);
  const std::shared_ptr<Entry> entry = it->second;
  done_.wait_for(guard, std::chrono::milliseconds(at_most_ms),
                 [&] { return entry->left || entry->state != Procedure::State::kRunning; });
  return Describe(*entry);
}

std::vector<Procedure> ProcedureExecutor::List() const {
  std::lock_guard guard(mutex_);
  std::vector<Procedure> procedures;
  procedures.reserve(entries_.size());
  for (const auto& [id, entry] : entries_) procedures.push_back(Describe(*entry));
  return procedures;
}

Procedure ProcedureExecutor::Describe(const Entry& entry) {
  const bool running = entry.state == Procedure::State::kRunning;
  Procedure procedure{.id = entry.id,
                      .description = entry.description,
                      .state = entry.state,
                      .steps_done = entry.done,
                      .steps_total = entry.total,
                      .lock = entry.lock,
                      .locked = entry.locked,
                      .submitted_ms = entry.submitted_ms,
                      .updated_ms = running ? entry.started_ms : entry.ended_ms};
  if (entry.state == Procedure::State::kFailed) {
    procedure.exception_class = ExceptionClass(entry.status);
    procedure.error = std::string(entry.status.message());
  }
  return procedure;
}

absl::Status ProcedureExecutor::Wait(int64_t id) {
  std::unique_lock guard(mutex_);
  const auto it = entries_.find(id);
  if (it == entries_.end()) return NotFound(id);
  const std::shared_ptr<Entry> entry = it->second;
  done_.wait(guard, [&] { return entry->left || entry->state != Procedure::State::kRunning; });
  return entry->status;
}

void ProcedureExecutor::Stop() {
  std::vector<std::thread> threads;
  {
    std::lock_guard guard(mutex_);
    stopping_ = true;
    for (const auto& entry : queue_) Leave(*entry);
    queue_.clear();
    threads.swap(threads_);
    work_.notify_all();
  }
  for (std::thread& thread : threads) thread.join();
}

void ProcedureExecutor::Run() {
  std::unique_lock guard(mutex_);
  while (true) {
    std::shared_ptr<Entry> entry;
    work_.wait(guard, [&] { return stopping_ || (entry = NextRunnable()) != nullptr; });
    if (entry == nullptr) return;
    guard.unlock();
    absl::Status status = entry->body(*entry);
    guard.lock();
    if (!status.ok() && (stopping_ || IsError(status, ErrorKind::kMasterNotRunning))) {
      Leave(*entry);  // the stop may be why it failed; no other gets its lock
      continue;
    }
    locked_.erase(entry->lock);
    entry->locked = false;
    Finish(*entry, std::move(status));
    work_.notify_all();
  }
}

std::shared_ptr<ProcedureExecutor::Entry> ProcedureExecutor::NextRunnable() {
  for (auto it = queue_.begin(); it != queue_.end(); ++it) {
    if (!locked_.insert((*it)->lock).second) continue;
    std::shared_ptr<Entry> entry = *it;
    queue_.erase(it);
    queue_bytes_ -= entry->request_bytes;
    entry->locked = true;
    entry->started_ms = clock_->NowMs();
    return entry;
  }
  return nullptr;
}

void ProcedureExecutor::Finish(Entry& entry, absl::Status status) {
  if (status.ok()) entry.done = entry.total.load();
  entry.state = status.ok() ? Procedure::State::kDone : Procedure::State::kFailed;
  entry.status = std::move(status);
  entry.ended_ms = clock_->NowMs();
  entry.body = nullptr;
  done_.notify_all();
}

void ProcedureExecutor::Leave(Entry& entry) {
  entry.left = true;
  entry.status = Error(ErrorKind::kMasterNotRunning, "Master is stopping");
  entry.body = nullptr;
  done_.notify_all();
}

void ProcedureExecutor::ForgetOld() {
  const int64_t now_ms = clock_->NowMs();
  for (auto it = entries_.begin(); it != entries_.end();) {
    const bool ended = it->second->state != Procedure::State::kRunning;
    const bool old = ended && (now_ms - it->second->ended_ms > kKeepResultMs || entries_.size() > kKeepResults);
    if (!old) break;  // ids ascend, so ends roughly do too
    it = entries_.erase(it);
  }
}

}  // namespace vaquita
