// client/hbase/multi_call.h: a call of ClientService.Multi, which carries the actions for one server's regions in one
// request.
//
// Simple actions share a RegionAction; one with several mutations or a condition has its own, because the server
// applies a RegionAction of this kind atomically. The order of a region's actions is kept. Cells go beside the message.
// Threads: one at a time. Source: RequestConverter.buildNoDataRegionActions, ResponseConverter.getResults (hbase-client
// 2.6).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "client/server_link.h"
#include "hbase/Client.pb.h"
#include "model/cell_block.h"
#include "model/cell_block_reader.h"
#include "proto/hbase/pb.h"

namespace vaquita::client {

// Works as EncodeMutation, with cells inside the message if a cell block cannot hold them. An Increment or Append gets
// the nonce.
void EncodeNumbered(const Mutation& mutation, uint64_t nonce, CellBlock* cells, pb::MutationProto* out);

// Returns the error for an action with a condition that was answered without a word about it.
absl::Status ConditionIgnored();

class MultiCall {
 public:
  explicit MultiCall(uint64_t nonce_group) { request_.set_noncegroup(nonce_group); }

  void Add(RegionBatch* batch);  // `batch` outlives this

  const pb::MultiRequest& request() const { return request_; }
  size_t bytes() const { return cells_.bytes().size(); }  // size of the cells so far
  std::string TakeCells() { return cells_.TakeBytes(); }

  // Sets the outcome of every batch.
  void Fail(const CallOutcome& outcome);
  void Decode(const pb::MultiResponse& response, std::string_view cells);

 private:
  // The part of a batch in one RegionAction: `count` actions from `first`.
  struct Part {
    RegionBatch* batch;
    size_t first;
    size_t count;
    bool as_one;
  };
  pb::RegionAction* AddPart(RegionBatch* batch, size_t index, bool as_one);
  void AddSingle(const NumberedAction& action, uint32_t index, pb::RegionAction* out);
  void AddAsOne(const std::vector<Mutation>& mutations, uint64_t nonce, pb::RegionAction* out);
  void DecodeSingles(const Part& part, const pb::RegionActionResult& answer, CellBlockReader* cells);
  void DecodeAsOne(const Part& part, const pb::RegionActionResult& answer, CellBlockReader* cells);

  pb::MultiRequest request_;
  CellBlock cells_;
  std::vector<Part> parts_;
  std::vector<RegionBatch*> batches_;
};

}  // namespace vaquita::client
