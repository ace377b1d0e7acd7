#include "server/regionserver/put_group.h"

#include "region/write_group.h"
#include "server/regionserver/region_server.h"

namespace vaquita {

PutGroup::PutGroup(RegionServer* server) : server_(*server), group_(std::make_unique<WriteGroup>()) {}
PutGroup::~PutGroup() = default;

absl::StatusOr<bool> PutGroup::Add(std::string_view region, const Mutation& put, const CallContext& context) {
  return server_.AddToGroup(region, put, context, group_.get());
}

absl::Status PutGroup::Commit() { return server_.CommitGroup(group_.get()); }

}  // namespace vaquita
