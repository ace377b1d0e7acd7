#include "server/frontend/zookeeper/znode_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace vaquita::zookeeper {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ZnodeTreeTest : public ::testing::Test {
 protected:
  ZnodeTreeTest() {
    tree_.SetListener([this](EventType type, const std::string& path) {
      static constexpr const char* kNames[] = {"", "created", "deleted", "data", "children"};
      events_.push_back(std::string(kNames[static_cast<int>(type)]) + " " + path);
    });
  }
  std::vector<std::string> Events() { return std::exchange(events_, {}); }

  ManualClock clock_{1'700'000'000'000};
  ZnodeTree tree_{clock_};
  std::vector<std::string> events_;
};

TEST_F(ZnodeTreeTest, PathsAreZooKeepers) {
  for (const std::string_view path : {"/", "/a", "/a/b", "/a.b", "/..a", "/hbase/table/ns:t"}) {
    EXPECT_TRUE(ZnodeTree::IsPath(path)) << path;
  }
  for (const std::string_view path : {"", "a", "//", "/a/", "/a//b", "/.", "/a/..", "/./a", "a/"}) {
    EXPECT_FALSE(ZnodeTree::IsPath(path)) << path;
  }
  EXPECT_FALSE(ZnodeTree::IsPath(std::string_view("/a\0b", 4)));
}

TEST_F(ZnodeTreeTest, CreatesWhatIsAbove) {
  tree_.Set("/a/b/c", "data");
  EXPECT_EQ(tree_.Find("/a/b/c")->data, "data");
  EXPECT_EQ(tree_.Find("/a/b")->data, "");
  EXPECT_THAT(tree_.Find("/a")->children, ElementsAre("b"));
  EXPECT_THAT(tree_.Find("/")->children, ElementsAre("a"));
  EXPECT_THAT(Events(), ElementsAre("created /a", "children /", "created /a/b", "children /a", "created /a/b/c",
                                    "children /a/b"));
  EXPECT_EQ(tree_.Find("/a/c"), nullptr);
}

TEST_F(ZnodeTreeTest, KeepsVersionsOfDataAndOfChildren) {
  tree_.Set("/a", "1");
  const int64_t created = tree_.Find("/a")->created_zxid;
  EXPECT_EQ(created, tree_.last_zxid());
  clock_.Advance(5);
  tree_.Set("/a", "2");
  const Znode* node = tree_.Find("/a");
  EXPECT_EQ(node->version, 1);
  EXPECT_EQ(node->children_version, 0);
  EXPECT_EQ(node->created_zxid, created);
  EXPECT_EQ(node->modified_zxid, created + 1);
  EXPECT_EQ(node->modified_ms, node->created_ms + 5);
  tree_.Set("/a/b", "");
  tree_.Remove("/a/b");
  EXPECT_EQ(node->version, 1);
  EXPECT_EQ(node->children_version, 2);
  EXPECT_EQ(node->children_zxid, created + 3);
  EXPECT_EQ(node->modified_zxid, created + 1);
}

TEST_F(ZnodeTreeTest, TheSameDataIsNoChange) {
  tree_.Set("/a", "1");
  const int64_t zxid = tree_.last_zxid();
  Events();
  tree_.Set("/a", "1");
  EXPECT_EQ(tree_.last_zxid(), zxid);
  EXPECT_THAT(Events(), IsEmpty());
}

TEST_F(ZnodeTreeTest, RemovesWhatIsBelow) {
  tree_.Set("/a/b/c", "");
  tree_.Set("/a/bb", "");
  Events();
  tree_.Remove("/a/b");
  EXPECT_THAT(Events(), ElementsAre("deleted /a/b/c", "children /a/b", "deleted /a/b", "children /a"));
  EXPECT_THAT(tree_.Find("/a")->children, ElementsAre("bb"));
  tree_.Remove("/a/b");
  tree_.Remove("/");
  EXPECT_THAT(Events(), IsEmpty());
  EXPECT_NE(tree_.Find("/"), nullptr);
}

TEST_F(ZnodeTreeTest, CountsWhatIsBelow) {
  for (const std::string_view path : {"/a/b/c", "/a/d", "/aa", "/a-b", "/a0"}) tree_.Set(path, "");
  EXPECT_EQ(tree_.CountBelow("/a"), 3);
  EXPECT_EQ(tree_.CountBelow("/aa"), 0);
  EXPECT_EQ(tree_.CountBelow("/"), 7);
}

TEST_F(ZnodeTreeTest, ALaterServersZxidsAreGreater) {
  for (int i = 0; i < 1000; ++i) tree_.Set("/a", std::to_string(i));
  clock_.Advance(1);
  EXPECT_GT(ZnodeTree(clock_).last_zxid(), tree_.last_zxid());
}

TEST_F(ZnodeTreeTest, IgnoresWhatIsNoPath) {
  tree_.Set("a/", "");
  tree_.Set("/a//b", "");
  EXPECT_EQ(tree_.size(), 1);
}

}  // namespace
}  // namespace vaquita::zookeeper
