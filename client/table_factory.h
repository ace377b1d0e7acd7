// client/table_factory.h: makes the objects that client/table.h describes, for a connection.
#pragma once

#include <memory>

#include "client/cluster.h"
#include "client/table.h"
#include "model/operations.h"

namespace vaquita::client {

std::unique_ptr<Table> MakeTable(std::shared_ptr<Cluster> cluster, const TableName& name);

std::unique_ptr<BufferedMutator> MakeBufferedMutator(std::shared_ptr<Cluster> cluster, const TableName& table,
                                                     const BufferedMutatorOptions& options);

// Makes a scanner that reads one region after the other, each answer by answer (over gRPC as a stream that the server
// fills while the caller works). If reading breaks off (the region has split, merged or moved; the scanner's lease has
// expired; the server has restarted), it goes on after the last cell, in the region that has it now.
std::unique_ptr<ResultScanner> MakeResultScanner(std::shared_ptr<Cluster> cluster, const TableName& table,
                                                 const Scan& scan);

}  // namespace vaquita::client
