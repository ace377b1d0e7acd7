#include "base/status.h"

#include <gtest/gtest.h>

namespace vaquita {
namespace {

absl::StatusOr<int> HalfOf(int number) {
  if (number % 2 != 0) return Error(ErrorKind::kIllegalArgument, "odd");
  return number / 2;
}

absl::Status QuarterOf(int number, int* quarter) {
  VAQUITA_ASSIGN_OR_RETURN(const int half, HalfOf(number));
  VAQUITA_ASSIGN_OR_RETURN(*quarter, HalfOf(half));
  return absl::OkStatus();
}

TEST(StatusTest, AnErrorCarriesItsJavaClass) {
  const absl::Status status = Error(ErrorKind::kNotServingRegion, "t,,1.abc. is not online");
  ErrorKind kind;
  ASSERT_TRUE(GetErrorKind(status, &kind));
  EXPECT_EQ(kind, ErrorKind::kNotServingRegion);
  EXPECT_TRUE(IsError(status, ErrorKind::kNotServingRegion));
  EXPECT_FALSE(IsError(status, ErrorKind::kRegionTooBusy));
  EXPECT_EQ(ExceptionClass(status), "org.apache.hadoop.hbase.NotServingRegionException");
  EXPECT_EQ(status.message(), "t,,1.abc. is not online");
}

TEST(StatusTest, EveryKindIsFoundByItsClass) {
  for (int i = 0; i <= static_cast<int>(ErrorKind::kDeserialization); ++i) {
    const auto kind = static_cast<ErrorKind>(i);
    const absl::Status status = Error(kind, "x");
    ASSERT_FALSE(status.ok());
    ErrorKind found;
    ASSERT_TRUE(KindOfExceptionClass(ExceptionClass(status), &found)) << ExceptionClass(status);
    EXPECT_EQ(found, kind);
  }
  ErrorKind none;
  EXPECT_FALSE(KindOfExceptionClass("java.lang.NullPointerException", &none));
}

TEST(StatusTest, AStatusOfAnotherLibraryIsAnIOException) {
  ErrorKind kind;
  EXPECT_FALSE(GetErrorKind(absl::InternalError("disk"), &kind));
  EXPECT_EQ(ExceptionClass(absl::InternalError("disk")), "java.io.IOException");
  EXPECT_EQ(ExceptionClass(absl::OkStatus()), "");
}

TEST(StatusTest, ASimpleNameHasNoPackage) {
  EXPECT_EQ(SimpleName("org.apache.hadoop.hbase.NotServingRegionException"), "NotServingRegionException");
  EXPECT_EQ(SimpleName("org.apache.hadoop.ipc.RPC$VersionMismatch"), "VersionMismatch");
  EXPECT_EQ(SimpleName("Error"), "Error");
}

TEST(StatusTest, HBaseSaysWhatMayBeRetried) {
  EXPECT_TRUE(IsRetryable(Error(ErrorKind::kNotServingRegion, "")));
  EXPECT_TRUE(IsRetryable(Error(ErrorKind::kRegionTooBusy, "")));
  EXPECT_TRUE(IsRetryable(Error(ErrorKind::kPleaseHold, "")));
  EXPECT_FALSE(IsRetryable(Error(ErrorKind::kDoNotRetryIO, "")));
  EXPECT_FALSE(IsRetryable(Error(ErrorKind::kNoSuchColumnFamily, "")));
  EXPECT_FALSE(IsRetryable(Error(ErrorKind::kUnknownScanner, "")));
  EXPECT_TRUE(IsRetryable(absl::UnavailableError("")));
  EXPECT_FALSE(IsRetryable(absl::DataLossError("")));
}

TEST(StatusTest, AMessageHasALimit) {
  const absl::Status status = Error(ErrorKind::kWrongRegion, std::string(1 << 20, 'x'));
  EXPECT_EQ(status.message().size(), 8u << 10);
  EXPECT_TRUE(status.message().substr(status.message().size() - 4) == "x...");
  EXPECT_TRUE(IsError(status, ErrorKind::kWrongRegion));
}

TEST(StatusTest, AnEmptyMessageIsTheExceptionsName) {
  EXPECT_EQ(Error(ErrorKind::kUnknownRegion, "").message(), "UnknownRegionException");
}

TEST(StatusTest, AnnotateKeepsKindAndCode) {
  const absl::Status status = Annotate(Error(ErrorKind::kRegionTooBusy, "over 512 MB"), "flush region 7");
  EXPECT_EQ(status.message(), "flush region 7: over 512 MB");
  EXPECT_TRUE(IsError(status, ErrorKind::kRegionTooBusy));
  EXPECT_TRUE(absl::IsResourceExhausted(status));
  EXPECT_TRUE(Annotate(absl::OkStatus(), "anything").ok());
}

TEST(StatusTest, TheMacrosPassErrorsOn) {
  int quarter = 0;
  EXPECT_TRUE(QuarterOf(12, &quarter).ok());
  EXPECT_EQ(quarter, 3);
  EXPECT_TRUE(IsError(QuarterOf(6, &quarter), ErrorKind::kIllegalArgument));
}

}  // namespace
}  // namespace vaquita
