#include "sql/catalog/sequences.h"

#include <optional>
#include <string>
#include <utility>

#include "base/status.h"
#include "client/table.h"
#include "sql/catalog/catalog.h"
#include "sql/catalog/table_rows.h"
#include "sql/encoding/qualifier.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/value_codec.h"

namespace vaquita::sql {
namespace {

const TableName kTable{"default", kSequenceTable};
constexpr char kCurrentValue[] = "CURRENT_VALUE";
constexpr char kLimitReached[] = "LIMIT_REACHED_FLAG";

absl::Status LimitError(const SequenceDef& def, const TableIdent& name) {
  return TableError(def.increment > 0 ? ErrorCode::kSequenceAtMax : ErrorCode::kSequenceAtMin, name.ToString());
}

std::string LongBytes(int64_t value) { return EncodeValue(TypeId::kBigint, value); }

Cell CellOf(const std::string& row, std::string_view qualifier, std::string value) {
  Cell cell;
  cell.row = row;
  cell.family = kDefaultFamily;
  cell.qualifier = qualifier;
  cell.value = std::move(value);
  return cell;
}

// Adds `steps` increments to the value. It wraps around, as Java's long does. Returns whether it did, or went past the
// limit.
bool Advance(const SequenceDef& def, int64_t steps, int64_t* value) {
  int64_t width = 0;
  int64_t next = 0;
  bool past = __builtin_mul_overflow(def.increment, steps, &width);
  past = __builtin_add_overflow(*value, width, &next) || past;
  *value = next;
  return past || (def.increment > 0 ? next > def.max : next < def.min);
}

// A sequence as its row has it.
struct StoredSequence {
  SequenceDef def;
  int64_t current = 0;
  bool limit_reached = false;
  int64_t timestamp_ms = 0;  // the current value's: all later ones are written at it
};

absl::StatusOr<StoredSequence> Read(client::Table* table, const TableIdent& name) {
  Get get;
  get.row = CatalogKey(name);
  const auto result = table->Get(get);
  if (IsError(result.status(), ErrorKind::kTableNotFound))
    return TableError(ErrorCode::kSequenceUndefined, name.ToString());
  VAQUITA_RETURN_IF_ERROR(result.status());
  StoredSequence stored;
  const auto number = [&](std::string_view qualifier, int64_t* value) -> absl::Status {
    const std::string* bytes = result->Value(kDefaultFamily, qualifier);
    if (bytes == nullptr) return absl::OkStatus();
    VAQUITA_ASSIGN_OR_RETURN(const Value decoded, DecodeValue(TypeId::kBigint, *bytes));
    *value = decoded.integer();
    return absl::OkStatus();
  };
  const auto flag = [&](std::string_view qualifier) {
    const std::string* bytes = result->Value(kDefaultFamily, qualifier);
    return bytes != nullptr && *bytes == std::string(1, '\1');
  };
  if (result->Value(kDefaultFamily, kCurrentValue) == nullptr)
    return TableError(ErrorCode::kSequenceUndefined, name.ToString());
  VAQUITA_RETURN_IF_ERROR(number("START_WITH", &stored.def.start));
  VAQUITA_RETURN_IF_ERROR(number("INCREMENT_BY", &stored.def.increment));
  VAQUITA_RETURN_IF_ERROR(number("CACHE_SIZE", &stored.def.cache));
  VAQUITA_RETURN_IF_ERROR(number("MIN_VALUE", &stored.def.min));
  VAQUITA_RETURN_IF_ERROR(number("MAX_VALUE", &stored.def.max));
  VAQUITA_RETURN_IF_ERROR(number(kCurrentValue, &stored.current));
  stored.def.cycle = flag("CYCLE_FLAG");
  stored.limit_reached = flag(kLimitReached);
  for (const Cell& cell : result->cells)
    if (cell.qualifier == kCurrentValue) stored.timestamp_ms = cell.timestamp_ms;
  return stored;
}

// Returns an error if `count` values, more than one, cannot be taken at once from `current` on.
absl::Status CheckMany(const SequenceDef& def, int64_t current, int64_t count, const TableIdent& name) {
  if (count <= 1) return absl::OkStatus();
  if (def.cycle) return TableError(ErrorCode::kManyValuesOfCycle, name.ToString());
  return Advance(def, count, &current) ? LimitError(def, name) : absl::OkStatus();
}

}  // namespace

absl::Status Sequences::Create(const TableIdent& name, const SequenceDef& def) {
  const auto table = connection_->GetTable(kTable);
  const absl::Status found = Read(table.get(), name).status();
  if (found.ok()) return TableError(ErrorCode::kSequenceExists, name.ToString());
  if (!IsSqlError(found, ErrorCode::kSequenceUndefined)) return found;
  VAQUITA_RETURN_IF_ERROR(CreateSystemTable(connection_.get(), kTable));
  CheckAndMutate check;
  check.row = CatalogKey(name);
  check.family = kDefaultFamily;
  check.qualifier = kCurrentValue;
  check.comparator = ComparatorSpec{};  // an empty value: there is no such cell
  Mutation put;
  put.row = check.row;
  const std::string no(1, '\0');
  put.cells = {CellOf(put.row, EmptyCellQualifier(QualifierEncoding::kNames), ""),
               CellOf(put.row, kCurrentValue, LongBytes(def.start)),
               CellOf(put.row, "START_WITH", LongBytes(def.start)),
               CellOf(put.row, "INCREMENT_BY", LongBytes(def.increment)),
               CellOf(put.row, "CACHE_SIZE", LongBytes(def.cache)),
               CellOf(put.row, "MIN_VALUE", LongBytes(def.min)),
               CellOf(put.row, "MAX_VALUE", LongBytes(def.max)),
               CellOf(put.row, "CYCLE_FLAG", def.cycle ? std::string(1, '\1') : no),
               CellOf(put.row, kLimitReached, no)};
  check.mutations = {std::move(put)};
  VAQUITA_ASSIGN_OR_RETURN(const client::ActionResult done, table->CheckAndMutate(check));
  return done.processed ? absl::OkStatus() : TableError(ErrorCode::kSequenceExists, name.ToString());
}

absl::Status Sequences::Drop(const TableIdent& name) {
  const auto table = connection_->GetTable(kTable);
  VAQUITA_RETURN_IF_ERROR(Read(table.get(), name).status());
  const Mutation remove{.type = MutationType::kDelete, .row = CatalogKey(name)};
  VAQUITA_RETURN_IF_ERROR(table->Mutate(remove).status());
  const std::lock_guard lock(mutex_);
  blocks_.erase(name);
  return absl::OkStatus();
}

std::shared_ptr<Sequences::Block> Sequences::BlockOf(const TableIdent& name) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Block>& block = blocks_[name];
  if (block == nullptr) block = std::make_shared<Block>();
  return block;
}

std::shared_ptr<Sequences::Block> Sequences::KnownBlock(const TableIdent& name) {
  const std::lock_guard lock(mutex_);
  const auto block = blocks_.find(name);
  return block == blocks_.end() ? nullptr : block->second;
}

size_t Sequences::blocks() {
  const std::lock_guard lock(mutex_);
  return blocks_.size();
}

absl::Status Sequences::Check(const TableIdent& name, int64_t count) {
  if (count < 1) return TableError(ErrorCode::kValuesMustBePositive, name.ToString());
  if (const std::shared_ptr<Block> block = KnownBlock(name); block != nullptr) {
    const std::lock_guard lock(block->mutex);
    if (block->reserved) return CheckMany(block->def, block->current, count, name);
  }
  VAQUITA_ASSIGN_OR_RETURN(const StoredSequence stored, Read(connection_->GetTable(kTable).get(), name));
  return CheckMany(stored.def, stored.current, count, name);
}

absl::StatusOr<int64_t> Sequences::Next(const TableIdent& name, int64_t count) {
  const std::shared_ptr<Block> block = BlockOf(name);
  const std::lock_guard lock(block->mutex);
  absl::StatusOr<int64_t> value = Take(name, count, block.get());
  if (!block->reserved) {  // a name that no sequence has leaves nothing behind
    const std::lock_guard names(mutex_);
    blocks_.erase(name);
  }
  return value;
}

absl::StatusOr<int64_t> Sequences::Take(const TableIdent& name, int64_t count, Block* block) {
  bool reserve = !block->reserved || block->current == block->end;
  if (!reserve && count > 1) {
    VAQUITA_RETURN_IF_ERROR(CheckMany(block->def, block->current, count, name));
    int64_t last = block->current;
    (void)Advance(block->def, count, &last);
    reserve = block->def.increment > 0 ? last > block->end : last < block->end;
  }
  if (!reserve && block->limit_reached) {
    if (!block->def.cycle) return LimitError(block->def, name);
    reserve = true;
  }
  if (reserve) VAQUITA_RETURN_IF_ERROR(Reserve(name, count, block));
  const int64_t value = block->current;
  block->limit_reached = Advance(block->def, count, &block->current);
  return value;
}

// Writes the end of a new block, unless another process has written one since it was read.
absl::Status Sequences::Reserve(const TableIdent& name, int64_t count, Block* block) {
  const auto table = connection_->GetTable(kTable);
  for (;;) {
    VAQUITA_ASSIGN_OR_RETURN(StoredSequence stored, Read(table.get(), name));
    const SequenceDef& def = stored.def;
    VAQUITA_RETURN_IF_ERROR(CheckMany(def, stored.current, count, name));
    CheckAndMutate check;
    check.row = CatalogKey(name);
    check.family = kDefaultFamily;
    check.qualifier = kCurrentValue;
    check.comparator = ComparatorSpec{.bytes = LongBytes(stored.current)};
    // The time tells a sequence from a later one of the same name.
    check.time_range = {stored.timestamp_ms, stored.timestamp_ms + 1};
    if (stored.limit_reached) {
      if (!def.cycle) return LimitError(def, name);
      stored.current = def.increment > 0 ? def.min : def.max;
    }
    int64_t end = stored.current;
    const bool limit_reached = Advance(def, count > 1 ? count : def.cache, &end);
    Mutation put;
    put.row = check.row;
    put.cells = {CellOf(put.row, kCurrentValue, LongBytes(end)),
                 CellOf(put.row, kLimitReached, std::string(1, limit_reached ? '\1' : '\0'))};
    for (Cell& cell : put.cells) cell.timestamp_ms = stored.timestamp_ms;
    check.mutations = {std::move(put)};
    VAQUITA_ASSIGN_OR_RETURN(const client::ActionResult done, table->CheckAndMutate(check));
    if (!done.processed) continue;
    block->reserved = true;
    block->def = def;
    block->current = stored.current;
    block->end = end;
    block->limit_reached = false;
    return absl::OkStatus();
  }
}

absl::StatusOr<int64_t> Sequences::Current(const TableIdent& name) {
  const std::shared_ptr<Block> block = KnownBlock(name);
  if (block == nullptr) return TableError(ErrorCode::kCurrentBeforeNext, name.ToString());
  const std::lock_guard lock(block->mutex);
  if (!block->reserved) return TableError(ErrorCode::kCurrentBeforeNext, name.ToString());
  return static_cast<int64_t>(static_cast<uint64_t>(block->current) - static_cast<uint64_t>(block->def.increment));
}

void Sequences::Forget() {
  const std::lock_guard lock(mutex_);
  blocks_.clear();
}

}  // namespace vaquita::sql
