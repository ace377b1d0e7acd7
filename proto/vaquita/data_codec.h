// proto/vaquita/data_codec.h: translates reads, mutations and their results to and from proto/vaquita/v1/data.proto.
//
// Requests are encoded with cell blocks if a block can hold their cells. Errors of the decoders: kIllegalArgument,
// naming the field, if a value is missing, unknown or malformed. The region makes all other checks.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "model/cell_block.h"
#include "model/operations.h"
#include "vaquita/v1/data.pb.h"

namespace vaquita {

void ToProto(const TimeRange& range, v1::TimeRange* out);
TimeRange FromProto(const v1::TimeRange& range);

void ToProto(const Get& get, v1::Get* out);
absl::Status FromProto(const v1::Get& get, Get* out);

void ToProto(const Scan& scan, v1::Scan* out);
absl::Status FromProto(const v1::Scan& scan, Scan* out);

void ToProto(const Mutation& mutation, v1::Mutation* out);
absl::Status FromProto(const v1::Mutation& mutation, Mutation* out);

void ToProto(const RowMutations& mutations, v1::RowMutations* out);
absl::Status FromProto(const v1::RowMutations& mutations, RowMutations* out);

void ToProto(const CheckAndMutate& check, v1::CheckAndMutate* out);
absl::Status FromProto(const v1::CheckAndMutate& check, CheckAndMutate* out);

void ToProto(const Action& action, v1::Action* out);
absl::Status FromProto(const v1::Action& action, Action* out);

// Returns the row of `action`. The view lives as long as the action.
std::string_view RowOf(const Action& action);

// Encodes the cells [first, first + count) of `cells`, all of one row, as a block or one by one.
void ToProto(const CellBlock& cells, ResultRange range, bool as_block, v1::Result* out);
absl::Status FromProto(const v1::Result& result, std::vector<Cell>* out);

// One result of a scan, as a client gets it.
struct ScannedResult {
  std::vector<Cell> cells;
  bool partial = false;
};

// Encodes all results as one block. The batch is empty afterwards.
void ToProto(ResultBatch* batch, v1::ScanResponse* out);
// Takes results of either form.
absl::Status FromProto(const v1::ScanResponse& response, std::vector<ScannedResult>* out);

}  // namespace vaquita
