// The locks of procedures.
#include "model/cluster_status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using State = Procedure::State;

TEST(LocksTest, AreThoseOfProceduresThatHaveThemNow) {
  const std::vector<LockedResource> locks = LocksOf({
      {.id = 1, .state = State::kDone, .lock = "t"},
      {.id = 2, .lock = "t", .locked = true},
      {.id = 3, .lock = "t"},
      {.id = 4, .lock = "u"},
      {.id = 5, .lock = "ns:", .locked = true},
      {.id = 6, .lock = "t"},
  });
  ASSERT_EQ(locks.size(), 2u);
  EXPECT_EQ(locks[0].type, LockedResource::Type::kTable);
  EXPECT_EQ(locks[0].name, "t");
  EXPECT_EQ(locks[0].owner, 2);
  EXPECT_TRUE(locks[0].exclusive);
  EXPECT_THAT(locks[0].waiting, ElementsAre(3, 6));
  EXPECT_EQ(locks[1].type, LockedResource::Type::kNamespace);
  EXPECT_EQ(locks[1].name, "ns");
  EXPECT_THAT(locks[1].waiting, IsEmpty());
  EXPECT_THAT(LocksOf({}), IsEmpty());
}

TEST(LocksTest, TypesHaveHBasesNames) {
  EXPECT_EQ(LockTypeName(LockedResource::Type::kServer), "SERVER");
  EXPECT_EQ(LockTypeName(LockedResource::Type::kNamespace), "NAMESPACE");
  EXPECT_EQ(LockTypeName(LockedResource::Type::kTable), "TABLE");
  EXPECT_EQ(LockTypeName(LockedResource::Type::kRegion), "REGION");
  EXPECT_EQ(LockTypeName(LockedResource::Type::kPeer), "PEER");
}

}  // namespace
}  // namespace vaquita
