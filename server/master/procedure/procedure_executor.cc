#include "server/master/procedure/procedure_executor.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <utility>

#include "base/log.h"
#include "base/status.h"
#include "base/unicode.h"

namespace vaquita {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{200};  // at whether anybody still waits
constexpr std::chrono::minutes kIdleTime{1};             // hbase.procedure.worker.keep.alive.time.msec

absl::Status NotFound(int64_t id) { return absl::NotFoundError("Procedure pid=" + std::to_string(id) + " not found"); }

// Clients take an id that is not found for one of a procedure that did its work.
absl::Status OutcomeIsUnknown(int64_t id) {
  return Error(ErrorKind::kDoNotRetryIO, "procedure " + std::to_string(id) +
                                             " was submitted to an earlier master, and its outcome is not known: look "
                                             "for its effect before you repeat it");
}

// Cuts a text after kMostDescriptionBytes, between characters.
std::string Cut(std::string text) {
  constexpr std::string_view kCut = "...";
  if (text.size() <= ProcedureExecutor::kMostDescriptionBytes) return text;
  size_t size = ProcedureExecutor::kMostDescriptionBytes - kCut.size();
  while (size > 0 && ContinuesUtf8(text[size])) --size;
  return text.substr(0, size).append(kCut);
}

// A worker thread beyond the usual ones.
class ExtraWorker final : public Work {
 public:
  explicit ExtraWorker(std::function<void()> run) : run_(std::move(run)) {}
  void Run() override { run_(); }

 private:
  const std::function<void()> run_;
};

absl::Status IsStopping() { return Error(ErrorKind::kMasterNotRunning, "Master is stopping"); }

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

ProcedureExecutor::ProcedureExecutor(int64_t first_id, ReserveIds reserve, Clock* clock, int threads,
                                     std::chrono::milliseconds patience)
    : clock_(clock),
      reserve_(std::move(reserve)),
      first_id_(first_id),
      next_id_(first_id),
      end_id_(first_id + kIdsAtATime),
      patience_(patience),
      extra_threads_((kMostPerThread - 1) * threads) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Run(/*is_extra=*/false); });
  monitor_ = std::make_unique<Chore>(patience, [this] { AddWorkerIfStuck(); });
}

ProcedureExecutor::~ProcedureExecutor() { Stop(); }

absl::StatusOr<int64_t> ProcedureExecutor::NewId() {
  std::lock_guard guard(ids_mutex_);
  if (next_id_ == end_id_) {
    VAQUITA_ASSIGN_OR_RETURN(next_id_, reserve_());
    end_id_ = next_id_ + kIdsAtATime;
  }
  return next_id_++;
}

absl::Status ProcedureExecutor::HasRoom(int64_t request_bytes) const {
  std::lock_guard guard(mutex_);
  if (waiting_ >= kMostWaiting) {
    return Error(ErrorKind::kIO, std::to_string(kMostWaiting) + " procedures wait to run; try again later");
  }
  if (waiting_ == 0 || waiting_bytes_ + request_bytes <= kMostWaitingBytes) return absl::OkStatus();
  return Error(ErrorKind::kIO, "procedures with requests of " + std::to_string(waiting_bytes_) +
                                   " bytes wait to run, and one of " + std::to_string(request_bytes) +
                                   " would exceed " + std::to_string(kMostWaitingBytes) + "; try again later");
}

absl::StatusOr<int64_t> ProcedureExecutor::Submit(std::string description, std::string lock, Body body) {
  const auto bytes = static_cast<int64_t>(description.size());  // they are names, which `body` has, too
  VAQUITA_RETURN_IF_ERROR(HasRoom(bytes));
  VAQUITA_ASSIGN_OR_RETURN(const int64_t id, NewId());
  VAQUITA_RETURN_IF_ERROR(Start(id, std::move(description), std::move(lock), std::move(body), bytes));
  return id;
}

absl::Status ProcedureExecutor::Start(int64_t id, std::string description, std::string lock, Body body,
                                      int64_t request_bytes) {
  auto entry = std::make_shared<Entry>();
  entry->description = Cut(std::move(description));
  entry->lock = std::move(lock);
  entry->body = std::move(body);
  entry->request_bytes = request_bytes;
  std::lock_guard guard(mutex_);
  if (stopping_) return IsStopping();
  auto& line = lines_[entry->lock];
  if (!line.empty() && line.front()->left) return IsStopping();
  ForgetOld();
  entry->id = id;
  entry->submitted_ms = entry->started_ms = clock_->NowMs();
  entries_[id] = entry;
  ++waiting_;
  waiting_bytes_ += request_bytes;
  line.push_back(entry);
  if (line.size() == 1) runnable_.push_back(entry);
  work_.notify_one();
  return absl::OkStatus();
}

void ProcedureExecutor::AddEnded(int64_t id, std::string description, std::string lock, const absl::Status& status,
                                 int64_t ended_ms) {
  auto entry = std::make_shared<Entry>();
  entry->id = id;
  entry->description = Cut(std::move(description));
  entry->lock = std::move(lock);
  entry->submitted_ms = entry->started_ms = ended_ms;
  std::lock_guard guard(mutex_);
  Finish(*entry, status);
  entry->ended_ms = ended_ms;
  entries_[id] = std::move(entry);
}

absl::StatusOr<std::shared_ptr<ProcedureExecutor::Entry>> ProcedureExecutor::Find(int64_t id) const {
  if (const auto it = entries_.find(id); it != entries_.end()) return it->second;
  if (id <= 0 || id >= first_id_) return NotFound(id);
  auto lost = std::make_shared<Entry>();
  lost->id = id;
  lost->description = "UnknownProcedure";
  lost->state = Procedure::State::kFailed;
  lost->status = OutcomeIsUnknown(id);
  return lost;
}

bool ProcedureExecutor::Keeps(int64_t id) const {
  std::lock_guard guard(mutex_);
  return entries_.contains(id);
}

absl::StatusOr<Procedure> ProcedureExecutor::Get(int64_t id) const {
  std::lock_guard guard(mutex_);
  VAQUITA_ASSIGN_OR_RETURN(const auto entry, Find(id));
  return Describe(*entry);
}

absl::StatusOr<Procedure> ProcedureExecutor::Await(int64_t id, int64_t at_most_ms) {
  std::unique_lock guard(mutex_);
  VAQUITA_ASSIGN_OR_RETURN(const auto entry, Find(id));
  done_.wait_for(guard, std::chrono::milliseconds(at_most_ms),
                 [&] { return entry->left || entry->state != Procedure::State::kRunning; });
  return Describe(*entry);
}

size_t ProcedureExecutor::CountUnfinished() const {
  std::lock_guard guard(mutex_);
  return entries_.size() - ended_.size();
}

std::optional<Procedure> ProcedureExecutor::FindUnfinished(const std::string& lock,
                                                           std::string_view description) const {
  std::lock_guard guard(mutex_);
  const auto line = lines_.find(lock);
  if (line == lines_.end()) return std::nullopt;
  for (const auto& entry : line->second) {
    if (!entry->left && entry->description.starts_with(description)) return Describe(*entry);
  }
  return std::nullopt;
}

size_t ProcedureExecutor::CountStuck() const {
  std::lock_guard guard(mutex_);
  const int64_t now_ms = clock_->NowMs();
  return static_cast<size_t>(std::count_if(lines_.begin(), lines_.end(), [&](const auto& line) {
    const Entry& first = *line.second.front();
    return first.locked && !first.left && now_ms - first.started_ms >= kStuckMs;
  }));
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

absl::Status ProcedureExecutor::Wait(int64_t id, ReadWatch* watch) {
  std::unique_lock guard(mutex_);
  VAQUITA_ASSIGN_OR_RETURN(const auto entry, Find(id));
  const auto has_ended = [&] { return entry->left || entry->state != Procedure::State::kRunning; };
  while (!done_.wait_for(guard, kBetweenLooks, has_ended)) {
    if (watch != nullptr) VAQUITA_RETURN_IF_ERROR(watch->Check());
  }
  return entry->status;
}

void ProcedureExecutor::Stop() {
  monitor_.reset();
  std::vector<std::thread> threads;
  {
    std::lock_guard guard(mutex_);
    stopping_ = true;
    for (const auto& [lock, line] : lines_) LeaveWaiting(line);
    runnable_.clear();
    threads.swap(threads_);
    work_.notify_all();
  }
  for (std::thread& thread : threads) thread.join();
  extra_threads_.Stop();
}

void ProcedureExecutor::Run(bool is_extra) {
  std::unique_lock guard(mutex_);
  const auto has_work = [&] { return stopping_ || !runnable_.empty(); };
  while (true) {
    ++idle_;
    if (is_extra) {
      work_.wait_for(guard, kIdleTime, has_work);
    } else {
      work_.wait(guard, has_work);
    }
    --idle_;
    if (!has_work() || stopping_) return;
    RunNext(guard);
  }
}

void ProcedureExecutor::RunNext(std::unique_lock<std::mutex>& guard) {
  const std::shared_ptr<Entry> entry = runnable_.front();
  runnable_.pop_front();
  last_taken_ = std::chrono::steady_clock::now();
  --waiting_;
  waiting_bytes_ -= entry->request_bytes;
  entry->locked = true;
  entry->started_ms = clock_->NowMs();
  guard.unlock();
  absl::Status status = entry->body(*entry);
  guard.lock();
  const auto line = lines_.find(entry->lock);
  if (!status.ok() && (stopping_ || IsError(status, ErrorKind::kMasterNotRunning))) {
    // The stop may be why it failed. No other gets its lock, so nobody may wait for those behind it.
    Leave(*entry);
    LeaveWaiting(line->second);
    return;
  }
  entry->locked = false;
  Finish(*entry, std::move(status));
  line->second.pop_front();
  if (line->second.empty()) {
    lines_.erase(line);
  } else if (!stopping_) {
    runnable_.push_back(line->second.front());
  }
}

void ProcedureExecutor::AddWorkerIfStuck() {
  std::lock_guard guard(mutex_);
  if (stopping_ || runnable_.empty() || idle_ > 0) return;
  if (std::chrono::steady_clock::now() - last_taken_ < patience_) return;
  const WorkerLoad load = extra_threads_.load();
  if (load.running + load.waiting >= load.most) return;
  spdlog::warn("all {} threads for procedures are busy, and {} procedures wait: one more thread runs them",
               static_cast<int64_t>(threads_.size()) + load.running, waiting_);
  extra_threads_.Run(std::make_unique<ExtraWorker>([this] { Run(/*is_extra=*/true); }));
}

void ProcedureExecutor::Finish(Entry& entry, absl::Status status) {
  if (status.ok()) entry.done = entry.total.load();
  entry.state = status.ok() ? Procedure::State::kDone : Procedure::State::kFailed;
  entry.status = std::move(status);
  entry.ended_ms = clock_->NowMs();
  entry.body = nullptr;
  ended_.push_back(entry.id);
  done_.notify_all();
}

void ProcedureExecutor::Leave(Entry& entry) {
  entry.left = true;
  entry.status = IsStopping();
  entry.body = nullptr;
  done_.notify_all();
}

void ProcedureExecutor::LeaveWaiting(const std::deque<std::shared_ptr<Entry>>& line) {
  for (const auto& entry : line) {
    if (entry->locked || entry->left) continue;
    Leave(*entry);
    --waiting_;
    waiting_bytes_ -= entry->request_bytes;
  }
}

void ProcedureExecutor::ForgetOld() {
  const int64_t now_ms = clock_->NowMs();
  while (!ended_.empty()) {
    const auto oldest = entries_.find(ended_.front());
    if (now_ms - oldest->second->ended_ms <= kKeepResultMs && ended_.size() <= kKeepResults) break;
    entries_.erase(oldest);
    ended_.pop_front();
  }
}

}  // namespace vaquita
