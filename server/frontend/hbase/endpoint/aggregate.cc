// AggregateService: computes a region's part, from which AggregationClient and AsyncAggregationClient make the whole.
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/big_endian.h"
#include "base/status.h"
#include "hbase/Endpoints.pb.h"
#include "model/filter_spec.h"
#include "proto/hbase/data_codec.h"
#include "proto/hbase/pb.h"
#include "server/frontend/hbase/endpoint/column_interpreters.h"
#include "server/frontend/hbase/endpoint/endpoint.h"
#include "server/frontend/hbase/endpoint/region_rows.h"

namespace vaquita::hbase {
namespace {

std::string LongBytes(int64_t value) {
  std::string bytes;
  AppendBigEndian(static_cast<uint64_t>(value), &bytes);
  return bytes;
}

// Returns the sum of two values; a missing one does not count.
template <typename Interpreter, typename Value = typename Interpreter::Value>
std::optional<Value> Sum(const std::optional<Value>& a, const std::optional<Value>& b) {
  if (!a.has_value() || !b.has_value()) return a.has_value() ? a : b;
  return Interpreter::Sum(*a, *b);
}

// The parts of an aggregate. A row's cells may be several: those of a family, or of a value's column and its weight's.
template <typename Interpreter>
class Aggregation {
 public:
  using Value = typename Interpreter::Value;

  absl::Status Read(RegionRows* rows) {
    for (bool more = true; more;) {
      VAQUITA_ASSIGN_OR_RETURN(more, rows->Next());
      std::optional<Value> of_row;
      for (size_t i = 0; i < rows->cells().size(); ++i) {
        VAQUITA_ASSIGN_OR_RETURN(const std::optional<Value> value, Interpreter::Read(rows->cells()[i].value));
        of_row = Sum<Interpreter>(of_row, value);
        if (!value.has_value()) continue;
        if (!max_.has_value() || Interpreter::Less(*max_, *value)) max_ = value;
        if (!min_.has_value() || Interpreter::Less(*value, *min_)) min_ = value;
      }
      sum_ = Sum<Interpreter>(sum_, of_row);
      if (of_row.has_value()) squares_ = Sum<Interpreter>(squares_, {Interpreter::Product(*of_row, *of_row)});
      ++reads_;
    }
    return absl::OkStatus();
  }

  // A region without a value answers with an empty message.
  pb::AggregateResponse Answer(std::string_view method, bool weighted) const {
    pb::AggregateResponse response;
    if (method == "GetMax") {
      Add(max_, &response);
    } else if (method == "GetMin") {
      Add(min_, &response);
    } else if (sum_.has_value()) {
      Add(sum_, &response);
      if (method == "GetStd") Add(squares_, &response);
      // Sums of weights: HBase's endpoint takes every cell of a row both for a value and for a weight.
      if (method == "GetMedian") Add(weighted ? sum_ : Interpreter::Least(), &response);
      // As in HBase, a last look that finds no row counts.
      if (method == "GetAvg" || method == "GetStd") response.set_second_part(LongBytes(reads_));
    }
    return response;
  }

 private:
  static void Add(const std::optional<Value>& value, pb::AggregateResponse* response) {
    if (value.has_value()) response->add_first_part(Interpreter::Message(*value));
  }

  std::optional<Value> max_, min_, sum_, squares_;  // squares_: of rows' sums
  int64_t reads_ = 0;
};

template <typename Interpreter>
absl::StatusOr<pb::AggregateResponse> Run(std::string_view method, bool weighted, RegionRows* rows) {
  Aggregation<Interpreter> aggregation;
  VAQUITA_RETURN_IF_ERROR(aggregation.Read(rows));
  return aggregation.Answer(method, weighted);
}

absl::StatusOr<pb::AggregateResponse> CountRowsOf(RegionRows* rows) {
  int64_t count = 0;
  for (bool more = true; more;) {
    VAQUITA_ASSIGN_OR_RETURN(more, rows->Next());
    if (!rows->cells().empty()) ++count;
  }
  pb::AggregateResponse response;
  response.add_first_part(LongBytes(count));
  return response;
}

absl::StatusOr<pb::AggregateResponse> Answer(std::string_view method, const pb::AggregateRequest& request,
                                             const EndpointCall& call) {
  VAQUITA_ASSIGN_OR_RETURN(Scan scan, DecodeScan(request.scan()));
  const size_t qualifiers = scan.columns.empty() ? 0 : scan.columns.begin()->second.size();
  const bool counts = method == "GetRowNum";
  if (counts && !scan.filter.has_value() && qualifiers == 0) scan.filter = FilterSpec{FirstKeyOnlyFilterSpec{}};
  if (!counts && scan.columns.empty()) {
    return Error(ErrorKind::kDoNotRetryIO, absl::StrCat(std::string(method), " takes a scan with a family"));
  }
  VAQUITA_ASSIGN_OR_RETURN(RegionRows rows, RegionRows::Open(call.region, scan, call.context));
  if (counts) return CountRowsOf(&rows);
  const bool weighted = qualifiers > 1;
  const std::string& interpreter = request.interpreter_class_name();
  const std::string package = "org.apache.hadoop.hbase.client.coprocessor.";
  if (interpreter == package + "LongColumnInterpreter") return Run<LongInterpreter>(method, weighted, &rows);
  if (interpreter == package + "DoubleColumnInterpreter") return Run<DoubleInterpreter>(method, weighted, &rows);
  if (interpreter == package + "BigDecimalColumnInterpreter") {
    return Run<BigDecimalInterpreter>(method, weighted, &rows);
  }
  return Error(ErrorKind::kDoNotRetryIO, "java.lang.ClassNotFoundException: " + interpreter);
}

}  // namespace

absl::StatusOr<EndpointAnswer> Aggregate(std::string_view method, const EndpointCall& call) {
  pb::AggregateRequest request;
  VAQUITA_RETURN_IF_ERROR(ParseRequest(call, &request));
  VAQUITA_ASSIGN_OR_RETURN(const pb::AggregateResponse response, Answer(method, request, call));
  return EndpointAnswer{"org.apache.hadoop.hbase.protobuf.generated.AggregateProtos$AggregateResponse",
                        response.SerializeAsString()};
}

}  // namespace vaquita::hbase
