// engine/rocksdb/row_prefix_transform.h: gives RocksDB a cell key's row as the prefix that store files' bloom filters
// hold.
//
// HBase's ROWCOL filters hold rows and columns. Here ROWCOL works as ROW, because a file has one kind of prefix, and a
// get of a whole row needs the row's.
#pragma once

#include <memory>

#include "rocksdb/slice_transform.h"

namespace vaquita {

// Returns an object that lives as long as the process.
std::shared_ptr<const rocksdb::SliceTransform> RowPrefixTransform();

}  // namespace vaquita
