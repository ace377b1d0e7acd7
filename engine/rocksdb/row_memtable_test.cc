#include "engine/rocksdb/row_memtable.h"

#include <memory>
#include <thread>

#include "base/testing/temporary_folder.h"
#include "engine/cells/cell_key.h"
#include "engine/rocksdb/row_prefix_transform.h"
#include "gtest/gtest.h"
#include "rocksdb/db.h"

namespace vaquita {
namespace {

// As a server that a static variable has: at the end of its thread it destroys iterators after that thread's storage.
TEST(RowMemtableTest, AnIteratorMayOutliveTheStorageThatItsThreadKeeps) {
  const testing::TemporaryFolder folder;
  rocksdb::Options options;
  options.create_if_missing = true;
  options.memtable_factory = NewRowMemtableFactory();
  options.prefix_extractor = RowPrefixTransform();
  rocksdb::DB* opened = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open(options, folder.path(), &opened).ok());
  const std::unique_ptr<rocksdb::DB> db(opened);
  ASSERT_TRUE(db->Put({}, RowPrefix("row") + "column00000000", "value").ok());
  std::thread reader([&] {
    static thread_local std::unique_ptr<rocksdb::Iterator> last;
    rocksdb::ReadOptions all;
    all.total_order_seek = true;
    for (int i = 0; i < 3; ++i) last.reset(db->NewIterator(all));
    last->SeekToFirst();
    EXPECT_TRUE(last->Valid());
  });
  reader.join();
}

}  // namespace
}  // namespace vaquita
