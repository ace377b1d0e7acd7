// Filters that choose rows by their key or their number.
// Source: PageFilter, PrefixFilter, InclusiveStopFilter, RandomRowFilter, FilterAllFilter (2.6).

#include <random>
#include <string>
#include <utility>

#include "base/status.h"
#include "region/filter/filter_makers.h"

namespace vaquita {
namespace {

class FilterAllFilter : public Filter {
 public:
  explicit FilterAllFilter(bool all) : all_(all) {}
  bool FilterRowKey(std::string_view) override { return all_; }
  bool FilterAllRemaining() override { return all_; }
  bool HasFilterRow() const override { return all_; }
  bool FilterRow() override { return all_; }

 private:
  const bool all_;
};

class PageFilter : public Filter {
 public:
  explicit PageFilter(int64_t page_size) : page_size_(page_size) {}
  bool FilterAllRemaining() override { return accepted_ >= page_size_; }
  bool FilterRowKey(std::string_view) override { return FilterAllRemaining(); }
  bool HasFilterRow() const override { return true; }
  bool FilterRow() override { return ++accepted_ > page_size_; }

 private:
  const int64_t page_size_;
  int64_t accepted_ = 0;
};

class PrefixFilter : public Filter {
 public:
  explicit PrefixFilter(std::string prefix) : prefix_(std::move(prefix)) {}
  void Reset() override { out_ = true; }
  bool FilterAllRemaining() override { return passed_; }
  bool FilterRowKey(std::string_view row) override {
    if (passed_ || row.size() < prefix_.size()) return true;
    const int from_prefix = row.substr(0, prefix_.size()).compare(prefix_);
    if (reversed_ ? from_prefix < 0 : from_prefix > 0) passed_ = true;
    out_ = from_prefix != 0;
    return out_;
  }
  FilterCode FilterCell(const CellView&) override { return out_ ? FilterCode::kNextRow : FilterCode::kInclude; }
  bool FilterRow() override { return out_; }

 private:
  const std::string prefix_;
  bool passed_ = false;
  bool out_ = true;
};

class InclusiveStopFilter : public Filter {
 public:
  explicit InclusiveStopFilter(std::string stop_row) : stop_row_(std::move(stop_row)) {}
  bool FilterAllRemaining() override { return done_; }
  bool FilterRowKey(std::string_view row) override {
    if (done_) return true;
    done_ = reversed_ ? row < stop_row_ : row > stop_row_;
    return done_;
  }
  FilterCode FilterCell(const CellView&) override { return done_ ? FilterCode::kNextRow : FilterCode::kInclude; }

 private:
  const std::string stop_row_;
  bool done_ = false;
};

class RandomRowFilter : public Filter {
 public:
  explicit RandomRowFilter(float chance) : chance_(chance), random_(std::random_device{}()) {}
  void Reset() override { out_ = false; }
  bool FilterRowKey(std::string_view) override {
    out_ = chance_ < 0 || (chance_ <= 1 && std::uniform_real_distribution<float>()(random_) >= chance_);
    return out_;
  }
  FilterCode FilterCell(const CellView&) override { return out_ ? FilterCode::kNextRow : FilterCode::kInclude; }
  bool HasFilterRow() const override { return true; }
  bool FilterRow() override { return out_; }

 private:
  const float chance_;
  std::minstd_rand random_;
  bool out_ = false;
};

}  // namespace

FilterOr MakeFilterOf(const FilterAllSpec& spec, const FilterMaking&) {
  return std::make_unique<FilterAllFilter>(spec.all);
}

FilterOr MakeFilterOf(const PageFilterSpec& spec, const FilterMaking&) {
  if (spec.page_size < 0)
    return Error(ErrorKind::kIllegalArgument, "must be positive " + std::to_string(spec.page_size));
  return std::make_unique<PageFilter>(spec.page_size);
}

FilterOr MakeFilterOf(const PrefixFilterSpec& spec, const FilterMaking&) {
  return std::make_unique<PrefixFilter>(spec.prefix);
}

FilterOr MakeFilterOf(const InclusiveStopFilterSpec& spec, const FilterMaking&) {
  return std::make_unique<InclusiveStopFilter>(spec.stop_row);
}

FilterOr MakeFilterOf(const RandomRowFilterSpec& spec, const FilterMaking&) {
  return std::make_unique<RandomRowFilter>(spec.chance);
}

}  // namespace vaquita
