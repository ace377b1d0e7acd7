#include "engine/rocksdb/row_prefix_transform.h"

#include <string>
#include <string_view>

#include "engine/cells/cell_key.h"
#include "gtest/gtest.h"

namespace vaquita {
namespace {

using namespace std::string_view_literals;

TEST(RowPrefixTransformTest, ThePrefixOfAKeyIsItsRows) {
  const auto transform = RowPrefixTransform();
  for (const std::string_view row : {"r"sv, "row"sv, "\0"sv, "r\0"sv, "\0\0\xff\1"sv, "r\1\xff"sv}) {
    for (const std::string_view qualifier : {""sv, "q"sv, "\0\1"sv}) {
      std::string key;
      AppendCellKey({row, qualifier, 5, CellType::kPut}, &key);
      ASSERT_TRUE(transform->InDomain(key));
      EXPECT_EQ(transform->Transform(key).ToString(), RowPrefix(row));
    }
    EXPECT_TRUE(transform->InDomain(RowPrefix(row)));
    EXPECT_EQ(transform->Transform(RowPrefix(row)).ToString(), RowPrefix(row));
  }
}

TEST(RowPrefixTransformTest, WhatHoldsNoWholeRowHasNoPrefix) {
  const auto transform = RowPrefixTransform();
  for (const std::string_view key : {""sv, "row"sv, "row\0"sv, "row\0\xff"sv})
    EXPECT_FALSE(transform->InDomain({key.data(), key.size()}));
  EXPECT_FALSE(transform->InDomain(AfterRow("row")));
}

}  // namespace
}  // namespace vaquita
