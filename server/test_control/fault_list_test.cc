#include "server/test_control/fault_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "base/named_exception.h"
#include "base/status.h"

namespace vaquita {
namespace {

using net::CallFate;
using ::testing::HasSubstr;

net::GatedCall CallOn(std::string_view method, const std::string& table, const std::vector<std::string>& rows,
                      const std::string& region = "abc") {
  net::GatedCall call{.protocol = "hbase",
                      .service = "ClientService",
                      .method = method,
                      .client = "127.0.0.1:4711",
                      .user = "ann",
                      .request_bytes = 1,
                      .targets = {}};
  for (const std::string& row : rows) call.targets.push_back({table, region, row, true});
  return call;
}

net::GatedCall Put(const std::string& table = "t", const std::string& row = "r") {
  return CallOn("Mutate", table, {row});
}

class FaultListTest : public ::testing::Test {
 protected:
  v1::Fault Exception(const std::string& java_class = "RegionTooBusyException") {
    v1::Fault fault;
    fault.mutable_exception()->set_class_(java_class);
    fault.mutable_exception()->set_message("as ordered");
    return fault;
  }
  // It applied to this one of so many equal calls.
  std::string Pattern(const net::GatedCall& call, int calls) {
    std::string pattern;
    for (int i = 0; i < calls; ++i) pattern += faults_.Decide(call).fault == 0 ? '.' : 'x';
    return pattern;
  }
  bool Applies(const v1::Fault& fault, const net::GatedCall& call) {
    FaultList faults;
    EXPECT_TRUE(faults.Add(fault).ok());
    return faults.Decide(call).fault != 0;
  }

  FaultList faults_;
};

TEST_F(FaultListTest, SkipsAndThenAppliesSoOften) {
  v1::Fault fault = Exception();
  fault.set_skip(2);
  fault.set_times(3);
  ASSERT_TRUE(faults_.Add(fault).ok());
  EXPECT_EQ(Pattern(Put(), 8), "..xxx...");
  EXPECT_EQ(faults_.List().at(0).hits(), 3);
  EXPECT_EQ(faults_.List().at(0).matched(), 8);
  EXPECT_EQ(*faults_.Clear(0), 1);
  EXPECT_TRUE(faults_.empty());
}

TEST_F(FaultListTest, ThereAreNotTooMany) {
  for (size_t i = 0; i < FaultList::kMostFaults; ++i) ASSERT_TRUE(faults_.Add(Exception()).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(faults_.Add(Exception()).status()));
  ASSERT_TRUE(faults_.Clear(1).ok());
  EXPECT_TRUE(faults_.Add(Exception()).ok());
}

TEST_F(FaultListTest, TheFirstThatIsDueDecides) {
  v1::Fault first = Exception("example.A");
  first.set_times(1);
  first.set_skip(1);
  ASSERT_TRUE(faults_.Add(first).ok());
  ASSERT_TRUE(faults_.Add(Exception("example.B")).ok());
  EXPECT_EQ(faults_.Decide(Put()).fault, 2);
  EXPECT_EQ(faults_.Decide(Put()).fault, 1);
  EXPECT_EQ(faults_.Decide(Put()).fault, 2);
}

TEST_F(FaultListTest, MatchesByWhatIsGiven) {
  v1::Fault fault = Exception();
  EXPECT_TRUE(Applies(fault, Put()));
  EXPECT_FALSE(Applies(fault, Put("hbase:meta"))) << "system tables are asked for";
  fault.mutable_match()->set_system(true);
  EXPECT_TRUE(Applies(fault, Put("hbase:meta")));
  fault = Exception();
  fault.mutable_match()->add_methods("Get");
  EXPECT_FALSE(Applies(fault, Put()));
  fault.mutable_match()->add_methods("Mutate");
  EXPECT_TRUE(Applies(fault, Put()));
  fault.mutable_match()->set_table("u");
  EXPECT_FALSE(Applies(fault, Put()));
  EXPECT_TRUE(Applies(fault, Put("u")));
  fault.mutable_match()->set_row_from("b");
  fault.mutable_match()->set_row_to("\\x64");
  EXPECT_FALSE(Applies(fault, Put("u", "a")));
  EXPECT_TRUE(Applies(fault, Put("u", "b")));
  EXPECT_FALSE(Applies(fault, Put("u", "d")));
  EXPECT_TRUE(Applies(fault, CallOn("Get", "u", {"a", "c"}))) << "one of its rows is enough";
  fault.mutable_match()->set_region("other");
  EXPECT_FALSE(Applies(fault, Put("u", "b")));
  for (const char* client : {"ann", "127.0.0.1", "127.0.0.1:4711"}) {
    v1::Fault for_client = Exception();
    for_client.mutable_match()->set_client(client);
    EXPECT_TRUE(Applies(for_client, Put())) << client;
  }
  v1::Fault for_bob = Exception();
  for_bob.mutable_match()->set_client("bob");
  EXPECT_FALSE(Applies(for_bob, Put()));
}

TEST_F(FaultListTest, AnswersAnyException) {
  const auto retried = faults_.Add(Exception());
  EXPECT_EQ(retried->exception().class_(), "org.apache.hadoop.hbase.RegionTooBusyException");
  EXPECT_FALSE(retried->exception().do_not_retry());
  EXPECT_TRUE(faults_.Add(Exception("LeaseException"))->exception().do_not_retry());
  EXPECT_EQ(faults_.Add(Exception("com.example.Mine"))->exception().class_(), "com.example.Mine");
  const CallFate fate = faults_.Decide(Put());
  EXPECT_FALSE(fate.runs);
  NamedException named;
  ASSERT_TRUE(GetNamedException(fate.refusal, &named));
  EXPECT_EQ(named.java_class, "org.apache.hadoop.hbase.RegionTooBusyException");
  EXPECT_EQ(fate.refusal.message(), "as ordered");
}

TEST_F(FaultListTest, AMultiIsRefusedInPartIfTheMatchNamesAPart) {
  v1::Fault fault = Exception();
  fault.set_times(1);
  fault.mutable_match()->set_row_from("b");
  ASSERT_TRUE(faults_.Add(fault).ok());
  const CallFate part = faults_.Decide(CallOn("Multi", "t", {"a", "b"}));
  EXPECT_TRUE(part.runs);
  ASSERT_EQ(part.refused_targets.size(), 2u);
  EXPECT_TRUE(part.refused_targets[0].ok());
  EXPECT_FALSE(part.refused_targets[1].ok());
  faults_.Clear(0).IgnoreError();
  ASSERT_TRUE(faults_.Add(Exception()).ok());
  EXPECT_FALSE(faults_.Decide(CallOn("Multi", "t", {"a", "b"})).runs);
}

TEST_F(FaultListTest, DropsAndLosesAnswers) {
  v1::Fault fault;
  fault.set_drop("before");
  fault.set_times(1);
  ASSERT_TRUE(faults_.Add(fault).ok());
  fault.set_drop("after");
  ASSERT_TRUE(faults_.Add(fault).ok());
  fault.clear_drop();
  fault.set_lose_answer(true);
  ASSERT_TRUE(faults_.Add(fault).ok());
  const CallFate before = faults_.Decide(Put());
  EXPECT_FALSE(before.runs);
  EXPECT_EQ(before.answer, CallFate::Answer::kClosed);
  const CallFate after = faults_.Decide(Put());
  EXPECT_TRUE(after.runs);
  EXPECT_EQ(after.answer, CallFate::Answer::kClosed);
  const CallFate lost = faults_.Decide(Put());
  EXPECT_TRUE(lost.runs);
  EXPECT_EQ(lost.answer, CallFate::Answer::kLost);
}

TEST_F(FaultListTest, ARegionIsInTransitionForAll) {
  v1::Fault fault;
  fault.set_in_transition("1h");
  fault.set_times(1);
  fault.mutable_match()->set_table("t");
  ASSERT_TRUE(faults_.Add(fault).ok());
  EXPECT_TRUE(IsError(faults_.Decide(Put()).refusal, ErrorKind::kNotServingRegion));
  EXPECT_TRUE(IsError(faults_.Decide(CallOn("Get", "t", {"z"})).refusal, ErrorKind::kNotServingRegion));
  EXPECT_TRUE(faults_.Decide(CallOn("Get", "t", {"z"}, "other")).refusal.ok());
  EXPECT_TRUE(faults_.Decide(CallOn("Multi", "t", {"z"})).runs);
  net::GatedCall two_regions = CallOn("BulkLoad", "t", {"a"}, "other");
  two_regions.targets.push_back({"t", "abc", "z", true});
  EXPECT_TRUE(IsError(faults_.Decide(two_regions).refusal, ErrorKind::kNotServingRegion));
  faults_.Clear(0).IgnoreError();
  EXPECT_TRUE(faults_.Decide(Put()).runs);
}

TEST_F(FaultListTest, ADeadServerTakesNoCall) {
  v1::Fault fault;
  fault.set_server_dead("1h");
  fault.set_times(1);
  ASSERT_TRUE(faults_.Add(fault).ok());
  EXPECT_EQ(faults_.Decide(Put()).answer, CallFate::Answer::kClosed);
  EXPECT_EQ(faults_.Decide(CallOn("Get", "hbase:meta", {"x"})).answer, CallFate::Answer::kClosed);
  faults_.Clear(0).IgnoreError();
  EXPECT_TRUE(faults_.Decide(Put()).runs);
}

TEST_F(FaultListTest, ADelayEndsWhenItIsCleared) {
  v1::Fault fault;
  fault.set_delay("1h");
  ASSERT_TRUE(faults_.Add(fault).ok());
  std::thread client([this] { EXPECT_TRUE(faults_.Decide(Put()).runs); });
  while (faults_.List().at(0).hits() == 0) std::this_thread::yield();
  EXPECT_EQ(*faults_.Clear(1), 1);
  client.join();
}

TEST_F(FaultListTest, RefusesWhatMakesNoSense) {
  const auto refused = [&](const v1::Fault& fault) { return std::string(faults_.Add(fault).status().message()); };
  EXPECT_THAT(refused(v1::Fault()), HasSubstr("needs an effect"));
  v1::Fault fault = Exception();
  fault.set_drop("before");
  EXPECT_THAT(refused(fault), HasSubstr("one effect"));
  fault = v1::Fault();
  fault.set_drop("during");
  EXPECT_THAT(refused(fault), HasSubstr("\"during\""));
  fault = v1::Fault();
  fault.set_delay("long");
  EXPECT_THAT(refused(fault), HasSubstr("delay: duration \"long\""));
  fault = Exception();
  fault.set_times(-1);
  EXPECT_THAT(refused(fault), HasSubstr("times: -1 must be at least 0"));
  EXPECT_THAT(refused(Exception("")), HasSubstr("class is missing"));
  EXPECT_THAT(refused(Exception("RegionToBusyException")), HasSubstr("did you mean 'RegionTooBusyException'?"));
  EXPECT_THAT(refused(Exception("Mine")), HasSubstr("HBase has no exception \"Mine\", and it has no package"));
  fault = Exception();
  fault.set_id(std::numeric_limits<int64_t>::max());
  EXPECT_THAT(refused(fault), HasSubstr("id: 9223372036854775807 must be from 1"));
  fault = v1::Fault();
  fault.set_server_dead("2562048h");
  EXPECT_THAT(refused(fault), HasSubstr("serverDead: duration \"2562048h\": must be at most 100 years"));
  const auto refused_match = [&](const auto& set) {
    fault = Exception();
    set(fault.mutable_match());
    return refused(fault);
  };
  EXPECT_THAT(refused_match([](auto* match) { match->add_methods("get"); }), HasSubstr("must begin with a capital"));
  EXPECT_THAT(refused_match([](auto* match) { match->add_methods("Put"); }), HasSubstr("are \"Mutate\""));
  EXPECT_THAT(refused_match([](auto* match) { match->set_service("Client"); }),
              HasSubstr("service: \"Client\" must be one of ClientService, "));
  EXPECT_THAT(refused_match([](auto* match) {
                match->set_row_from("b");
                match->set_row_to("\\x61");
              }),
              HasSubstr("rowTo: \"\\x61\" must be after rowFrom, \"b\""));
  EXPECT_EQ(faults_.Clear(17).status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace vaquita
