#include "sql/engine/sequence_maker.h"

#include <algorithm>

#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/engine/statements.h"
#include "sql/plan/expression_parts.h"
#include "sql/plan/resolver.h"

namespace vaquita::sql {
namespace {

// Computes the value into `*number`, which keeps its own if there is no value.
absl::Status Number(const QuerySource& source, const ExprPtr& expr, const absl::Status& otherwise, int64_t* number) {
  if (expr == nullptr) return absl::OkStatus();
  Resolver resolver(nullptr, 0);
  if (!IsConstant(*expr) || !resolver.Resolve(expr.get(), Scope()).ok()) return otherwise;
  if (expr->type.array || expr->type.kind() != ValueKind::kInteger) return otherwise;
  VAQUITA_ASSIGN_OR_RETURN(const Value value, ConstantValue(source, *expr));
  if (value.is_null()) return otherwise;
  *number = value.integer();
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<SequenceDef> MakeSequence(const QuerySource& source, const CreateSequence& create) {
  const auto error = [&](ErrorCode code) { return TableError(code, create.sequence.ToString()); };
  SequenceDef def;
  VAQUITA_RETURN_IF_ERROR(Number(source, create.increment, error(ErrorCode::kIncrementNotConstant), &def.increment));
  if (def.increment == 0) return error(ErrorCode::kIncrementIsZero);
  VAQUITA_RETURN_IF_ERROR(Number(source, create.max, error(ErrorCode::kMaxNotConstant), &def.max));
  VAQUITA_RETURN_IF_ERROR(Number(source, create.min, error(ErrorCode::kMinNotConstant), &def.min));
  if (def.min > def.max) return error(ErrorCode::kMinAboveMax);
  // A sequence without limits begins with 1, another one with its limit.
  if (create.min != nullptr || create.max != nullptr) def.start = def.increment > 0 ? def.min : def.max;
  VAQUITA_RETURN_IF_ERROR(Number(source, create.start, error(ErrorCode::kStartNotConstant), &def.start));
  if (def.start < def.min || def.start > def.max) return error(ErrorCode::kStartOutsideLimits);
  if (create.cache.has_value()) def.cache = std::max<int64_t>(*create.cache, 1);
  def.cycle = create.cycle;
  return def;
}

}  // namespace vaquita::sql
