// client/admin_impl.h: makes the Admin that client/admin.h describes.
#pragma once

#include <memory>

#include "client/admin.h"
#include "client/cluster.h"

namespace vaquita::client {

std::unique_ptr<Admin> MakeAdmin(std::shared_ptr<Cluster> cluster);

}  // namespace vaquita::client
