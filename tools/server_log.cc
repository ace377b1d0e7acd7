#include "tools/server_log.h"

#include <memory>
#include <mutex>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "base/patient_writer.h"
#include "spdlog/pattern_formatter.h"
#include "spdlog/sinks/sink.h"

namespace vaquita {
namespace {

bool IsControl(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

std::string OnOneLine(spdlog::string_view_t text) {
  std::string shown;
  for (const char c : text) {
    if (IsControl(c)) {
      absl::StrAppend(&shown, "\\x", absl::Hex(c, absl::kZeroPad2));
    } else {
      shown.push_back(c);
    }
  }
  return shown;
}

class LogSink final : public spdlog::sinks::sink {
 public:
  void log(const spdlog::details::log_msg& message) override {
    const std::string shown = OnOneLine(message.payload);
    spdlog::details::log_msg line = message;
    line.payload = {shown.data(), shown.size()};
    spdlog::memory_buf_t text;
    std::lock_guard lock(mutex_);
    formatter_->format(line, text);
    StandardError().Write({text.data(), text.size()});
  }
  void flush() override {}
  void set_pattern(const std::string& pattern) override {
    set_formatter(std::make_unique<spdlog::pattern_formatter>(pattern));
  }
  void set_formatter(std::unique_ptr<spdlog::formatter> formatter) override {
    std::lock_guard lock(mutex_);
    formatter_ = std::move(formatter);
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<spdlog::formatter> formatter_ = std::make_unique<spdlog::pattern_formatter>();
};

}  // namespace

void LogToStandardError() {
  spdlog::set_default_logger(std::make_shared<spdlog::logger>("vaquita", std::make_shared<LogSink>()));
}

}  // namespace vaquita
