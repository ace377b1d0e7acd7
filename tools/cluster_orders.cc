#include "tools/cluster_orders.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace vaquita {
namespace {

constexpr char kDone = '+';
constexpr char kFailed = '-';
constexpr char kWrong = '?';                                    // the order names what is not there
constexpr timeval kOrderPatience{.tv_sec = 2, .tv_usec = 0};    // for an order that was begun
constexpr timeval kAnswerPatience{.tv_sec = 90, .tv_usec = 0};  // a server that starts recovers its data first

struct Address {
  sockaddr_un socket;
  socklen_t length;
};

// Returns a name that no file has. A folder's path may be longer than a socket's name, so the end of the path and a
// hash of all of it stand for it.
Address AddressOf(const std::string& data_path) {
  constexpr size_t kMostOfPath = 60;
  std::error_code ignored;  // a folder that is not there has no cluster, under any name
  const std::string path = std::filesystem::weakly_canonical(data_path, ignored).string();
  const std::string name = "vaquita-cluster-" + std::to_string(std::hash<std::string>()(path)) + "-" +
                           path.substr(path.size() - std::min(path.size(), kMostOfPath));
  Address address{};
  address.socket.sun_family = AF_UNIX;
  std::memcpy(address.socket.sun_path + 1, name.data(), std::min(name.size(), sizeof(address.socket.sun_path) - 1));
  address.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return address;
}

absl::Status SystemError(const std::string& doing) {
  return absl::UnavailableError(doing + ": " + std::strerror(errno));
}

bool IsOfSameUser(int connection) {
  ucred credentials{};
  socklen_t length = sizeof credentials;
  return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 &&
         (credentials.uid == getuid() || credentials.uid == 0);
}

std::string ReadToEnd(int connection) {
  std::string text;
  char part[4096];
  for (ssize_t got; (got = read(connection, part, sizeof part)) > 0;) text.append(part, static_cast<size_t>(got));
  return text;
}

void WriteAll(int connection, const std::string& text) {
  // One that does not wait for its answer gets none.
  if (send(connection, text.data(), text.size(), MSG_NOSIGNAL) < 0) return;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ClusterOrders>> ClusterOrders::Listen(const std::string& data_path) {
  const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return SystemError("listen for orders");
  std::unique_ptr<ClusterOrders> orders(new ClusterOrders(descriptor));
  const Address address = AddressOf(data_path);
  if (bind(descriptor, reinterpret_cast<const sockaddr*>(&address.socket), address.length) != 0) {
    if (errno == EADDRINUSE) return absl::UnavailableError("another `vaquita cluster` runs on " + data_path);
    return SystemError("listen for orders");
  }
  if (listen(descriptor, 8) != 0) return SystemError("listen for orders");
  return orders;
}

ClusterOrders::~ClusterOrders() { close(socket_); }

void ClusterOrders::Take(const std::function<void(const std::string& order, int connection)>& obey) {
  const int connection = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
  if (connection < 0) return;
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &kOrderPatience, sizeof kOrderPatience);
  if (!IsOfSameUser(connection)) {
    return Answer(connection, absl::PermissionDeniedError("the cluster belongs to another user"));
  }
  obey(ReadToEnd(connection), connection);
}

void ClusterOrders::Answer(int connection, const absl::StatusOr<std::string>& answer) {
  if (connection < 0) return;
  const char kind = answer.ok() ? kDone : absl::IsInvalidArgument(answer.status()) ? kWrong : kFailed;
  WriteAll(connection, kind + (answer.ok() ? *answer : std::string(answer.status().message())));
  close(connection);
}

absl::StatusOr<std::string> GiveClusterOrder(const std::string& data_path, const std::string& order) {
  const int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection < 0) return SystemError("ask the cluster");
  const Address address = AddressOf(data_path);
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &kAnswerPatience, sizeof kAnswerPatience);
  if (connect(connection, reinterpret_cast<const sockaddr*>(&address.socket), address.length) != 0) {
    close(connection);
    return absl::NotFoundError("no `vaquita cluster` runs on " + data_path +
                               "; start one with `vaquita cluster --data " + data_path + "`");
  }
  WriteAll(connection, order);
  shutdown(connection, SHUT_WR);
  const std::string answer = ReadToEnd(connection);
  close(connection);
  if (answer.empty())
    return absl::UnavailableError("the cluster of " + data_path + " gave no answer; it may have ended");
  if (answer[0] == kDone) return answer.substr(1);
  if (answer[0] == kWrong) return absl::InvalidArgumentError(answer.substr(1));
  return absl::FailedPreconditionError(answer.substr(1));
}

}  // namespace vaquita
