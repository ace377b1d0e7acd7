// server/info/prometheus_text.h: writes metrics in Prometheus's text format, version 0.0.4.
//
// A family is its HELP and TYPE lines with its samples behind them, as the format requires. Names are unique on a page
// and end with their unit; those of counters end in _total. Threads: one at a time.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace vaquita {

class PrometheusText {
 public:
  static constexpr const char* kContentType = "text/plain; version=0.0.4; charset=utf-8";

  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  // Begins a family. `help`: one sentence.
  void Counter(std::string_view name, std::string_view help) { Begin(name, help, "counter"); }
  void Gauge(std::string_view name, std::string_view help) { Begin(name, help, "gauge"); }
  // Writes a family of one sample.
  void Counter(std::string_view name, std::string_view help, double value);
  void Gauge(std::string_view name, std::string_view help, double value);
  // Writes a number of events, and their total time.
  void Summary(std::string_view name, std::string_view help, int64_t count, double sum);

  // Writes a sample of the last family.
  void Sample(Labels labels, double value) { Write(family_, labels, value); }

  std::string Take() { return std::move(text_); }

 private:
  void Begin(std::string_view name, std::string_view help, std::string_view type);
  void Write(std::string_view name, Labels labels, double value);

  std::string text_;
  std::string family_;
};

}  // namespace vaquita
