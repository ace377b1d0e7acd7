// server/frontend/grpc/grpc_unsent_answers.h: bounds the answers that gRPC has and that their clients do not take.
//
// gRPC keeps an answer until its client's flow control lets it go, for ever if need be: it takes memory, and that of a
// call of one answer one of the threads for calls. So an answer has a time, and all together have a bound; beyond it
// those that have waited longest end their calls. Such a client gets UNAVAILABLE, if it reads again.
// Threads: any; a thread of its own looks at the time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <mutex>
#include <thread>
#include <utility>

#include "google/protobuf/message.h"
#include "grpcpp/grpcpp.h"

namespace vaquita {

class GrpcUnsentAnswers {
  struct Entry;

 public:
  struct Limits {
    int64_t most_bytes = int64_t{1} << 30;  // all answers together, unless one alone has more
    int most_threads = 64;                  // for calls of one answer
    // For each 4 MB of an answer that it begins. It is a tenth while half of the bytes or of the threads are taken, as
    // in HBase's RPC (rpc_connection.cc).
    int64_t patience_ms = 60'000;
  };
  explicit GrpcUnsentAnswers(const Limits& limits);
  ~GrpcUnsentAnswers();

  // An answer that gRPC has, from Add to destruction.
  class Answer {
   public:
    Answer() = default;
    Answer(Answer&& other) noexcept : owner_(std::exchange(other.owner_, nullptr)), entry_(other.entry_) {}
    Answer& operator=(Answer&& other) noexcept {
      std::swap(owner_, other.owner_);
      std::swap(entry_, other.entry_);
      return *this;
    }
    ~Answer() { Release(); }
    void Release() {
      if (owner_ != nullptr) std::exchange(owner_, nullptr)->Remove(entry_);
    }

   private:
    friend class GrpcUnsentAnswers;
    GrpcUnsentAnswers* owner_ = nullptr;
    std::list<Entry>::iterator entry_;
  };
  // The call of `context` outlives the answer.
  [[nodiscard]] Answer Add(grpc::ServerContextBase* context, const google::protobuf::Message& answer,
                           bool holds_thread);
  // Waits until none is left, for `patience` at most. Then ends the calls of those that are left, and of later ones.
  void EndAll(std::chrono::milliseconds patience);

 private:
  struct Entry {
    grpc_call* call;
    int64_t bytes;
    bool holds_thread;
    int64_t since_ms;
    bool ended;
  };

  void Remove(std::list<Entry>::iterator entry);
  void End(Entry* entry, const char* why);  // under mutex_
  void EndOverdue();                        // under mutex_
  void Watch();

  const Limits limits_;
  std::mutex mutex_;
  std::condition_variable changed_;  // an answer came while the thread slept, or it stops
  std::condition_variable emptied_;
  std::list<Entry> entries_;  // oldest first
  int64_t bytes_ = 0;         // without those whose calls have ended
  int threads_ = 0;
  bool ends_all_ = false;
  bool asleep_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace vaquita
