// sql/encoding/row_key.h: encodes a table's key columns as an HBase row key, and decodes them.
//
// The columns stand in the order of the key. A separator ends one of variable width unless it is the last; nulls at the
// end are left out; a descending column has its bits inverted. A salted table's key begins with a byte that is computed
// from the rest. Threads: functions. Source: PTableImpl.newKey, RowKeySchema, SaltingUtil (5.2).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "sql/encoding/sql_type.h"
#include "sql/encoding/value.h"

namespace vaquita::sql {

struct KeyColumn {
  SqlType type;
  bool descending = false;
};

// Returns the key of `values`, one of each column, in the columns' types. `salt_buckets`: 0 for none.
std::string EncodeRowKey(const std::vector<KeyColumn>& columns, const std::vector<Value>& values, int32_t salt_buckets);
// Returns the values of all columns; nulls for those that the key leaves out. Bytes that follow are those of a view
// that has more key columns. Returns IllegalData if the bytes are not such a key.
absl::StatusOr<std::vector<Value>> DecodeRowKey(const std::vector<KeyColumn>& columns, std::string_view key,
                                                int32_t salt_buckets);

// Sets `*parts` to the bytes of each column as they stand in the key, without separators; empty for null. They live as
// long as the key. Returns IllegalData if the bytes are not such a key.
absl::Status SplitRowKey(const std::vector<KeyColumn>& columns, std::string_view key, bool salted,
                         std::vector<std::string_view>* parts);
// Returns the value of a column's bytes in a key.
absl::StatusOr<Value> DecodeKeyPart(const KeyColumn& column, std::string_view part);

// Returns the bytes with all bits inverted, as a descending column has them.
std::string Inverted(std::string bytes);
// Returns the bytes of a column: the value, inverted if descending, and the separator. If `last`, nothing follows, so
// an ascending column has no separator.
std::string EncodeKeyPart(const KeyColumn& column, const Value& value, bool last);

inline constexpr int32_t kMostSaltBuckets = 256;
// Returns the salt of a key: 0 to `buckets` - 1.
char SaltOf(std::string_view key_without_salt, int32_t buckets);
// Returns the split keys of a salted table: one for each bucket but the first.
std::vector<std::string> SaltSplits(const std::vector<KeyColumn>& columns, int32_t buckets);
// Returns how many bytes the columns of a fixed width and the separators take, which every key without nulls has.
int64_t WidthOfKey(const std::vector<KeyColumn>& columns);
// Returns a split key as Phoenix makes it: padded with zeros to the width of the key's leading fixed columns.
std::string PaddedSplit(const std::vector<KeyColumn>& columns, std::string_view split, bool salted);

}  // namespace vaquita::sql
