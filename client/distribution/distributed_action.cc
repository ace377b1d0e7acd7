#include "client/distribution/distributed_action.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "client/distribution/bucket_scan.h"

namespace vaquita::client {
namespace {

Mutation WithRow(const Mutation& mutation, const std::string& row) {
  Mutation moved = mutation;
  moved.row = row;
  for (Cell& cell : moved.cells) cell.row.clear();
  return moved;
}

std::vector<Mutation> WithRow(const std::vector<Mutation>& mutations, const std::string& row) {
  std::vector<Mutation> moved;
  for (const Mutation& mutation : mutations) moved.push_back(WithRow(mutation, row));
  return moved;
}

// Makes the table's actions from one on an original key.
class Distribution {
 public:
  explicit Distribution(const RowKeyDistributor& distributor) : by_(distributor) {}

  absl::StatusOr<std::vector<Action>> operator()(const Get& get) const {
    if (get.closest_row_before && !IsIdentity()) return Refused("a get of the closest row before");
    std::vector<Action> gets;
    for (std::string& key : by_.AllDistributedKeys(get.row)) {
      Get moved = get;
      VAQUITA_RETURN_IF_ERROR(Translate(get.row, key, &moved.filter));
      moved.row = std::move(key);
      gets.emplace_back(std::move(moved));
    }
    return gets;
  }

  absl::StatusOr<std::vector<Action>> operator()(const Mutation& mutation) const {
    if (mutation.type == MutationType::kDelete) {
      std::vector<Action> deletes;
      for (const std::string& key : by_.AllDistributedKeys(mutation.row)) deletes.emplace_back(WithRow(mutation, key));
      return deletes;
    }
    if (mutation.type == MutationType::kIncrement) VAQUITA_RETURN_IF_ERROR(NeedsTheRow("an increment"));
    if (mutation.type == MutationType::kAppend) VAQUITA_RETURN_IF_ERROR(NeedsTheRow("an append"));
    return std::vector<Action>{WithRow(mutation, by_.DistributedKey(mutation.row))};
  }

  absl::StatusOr<std::vector<Action>> operator()(const RowMutations& mutations) const {
    const bool only_puts = std::all_of(mutations.mutations.begin(), mutations.mutations.end(),
                                       [](const Mutation& m) { return m.type == MutationType::kPut; });
    if (!only_puts) VAQUITA_RETURN_IF_ERROR(NeedsTheRow("a mutation of the row that does more than put"));
    const std::string key = by_.DistributedKey(mutations.row);
    return std::vector<Action>{RowMutations{key, WithRow(mutations.mutations, key)}};
  }

  absl::StatusOr<std::vector<Action>> operator()(const CheckAndMutate& check) const {
    VAQUITA_RETURN_IF_ERROR(NeedsTheRow("a check"));
    CheckAndMutate moved = check;
    moved.row = by_.DistributedKey(check.row);
    moved.mutations = WithRow(check.mutations, moved.row);
    VAQUITA_RETURN_IF_ERROR(Translate(check.row, moved.row, &moved.filter));
    return std::vector<Action>{std::move(moved)};
  }

 private:
  bool IsIdentity() const { return by_.BucketPrefixes().size() == 1 && by_.BucketPrefixes().front().empty(); }

  absl::Status Refused(std::string_view what) const {
    return Error(ErrorKind::kIllegalArgument,
                 absl::StrCat(AbslText(what), " cannot be done on keys of ", by_.ToText()));
  }
  absl::Status NeedsTheRow(std::string_view what) const {
    if (by_.IsComputable()) return absl::OkStatus();
    return Error(ErrorKind::kIllegalArgument,
                 absl::StrCat(AbslText(what), " needs to know its row, and with ", by_.ToText(),
                              " the key does not tell which row it is; use HashPrefix(OneByteSimpleHash(",
                              by_.BucketPrefixes().size(), ")) instead"));
  }

  absl::Status Translate(std::string_view original, std::string_view key, std::optional<FilterSpec>* filter) const {
    if (!*filter) return absl::OkStatus();
    if (by_.BucketPrefixes().empty()) return CheckIgnoresRows(**filter);
    VAQUITA_ASSIGN_OR_RETURN(*filter, FilterOfBucket(**filter, key.substr(0, key.size() - original.size())));
    return absl::OkStatus();
  }

  const RowKeyDistributor& by_;
};

}  // namespace

absl::StatusOr<std::vector<Action>> DistributeAction(const RowKeyDistributor& distributor, const Action& action) {
  return std::visit(Distribution(distributor), action);
}

}  // namespace vaquita::client
