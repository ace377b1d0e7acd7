#include "sql/aggregate/row_aggregator.h"

#include <algorithm>

#include "base/big_endian.h"
#include "base/status.h"
#include "sql/aggregate/condition.h"
#include "sql/encoding/decimal.h"

namespace vaquita::sql {
namespace {

using phoenix::Aggregate;

constexpr size_t kGroupBytes = 96;
constexpr size_t kStateBytes = 160;
constexpr int32_t kMostDigits = 36;  // numbers below 10^36 are added without overflow

absl::Status TooLarge() { return Error(ErrorKind::kUnsupportedOperation, "a sum has too many digits"); }

absl::int128 PowerOf10(int32_t exponent) {
  absl::int128 power = 1;
  for (int32_t i = 0; i < exponent; ++i) power *= 10;
  return power;
}

// Sets `*value` to value * 10^digits. Returns false if that is 10^36 or more.
bool Shift(int32_t digits, absl::int128* value) {
  if (*value == 0 || digits == 0) return true;
  static const absl::int128 most = PowerOf10(kMostDigits);
  if (digits > kMostDigits) return false;
  const absl::int128 factor = PowerOf10(digits);
  const absl::int128 limit = most / factor;
  if (*value >= limit || *value <= -limit) return false;
  *value *= factor;
  return true;
}

}  // namespace

absl::StatusOr<std::unique_ptr<RowAggregator>> RowAggregator::Make(std::string_view plan) {
  auto made = std::make_unique<RowAggregator>();
  VAQUITA_RETURN_IF_ERROR(made->Init(plan));
  return made;
}

absl::Status RowAggregator::Init(std::string_view plan) {
  if (!plan_.ParseFromArray(plan.data(), static_cast<int>(plan.size()))) {
    return Error(ErrorKind::kIllegalArgument, "plan: is not a vaquita.phoenix.AggregatePlan");
  }
  VAQUITA_RETURN_IF_ERROR(row_.Init(plan_));
  if (plan_.has_where()) VAQUITA_RETURN_IF_ERROR(CheckCondition(plan_, plan_.where()));
  const auto exists = [this](int32_t column) { return column >= 0 && column < plan_.columns_size(); };
  const bool groups = std::ranges::all_of(plan_.groups(), exists);
  const bool aggregates = std::ranges::all_of(plan_.aggregates(), [&](const Aggregate& aggregate) {
    const bool known = aggregate.kind() >= Aggregate::ROWS && aggregate.kind() <= Aggregate::MAX;
    return known && (aggregate.kind() == Aggregate::ROWS || exists(aggregate.column()));
  });
  if (!groups || !aggregates)
    return Error(ErrorKind::kIllegalArgument, "the plan names a column that it does not have");
  return absl::OkStatus();
}

absl::Status RowAggregator::Add(const CellBlock& cells, const ResultRange& row) {
  VAQUITA_RETURN_IF_ERROR(row_.Start(cells, row));
  if (plan_.has_where()) {
    VAQUITA_ASSIGN_OR_RETURN(const std::optional<bool> holds, Holds(plan_, plan_.where(), &row_));
    if (!holds.value_or(false)) return absl::OkStatus();
  }
  VAQUITA_ASSIGN_OR_RETURN(Group* const group, GroupOfRow());
  for (int i = 0; i < plan_.aggregates_size(); ++i) {
    VAQUITA_RETURN_IF_ERROR(AddTo(plan_.aggregates(i), &group->states[static_cast<size_t>(i)]));
  }
  return absl::OkStatus();
}

// Equal values may have different bytes: then they are several groups, which the engine joins.
absl::StatusOr<RowAggregator::Group*> RowAggregator::GroupOfRow() {
  key_.clear();
  for (const int32_t column : plan_.groups()) {
    VAQUITA_ASSIGN_OR_RETURN(const auto bytes, row_.Bytes(static_cast<size_t>(column)));
    AppendBigEndian(bytes.has_value() ? static_cast<uint32_t>(bytes->size()) : 0, &key_);
    if (bytes.has_value()) key_ += *bytes;
  }
  if (last_ != nullptr && key_ == last_key_) return last_;
  const auto [place, is_new] = places_.try_emplace(key_, groups_.size());
  if (is_new) {
    Group& group = *groups_.emplace_back(std::make_unique<Group>());
    for (const int32_t column : plan_.groups()) {
      VAQUITA_ASSIGN_OR_RETURN(const FormView form, row_.FormOf(static_cast<size_t>(column)));
      group.values.emplace_back().Set(form);
    }
    group.states.resize(static_cast<size_t>(plan_.aggregates_size()));
    bytes_ += kGroupBytes + 2 * key_.size() + kStateBytes * group.states.size();
  }
  last_ = groups_[place->second].get();
  last_key_ = key_;
  return last_;
}

absl::Status RowAggregator::AddTo(const Aggregate& aggregate, State* state) {
  const auto column = static_cast<size_t>(aggregate.column());
  switch (aggregate.kind()) {
    case Aggregate::COUNT: {
      VAQUITA_ASSIGN_OR_RETURN(const FormView form, row_.FormOf(column));
      if (!form.is_null()) ++state->count;
      break;
    }
    case Aggregate::SUM: {
      VAQUITA_ASSIGN_OR_RETURN(const FormView form, row_.FormOf(column));
      if (form.is_null()) break;
      ++state->count;
      if (__builtin_add_overflow(state->sum, form.integer, &state->sum)) return TooLarge();
      break;
    }
    case Aggregate::TOTAL: {
      VAQUITA_ASSIGN_OR_RETURN(const std::optional<Decimal> number, row_.NumberOf(column));
      if (!number.has_value()) break;
      ++state->count;
      return AddNumber(*number, &state->total);
    }
    case Aggregate::MIN:
    case Aggregate::MAX:
      return AddBound(aggregate, state);
    default:
      ++state->count;
  }
  return absl::OkStatus();
}

absl::Status RowAggregator::AddBound(const Aggregate& aggregate, State* state) {
  VAQUITA_ASSIGN_OR_RETURN(const FormView form, row_.FormOf(static_cast<size_t>(aggregate.column())));
  if (form.is_null()) return absl::OkStatus();
  const FormView held = state->form.view();
  if (!held.is_null()) {
    const auto order = CompareForms(form, held);
    if (aggregate.kind() == Aggregate::MIN ? order >= 0 : order <= 0) return absl::OkStatus();
  }
  if (form.bytes.size() > held.bytes.size()) bytes_ += form.bytes.size() - held.bytes.size();
  state->form.Set(form);
  return absl::OkStatus();
}

absl::Status RowAggregator::AddNumber(const Decimal& number, Total* total) {
  absl::int128 value = number.unscaled();
  const int32_t scale = std::max(number.scale(), 0);
  if (scale > total->scale) {
    if (!Shift(scale - total->scale, &total->sum) || !Shift(scale - total->scale, &total->size)) return TooLarge();
    total->scale = scale;
  }
  if (!Shift(total->scale - number.scale(), &value)) return TooLarge();
  static const absl::int128 most = PowerOf10(kMostDigits);
  if (value >= most || value <= -most) return TooLarge();
  total->sum += value;
  total->size += value < 0 ? -value : value;
  return total->size >= most ? TooLarge() : absl::OkStatus();
}

void RowAggregator::SetResult(const Aggregate& aggregate, const State& state, phoenix::Form* form) {
  switch (aggregate.kind()) {
    case Aggregate::SUM:
      if (state.count > 0) form->set_integer(state.sum);
      break;
    case Aggregate::TOTAL:
      if (state.count > 0) form->set_bytes(EncodeDecimal(Decimal(state.total.sum, state.total.scale)));
      break;
    case Aggregate::MIN:
    case Aggregate::MAX:
      SetForm(state.form.view(), form);
      break;
    default:
      form->set_integer(state.count);
  }
}

std::string RowAggregator::TakeParts() const {
  phoenix::Parts parts;
  std::vector<Total> largest(static_cast<size_t>(plan_.aggregates_size()));
  for (const std::unique_ptr<Group>& group : groups_) {
    phoenix::Part* const part = parts.add_parts();
    for (const HeldForm& value : group->values) SetForm(value.view(), part->add_values());
    for (int i = 0; i < plan_.aggregates_size(); ++i) {
      const State& state = group->states[static_cast<size_t>(i)];
      SetResult(plan_.aggregates(i), state, part->add_values());
      Total& most = largest[static_cast<size_t>(i)];
      const absl::int128 whole = state.total.size / PowerOf10(std::min(state.total.scale, kMostDigits)) + 1;
      most.size = std::max(most.size, whole);
      most.scale = std::max(most.scale, state.total.scale);
    }
  }
  for (const Total& most : largest) {
    parts.add_scales(most.scale);
    parts.add_digits(Decimal(most.size).IntegerDigits());
  }
  return parts.SerializeAsString();
}

}  // namespace vaquita::sql
