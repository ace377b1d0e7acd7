// tools/cluster_orders.h: orders to a `vaquita cluster` that runs on this machine, by the folder of its data.
//
// Its first process listens at a socket that is named after the folder and ends with the process. Only processes of the
// same user, or root's, may give orders.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vaquita {

// The cluster's end. Threads: one.
class ClusterOrders {
 public:
  // Unavailable if another cluster listens for the same folder.
  static absl::StatusOr<std::unique_ptr<ClusterOrders>> Listen(const std::string& data_path);
  ~ClusterOrders();
  ClusterOrders(const ClusterOrders&) = delete;

  int descriptor() const { return socket_; }  // readable when an order has come

  // Takes an order, if one has come, and gives it to `obey` with the connection that Answer takes.
  void Take(const std::function<void(const std::string& order, int connection)>& obey);
  // Answers an order, and closes its connection.
  static void Answer(int connection, const absl::StatusOr<std::string>& answer);

 private:
  explicit ClusterOrders(int socket) : socket_(socket) {}

  const int socket_;
};

// Gives an order to the cluster of `data_path`, and returns its answer. NotFound if none runs.
absl::StatusOr<std::string> GiveClusterOrder(const std::string& data_path, const std::string& order);

}  // namespace vaquita
