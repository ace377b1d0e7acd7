#include "lab/record_generator.h"

#include <gtest/gtest.h>

namespace vaquita::lab {
namespace {

TEST(RecordGenerator, ARecordDependsOnItsNumberAlone) {
  const auto generator = RecordGenerator::Parse("id=sequence()");
  ASSERT_TRUE(generator.ok());
  RecordBuffer buffer;
  EXPECT_EQ(generator->Generate(7, &buffer)[0].number, 7);
  EXPECT_EQ(generator->Generate(3, &buffer)[0].number, 3);
}

}  // namespace
}  // namespace vaquita::lab
