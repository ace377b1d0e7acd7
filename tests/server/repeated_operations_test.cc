// Operations that clients send again, because their answers were lost, while regions move, split and merge, and servers
// die: each is done once. One seed is one history; a failing one is in the message.
#include <algorithm>
#include <array>
#include <random>

#include "tests/server/region_servers_harness.h"

namespace vaquita {
namespace {

using testing::kA;
using testing::kB;
using testing::LongBytes;
using testing::LongOf;
using testing::MakeCell;
using testing::MakeMutation;
using testing::MakePut;

constexpr std::array<const char*, 5> kRepeatedRows = {"b", "f", "m", "q", "w"};

class RepeatedOperationsTest : public testing::RegionServersHarness, public ::testing::WithParamInterface<int> {
 protected:
  struct Part {
    RegionOfTable region;
    std::string server;
  };
  struct Operation {
    enum class Kind { kIncrement, kAppend, kCheckAndPut } kind = Kind::kIncrement;
    std::string row;
    Nonce nonce;
  };

  RepeatedOperationsTest() {
    random_.seed(GetParam());
    servers_[kA] = Open(kA);
    servers_[kB] = Open(kB);
    parts_ = {{Region("", ""), kA}};
    Create(*servers_[kA], {parts_[0].region});
  }

  size_t Pick(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random_); }
  RegionServer& ServerOf(const Part& part) { return *servers_.at(part.server); }
  Part& PartOf(const std::string& row) {
    return *std::find_if(parts_.begin(), parts_.end(),
                         [&](const Part& part) { return part.region.info.ContainsRow(row); });
  }
  static const char* Other(const std::string& server) { return server == kA ? kB : kA; }

  // An increment of n, an append to s, or a put of `last` if it is what it was: done twice, each gives something else.
  absl::StatusOr<MutateResult> Send(const Operation& operation) {
    const Part& part = PartOf(operation.row);
    RegionServer& server = ServerOf(part);
    const std::string region = NameOf(part.region);
    switch (operation.kind) {
      case Operation::Kind::kIncrement:
        return server.Mutate(region,
                             MakeMutation(MutationType::kIncrement, operation.row, {MakeCell("f:n", LongBytes(1))}),
                             operation.nonce);
      case Operation::Kind::kAppend:
        return server.Mutate(region, MakeMutation(MutationType::kAppend, operation.row, {MakeCell("g:s", "x")}),
                             operation.nonce);
      case Operation::Kind::kCheckAndPut:
        break;
    }
    const std::string mine = std::to_string(operation.nonce.value);
    vaquita::CheckAndMutate check;
    check.row = operation.row;
    check.family = "f";
    check.qualifier = "last";
    const std::string& last = last_[operation.row];
    if (!last.empty()) {
      check.comparator = ComparatorSpec{.type = ComparatorSpec::Type::kBinary, .bytes = last};
    }
    check.mutations = {MakePut(operation.row, "f:last", mine)};
    return server.CheckAndMutate(region, check, operation.nonce);
  }

  void Operate() {
    const Operation operation{
        static_cast<Operation::Kind>(Pick(3)), kRepeatedRows[Pick(kRepeatedRows.size())], {7, next_nonce_++}};
    const auto result = Send(operation);
    ASSERT_TRUE(result.ok()) << result.status();
    if (operation.kind == Operation::Kind::kCheckAndPut) {
      ASSERT_TRUE(result->processed);
      before_[operation.nonce.value] = std::exchange(last_[operation.row], std::to_string(operation.nonce.value));
    } else {
      ++(operation.kind == Operation::Kind::kIncrement ? counts_ : lengths_)[operation.row];
    }
    done_.push_back(operation);
  }

  void Repeat() {
    if (done_.empty()) return;
    const Operation& operation = done_[done_.size() - 1 - Pick(std::min<size_t>(done_.size(), 20))];
    const bool is_check = operation.kind == Operation::Kind::kCheckAndPut;
    // It is sent as it was sent the first time.
    const std::string last = last_[operation.row];
    if (is_check) last_[operation.row] = before_.at(operation.nonce.value);
    const auto result = Send(operation);
    last_[operation.row] = last;
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_TRUE(result->processed) << "it was done";
  }

  void Move() {
    Part& part = parts_[Pick(parts_.size())];
    const std::string to = Other(part.server), name = NameOf(part.region);
    ASSERT_TRUE(ServerOf(part).CloseRegions({name}, to)[0].ok());
    ASSERT_TRUE(ServerOf(part).ReleaseRegions({part.region})[0].ok());
    part.server = to;
    OpenAndServe(ServerOf(part), part.region);
  }

  void End(RegionServer& server, const PendingTransition& begun, bool commit) {
    ASSERT_TRUE(server.EndTransition(begun.id, commit ? TransitionEnd::kCommit : TransitionEnd::kRollBack).ok());
  }

  void Split() {
    const std::string row = kRepeatedRows[Pick(kRepeatedRows.size())];
    Part& part = PartOf(row);
    if (part.region.info.start_key == row) return;
    RegionServer& server = ServerOf(part);
    ASSERT_TRUE(server.CompactRegion(NameOf(part.region), "", CompactionKind::kMajor, true).ok());
    const auto begun = server.BeginSplit(NameOf(part.region), row);
    ASSERT_TRUE(begun.ok()) << begun.status();
    const bool commit = Pick(4) != 0;
    End(server, *begun, commit);
    if (!commit) return;
    const std::string where = part.server;
    const size_t at = &part - parts_.data();
    parts_[at] = {{begun->new_regions[0], table_}, where};
    parts_.insert(parts_.begin() + at + 1, {{begun->new_regions[1], table_}, where});
  }

  void Merge() {
    if (parts_.size() < 2) return;
    const size_t at = Pick(parts_.size() - 1);
    if (parts_[at].server != parts_[at + 1].server) return;
    RegionServer& server = ServerOf(parts_[at]);
    const auto begun = server.BeginMerge({NameOf(parts_[at].region), NameOf(parts_[at + 1].region)}, false);
    ASSERT_TRUE(begun.ok()) << begun.status();
    const bool commit = Pick(4) != 0;
    End(server, *begun, commit);
    if (!commit) return;
    parts_[at].region = {begun->new_regions[0], table_};
    parts_.erase(parts_.begin() + at + 1);
  }

  std::vector<RegionOfTable> RegionsOf(const std::string& server) const {
    std::vector<RegionOfTable> regions;
    for (const Part& part : parts_) {
      if (part.server == server) regions.push_back(part.region);
    }
    return regions;
  }

  void Restart() {
    const std::string name = Pick(2) == 0 ? kA : kB;
    servers_[name].reset();
    servers_[name] = Open(name, RegionsOf(name));
    for (const RegionOfTable& region : RegionsOf(name)) {
      ASSERT_TRUE(servers_[name]->ServeRegions({NameOf(region)})[0].ok());
    }
  }

  // While its process goes on, and does not know.
  void Die() {
    const std::string name = Pick(2) == 0 ? kA : kB, other = Other(name);
    const auto recovered = servers_[other]->RecoverServer(name, RegionsOf(name));
    ASSERT_TRUE(recovered.ok()) << recovered.status();
    ASSERT_TRUE(FirstError(*recovered).ok()) << FirstError(*recovered);
    for (Part& part : parts_) {
      if (part.server != name) continue;
      part.server = other;
      OpenAndServe(*servers_[other], part.region);
    }
    servers_[name].reset();
    servers_[name] = Open(name);
  }

  void Flush() {
    Part& part = parts_[Pick(parts_.size())];
    ASSERT_TRUE(ServerOf(part).FlushRegion(NameOf(part.region)).ok());
  }

  void Disturb() {
    switch (Pick(6)) {
      case 0:
        return Move();
      case 1:
        return Split();
      case 2:
        return Merge();
      case 3:
        return Restart();
      case 4:
        return Die();
      default:
        return Flush();
    }
  }

  void Check(const std::string& row) {
    Get get;
    get.row = row;
    CellBlock cells;
    const Part& part = PartOf(row);
    const absl::Status status = ServerOf(part).Get(NameOf(part.region), get, &cells);
    ASSERT_TRUE(status.ok()) << status;
    int64_t count = 0;
    int64_t length = 0;
    std::string last;
    for (size_t i = 0; i < cells.size(); ++i) {
      const CellView cell = cells[i];
      if (cell.qualifier == "n") count = LongOf(cell.value);
      if (cell.qualifier == "s") length = static_cast<int64_t>(cell.value.size());
      if (cell.qualifier == "last") last = cell.value;
    }
    EXPECT_EQ(count, counts_[row]) << row;
    EXPECT_EQ(length, lengths_[row]) << row;
    EXPECT_EQ(last, last_[row]) << row;
  }

  std::mt19937_64 random_;
  std::map<std::string, std::unique_ptr<RegionServer>> servers_;
  std::vector<Part> parts_;  // by their rows
  uint64_t next_nonce_ = 1;
  std::vector<Operation> done_;
  // The expected values: of each row, and of each check's comparison, by its nonce.
  std::map<std::string, int64_t> counts_;
  std::map<std::string, int64_t> lengths_;
  std::map<std::string, std::string> last_;
  std::map<uint64_t, std::string> before_;
};

TEST_P(RepeatedOperationsTest, EachIsDoneOnce) {
  for (int step = 0; step < 120 && !HasFailure(); ++step) {
    clock_.Advance(1);
    Operate();
    if (Pick(3) == 0) Disturb();
    if (Pick(2) == 0) Repeat();
  }
  for (const char* row : kRepeatedRows) Check(row);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RepeatedOperationsTest, ::testing::Range(0, 8));

}  // namespace
}  // namespace vaquita
