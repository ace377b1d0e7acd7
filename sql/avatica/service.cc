#include "sql/avatica/service.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "avatica/avatica.pb.h"
#include "base/status.h"
#include "google/protobuf/arena.h"
#include "proto/wire/message_parts.h"
#include "sql/avatica/avatica_connection.h"
#include "sql/avatica/error_response.h"
#include "sql/avatica/metadata.h"
#include "sql/avatica/open_connection.h"
#include "sql/avatica/signature.h"
#include "sql/avatica/values.h"
#include "sql/catalog/catalog.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/engine/session.h"

namespace vaquita::sql {
namespace {

using Statement = AvaticaConnection::Statement;

constexpr std::string_view kRequests = "org.apache.calcite.avatica.proto.Requests$";
constexpr std::string_view kResponses = "org.apache.calcite.avatica.proto.Responses$";
constexpr int64_t kSweepMs = 1000;          // between two looks for connections whose lease is over
constexpr uint32_t kMostFirstId = 1 << 30;  // a statement has
constexpr int32_t kAllRows = -2;            // as a frame's size

// Returns the number of rows in the first frame. The driver asks for `wanted`; 0 is a field that it did not send.
int64_t FirstFrameRows(int32_t wanted) {
  if (wanted == kAllRows) return -1;
  return wanted <= 0 ? ResultRows::kFrameRows : std::min<int64_t>(wanted, ResultRows::kFrameRows);
}

Pattern PatternOf(bool has, const std::string& text) { return has || !text.empty() ? Pattern(text) : std::nullopt; }

std::string TextArgument(const avatica::QueryState& state, int index) {
  return index < state.args_size() ? state.args(index).string_value() : "";
}

std::vector<std::string> TextsArgument(const avatica::QueryState& state, int index) {
  if (index >= state.args_size()) return {};
  const auto& texts = state.args(index).string_array_values();
  return {texts.begin(), texts.end()};
}

class ServiceImpl : public Service {
 public:
  explicit ServiceImpl(ServiceOptions options)
      : options_(std::move(options)), next_statement_(static_cast<uint32_t>(options_.clock->NowMs()) % kMostFirstId) {}

  ServiceAnswer Handle(std::string_view body, const ClientGone& gone, const std::function<void(Turn)>& again,
                       Turn turn) override;
  void Interrupt() override {
    const std::lock_guard lock(mutex_);
    interrupted_ = true;
    for (const auto& [id, entry] : connections_) entry->Interrupt();
  }
  void Forget() override {
    ++life_;
    const std::lock_guard lock(cluster_mutex_);
    if (sequences_ != nullptr) sequences_->Forget();
  }
  void DropIdle() override {
    std::vector<EntryPtr> idle;
    const std::lock_guard lock(mutex_);
    idle = RemoveIdle(options_.clock->NowMs());
  }
  size_t connections() const override {
    const std::lock_guard lock(mutex_);
    return connections_.size();
  }

 private:
  using EntryPtr = std::shared_ptr<OpenConnection>;

  // A request, but for its bytes.
  struct Call {
    const ClientGone& gone;
    const std::function<void(Turn)>& again;
    Turn turn;
    bool waits = false;  // for its turn
  };

  using Handler = absl::StatusOr<std::string> (ServiceImpl::*)(std::string_view, Call*);
  static const std::map<std::string_view, Handler>& Handlers();
  // `answer` takes a request and a response, and `gone` if it may run a query.
  template <typename Request, typename Response, auto answer>
  absl::StatusOr<std::string> Answer(std::string_view bytes, Call* call);
  absl::Status TakeParts(std::string_view bytes, const google::protobuf::Descriptor& type,
                         PartsBudget::Share* parts) const;
  // Takes the request's turn, or notes that it waits for it.
  template <typename Request>
  void TakeTurn(const Request& request, Call* call);

  absl::StatusOr<std::string> HandleGuarded(std::string_view body, Call* call);
  absl::StatusOr<std::string> HandleMessage(std::string_view body, Call* call);
  absl::StatusOr<std::shared_ptr<client::Connection>> Cluster();
  EntryPtr Look(const std::string& id);  // null if it does not exist
  absl::StatusOr<UsedConnection> Find(const std::string& id, std::optional<uint32_t> statement = std::nullopt);
  std::vector<EntryPtr> RemoveIdle(int64_t now_ms);
  absl::StatusOr<std::vector<TablePtr>> Tables(const std::string& connection_id);
  absl::StatusOr<std::vector<TableIdent>> SequenceNames();
  // `types` are those that are asked for; empty: all but sequences.
  absl::StatusOr<RowList> TableRows(const std::vector<TablePtr>& tables, const Pattern& schema, const Pattern& name,
                                    std::vector<std::string> types);
  absl::StatusOr<RowList> StateRows(const std::string& connection_id, const avatica::QueryState& state);
  absl::Status AnswerRows(const std::string& connection_id, absl::StatusOr<RowList> rows,
                          avatica::ResultSetResponse* response);
  absl::Status AnswerResult(const std::string& connection_id, uint32_t id, int64_t changed, int64_t frame_rows,
                            const avatica::Signature& signature, Statement* statement,
                            avatica::ResultSetResponse* response);

  absl::Status Open(const avatica::OpenConnectionRequest& request, avatica::OpenConnectionResponse* response);
  absl::Status Close(const avatica::CloseConnectionRequest& request, avatica::CloseConnectionResponse* response);
  absl::Status Sync(const avatica::ConnectionSyncRequest& request, avatica::ConnectionSyncResponse* response);
  absl::Status Commit(const avatica::CommitRequest& request, avatica::CommitResponse* response);
  absl::Status Rollback(const avatica::RollbackRequest& request, avatica::RollbackResponse* response);
  absl::Status Properties(const avatica::DatabasePropertyRequest& request, avatica::DatabasePropertyResponse* response);
  absl::Status CreateStatement(const avatica::CreateStatementRequest& request,
                               avatica::CreateStatementResponse* response);
  absl::Status CloseStatement(const avatica::CloseStatementRequest& request, avatica::CloseStatementResponse* response);
  absl::Status Prepare(const avatica::PrepareRequest& request, avatica::PrepareResponse* response);
  absl::Status PrepareAndExecute(const avatica::PrepareAndExecuteRequest& request, avatica::ExecuteResponse* response,
                                 const ClientGone& gone);
  absl::Status Execute(const avatica::ExecuteRequest& request, avatica::ExecuteResponse* response,
                       const ClientGone& gone);
  absl::Status Fetch(const avatica::FetchRequest& request, avatica::FetchResponse* response, const ClientGone& gone);
  absl::Status SyncResults(const avatica::SyncResultsRequest& request, avatica::SyncResultsResponse* response);
  absl::Status Batch(const avatica::ExecuteBatchRequest& request, avatica::ExecuteBatchResponse* response);
  absl::Status TextBatch(const avatica::PrepareAndExecuteBatchRequest& request,
                         avatica::ExecuteBatchResponse* response);
  absl::Status Catalogs(const avatica::CatalogsRequest& request, avatica::ResultSetResponse* response);
  absl::Status Schemas(const avatica::SchemasRequest& request, avatica::ResultSetResponse* response);
  absl::Status TablesOf(const avatica::TablesRequest& request, avatica::ResultSetResponse* response);
  absl::Status TableTypes(const avatica::TableTypesRequest& request, avatica::ResultSetResponse* response);
  absl::Status TypeInfo(const avatica::TypeInfoRequest& request, avatica::ResultSetResponse* response);
  absl::Status ColumnsOf(const avatica::ColumnsRequest& request, avatica::ResultSetResponse* response);

  const ServiceOptions options_;
  const QueryThreads threads_ = QueryThreads::OfMachine();
  std::atomic<uint32_t> next_statement_;  // drivers may still have the numbers of an earlier life
  std::atomic<int64_t> life_ = 0;         // counts Forget's calls
  std::mutex cluster_mutex_;
  std::shared_ptr<client::Connection> cluster_;  // null: not open
  std::shared_ptr<Sequences> sequences_;         // all connections share them
  mutable std::mutex mutex_;
  std::map<std::string, EntryPtr> connections_;
  bool interrupted_ = false;
  int64_t swept_ms_ = 0;
};

// --- Messages

template <typename Message>
std::string Wrap(std::string_view name, const Message& message) {
  avatica::WireMessage wire;
  wire.set_name(Concat(kResponses, name));
  message.SerializeToString(wire.mutable_wrapped_message());
  return wire.SerializeAsString();
}

// Returns a message's name without its package: "FetchResponse".
template <typename Message>
std::string NameOf(const Message& message) {
  const std::string name = message.GetTypeName();
  return name.substr(name.rfind('.') + 1);
}

absl::Status BadRequest(std::string_view what) {
  return SqlError(ErrorCode::kIllegalData, Concat("the request ", what));
}

// A connection keeps its id, and the names that its driver sets.
absl::Status CheckName(std::string_view what, const std::string& name) {
  constexpr size_t kMostBytes = 1024;
  if (name.size() <= kMostBytes) return absl::OkStatus();
  return BadRequest(Concat("has ", what, " of ", name.size(), " bytes; at most ", kMostBytes, " are possible"));
}

ServiceAnswer ServiceImpl::Handle(std::string_view body, const ClientGone& gone, const std::function<void(Turn)>& again,
                                  Turn turn) {
  Call call{.gone = gone, .again = again, .turn = std::move(turn)};
  absl::StatusOr<std::string> answer = HandleGuarded(body, &call);
  if (call.waits) return {.waits = true};
  if (answer.ok()) return {.ok = true, .body = *std::move(answer)};
  avatica::ErrorResponse error = MakeErrorResponse(answer.status());
  error.mutable_metadata()->set_server_address(options_.server_address);
  return {.ok = false, .body = Wrap("ErrorResponse", error)};
}

// No code throws on purpose. An exception is this request's error, and not the end of the server, whose thread it is.
absl::StatusOr<std::string> ServiceImpl::HandleGuarded(std::string_view body, Call* call) {
  try {
    return HandleMessage(body, call);
  } catch (const std::exception& exception) {
    return absl::InternalError(Concat("the request failed: ", exception.what()));
  }
}

absl::StatusOr<std::string> ServiceImpl::HandleMessage(std::string_view body, Call* call) {
  if (body.starts_with('{')) {
    return BadRequest(
        "is JSON, but this server speaks Avatica's protobuf: add ;serialization=PROTOBUF to the JDBC URL");
  }
  PartsBudget::Share parts;
  VAQUITA_RETURN_IF_ERROR(TakeParts(body, *avatica::WireMessage::descriptor(), &parts));
  avatica::WireMessage wire;
  if (!wire.ParseFromArray(body.data(), static_cast<int>(body.size()))) return BadRequest("is not a WireMessage");
  const std::string_view name = wire.name();
  const auto handler = name.starts_with(kRequests) ? Handlers().find(name.substr(kRequests.size())) : Handlers().end();
  if (handler == Handlers().end()) return BadRequest(Concat("has the unknown name \"", name, "\""));
  auto answer = (this->*handler->second)(wire.wrapped_message(), call);
  options_.statements->DropOldest();
  return answer;
}

// Counts the parts of a message before it is made of them.
absl::Status ServiceImpl::TakeParts(std::string_view bytes, const google::protobuf::Descriptor& type,
                                    PartsBudget::Share* parts) const {
  if (bytes.size() < kUncountedBytes) return absl::OkStatus();
  const int64_t most = options_.parts->most_bytes() / 2;
  const int64_t cost = CostOfParts(bytes, type, most);
  if (cost > most) {
    return BadRequest(
        Concat("has so many parts that they take more than ", most, " bytes of memory; send fewer rows at a time"));
  }
  if (options_.parts->Take(cost, parts)) return absl::OkStatus();
  return BadRequest("has no room, because the requests that run take the memory that there is for them; send it again");
}

template <typename Request>
const std::string& ConnectionOf(const Request& request) {
  if constexpr (requires { request.statement_handle(); }) {
    return request.statement_handle().connection_id();
  } else {
    return request.connection_id();
  }
}

// Requests of one connection run one after the other. One that waited in its thread would leave fewer to all others.
template <typename Request>
void ServiceImpl::TakeTurn(const Request& request, Call* call) {
  if constexpr (std::is_same_v<Request, avatica::OpenConnectionRequest> ||
                std::is_same_v<Request, avatica::CloseConnectionRequest>) {
    return;  // they do not wait
  }
  if (call->turn != nullptr || call->again == nullptr) return;
  const EntryPtr entry = Look(ConnectionOf(request));
  if (entry == nullptr) return;
  // It may wait for the statement that it closes.
  if constexpr (std::is_same_v<Request, avatica::CloseStatementRequest>) entry->Cancel(request.statement_id());
  call->turn = entry->TakeTurn(call->again);
  call->waits = call->turn == nullptr;
}

template <typename Request, typename Response, auto answer>
absl::StatusOr<std::string> ServiceImpl::Answer(std::string_view bytes, Call* call) {
  PartsBudget::Share parts;
  VAQUITA_RETURN_IF_ERROR(TakeParts(bytes, *Request::descriptor(), &parts));
  google::protobuf::Arena arena;  // a batch has thousands of values
  Request& request = *google::protobuf::Arena::CreateMessage<Request>(&arena);
  if (!request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return BadRequest(Concat("is not of type ", NameOf(request)));
  }
  TakeTurn(request, call);
  if (call->waits) return "";
  Response response;
  if constexpr (std::is_invocable_v<decltype(answer), ServiceImpl*, const Request&, Response*, const ClientGone&>) {
    VAQUITA_RETURN_IF_ERROR((this->*answer)(request, &response, call->gone));
  } else {
    VAQUITA_RETURN_IF_ERROR((this->*answer)(request, &response));
  }
  if constexpr (requires { response.mutable_metadata(); }) {
    response.mutable_metadata()->set_server_address(options_.server_address);
  }
  return Wrap(NameOf(response), response);
}

const std::map<std::string_view, ServiceImpl::Handler>& ServiceImpl::Handlers() {
  using S = ServiceImpl;
  using namespace avatica;  // NOLINT(google-build-using-namespace)
  static const auto* handlers = new std::map<std::string_view, Handler>{
      {"OpenConnectionRequest", &S::Answer<OpenConnectionRequest, OpenConnectionResponse, &S::Open>},
      {"CloseConnectionRequest", &S::Answer<CloseConnectionRequest, CloseConnectionResponse, &S::Close>},
      {"ConnectionSyncRequest", &S::Answer<ConnectionSyncRequest, ConnectionSyncResponse, &S::Sync>},
      {"CommitRequest", &S::Answer<CommitRequest, CommitResponse, &S::Commit>},
      {"RollbackRequest", &S::Answer<RollbackRequest, RollbackResponse, &S::Rollback>},
      {"DatabasePropertyRequest", &S::Answer<DatabasePropertyRequest, DatabasePropertyResponse, &S::Properties>},
      {"CreateStatementRequest", &S::Answer<CreateStatementRequest, CreateStatementResponse, &S::CreateStatement>},
      {"CloseStatementRequest", &S::Answer<CloseStatementRequest, CloseStatementResponse, &S::CloseStatement>},
      {"PrepareRequest", &S::Answer<PrepareRequest, PrepareResponse, &S::Prepare>},
      {"PrepareAndExecuteRequest", &S::Answer<PrepareAndExecuteRequest, ExecuteResponse, &S::PrepareAndExecute>},
      {"ExecuteRequest", &S::Answer<ExecuteRequest, ExecuteResponse, &S::Execute>},
      {"FetchRequest", &S::Answer<FetchRequest, FetchResponse, &S::Fetch>},
      {"SyncResultsRequest", &S::Answer<SyncResultsRequest, SyncResultsResponse, &S::SyncResults>},
      {"ExecuteBatchRequest", &S::Answer<ExecuteBatchRequest, ExecuteBatchResponse, &S::Batch>},
      {"PrepareAndExecuteBatchRequest", &S::Answer<PrepareAndExecuteBatchRequest, ExecuteBatchResponse, &S::TextBatch>},
      {"CatalogsRequest", &S::Answer<CatalogsRequest, ResultSetResponse, &S::Catalogs>},
      {"SchemasRequest", &S::Answer<SchemasRequest, ResultSetResponse, &S::Schemas>},
      {"TablesRequest", &S::Answer<TablesRequest, ResultSetResponse, &S::TablesOf>},
      {"TableTypesRequest", &S::Answer<TableTypesRequest, ResultSetResponse, &S::TableTypes>},
      {"TypeInfoRequest", &S::Answer<TypeInfoRequest, ResultSetResponse, &S::TypeInfo>},
      {"ColumnsRequest", &S::Answer<ColumnsRequest, ResultSetResponse, &S::ColumnsOf>},
  };
  return *handlers;
}

// --- Connections

absl::StatusOr<std::shared_ptr<client::Connection>> ServiceImpl::Cluster() {
  const std::lock_guard lock(cluster_mutex_);
  if (cluster_ == nullptr) {
    VAQUITA_ASSIGN_OR_RETURN(cluster_, options_.connect());
    sequences_ = std::make_shared<Sequences>(cluster_);
  }
  return cluster_;
}

// Returns the connections whose lease is over, which the caller ends without the lock.
std::vector<ServiceImpl::EntryPtr> ServiceImpl::RemoveIdle(int64_t now_ms) {
  std::vector<EntryPtr> removed;
  if (now_ms >= swept_ms_ && now_ms - swept_ms_ < kSweepMs) return removed;
  swept_ms_ = now_ms;
  for (auto at = connections_.begin(); at != connections_.end();) {
    at->second->used_ms = std::min(at->second->used_ms, now_ms);  // the clock may have been set back
    const bool idle = at->second.use_count() == 1 && now_ms - at->second->used_ms >= options_.lease_ms;
    if (idle) removed.push_back(std::move(at->second));
    at = idle ? connections_.erase(at) : std::next(at);
  }
  return removed;
}

ServiceImpl::EntryPtr ServiceImpl::Look(const std::string& id) {
  std::vector<EntryPtr> idle;
  const std::lock_guard lock(mutex_);
  const int64_t now_ms = options_.clock->NowMs();
  idle = RemoveIdle(now_ms);
  const auto found = connections_.find(id);
  if (found == connections_.end()) return nullptr;
  found->second->used_ms = now_ms;
  return found->second;
}

// Waits until no other request uses the connection. `statement` is the one that runs meanwhile.
absl::StatusOr<UsedConnection> ServiceImpl::Find(const std::string& id, std::optional<uint32_t> statement) {
  EntryPtr entry = Look(id);
  if (entry == nullptr) return SqlError(ErrorCode::kNoSuchConnection);
  UsedConnection use(std::move(entry), life_, statement);
  if (!use.is_open()) return SqlError(ErrorCode::kNoSuchConnection);
  return use;
}

absl::Status ServiceImpl::Open(const avatica::OpenConnectionRequest& request, avatica::OpenConnectionResponse*) {
  for (const std::string property : {"TenantId", "CurrentSCN"}) {
    if (request.info().contains(property)) return NotSupported(Concat("The connection's property ", property));
  }
  VAQUITA_RETURN_IF_ERROR(CheckName("a connection's id", request.connection_id()));
  VAQUITA_ASSIGN_OR_RETURN(auto cluster, Cluster());
  std::vector<EntryPtr> removed;
  const std::lock_guard lock(mutex_);
  const int64_t now_ms = options_.clock->NowMs();
  removed = RemoveIdle(now_ms);
  if (connections_.contains(request.connection_id())) {
    return absl::AlreadyExistsError(Concat("Connection already exists: ", request.connection_id()));
  }
  if (connections_.size() >= options_.most_connections) {
    const auto oldest =
        std::ranges::min_element(connections_, {}, [](const auto& each) { return each.second->used_ms; });
    oldest->second->Close();
    removed.push_back(std::move(oldest->second));
    connections_.erase(oldest);
  }
  EntryPtr& entry = connections_[request.connection_id()];
  auto limits = std::make_shared<QueryLimits>();
  limits->most_ms = options_.query_ms;
  limits->interrupted = interrupted_;
  limits->waiting = options_.waiting;
  entry = std::make_shared<OpenConnection>(std::move(cluster), std::move(limits), sequences_, threads_,
                                           options_.statements);
  entry->used_ms = now_ms;
  const auto commits = request.info().find("AutoCommit");
  avatica::ConnectionProperties properties;
  properties.set_has_auto_commit(commits != request.info().end());
  properties.set_auto_commit(properties.has_auto_commit() && SameIgnoringCase(commits->second, "true"));
  UsedConnection(entry, life_, std::nullopt)->Sync(properties);
  return absl::OkStatus();
}

absl::Status ServiceImpl::Close(const avatica::CloseConnectionRequest& request, avatica::CloseConnectionResponse*) {
  EntryPtr entry;
  const std::lock_guard lock(mutex_);
  const auto found = connections_.find(request.connection_id());
  if (found == connections_.end()) return absl::OkStatus();
  entry = std::move(found->second);
  entry->Close();
  connections_.erase(found);
  return absl::OkStatus();
}

absl::Status ServiceImpl::Sync(const avatica::ConnectionSyncRequest& request,
                               avatica::ConnectionSyncResponse* response) {
  VAQUITA_RETURN_IF_ERROR(CheckName("a catalog", request.conn_props().catalog()));
  VAQUITA_RETURN_IF_ERROR(CheckName("a schema", request.conn_props().schema()));
  VAQUITA_ASSIGN_OR_RETURN(const UsedConnection connection, Find(request.connection_id()));
  *response->mutable_conn_props() = connection->Sync(request.conn_props());
  return absl::OkStatus();
}

absl::Status ServiceImpl::Commit(const avatica::CommitRequest& request, avatica::CommitResponse*) {
  VAQUITA_ASSIGN_OR_RETURN(const UsedConnection connection, Find(request.connection_id()));
  return connection->Commit();
}

absl::Status ServiceImpl::Rollback(const avatica::RollbackRequest& request, avatica::RollbackResponse*) {
  VAQUITA_ASSIGN_OR_RETURN(const UsedConnection connection, Find(request.connection_id()));
  connection->Rollback();
  return absl::OkStatus();
}

absl::Status ServiceImpl::Properties(const avatica::DatabasePropertyRequest& request,
                                     avatica::DatabasePropertyResponse* response) {
  VAQUITA_RETURN_IF_ERROR(Find(request.connection_id()).status());
  for (const auto& [name, value] : DatabaseProperties()) {
    avatica::DatabasePropertyElement* property = response->add_props();
    property->mutable_key()->set_name(name);
    const bool number = std::holds_alternative<int64_t>(value);
    avatica::ColumnValue typed;
    SetColumnValue(number ? TypeId::kInteger : TypeId::kVarchar, value, &typed);
    *property->mutable_value() = typed.scalar_value();
  }
  return absl::OkStatus();
}

// --- Statements

absl::Status ServiceImpl::CreateStatement(const avatica::CreateStatementRequest& request,
                                          avatica::CreateStatementResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const UsedConnection connection, Find(request.connection_id()));
  response->set_connection_id(request.connection_id());
  response->set_statement_id(next_statement_++);
  connection->AddStatement(response->statement_id());
  return absl::OkStatus();
}

absl::Status ServiceImpl::CloseStatement(const avatica::CloseStatementRequest& request,
                                         avatica::CloseStatementResponse*) {
  if (const EntryPtr entry = Look(request.connection_id()); entry != nullptr) entry->Cancel(request.statement_id());
  const absl::StatusOr<UsedConnection> connection = Find(request.connection_id());
  if (connection.ok()) (*connection)->RemoveStatement(request.statement_id());
  return absl::OkStatus();
}

absl::Status ServiceImpl::Prepare(const avatica::PrepareRequest& request, avatica::PrepareResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const UsedConnection connection, Find(request.connection_id()));
  Statement prepared;
  VAQUITA_RETURN_IF_ERROR(connection->Prepare(request.sql(), &prepared));
  prepared.most_rows = request.max_rows_total() > 0 ? request.max_rows_total() : -1;
  avatica::StatementHandle* handle = response->mutable_statement();
  handle->set_connection_id(request.connection_id());
  handle->set_id(next_statement_++);
  *handle->mutable_signature() =
      MakeSignature(request.sql(), prepared.prepared->columns(), prepared.prepared->parameters());
  connection->AddStatement(handle->id(), std::move(prepared));
  return absl::OkStatus();
}

absl::Status ServiceImpl::AnswerResult(const std::string& connection_id, uint32_t id, int64_t changed,
                                       int64_t frame_rows, const avatica::Signature& signature, Statement* statement,
                                       avatica::ResultSetResponse* response) {
  response->set_connection_id(connection_id);
  response->set_statement_id(id);
  response->mutable_metadata()->set_server_address(options_.server_address);
  response->set_update_count(static_cast<uint64_t>(changed));
  if (!statement->result.has_value()) return absl::OkStatus();
  response->set_own_statement(true);
  response->set_update_count(static_cast<uint64_t>(-1));
  *response->mutable_signature() = signature;
  return statement->result->Fill(frame_rows, response->mutable_first_frame());
}

absl::Status ServiceImpl::PrepareAndExecute(const avatica::PrepareAndExecuteRequest& request,
                                            avatica::ExecuteResponse* response, const ClientGone& gone) {
  VAQUITA_ASSIGN_OR_RETURN(UsedConnection connection, Find(request.connection_id(), request.statement_id()));
  Statement* statement = connection->FindStatement(request.statement_id());
  response->set_missing_statement(statement == nullptr);
  if (statement == nullptr) return absl::OkStatus();
  VAQUITA_RETURN_IF_ERROR(connection->Prepare(request.sql(), statement));
  connection.RunFor(gone, *statement);
  statement->most_rows = request.max_rows_total() > 0 ? request.max_rows_total() : -1;
  VAQUITA_ASSIGN_OR_RETURN(const int64_t changed, connection->Execute({}, statement));
  return AnswerResult(request.connection_id(), request.statement_id(), changed,
                      FirstFrameRows(request.first_frame_max_size()),
                      MakeSignature("", statement->prepared->columns(), {}), statement, response->add_results());
}

absl::Status ServiceImpl::Execute(const avatica::ExecuteRequest& request, avatica::ExecuteResponse* response,
                                  const ClientGone& gone) {
  const avatica::StatementHandle& handle = request.statement_handle();
  VAQUITA_ASSIGN_OR_RETURN(UsedConnection connection, Find(handle.connection_id(), handle.id()));
  Statement* statement = connection->FindStatement(handle.id());
  if (statement == nullptr || statement->prepared == nullptr) {
    response->set_missing_statement(true);
    return absl::OkStatus();
  }
  connection.RunFor(gone, *statement);
  VAQUITA_ASSIGN_OR_RETURN(const auto values,
                           ParameterValues(request.parameter_values(), statement->prepared->parameters()));
  VAQUITA_ASSIGN_OR_RETURN(const int64_t changed, connection->Execute(values, statement));
  const int32_t wanted = request.first_frame_max_size() != 0
                             ? request.first_frame_max_size()
                             : static_cast<int32_t>(request.deprecated_first_frame_max_size());
  return AnswerResult(handle.connection_id(), handle.id(), changed, FirstFrameRows(wanted),
                      MakeSignature(statement->text, statement->prepared->columns(), statement->prepared->parameters()),
                      statement, response->add_results());
}

absl::Status ServiceImpl::Fetch(const avatica::FetchRequest& request, avatica::FetchResponse* response,
                                const ClientGone& gone) {
  VAQUITA_ASSIGN_OR_RETURN(UsedConnection connection, Find(request.connection_id(), request.statement_id()));
  Statement* statement = connection->FindStatement(request.statement_id());
  response->set_missing_statement(statement == nullptr);
  response->set_missing_results(statement == nullptr || !statement->result.has_value());
  if (response->missing_results()) return absl::OkStatus();
  // A driver that repeats a request whose answer was lost would not get those rows, but the next ones.
  const uint64_t given = statement->result->given();
  if (request.offset() != 0 && request.offset() < given) {
    return BadRequest(Concat("fetches rows from offset ", request.offset(), " on, but the first ", given,
                             " were given before: run the statement again"));
  }
  connection.RunFor(gone, *statement);
  const int64_t wanted = request.frame_max_size() != 0 ? request.frame_max_size() : request.fetch_max_row_count();
  VAQUITA_RETURN_IF_ERROR(
      statement->result->Fill(wanted == 0 ? ResultRows::kFrameRows : wanted, response->mutable_frame()));
  response->mutable_frame()->set_offset(request.offset());
  return absl::OkStatus();
}

absl::StatusOr<RowList> ServiceImpl::StateRows(const std::string& connection_id, const avatica::QueryState& state) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<TablePtr> tables, Tables(connection_id));
  const auto pattern = [&](int index) -> Pattern {
    const bool given =
        index < state.args_size() && state.args(index).type() != avatica::MetaDataOperationArgument::TYPE_NULL;
    return given ? Pattern(state.args(index).string_value()) : std::nullopt;
  };
  switch (state.op()) {
    case avatica::GET_PRIMARY_KEYS:
      return MetaPrimaryKeys(tables, TextArgument(state, 1), TextArgument(state, 2));
    case avatica::GET_INDEX_INFO:
      return MetaIndexes(tables, TextArgument(state, 1), TextArgument(state, 2),
                         state.args_size() > 3 && state.args(3).bool_value());
    case avatica::GET_TABLES:
      return TableRows(tables, pattern(1), pattern(2), TextsArgument(state, 3));
    case avatica::GET_COLUMNS:
      return MetaColumns(tables, pattern(1), pattern(2), pattern(3));
    case avatica::GET_SCHEMAS:
    case avatica::GET_SCHEMAS_WITH_ARGS:
      return MetaSchemas(tables, pattern(1));
    case avatica::GET_CATALOGS:
      return MetaCatalogs();
    case avatica::GET_TABLE_TYPES:
      return MetaTableTypes();
    default:
      return RowList();  // Phoenix has none of these
  }
}

absl::Status ServiceImpl::SyncResults(const avatica::SyncResultsRequest& request,
                                      avatica::SyncResultsResponse* response) {
  absl::StatusOr<RowList> rows = RowList();
  if (request.state().has_op()) rows = StateRows(request.connection_id(), request.state());
  VAQUITA_RETURN_IF_ERROR(rows.status());
  VAQUITA_ASSIGN_OR_RETURN(const UsedConnection connection, Find(request.connection_id(), request.statement_id()));
  Statement* statement = connection->FindStatement(request.statement_id());
  response->set_missing_statement(statement == nullptr);
  if (statement == nullptr) return absl::OkStatus();
  if (request.state().has_op()) {
    statement->result.emplace(*std::move(rows));
  } else {
    VAQUITA_RETURN_IF_ERROR(connection->Prepare(request.state().sql(), statement));
    if (!statement->prepared->is_query()) return absl::OkStatus();
    VAQUITA_RETURN_IF_ERROR(connection->Execute({}, statement).status());
  }
  VAQUITA_ASSIGN_OR_RETURN(const bool more, statement->result->Skip(request.offset()));
  response->set_more_results(more);
  return absl::OkStatus();
}

absl::Status ServiceImpl::Batch(const avatica::ExecuteBatchRequest& request, avatica::ExecuteBatchResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const UsedConnection connection, Find(request.connection_id(), request.statement_id()));
  response->set_connection_id(request.connection_id());
  response->set_statement_id(request.statement_id());
  Statement* statement = connection->FindStatement(request.statement_id());
  response->set_missing_statement(statement == nullptr || statement->prepared == nullptr);
  if (response->missing_statement()) return absl::OkStatus();
  AvaticaConnection::Batch batch(connection.operator->());
  absl::Status status;
  for (int i = 0; i < request.updates_size() && status.ok(); ++i) {
    const auto values = ParameterValues(request.updates(i).parameter_values(), statement->prepared->parameters());
    const auto changed = values.ok() ? connection->ExecuteInBatch(*values, statement) : values.status();
    status = changed.status();
    response->add_update_counts(static_cast<uint64_t>(changed.value_or(0)));
  }
  const absl::Status ended = batch.End();
  return status.ok() ? ended : status;
}

absl::Status ServiceImpl::TextBatch(const avatica::PrepareAndExecuteBatchRequest& request,
                                    avatica::ExecuteBatchResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const UsedConnection connection, Find(request.connection_id(), request.statement_id()));
  response->set_connection_id(request.connection_id());
  response->set_statement_id(request.statement_id());
  Statement* statement = connection->FindStatement(request.statement_id());
  response->set_missing_statement(statement == nullptr);
  if (statement == nullptr) return absl::OkStatus();
  AvaticaConnection::Batch batch(connection.operator->());
  absl::Status status;
  for (int i = 0; i < request.sql_commands_size() && status.ok(); ++i) {
    status = connection->Prepare(request.sql_commands(i), statement);
    const auto changed = status.ok() ? connection->ExecuteInBatch({}, statement) : status;
    status = changed.status();
    response->add_update_counts(static_cast<uint64_t>(changed.value_or(0)));
  }
  const absl::Status ended = batch.End();
  return status.ok() ? ended : status;
}

// --- Names of tables and columns

absl::StatusOr<std::vector<TablePtr>> ServiceImpl::Tables(const std::string& connection_id) {
  VAQUITA_RETURN_IF_ERROR(Find(connection_id).status());
  VAQUITA_ASSIGN_OR_RETURN(auto cluster, Cluster());
  return Catalog(std::move(cluster)).All();
}

absl::StatusOr<std::vector<TableIdent>> ServiceImpl::SequenceNames() {
  VAQUITA_ASSIGN_OR_RETURN(auto cluster, Cluster());
  Session session(cluster);
  VAQUITA_ASSIGN_OR_RETURN(const auto select,
                           session.Prepare("SELECT SEQUENCE_SCHEMA, SEQUENCE_NAME FROM SYSTEM.\"SEQUENCE\""));
  VAQUITA_RETURN_IF_ERROR(select->Execute({}).status());
  std::vector<TableIdent> names;
  for (;;) {
    VAQUITA_ASSIGN_OR_RETURN(const auto row, select->Next());
    if (!row.has_value()) return names;
    names.push_back({(*row)[0].is_null() ? "" : (*row)[0].text(), (*row)[1].text()});
  }
}

absl::StatusOr<RowList> ServiceImpl::TableRows(const std::vector<TablePtr>& tables, const Pattern& schema,
                                               const Pattern& name, std::vector<std::string> types) {
  std::vector<TableIdent> sequences;  // Phoenix lists them when they are asked for
  if (std::ranges::find(types, "SEQUENCE") != types.end()) {
    VAQUITA_ASSIGN_OR_RETURN(sequences, SequenceNames());
  }
  return MetaTables(tables, sequences, schema, name, types.empty() ? std::nullopt : std::optional(std::move(types)));
}

absl::Status ServiceImpl::AnswerRows(const std::string& connection_id, absl::StatusOr<RowList> rows,
                                     avatica::ResultSetResponse* response) {
  VAQUITA_RETURN_IF_ERROR(rows.status());
  VAQUITA_ASSIGN_OR_RETURN(const UsedConnection connection, Find(connection_id));
  const uint32_t id = next_statement_++;
  Statement* statement = connection->AddStatement(id);
  const avatica::Signature signature = MakeSignature("", rows->columns, {});
  statement->result.emplace(*std::move(rows));
  return AnswerResult(connection_id, id, 0, -1, signature, statement, response);
}

absl::Status ServiceImpl::Catalogs(const avatica::CatalogsRequest& request, avatica::ResultSetResponse* response) {
  return AnswerRows(request.connection_id(), MetaCatalogs(), response);
}

absl::Status ServiceImpl::Schemas(const avatica::SchemasRequest& request, avatica::ResultSetResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<TablePtr> tables, Tables(request.connection_id()));
  const Pattern schema = PatternOf(request.has_schema_pattern(), request.schema_pattern());
  return AnswerRows(request.connection_id(), MetaSchemas(tables, schema), response);
}

absl::Status ServiceImpl::TablesOf(const avatica::TablesRequest& request, avatica::ResultSetResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<TablePtr> tables, Tables(request.connection_id()));
  return AnswerRows(request.connection_id(),
                    TableRows(tables, PatternOf(request.has_schema_pattern(), request.schema_pattern()),
                              PatternOf(request.has_table_name_pattern(), request.table_name_pattern()),
                              {request.type_list().begin(), request.type_list().end()}),
                    response);
}

absl::Status ServiceImpl::TableTypes(const avatica::TableTypesRequest& request, avatica::ResultSetResponse* response) {
  return AnswerRows(request.connection_id(), MetaTableTypes(), response);
}

absl::Status ServiceImpl::TypeInfo(const avatica::TypeInfoRequest& request, avatica::ResultSetResponse* response) {
  return AnswerRows(request.connection_id(), MetaTypeInfo(), response);
}

absl::Status ServiceImpl::ColumnsOf(const avatica::ColumnsRequest& request, avatica::ResultSetResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<TablePtr> tables, Tables(request.connection_id()));
  return AnswerRows(request.connection_id(),
                    MetaColumns(tables, PatternOf(request.has_schema_pattern(), request.schema_pattern()),
                                PatternOf(request.has_table_name_pattern(), request.table_name_pattern()),
                                PatternOf(request.has_column_name_pattern(), request.column_name_pattern())),
                    response);
}

}  // namespace

// The name is the message's first field. The bytes of another message that look so lose nothing but their thread.
bool Service::IsClose(std::string_view body) {
  constexpr size_t kMostHead = 128;
  const std::string_view head = body.substr(0, kMostHead);
  return head.find("Requests$Close") != std::string_view::npos;
}

std::unique_ptr<Service> Service::Create(ServiceOptions options) {
  return std::make_unique<ServiceImpl>(std::move(options));
}

}  // namespace vaquita::sql
