// server/regionserver/put_group.h: puts of one request to a region server, or of several, that are written together.
//
// See region/write_group.h: the puts' rows are locked from Add to Commit. Threads: one at a time. The server outlives
// it.
#pragma once

#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/call_context.h"
#include "model/operations.h"

namespace vaquita {

class RegionServer;
class WriteGroup;

class PutGroup {
 public:
  explicit PutGroup(RegionServer* server);
  ~PutGroup();  // puts that are not committed are not done

  // Adds a put to a region, as RegionServer::Mutate has it. Returns false if it has to be done alone; then nothing was
  // done. An error concerns this put alone.
  absl::StatusOr<bool> Add(std::string_view region, const Mutation& put, const CallContext& context);
  // Writes the puts. The outcome is that of each. The group is empty then.
  absl::Status Commit();

 private:
  RegionServer& server_;
  const std::unique_ptr<WriteGroup> group_;
};

}  // namespace vaquita
