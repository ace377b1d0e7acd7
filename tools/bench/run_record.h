// tools/bench/run_record.h: the result of one run, and its form as JSON.
//
// Units: microseconds for latencies, bytes, seconds. Threads: plain data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/bench/latency_histogram.h"

namespace vaquita::bench {

// The result of one kind of operation, or of all.
struct OperationRecord {
  LatencyHistogram latency;
  uint64_t rows = 0;
  uint64_t failed = 0;
};

struct SecondRecord {
  uint64_t calls = 0;
  uint64_t rows = 0;
  double mean_us = 0;
  double max_us = 0;
  double hottest_share = 0;  // a part of the requests, from 0 to 1
};

// The sum over region servers.
struct ServerRecord {
  double cpu_s = 0;  // during the run
  int64_t memory_bytes = 0;
  bool memory_is_resident = true;  // else it is the Java heap in use, of a server on another machine
  int64_t log_bytes = 0;           // these three: during the run
  int64_t flushed_bytes = 0;
  int64_t compacted_bytes = 0;

  int64_t written_bytes() const { return log_bytes + flushed_bytes + compacted_bytes; }
};

struct RunRecord {
  std::string label;  // the name that was given with the address, else the address
  std::string address;
  std::string started;  // UTC, RFC 3339
  std::string version;  // the client's
  std::string server;   // the cluster's own version
  int round = 1;
  std::string workload;
  std::vector<std::pair<std::string, std::string>> properties;  // that differ from the default
  uint64_t seed = 0;
  int threads = 1;
  int connections = 1;
  double rate = 0;  // 0: closed loop
  double warmup_s = 0;
  bool verified = false;

  double seconds = 0;
  std::map<std::string, OperationRecord> operations;  // by kind
  LatencyHistogram service;                           // all operations, from the real start of each
  std::vector<SecondRecord> per_second;
  uint64_t wrong = 0;
  uint64_t not_started = 0;
  std::vector<std::string> errors;
  uint64_t regions = 0;
  double hottest_share = 0;
  std::string hottest_start;   // as HBase prints bytes
  uint64_t bytes_written = 0;  // keys and values, by the client
  double client_cpu_s = 0;
  std::optional<ServerRecord> server_figures;
  std::string no_server_figures;  // why they are missing

  // Sums over all kinds.
  OperationRecord All() const;
  double CallsPerSecond() const;
  double RowsPerSecond() const;
  // Returns what the servers wrote for each byte that the client wrote; 0 if either is not known.
  double WriteAmplification() const;
};

// Returns a file's text for these runs.
std::string ToJson(const std::vector<RunRecord>& runs);

// Reads such a file. Returns InvalidArgument, naming the file, if it is not one.
absl::StatusOr<std::vector<RunRecord>> ReadRuns(const std::string& path);

}  // namespace vaquita::bench
