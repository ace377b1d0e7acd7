#include "lab/records/lookup_table.h"

#include <gtest/gtest.h>

namespace vaquita::lab {
namespace {

LookupTable TableOf(std::initializer_list<const char*> values) {
  LookupTable table;
  int name = 0;
  for (const char* value : values) EXPECT_TRUE(table.Add(std::to_string(++name), value).ok());
  return table;
}

TEST(LookupTable, IsNumericIfNumbersPrintAsItsValues) {
  EXPECT_TRUE(TableOf({"1", "-20", "9223372036854775807"}).is_numeric());
  for (const char* value : {"01", "+1", " 1", "-0", "", "x", "9223372036854775808"}) {
    EXPECT_FALSE(TableOf({"1", value, "2"}).is_numeric()) << value;
    EXPECT_FALSE(TableOf({value, "2"}).is_numeric()) << value;
  }
  LookupTable table = TableOf({"1"});
  EXPECT_FALSE(table.Add("1", "2").ok()) << "the name is there";
}

}  // namespace
}  // namespace vaquita::lab
