#include "sql/avatica/open_connection.h"

#include <utility>

namespace vaquita::sql {

void OpenConnection::Drop(uint32_t statement, uint64_t use) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock.owns_lock()) connection_.RemoveStatement(statement, use);
}

Turn OpenConnection::TakeTurn(const std::function<void(Turn)>& again) {
  const std::lock_guard lock(running_mutex_);
  if (taken_) {
    waiting_.push_back(again);
    return nullptr;
  }
  taken_ = true;
  return MakeTurn();
}

Turn OpenConnection::MakeTurn() {
  return {this, [self = shared_from_this()](void*) { self->EndTurn(); }};
}

void OpenConnection::EndTurn() {
  std::function<void(Turn)> next;
  {
    const std::lock_guard lock(running_mutex_);
    ended_ahead_.reset();
    taken_ = !waiting_.empty();
    if (!taken_) return;
    next = std::move(waiting_.front());
    waiting_.pop_front();
  }
  next(MakeTurn());
}

bool OpenConnection::Begin(std::optional<uint32_t> statement) {
  const std::lock_guard lock(running_mutex_);
  running_ = statement;
  limits_->cancelled = closed_ || (statement.has_value() && statement == ended_ahead_);
  return !closed_;
}

void OpenConnection::End() {
  const std::lock_guard lock(running_mutex_);
  running_.reset();
}

void OpenConnection::Cancel(uint32_t statement) {
  const std::lock_guard lock(running_mutex_);
  if (running_ == statement) limits_->cancelled = true;
  if (taken_ && !running_.has_value()) ended_ahead_ = statement;
}

void OpenConnection::Close() {
  const std::lock_guard lock(running_mutex_);
  closed_ = true;
  limits_->cancelled = true;
}

UsedConnection::UsedConnection(std::shared_ptr<OpenConnection> connection, int64_t life,
                               std::optional<uint32_t> statement)
    : connection_(std::move(connection)), lock_(connection_->mutex_), is_open_(connection_->Begin(statement)) {
  if (std::exchange(connection_->life_, life) != life) connection_->connection_.Forget();
}

UsedConnection::~UsedConnection() {
  if (connection_ == nullptr) return;
  connection_->connection_.CountUse(connection_);
  connection_->limits_->client_gone = nullptr;
  connection_->End();
}

void UsedConnection::RunFor(const ClientGone& gone, const Statement& statement) {
  if (statement.prepared != nullptr && statement.prepared->is_query()) connection_->limits_->client_gone = gone;
}

}  // namespace vaquita::sql
