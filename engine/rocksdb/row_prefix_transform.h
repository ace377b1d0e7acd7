// engine/rocksdb/row_prefix_transform.h: a cell key's row as RocksDB's prefix, which a store file's bloom filter holds.
//
// HBase's ROWCOL holds rows and columns; here it is as ROW, because a file has one kind of prefix and a get of a whole
// row needs the row's.
#pragma once

#include <memory>

#include "rocksdb/slice_transform.h"

namespace vaquita {

// Lives as long as the process.
std::shared_ptr<const rocksdb::SliceTransform> RowPrefixTransform();

}  // namespace vaquita
