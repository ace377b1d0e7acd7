// engine/rocksdb/row_memtable.h: a store's memstore: RocksDB's skip list, and beside it an index from each row to its
// cells.
//
// A search in a skip list of many cells costs some forty cache misses, which is most of what a get costs; the index
// finds a row that is there, or is not, with two or three. It serves RocksDB's prefix iterators, that is reads of one
// row; everything else goes to the skip list. It holds rows of few cells: a wide row is left to the skip list, too.
#pragma once

#include <memory>

namespace rocksdb {
class MemTableRepFactory;
}

namespace vaquita {

std::shared_ptr<rocksdb::MemTableRepFactory> NewRowMemtableFactory();

}  // namespace vaquita
