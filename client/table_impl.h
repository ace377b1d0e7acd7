// client/table_impl.h: makes the Table that client/table.h describes.
#pragma once

#include <memory>

#include "client/cluster.h"
#include "client/table.h"

namespace vaquita::client {

std::unique_ptr<Table> MakeTable(std::shared_ptr<Cluster> cluster, const TableName& name);

}  // namespace vaquita::client
