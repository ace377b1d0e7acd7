// client/buffered_mutator.h: makes the BufferedMutator that client/table.h describes.
#pragma once

#include <memory>

#include "client/cluster.h"
#include "client/table.h"

namespace vaquita::client {

std::unique_ptr<BufferedMutator> MakeBufferedMutator(std::shared_ptr<Cluster> cluster, const TableName& table,
                                                     const BufferedMutatorOptions& options);

}  // namespace vaquita::client
