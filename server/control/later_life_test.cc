#include "server/control/later_life.h"

#include <gtest/gtest.h>

namespace vaquita {
namespace {

TEST(LaterLifeTest, TheRefusedServerTakesTheNextStartCode) {
  const auto name = NameAfterLaterLife(HadLaterLife("host,1,200"));
  ASSERT_TRUE(name.has_value());
  EXPECT_EQ(name->ToString(), "host,1,201");
  EXPECT_FALSE(NameAfterLaterLife(absl::AlreadyExistsError("host,1,200")).has_value());
  EXPECT_FALSE(NameAfterLaterLife(absl::FailedPreconditionError(HadLaterLife("host,1,200").message())).has_value());
  EXPECT_FALSE(NameAfterLaterLife(absl::OkStatus()).has_value());
}

}  // namespace
}  // namespace vaquita
