// Filters around another one. As in HBase, neither asks it about a row's cells or for a hint, and SKIP does not show it
// the row key. Source: SkipFilter, WhileMatchFilter (2.6).

#include <utility>

#include "base/status.h"
#include "region/filter/filter_makers.h"

namespace vaquita {
namespace {

// Drops a row if the filter drops one of its cells.
class SkipFilter : public Filter {
 public:
  explicit SkipFilter(std::unique_ptr<Filter> filter) : filter_(std::move(filter)) {}
  void Reset() override {
    filter_->Reset();
    out_ = false;
  }
  FilterCode FilterCell(const CellView& cell) override {
    const FilterCode code = filter_->FilterCell(cell);
    if (code != FilterCode::kInclude) out_ = true;
    return code;
  }
  CellView TransformCell(const CellView& cell) override { return filter_->TransformCell(cell); }
  bool HasFilterRow() const override { return true; }
  bool FilterRow() override { return out_; }
  bool LearnsFromRefusedRows() const override { return filter_->LearnsFromRefusedRows(); }
  bool IsFamilyEssential(std::string_view family) const override { return filter_->IsFamilyEssential(family); }
  absl::Status status() const override { return filter_->status(); }

 private:
  const std::unique_ptr<Filter> filter_;
  bool out_ = false;
};

// Ends the scan as soon as the filter drops anything.
class WhileMatchFilter : public Filter {
 public:
  explicit WhileMatchFilter(std::unique_ptr<Filter> filter) : filter_(std::move(filter)) {}
  void Reset() override { filter_->Reset(); }
  bool FilterAllRemaining() override { return done_ || filter_->FilterAllRemaining(); }
  bool FilterRowKey(std::string_view row) override { return FilterAllRemaining() || Done(filter_->FilterRowKey(row)); }
  FilterCode FilterCell(const CellView& cell) override {
    const FilterCode code = filter_->FilterCell(cell);
    Done(code != FilterCode::kInclude);
    return code;
  }
  CellView TransformCell(const CellView& cell) override { return filter_->TransformCell(cell); }
  bool HasFilterRow() const override { return true; }
  bool FilterRow() override { return Done(filter_->FilterRow()); }
  bool LearnsFromRefusedRows() const override { return true; }
  bool IsFamilyEssential(std::string_view family) const override { return filter_->IsFamilyEssential(family); }
  absl::Status status() const override { return filter_->status(); }

 private:
  bool Done(bool dropped) {
    done_ = done_ || dropped;
    return dropped;
  }

  const std::unique_ptr<Filter> filter_;
  bool done_ = false;
};

absl::StatusOr<std::unique_ptr<Filter>> MakeInner(const std::vector<FilterSpec>& filter, FilterMaking making) {
  if (filter.size() != 1) return Error(ErrorKind::kIllegalArgument, "SKIP and WHILE wrap one filter");
  making.reversed = false;
  return MakePart(filter.front(), making);
}

}  // namespace

FilterOr MakeFilterOf(const SkipFilterSpec& spec, const FilterMaking& making) {
  VAQUITA_ASSIGN_OR_RETURN(auto inner, MakeInner(spec.filter, making));
  return std::make_unique<SkipFilter>(std::move(inner));
}

FilterOr MakeFilterOf(const WhileMatchFilterSpec& spec, const FilterMaking& making) {
  VAQUITA_ASSIGN_OR_RETURN(auto inner, MakeInner(spec.filter, making));
  return std::make_unique<WhileMatchFilter>(std::move(inner));
}

}  // namespace vaquita
