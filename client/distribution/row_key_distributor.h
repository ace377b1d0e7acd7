// client/distribution/row_key_distributor.h: spreads rows with sequential keys over a table, and finds them again.
//
// A program uses its own, original keys. A distributor turns each into the distributed key of its row in the table, and
// back. Most distributors put one of a few prefixes before the original key. The rows behind one prefix, a bucket, keep
// the order of their original keys, so a range is read from all buckets and merged (distributed_scanner.h).
// DistributedTable (distributed_table.h) does all of this behind a Table's own methods.
//
//   Identity()                             the original key itself
//   OneBytePrefix(N)                       bytes 0 to N-1 in turn: as even as can be, but only all buckets together
//                                          know where a row is. For rows that are written once.
//   HashPrefix(OneByteSimpleHash(N))       a prefix that the key's hash says: any row is found in one call
//   BitReversal()                          the key's bits from last to first: sequential ids spread over the whole key
//                                          space, without a byte more. No order is left in it.
//
// The names and the idea are those of sematext's HBaseWD (RowKeyDistributorByOneBytePrefix and its family), and so are
// the bytes of the two kinds of prefix. client/java has the same distributors; testdata/distributed_keys.txt holds both
// to the same bytes.
// Threads: any, at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "client/distribution/key_hasher.h"
#include "model/table_descriptor.h"

namespace vaquita::client {

class RowKeyDistributor {
 public:
  virtual ~RowKeyDistributor() = default;

  // Returns the key under which to write a new row. It may differ each time, unless IsComputable().
  virtual std::string DistributedKey(std::string_view original_key) const = 0;
  // Returns every key that a row with this original key may have in the table; one, if IsComputable().
  virtual std::vector<std::string> AllDistributedKeys(std::string_view original_key) const = 0;
  // Reverses DistributedKey. Returns kIllegalArgument if the distributor cannot have made the key.
  virtual absl::StatusOr<std::string> OriginalKey(std::string_view distributed_key) const = 0;
  // Returns whether the original key alone determines the row.
  virtual bool IsComputable() const = 0;
  // Returns the buckets' prefixes, none of which begins with another. Empty if distributed keys are not made of a
  // prefix and the original key, and so do not keep the order of the original keys.
  virtual const std::vector<std::string>& BucketPrefixes() const = 0;
  // Returns its kind and parameters, as in the table above. ParseRowKeyDistributor reads this.
  virtual std::string ToText() const = 0;
};

using RowKeyDistributorPtr = std::shared_ptr<const RowKeyDistributor>;

RowKeyDistributorPtr IdentityDistributor();
// `first` is the bucket of the first key. By default it is random, so that programs that write one row each spread too.
// Returns kIllegalArgument unless 1 <= buckets <= 256.
absl::StatusOr<RowKeyDistributorPtr> OneBytePrefixDistributor(int buckets, std::optional<uint32_t> first = {});
// Returns kIllegalArgument if the hasher's prefixes are not distinct and of one length.
absl::StatusOr<RowKeyDistributorPtr> HashPrefixDistributor(std::shared_ptr<const KeyHasher> hasher);
RowKeyDistributorPtr BitReversalDistributor();

// Returns kIllegalArgument, naming the text and what would be right, if the text is malformed.
absl::StatusOr<RowKeyDistributorPtr> ParseRowKeyDistributor(std::string_view text,
                                                            const KeyHasherParser& hashers = ParseKeyHasher);

// The table's attribute that names its distributor, for readers.
inline constexpr std::string_view kDistributorAttribute = "ROW_KEY_DISTRIBUTOR";
void StoreDistributor(const RowKeyDistributor& distributor, TableDescriptor* table);
// Returns the distributor that the table names; Identity if it names none.
absl::StatusOr<RowKeyDistributorPtr> LoadDistributor(const TableDescriptor& table,
                                                     const KeyHasherParser& hashers = ParseKeyHasher);

}  // namespace vaquita::client
