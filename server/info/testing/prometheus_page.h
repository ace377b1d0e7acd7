// server/info/testing/prometheus_page.h: reads a page in Prometheus's text format 0.0.4, as strictly as promtool checks
// it.
//
// Each family has HELP and TYPE before its samples, which stand together; names and labels are legal; no sample comes
// twice; counters end in _total, are not negative, and nothing else ends so. For tests only.
#pragma once

#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace vaquita::testing {

class PrometheusPage {
 public:
  using Labels = std::map<std::string, std::string>;

  explicit PrometheusPage(std::string_view text) { Parse(text); }

  const std::string& error() const { return error_; }  // empty if the page is correct
  // Returns the sample's value; nullopt if the page does not have it.
  std::optional<double> Find(const std::string& name, const Labels& labels = {}) const {
    const auto found = samples_.find({name, labels});
    return found == samples_.end() ? std::nullopt : std::optional(found->second);
  }
  // Returns the sum of all samples of that name.
  double Sum(const std::string& name) const {
    double sum = 0;
    for (const auto& [key, value] : samples_) sum += key.first == name ? value : 0;
    return sum;
  }
  // Returns the labels that samples of that name have.
  std::set<std::string> LabelsOf(const std::string& name) const {
    std::set<std::string> labels;
    for (const auto& [key, value] : samples_) {
      if (key.first != name) continue;
      for (const auto& [label, text] : key.second) labels.insert(label);
    }
    return labels;
  }
  const std::map<std::string, std::string>& types() const { return types_; }  // by family

 private:
  void Fail(const std::string& what) {
    if (error_.empty()) error_ = what;
  }

  void Parse(std::string_view text) {
    if (text.empty() || text.back() != '\n') return Fail("the page does not end with a line's end");
    while (!text.empty() && error_.empty()) {
      const size_t end = text.find('\n');
      line_ = text.substr(0, end);
      text.remove_prefix(end + 1);
      line_.starts_with('#') ? ParseComment() : ParseSample();
    }
  }

  void ParseComment() {
    const bool help = line_.starts_with("# HELP ");
    if (!help && !line_.starts_with("# TYPE ")) return Fail("neither HELP nor TYPE: " + line_);
    const size_t end = line_.find(' ', 7);
    if (end == std::string::npos) return Fail("no text: " + line_);
    const std::string name = line_.substr(7, end - 7);
    if (help) {
      if (!families_.insert(name).second) Fail(name + " begins twice");
      family_ = name;
      typed_ = false;
      return;
    }
    if (name != family_ || typed_) return Fail("TYPE is not after its HELP: " + line_);
    typed_ = true;
    const std::string type = line_.substr(end + 1);
    if (type != "counter" && type != "gauge" && type != "summary") Fail("unknown type: " + line_);
    if ((type == "counter") != name.ends_with("_total")) Fail("counters, and they only, end in _total: " + line_);
    types_[name] = type;
  }

  static bool IsName(std::string_view name) {
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
    for (const char c : name) {
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      if (!letter && !(c >= '0' && c <= '9')) return false;
    }
    return true;
  }

  // `{a="b",...}` at *at, which it moves behind them.
  Labels ParseLabels(size_t* at) {
    Labels labels;
    if (line_[*at] != '{') return labels;
    do {
      const size_t equals = line_.find("=\"", *at);
      if (equals == std::string::npos) return Fail("a label without a value: " + line_), labels;
      const std::string label = line_.substr(*at + 1, equals - *at - 1);
      if (!IsName(label) || label.starts_with("__")) Fail("not a label's name: " + line_);
      std::string value;
      for (*at = equals + 2; *at < line_.size() && line_[*at] != '"'; ++*at) {
        if (line_[*at] == '\\') {
          ++*at;
          if (line_[*at] != 'n' && line_[*at] != '"' && line_[*at] != '\\') Fail("not an escape: " + line_);
          value += line_[*at] == 'n' ? '\n' : line_[*at];
        } else {
          value += line_[*at];
        }
      }
      if (!labels.emplace(label, value).second) Fail("a label twice: " + line_);
    } while (++*at < line_.size() && line_[*at] == ',');
    if (*at >= line_.size() || line_[*at] != '}') Fail("labels without an end: " + line_);
    ++*at;
    return labels;
  }

  void ParseSample() {
    size_t at = line_.find_first_of("{ ");
    if (at == std::string::npos) return Fail("not a sample: " + line_);
    const std::string name = line_.substr(0, at);
    const bool of_summary = types_[family_] == "summary" && (name == family_ + "_sum" || name == family_ + "_count");
    if (!IsName(name) || !typed_ || (name != family_ && !of_summary)) return Fail("not of its family: " + line_);
    const Labels labels = ParseLabels(&at);
    if (!error_.empty()) return;
    if (at >= line_.size() || line_[at] != ' ') return Fail("no value: " + line_);
    char* end = nullptr;
    const double value = std::strtod(line_.c_str() + at + 1, &end);
    if (end == line_.c_str() + at + 1 || *end != '\0') return Fail("not a number: " + line_);
    if (types_[family_] == "counter" && !(value >= 0)) return Fail("a counter below 0: " + line_);
    if (!samples_.emplace(std::pair(name, labels), value).second) return Fail("twice: " + line_);
  }

  std::string error_;
  std::string line_;
  std::string family_;
  bool typed_ = false;
  std::set<std::string> families_;
  std::map<std::string, std::string> types_;
  std::map<std::pair<std::string, Labels>, double> samples_;
};

}  // namespace vaquita::testing
