// client/result_scanner.h: makes the ResultScanner that client/table.h describes.
//
// It reads one region after the other, each answer by answer (over gRPC as a stream that the server fills while the
// caller works). When that breaks off (the region split, merged or moved; the scanner's lease expired; the server
// restarted) it goes on after the last cell that it got, in whatever region has it now.
#pragma once

#include <memory>

#include "client/cluster.h"
#include "client/table.h"
#include "model/operations.h"

namespace vaquita::client {

std::unique_ptr<ResultScanner> MakeResultScanner(std::shared_ptr<Cluster> cluster, const TableName& table,
                                                 const Scan& scan);

}  // namespace vaquita::client
