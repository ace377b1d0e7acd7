#include "server/test_control/fault_list.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/duration_text.h"
#include "base/host_port.h"
#include "base/named_exception.h"
#include "base/status.h"
#include "model/region_info.h"
#include "server/test_control/exception_classes.h"

namespace vaquita {
namespace {

using net::CallFate;
using net::CallTarget;
using net::GatedCall;

constexpr int64_t kLastId = int64_t{1} << 62;  // so that there is always a next one

bool IsSystem(const CallTarget& target) { return absl::StartsWith(target.table, "hbase:"); }

bool MatchesTarget(const v1::FaultMatch& match, const CallTarget& target) {
  if (!match.system() && IsSystem(target)) return false;
  if (!match.table().empty() && match.table() != target.table && match.table() != "default:" + target.table) {
    return false;
  }
  if (!match.region().empty() && match.region() != target.region) return false;
  if (match.row_from().empty() && match.row_to().empty()) return true;
  return target.has_row && target.row >= FromStringBinary(match.row_from()) &&
         (match.row_to().empty() || target.row < FromStringBinary(match.row_to()));
}

bool NamesATarget(const v1::FaultMatch& match) {
  return !match.table().empty() || !match.region().empty() || !match.row_from().empty() || !match.row_to().empty();
}

bool IsClient(const std::string& wanted, const GatedCall& call) {
  return wanted == call.user || wanted == call.client || WithoutBrackets(wanted) == HostIn(call.client);
}

// Parses the duration in a field, which may be empty.
absl::Status CheckDuration(const char* field, const std::string& text) {
  return text.empty() ? absl::OkStatus() : Annotate(ParseDurationMs(text).status(), field);
}

// Refuses the names that people give to calls which the protocol has under others: they would match nothing.
absl::Status CheckMethod(const std::string& method) {
  if (method.empty() || !absl::ascii_isupper(static_cast<unsigned char>(method[0]))) {
    return absl::InvalidArgumentError("methods: \"" + method + "\" must begin with a capital, as in HBase's \"Get\"");
  }
  for (const char* const mutation : {"Put", "Delete", "Append", "Increment", "CheckAndMutate", "CheckAndPut"}) {
    if (method != mutation) continue;
    return absl::InvalidArgumentError(
        "methods: HBase has no call \"" + method +
        "\": puts, deletes, appends and increments are \"Mutate\", those of a list or of one row together \"Multi\"");
  }
  return absl::OkStatus();
}

absl::Status CheckMatch(const v1::FaultMatch& match) {
  for (const std::string& method : match.methods()) VAQUITA_RETURN_IF_ERROR(CheckMethod(method));
  constexpr std::array kServices = {"ClientService", "AdminService", "MasterService", "ClientMetaService"};
  if (!match.service().empty() && std::find(kServices.begin(), kServices.end(), match.service()) == kServices.end()) {
    return absl::InvalidArgumentError("service: \"" + match.service() + "\" must be one of " +
                                      absl::StrJoin(kServices, ", "));
  }
  if (!match.row_to().empty() && FromStringBinary(match.row_from()) >= FromStringBinary(match.row_to())) {
    return absl::InvalidArgumentError("rowTo: \"" + match.row_to() + "\" must be after rowFrom, \"" + match.row_from() +
                                      "\"");
  }
  return absl::OkStatus();
}

absl::Status CheckEffect(const v1::Fault& fault) {
  const int effects = int{fault.has_exception()} + int{!fault.drop().empty()} + int{fault.lose_answer()} +
                      int{!fault.in_transition().empty()} + int{!fault.server_dead().empty()};
  if (effects > 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("the fault has ", effects,
                     " effects; keep one effect of exception, drop, loseAnswer, inTransition and serverDead"));
  }
  if (effects == 0 && fault.delay().empty()) {
    return absl::InvalidArgumentError(
        "a fault needs an effect: exception, delay, drop, loseAnswer, inTransition or serverDead");
  }
  if (!fault.drop().empty() && fault.drop() != "before" && fault.drop() != "after") {
    return absl::InvalidArgumentError("drop: \"" + fault.drop() + "\" must be \"before\" or \"after\"");
  }
  if (fault.has_exception() && fault.exception().class_().empty()) {
    return absl::InvalidArgumentError("exception: its class is missing");
  }
  if (fault.id() < 0 || fault.id() > kLastId) {
    return absl::InvalidArgumentError(absl::StrCat("id: ", fault.id(), " must be from 1 to ", kLastId));
  }
  if (fault.skip() < 0) return absl::InvalidArgumentError(absl::StrCat("skip: ", fault.skip(), " must be at least 0"));
  if (fault.times() < 0) {
    return absl::InvalidArgumentError(absl::StrCat("times: ", fault.times(), " must be at least 0"));
  }
  VAQUITA_RETURN_IF_ERROR(CheckDuration("delay", fault.delay()));
  VAQUITA_RETURN_IF_ERROR(CheckDuration("inTransition", fault.in_transition()));
  return CheckDuration("serverDead", fault.server_dead());
}

std::chrono::milliseconds Milliseconds(const std::string& duration) {
  return std::chrono::milliseconds(duration.empty() ? 0 : *ParseDurationMs(duration));
}

absl::Status ExceptionOf(const v1::FaultException& exception) {
  return ErrorOfClass({exception.class_(), exception.do_not_retry()}, exception.message());
}

absl::Status InTransition(const CallTarget& target) {
  return Error(ErrorKind::kNotServingRegion,
               absl::StrCat(target.region, " is in transition, as the test control was asked"));
}

}  // namespace

absl::StatusOr<v1::Fault> FaultList::Add(v1::Fault fault) {
  VAQUITA_RETURN_IF_ERROR(CheckMatch(fault.match()));
  VAQUITA_RETURN_IF_ERROR(CheckEffect(fault));
  if (fault.has_exception()) VAQUITA_RETURN_IF_ERROR(CompleteException(fault.mutable_exception()));
  fault.set_hits(0);
  fault.set_matched(0);
  std::lock_guard lock(mutex_);
  if (entries_.size() >= kMostFaults) {
    return absl::ResourceExhaustedError(absl::StrCat("there are ", kMostFaults, " faults already; clear some first"));
  }
  if (fault.id() == 0) fault.set_id(next_id_);
  if (entries_.contains(fault.id())) {
    return absl::AlreadyExistsError(absl::StrCat("there is a fault ", fault.id(), " already"));
  }
  next_id_ = std::max(next_id_, fault.id() + 1);
  entries_[fault.id()] = {fault, Milliseconds(fault.delay())};
  return fault;
}

std::vector<v1::Fault> FaultList::List() const {
  std::lock_guard lock(mutex_);
  std::vector<v1::Fault> faults;
  for (const auto& [id, entry] : entries_) faults.push_back(entry.fault);
  return faults;
}

absl::StatusOr<int> FaultList::Clear(int64_t id) {
  std::lock_guard lock(mutex_);
  if (id != 0 && !entries_.contains(id)) return absl::NotFoundError(absl::StrCat("unknown fault ", id));
  const int cleared = id != 0 ? 1 : static_cast<int>(entries_.size());
  if (id != 0) {
    entries_.erase(id);
  } else {
    entries_.clear();
    dead_until_ = {};
    in_transition_until_.clear();
  }
  changed_.notify_all();
  return cleared;
}

bool FaultList::Has(int64_t id) const {
  std::lock_guard lock(mutex_);
  return !stopped_ && entries_.contains(id);
}

int64_t FaultList::TakeId() {
  std::lock_guard lock(mutex_);
  return next_id_++;
}

bool FaultList::SeemsDead() const {
  std::lock_guard lock(mutex_);
  return !stopped_ && Clock::now() < dead_until_;
}

bool FaultList::empty() const {
  std::lock_guard lock(mutex_);
  return entries_.empty() && in_transition_until_.empty() && dead_until_ == Clock::time_point();
}

bool FaultList::Matches(const v1::FaultMatch& match, const GatedCall& call) const {
  if (!match.methods().empty() &&
      std::find(match.methods().begin(), match.methods().end(), call.method) == match.methods().end()) {
    return false;
  }
  if (!match.service().empty() && match.service() != call.service) return false;
  if (!match.client().empty() && !IsClient(match.client(), call)) return false;
  if (call.targets.empty()) return !NamesATarget(match);
  return std::any_of(call.targets.begin(), call.targets.end(),
                     [&](const CallTarget& target) { return MatchesTarget(match, target); });
}

CallFate FaultList::Decide(const GatedCall& call) {
  std::unique_lock lock(mutex_);
  CallFate fate;
  if (stopped_ || DecideByState(call, &fate)) return fate;
  Entry* due = nullptr;
  for (auto& [id, entry] : entries_) {
    v1::Fault& fault = entry.fault;
    if (!Matches(fault.match(), call)) continue;
    const int64_t matched = fault.matched() + 1;
    fault.set_matched(matched);
    if (matched <= fault.skip() || (fault.times() > 0 && fault.hits() >= fault.times())) continue;
    due = &entry;
    break;
  }
  if (due == nullptr) return fate;
  due->fault.set_hits(due->fault.hits() + 1);
  const int64_t id = due->fault.id();
  fate = Apply(*due, call);
  if (const auto delay = due->delay; delay.count() > 0) {
    changed_.wait_for(lock, delay, [&] { return stopped_ || !entries_.contains(id); });
  }
  return fate;
}

CallFate FaultList::Apply(Entry& entry, const GatedCall& call) {
  const v1::Fault& fault = entry.fault;
  CallFate fate;
  fate.fault = fault.id();
  if (fault.has_exception()) {
    const absl::Status exception = ExceptionOf(fault.exception());
    fate.runs = call.method == "Multi" && NamesATarget(fault.match());
    if (!fate.runs) {
      fate.refusal = exception;
      return fate;
    }
    for (const CallTarget& target : call.targets) {
      fate.refused_targets.push_back(MatchesTarget(fault.match(), target) ? exception : absl::OkStatus());
    }
  } else if (!fault.drop().empty()) {
    fate.answer = CallFate::Answer::kClosed;
    fate.runs = fault.drop() == "after";
  } else if (fault.lose_answer()) {
    fate.answer = CallFate::Answer::kLost;
  } else if (!fault.in_transition().empty()) {
    for (const CallTarget& target : call.targets) {
      if (target.region.empty() || !MatchesTarget(fault.match(), target)) continue;
      in_transition_until_[target.region] = Clock::now() + Milliseconds(fault.in_transition());
    }
    DecideByState(call, &fate);
  } else if (!fault.server_dead().empty()) {
    dead_until_ = Clock::now() + Milliseconds(fault.server_dead());
    DecideByState(call, &fate);
  }
  return fate;
}

bool FaultList::DecideByState(const GatedCall& call, CallFate* fate) {
  const auto now = Clock::now();
  if (now < dead_until_) {
    fate->runs = false;
    fate->answer = CallFate::Answer::kClosed;
    return true;
  }
  dead_until_ = {};
  std::erase_if(in_transition_until_, [&](const auto& region) { return region.second <= now; });
  std::vector<absl::Status> refused;
  bool any = false;
  for (const CallTarget& target : call.targets) {
    const bool closed = in_transition_until_.contains(target.region);
    any |= closed;
    refused.push_back(closed ? InTransition(target) : absl::OkStatus());
  }
  if (!any) return false;
  fate->runs = call.method == "Multi";
  if (fate->runs) {
    fate->refused_targets = std::move(refused);
  } else {
    fate->refusal = *std::find_if_not(refused.begin(), refused.end(), [](const auto& status) { return status.ok(); });
  }
  return true;
}

void FaultList::Stop() {
  std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

}  // namespace vaquita
