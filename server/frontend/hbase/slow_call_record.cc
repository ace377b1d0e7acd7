#include "server/frontend/hbase/slow_call_record.h"

#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "google/protobuf/text_format.h"
#include "hbase/Client.pb.h"
#include "proto/hbase/pb.h"

namespace vaquita::hbase {
namespace {

// A description is for people, who need no more of a long request.
constexpr size_t kMostTextBytes = 4096;
// A text takes many times the bytes of its request, before it is cut to those above.
constexpr size_t kMostDescribedBytes = 64 << 10;
constexpr int64_t kMostFieldBytes = 512;

template <typename Message>
Message Parsed(const RpcRequest& request) {
  Message message;
  if (!ParseMessage(request.param, &message)) message.Clear();
  return message;
}

// Clients name a region by its name or by its encoded one.
std::string FullRegionName(const pb::RegionSpecifier& region, const RegionServer& server) {
  if (region.value().empty()) return "";
  const auto found = server.FindRegion(region.value());
  return ToShortStringBinary(found.ok() ? (*found)->info().Name() : region.value(), kMostTextBytes);
}

std::string RowText(const std::string& region, const std::string& row) {
  return absl::StrCat("region= ", region, ", row= ", ToShortStringBinary(row, kMostTextBytes));
}

void DescribeScan(const RpcRequest& request, const RegionServer& server, SlowCall* out) {
  const auto scan = Parsed<pb::ScanRequest>(request);
  out->region = FullRegionName(scan.region(), server);
  if (out->region.empty() && scan.has_scanner_id()) {
    const auto region = server.RegionOfScanner(static_cast<int64_t>(scan.scanner_id()));
    if (region != nullptr) out->region = ToStringBinary(region->info().Name());
  }
  if (request.param.size() > kMostDescribedBytes) {
    out->parameter = absl::StrCat("a scan whose request has ", request.param.size(), " bytes");
    return;
  }
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  printer.SetTruncateStringFieldLongerThan(kMostFieldBytes);
  std::string text;
  if (printer.PrintToString(scan, &text)) out->parameter = std::move(text);
}

void DescribeMulti(const RpcRequest& request, const RegionServer& server, SlowCall* out) {
  const auto multi = Parsed<pb::MultiRequest>(request);
  int actions = 0;
  for (const pb::RegionAction& region : multi.regionaction()) {
    actions += region.action_size();
    for (const pb::Action& action : region.action()) {
      if (action.has_get()) ++out->gets;
      if (action.has_mutation()) ++out->mutations;
      if (action.has_service_call()) ++out->service_calls;
    }
  }
  if (multi.regionaction_size() > 0) out->region = FullRegionName(multi.regionaction(0).region(), server);
  out->parameter = absl::StrCat("region= ", out->region, ", for ", actions, " action(s)");
}

void Describe(const RpcRequest& request, const RegionServer& server, SlowCall* out) {
  if (request.method == "Scan") return DescribeScan(request, server, out);
  if (request.method == "Multi") return DescribeMulti(request, server, out);
  if (request.method == "Get") {
    const auto get = Parsed<pb::GetRequest>(request);
    out->region = FullRegionName(get.region(), server);
    out->parameter = RowText(out->region, get.get().row());
  } else if (request.method == "Mutate") {
    const auto mutate = Parsed<pb::MutateRequest>(request);
    out->region = FullRegionName(mutate.region(), server);
    out->parameter = RowText(out->region, mutate.mutation().row());
  } else if (request.method == "ExecService") {
    const auto service = Parsed<pb::CoprocessorServiceRequest>(request);
    out->region = FullRegionName(service.region(), server);
    out->parameter =
        absl::StrCat("coprocessorService= ", service.call().service_name(), ":", service.call().method_name());
  }
}

// The Java class of a method's request.
std::string RequestClass(const RpcService& service, std::string_view method) {
  const bool client = service.name() == "ClientService";
  return absl::StrCat("org.apache.hadoop.hbase.shaded.protobuf.generated.", client ? "ClientProtos$" : "AdminProtos$",
                      method == "ExecService" ? "CoprocessorService" : AbslText(method), "Request");
}

}  // namespace

bool IsLogged(const RpcService& service) {
  return service.name() == "ClientService" || service.name() == "AdminService";
}

SlowCall DescribeSlowCall(const FinishedCall& call, const RegionServer& server) {
  const RpcRequest& request = call.request;
  SlowCall out{.start_ms = server.clock().NowMs() - call.took_ms,
               .processing_ms = call.took_ms,
               .queue_ms = call.queued_ms,
               .response_bytes = call.response_bytes,
               .client_address = std::string(request.client_address),
               .server_class = "HRegionServer",
               .method = std::string(request.method),
               .details = absl::StrCat(AbslText(request.method), "(", RequestClass(call.service, request.method), ")"),
               .parameter = "",
               .region = "",
               .user = std::string(request.user),
               .slow = call.slow,
               .large = call.large};
  if (call.service.name() == "ClientService") Describe(request, server, &out);
  if (out.parameter.empty()) out.parameter = "class " + RequestClass(call.service, request.method);
  for (std::string* text : {&out.method, &out.details, &out.parameter, &out.region, &out.user}) {
    if (text->size() <= kMostTextBytes) continue;
    text->resize(kMostTextBytes);
    text->shrink_to_fit();
  }
  return out;
}

}  // namespace vaquita::hbase
