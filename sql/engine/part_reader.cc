#include "sql/engine/part_reader.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <mutex>
#include <thread>
#include <utility>

#include "base/big_endian.h"
#include "base/status.h"

namespace vaquita::sql {
namespace {

constexpr size_t kMostWaitingBytes = 16 << 20;  // answers that wait
constexpr int kPiecesForEachCall = 2;           // so that the calls end at about the same time
constexpr int64_t kBytesBeforeDivision = 1 << 20;
constexpr std::chrono::milliseconds kBetweenChecks{50};
constexpr int kLeastCalls = 2;
constexpr int kMostCalls = 8;
constexpr int kQueriesAtOnce = 4;

// Returns whether `row` is before the range's end.
bool GoesBeyond(const RowRange& rows, const std::string& row) {
  return rows.stop.empty() || row < rows.stop || (row == rows.stop && rows.stop_inclusive);
}

// Returns the number that the eight bytes from `at` on are; bytes behind the end are 0.
uint64_t NumberAt(const std::string& row, size_t at) {
  uint64_t number = 0;
  for (size_t i = at; i < at + 8; ++i) number = number << 8 | (i < row.size() ? static_cast<unsigned char>(row[i]) : 0);
  return number;
}

}  // namespace

std::vector<std::string> RowsBetween(const std::string& first, const std::string& last, int most) {
  std::vector<std::string> rows;
  const size_t common = static_cast<size_t>(std::ranges::mismatch(first, last).in1 - first.begin());
  const uint64_t low = NumberAt(first, common);
  const uint64_t high = NumberAt(last, common);
  const uint64_t step = high > low ? (high - low) / static_cast<uint64_t>(most + 1) : 0;
  for (int i = 1; i <= most && step > 0; ++i) {
    std::string row = last.substr(0, common);
    AppendBigEndian(low + step * static_cast<uint64_t>(i), &row);
    if (row > first && row < last) rows.push_back(std::move(row));
  }
  return rows;
}

QueryThreads QueryThreads::OfMachine() {
  const int calls = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), kLeastCalls, kMostCalls);
  return {std::make_shared<WorkerPool>(kQueriesAtOnce * (calls - 1)), calls};
}

// The pieces whose answers the reader has not given yet, in the order of their rows. Threads: any.
class PartReader::Pieces : public std::enable_shared_from_this<Pieces> {
 public:
  Pieces(Source source, const QueryThreads& threads)
      : source_(std::move(source)), pool_(threads.pool.get()), most_calls_(pool_ == nullptr ? 1 : threads.most_calls) {
    for (RowRange& rows : source_.ranges) pieces_.push_back({std::move(rows)});
    waiting_ = pieces_.size();
  }

  absl::StatusOr<std::optional<client::AggregateAnswer>> Next(const std::function<absl::Status()>& due) {
    std::unique_lock lock(mutex_);
    for (;;) {
      VAQUITA_RETURN_IF_ERROR(error_);
      if (pieces_.empty()) return std::nullopt;
      if (pieces_.front().state == State::kDone) {
        client::AggregateAnswer answer = std::move(pieces_.front().answer);
        pieces_.pop_front();
        done_bytes_ -= answer.parts.size();
        CallForHelp();
        return answer;
      }
      VAQUITA_RETURN_IF_ERROR(due());
      if (const At at = FirstToRead(); at != pieces_.end()) {
        Read(at, &lock);
      } else {
        changed_.wait_for(lock, kBetweenChecks);
      }
    }
  }

  void Stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }

 private:
  enum class State { kWaiting, kRunning, kDone };
  struct Piece {
    RowRange rows;
    State state = State::kWaiting;
    client::AggregateAnswer answer;
  };
  using At = std::list<Piece>::iterator;

  // A thread of the pool, which reads pieces as long as there are any.
  class Helper : public Work {
   public:
    explicit Helper(std::shared_ptr<Pieces> pieces) : pieces_(std::move(pieces)) {}
    void Run() override { pieces_->Help(); }

   private:
    const std::shared_ptr<Pieces> pieces_;
  };

  // These are called with the lock.

  // Returns the piece to be read next, or the end. Answers that wait are bounded, but for that of the first piece.
  At FirstToRead() {
    const auto waits = [](const Piece& piece) { return piece.state == State::kWaiting; };
    const At at = std::find_if(pieces_.begin(), pieces_.end(), waits);
    return at == pieces_.begin() || done_bytes_ < kMostWaitingBytes ? at : pieces_.end();
  }

  // Asks for as many threads as there are pieces for.
  void CallForHelp() {
    if (stopped_ || done_bytes_ >= kMostWaitingBytes) return;
    while (helpers_ + 1 < most_calls_ && static_cast<size_t>(helpers_) < waiting_) {
      ++helpers_;
      pool_->Run(std::make_unique<Helper>(shared_from_this()));
    }
  }

  void Help() {
    std::unique_lock lock(mutex_);
    for (At at; !stopped_ && error_.ok() && (at = FirstToRead()) != pieces_.end();) Read(at, &lock);
    --helpers_;
  }

  // Reads the piece, or the beginning of it. The lock is open meanwhile.
  void Read(At at, std::unique_lock<std::mutex>* lock) {
    at->state = State::kRunning;
    --waiting_;
    lock->unlock();
    const absl::StatusOr<client::RegionLocation> region = source_.table->LocateRow(at->rows.start);
    lock->lock();
    if (!region.ok()) return Fail(region.status());
    const std::string& end = region->info.end_key;
    if (!end.empty() && GoesBeyond(at->rows, end)) CutOff(at, end);
    CallForHelp();
    Scan scan = source_.scan;
    scan.rows = at->rows;
    const bool divides = FewWait();
    if (divides) scan.max_result_bytes = kBytesBeforeDivision;
    lock->unlock();
    auto answer = source_.table->Aggregate(scan, source_.plan);
    std::vector<std::string> guideposts;
    if (divides && answer.ok() && answer->next_row.has_value()) {
      scan.rows.start = *answer->next_row;
      guideposts = Guideposts(scan.rows);
    }
    lock->lock();
    if (!answer.ok()) return Fail(answer.status());
    Take(at, *std::move(answer), guideposts);
    changed_.notify_all();
  }

  // Returns whether too few pieces wait to keep all calls busy.
  bool FewWait() const { return waiting_ + 1 < static_cast<size_t>(most_calls_); }

  // Returns rows that divide `rows`, ascending. Nobody knows how many rows are between them, but a piece that has many
  // is divided again. Called without the lock.
  std::vector<std::string> Guideposts(const RowRange& rows) {
    Scan scan;
    scan.rows = {rows.stop, rows.start, rows.stop_inclusive, /*stop_inclusive=*/true};
    scan.reversed = true;
    scan.limit = scan.caching = 1;
    const auto scanner = source_.table->GetScanner(scan);
    if (!scanner.ok()) return {};
    const auto last = (*scanner)->Next();
    if (!last.ok() || !last->has_value() || (*last)->empty()) return {};
    return RowsBetween(rows.start, (*last)->cells.front().row, kPiecesForEachCall * most_calls_ - 1);
  }

  void Take(At at, client::AggregateAnswer answer, const std::vector<std::string>& guideposts) {
    at->state = State::kDone;
    if (answer.next_row.has_value()) {
      CutOff(at, *answer.next_row);
      At rest = std::next(at);
      for (const std::string& row : guideposts) {
        CutOff(rest, row);
        ++rest;
      }
    }
    done_bytes_ += answer.parts.size();
    at->answer = std::move(answer);
    CallForHelp();
  }

  // Makes a piece of the rows from `row` on.
  void CutOff(At at, const std::string& row) {
    RowRange rest = at->rows;
    rest.start = row;
    rest.start_inclusive = true;
    at->rows.stop = row;
    at->rows.stop_inclusive = false;
    pieces_.insert(std::next(at), {std::move(rest)});
    ++waiting_;
  }

  void Fail(const absl::Status& status) {
    if (error_.ok()) error_ = status;
    changed_.notify_all();
  }

  Source source_;
  // Null: no other threads. It is there as long as the reader is, and as long as a thread of it runs; it must not end
  // on one of its own threads.
  WorkerPool* const pool_;
  const int most_calls_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Piece> pieces_;
  size_t waiting_ = 0;     // pieces in this state
  size_t done_bytes_ = 0;  // answers that the reader has not given yet
  int helpers_ = 0;        // that run, or wait for a thread
  bool stopped_ = false;
  absl::Status error_;  // the first failed call has it
};

PartReader::PartReader(Source source, QueryThreads threads)
    : threads_(std::move(threads)), pieces_(std::make_shared<Pieces>(std::move(source), threads_)) {}

PartReader::~PartReader() { pieces_->Stop(); }

absl::StatusOr<std::optional<client::AggregateAnswer>> PartReader::Next(const std::function<absl::Status()>& due) {
  return pieces_->Next(due);
}

}  // namespace vaquita::sql
