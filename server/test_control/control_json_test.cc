#include "server/test_control/control_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_value.h"
#include "vaquita/v1/test.pb.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;

TEST(ControlJsonTest, ReadsWhatItWrites) {
  const std::string text = R"({"match":{"methods":["Get","Multi"],"table":"t","rowFrom":"a\\x00"},"skip":1,"times":2,)"
                           R"("exception":{"class":"X","message":"m","doNotRetry":true}})";
  v1::Fault fault;
  ASSERT_TRUE(MessageFromJson(text, &fault).ok());
  EXPECT_EQ(fault.match().methods_size(), 2);
  EXPECT_EQ(fault.match().row_from(), "a\\x00");
  EXPECT_EQ(fault.exception().class_(), "X");
  EXPECT_TRUE(fault.exception().do_not_retry());
  v1::Fault again;
  ASSERT_TRUE(MessageFromJson(MessageToJson(fault).dump(), &again).ok());
  EXPECT_EQ(again.SerializeAsString(), fault.SerializeAsString());
}

TEST(ControlJsonTest, WritesLargeNumbersAsNumbersAndDefaultsToo) {
  v1::ClockState state;
  state.set_now_ms(1'700'000'000'000);
  EXPECT_EQ(MessageToJson(state).dump(), R"({"nowMs":1700000000000,"mode":""})");
  EXPECT_EQ(MessageToJson(v1::SetClockRequest()).dump(), "{}") << "which of them is set counts";
}

TEST(ControlJsonTest, BytesThatAreNoTextAreReplaced) {
  v1::SavedState state;
  state.set_name("a\xff");
  EXPECT_EQ(JsonText(MessageToJson(state)), R"({"name":"a�","savedMs":0,"tables":0,"tookMicros":0})");
}

TEST(ControlJsonTest, AnEmptyTextIsAnEmptyObject) {
  v1::ResetRequest request;
  EXPECT_TRUE(MessageFromJson("", &request).ok());
  EXPECT_TRUE(MessageFromJson(" \n", &request).ok());
}

TEST(ControlJsonTest, SaysWhatIsWrong) {
  const auto refusal = [](const std::string& text) {
    v1::Fault fault;
    const absl::Status status = MessageFromJson(text, &fault);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    return std::string(status.message());
  };
  EXPECT_THAT(refusal(R"({"match": {"tabel": "t"}})"), HasSubstr("match.tabel: must be one of the fields: methods"));
  EXPECT_THAT(refusal(R"({"times": "2"})"), HasSubstr("times: must be a whole number"));
  EXPECT_THAT(refusal(R"({"times": 3000000000})"), HasSubstr("times: must be a whole number"));
  EXPECT_THAT(refusal(R"({"match": {"methods": "Get"}})"), HasSubstr("match.methods: must be a list"));
  EXPECT_THAT(refusal(R"({"loseAnswer": 1})"), HasSubstr("loseAnswer: must be true or false"));
  EXPECT_THAT(refusal("[]"), HasSubstr("must be a JSON object"));
  EXPECT_THAT(refusal("{"), HasSubstr("not JSON"));
}

TEST(ControlJsonTest, ReadsAndWritesNumbersWithFractions) {
  v1::DiskFaults faults;
  ASSERT_TRUE(MessageFromJson(R"({"fail": 0.25, "lie": 1})", &faults).ok());
  EXPECT_EQ(MessageToJson(faults).at("fail"), 0.25);
  EXPECT_EQ(MessageToJson(faults).at("lie"), 1);
  EXPECT_THAT(std::string(MessageFromJson(R"({"fail": "1"})", &faults).message()), HasSubstr("must be a number"));
}

TEST(ControlJsonTest, OneOfTheAlternativesIsTaken) {
  v1::SetClockRequest request;
  EXPECT_TRUE(MessageFromJson(R"({"advance": "10s"})", &request).ok());
  const absl::Status both = MessageFromJson(R"({"advance": "10s", "freeze": true})", &request);
  EXPECT_EQ(both.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(both.message(), ::testing::AllOf(HasSubstr("must be alone"), HasSubstr("advance"), HasSubstr("freeze")));
  v1::Fault fault;  // doNotRetry may be absent, and has no alternative
  EXPECT_TRUE(MessageFromJson(R"({"exception": {"class": "X", "doNotRetry": true, "message": "m"}})", &fault).ok());
}

}  // namespace
}  // namespace vaquita
