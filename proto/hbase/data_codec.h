// proto/hbase/data_codec.h: reads, mutations, conditions and results <-> the messages of HBase's ClientService.
//
// Cells travel in a message, or beside it: then the message says how many are its own, and they are the next ones of
// the call's cell block (model/cell_block.h). Each function that reads a block takes a null reader for a call without
// one. Attributes that HBase's own server reads are read (_ttl, _rr_, _raw_); any other is left alone, as HBase does.
// Errors: HBase's for a message that its server refuses when it decodes it, in its words. What else is wrong is for the
// region to say. Source: ProtobufUtil, Mutation, Scan (2.6). Threads: any.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hbase/Client.pb.h"
#include "model/cell_block.h"
#include "model/cell_block_reader.h"
#include "model/operations.h"
#include "proto/hbase/pb.h"

namespace vaquita {

void EncodeTimeRange(const TimeRange& range, pb::TimeRange* out);
TimeRange DecodeTimeRange(const pb::TimeRange& range);

void EncodeGet(const Get& get, pb::Get* out);
absl::StatusOr<Get> DecodeGet(const pb::Get& get);

// Scan::limit and caching are also the ScanRequest's affair (limit_of_rows, number_of_rows); here caching is a hint.
void EncodeScan(const Scan& scan, pb::Scan* out);
absl::StatusOr<Scan> DecodeScan(const pb::Scan& scan);

// With `cells`, the mutation's cells are appended to it; without, they go into the message. A block cannot carry a
// cell's own time to live (Mutation::ttl_ms it can).
void EncodeMutation(const Mutation& mutation, CellBlock* cells, pb::MutationProto* out);
// Takes strings out of `*message`, which is only good for its scalars afterwards. The cells' rows are left empty:
// `out->row` counts. Reads all of its cells from the block even if it fails, so that the next mutation finds its own;
// only a block that ends early or is garbled leaves nothing to go on with.
absl::Status DecodeMutation(pb::MutationProto* message, CellBlockReader* cells, Mutation* out);
// Reads past the cells that belong to `message`: of a mutation that is not to be done.
absl::Status SkipCells(const pb::MutationProto& message, CellBlockReader* cells);

// Several mutations as one: `atomic` and `action` of a RegionAction.
void EncodeRowMutations(const RowMutations& mutations, CellBlock* cells, pb::RegionAction* out);
// As DecodeMutation. Refuses what is not a mutation, and mutations of different rows.
absl::Status DecodeRowMutations(pb::RegionAction* message, CellBlockReader* cells, RowMutations* out);

// All of a CheckAndMutate but its mutations. As HBase 2.6, a server compares with the comparator's bytes, whatever its
// class.
void EncodeCondition(const CheckAndMutate& check, pb::Condition* out);
absl::Status DecodeCondition(const pb::Condition& condition, CheckAndMutate* out);

// The cells [first, first + count) of `cells`, inside the message.
void EncodeResult(const CellBlock& cells, ResultRange range, pb::Result* out);
// The same, for cells that go into the call's cell block: append cells.Encoded(range.first, range.count) to it.
void EncodeResultByCount(ResultRange range, pb::Result* out);
// Appends the result's cells to `*out`.
absl::Status DecodeResult(const pb::Result& result, CellBlockReader* cells, std::vector<Cell>* out);

}  // namespace vaquita
