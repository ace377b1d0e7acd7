#include "server/info/prometheus_text.h"

#include <charconv>
#include <cmath>

namespace vaquita {
namespace {

// Puts a backslash before `escaped`, backslashes and ends of lines.
void AppendEscaped(std::string_view text, char escaped, std::string* out) {
  for (const char c : text) {
    if (c == '\n') {
      *out += "\\n";
      continue;
    }
    if (c == '\\' || c == escaped) *out += '\\';
    *out += c;
  }
}

void AppendNumber(double value, std::string* out) {
  if (std::isnan(value)) {
    *out += "NaN";
  } else if (std::isinf(value)) {
    *out += value > 0 ? "+Inf" : "-Inf";
  } else {
    char digits[32];
    // Whole numbers plainly, as they are read best; others as short as they can be told from all others.
    const bool whole = std::abs(value) < 1e15 && value == std::trunc(value);
    const auto end = whole ? std::to_chars(digits, digits + sizeof digits, static_cast<int64_t>(value))
                           : std::to_chars(digits, digits + sizeof digits, value);
    out->append(digits, end.ptr);
  }
}

}  // namespace

void PrometheusText::Begin(std::string_view name, std::string_view help, std::string_view type) {
  family_ = name;
  text_ += "# HELP " + family_ + " ";
  AppendEscaped(help, '\\', &text_);
  text_ += "\n# TYPE " + family_ + " ";
  text_ += type;
  text_ += '\n';
}

void PrometheusText::Counter(std::string_view name, std::string_view help, double value) {
  Counter(name, help);
  Sample({}, value);
}

void PrometheusText::Gauge(std::string_view name, std::string_view help, double value) {
  Gauge(name, help);
  Sample({}, value);
}

void PrometheusText::Summary(std::string_view name, std::string_view help, int64_t count, double sum) {
  Begin(name, help, "summary");
  Write(family_ + "_sum", {}, sum);
  Write(family_ + "_count", {}, static_cast<double>(count));
}

void PrometheusText::Write(std::string_view name, Labels labels, double value) {
  text_ += name;
  char before = '{';
  for (const auto& [label, text] : labels) {
    text_ += before;
    text_ += label;
    text_ += "=\"";
    AppendEscaped(text, '"', &text_);
    text_ += '"';
    before = ',';
  }
  text_ += labels.size() == 0 ? " " : "} ";
  AppendNumber(value, &text_);
  text_ += '\n';
}

}  // namespace vaquita
