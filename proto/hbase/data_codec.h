// proto/hbase/data_codec.h: translates reads, mutations, conditions and results to and from the messages of HBase's
// ClientService.
//
// Cells travel in a message or beside it. If beside, the message has their number, and they are the next ones of the
// call's cell block (model/cell_block.h). A function that reads a block takes a null reader for a call without one. The
// attributes that HBase's server reads are read (_ttl, _rr_, _raw_), others are ignored. Errors: as HBase's server, in
// its words, for a message that it refuses while decoding; the region makes all other checks. Source: ProtobufUtil,
// Mutation, Scan (2.6). Threads: any.
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

// Scan::limit and caching also have fields in the ScanRequest (limit_of_rows, number_of_rows); here caching is a hint.
void EncodeScan(const Scan& scan, pb::Scan* out);
absl::StatusOr<Scan> DecodeScan(const pb::Scan& scan);

// Appends the mutation's cells to `cells`, or puts them into the message if it is null. A block cannot carry a cell's
// own time to live, but it can carry Mutation::ttl_ms.
void EncodeMutation(const Mutation& mutation, CellBlock* cells, pb::MutationProto* out);
// Moves strings out of `*message`, whose scalars alone are valid afterwards. The cells' rows are left empty: `out->row`
// counts. It reads all of the mutation's cells from the block even if it fails, so that the next mutation finds its
// own, unless the block ends early or is malformed.
absl::Status DecodeMutation(pb::MutationProto* message, CellBlockReader* cells, Mutation* out);
// Skips the cells of `message`, a mutation that is not applied.
absl::Status SkipCells(const pb::MutationProto& message, CellBlockReader* cells);

// Decodes an atomic group, the `action` of a RegionAction, as DecodeMutation does. Refuses actions other than
// mutations, and mutations of different rows.
absl::Status DecodeRowMutations(pb::RegionAction* message, CellBlockReader* cells, RowMutations* out);

// Encodes a CheckAndMutate without its mutations. As in HBase 2.6, a server compares with the comparator's bytes,
// whatever its class.
void EncodeCondition(const CheckAndMutate& check, pb::Condition* out);
absl::Status DecodeCondition(const pb::Condition& condition, CheckAndMutate* out);

// Encodes the cells [first, first + count) of `cells` inside the message.
void EncodeResult(const CellBlock& cells, ResultRange range, pb::Result* out);
// Encodes a result whose cells go into the call's cell block: append cells.Encoded(range.first, range.count) to it.
void EncodeResultByCount(ResultRange range, pb::Result* out);
// Appends the result's cells to `*out`. Returns kDeserialization if they cannot be read: the server has done its work,
// and is not to be asked again.
absl::Status DecodeResult(const pb::Result& result, CellBlockReader* cells, std::vector<Cell>* out);

}  // namespace vaquita
