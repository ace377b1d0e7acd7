// engine/rocksdb/row_memtable.h: a store's memstore: RocksDB's skip list, and beside it an index from each row to its
// cells.
//
// A search in a skip list of many cells costs about forty cache misses, most of the cost of a get; the index finds a
// row, or its absence, with two or three. It serves RocksDB's prefix iterators, that is reads of one row; all else goes
// to the skip list. The index holds rows of few cells; wide rows are read from the skip list.
#pragma once

#include <memory>

namespace rocksdb {
class MemTableRepFactory;
}

namespace vaquita {

std::shared_ptr<rocksdb::MemTableRepFactory> NewRowMemtableFactory();

}  // namespace vaquita
