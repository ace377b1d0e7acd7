#include "tests/cluster_checker/linearizability.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"

namespace vaquita::checker {
namespace {

// One possible course of events.
struct Possibility {
  Register state;
  uint64_t happened = 0;  // operations under way that have happened, by slot

  friend bool operator==(const Possibility&, const Possibility&) = default;
  template <typename H>
  friend H AbslHashValue(H hash, const Possibility& p) {
    return H::combine(std::move(hash), p.state.has_value(), p.state.value_or(0), p.happened);
  }
};

// Returns whether the operation can happen to a register in `*state`, and changes the state. One of unknown outcome
// that changes nothing need not happen.
bool Happen(const Operation& operation, Register* state) {
  const bool known = operation.known();
  switch (operation.kind) {
    case Operation::Kind::kRead:
      return known && *state == operation.result;
    case Operation::Kind::kPut:
      *state = operation.argument;
      return true;
    case Operation::Kind::kAdd:
      *state = state->value_or(0) + operation.argument;
      // Without a result it was done, but its answer was lost, and by the time the client asked again the version that
      // it wrote had gone.
      return !known || !operation.result || *state == operation.result;
    case Operation::Kind::kCompareAndSet:
      break;
  }
  const bool holds = *state == operation.expected;
  if (holds) *state = operation.argument;
  return known ? holds == operation.succeeded : holds;
}

class Search {
 public:
  explicit Search(const History& history) : history_(history), slot_of_(history.size(), -1) {
    possible_.insert(Possibility());
  }

  absl::Status Run() {
    for (const Event& event : Events()) {
      if (!event.is_end) {
        if (!Begin(event.operation)) return absl::ResourceExhaustedError("too many operations at a time");
      } else if (!End(event.operation)) {
        return absl::DataLossError(absl::StrCat("not linearizable at the end of: ", ToText(history_[event.operation])));
      }
    }
    return absl::OkStatus();
  }

 private:
  struct Event {
    int64_t ns;
    bool is_end;
    size_t operation;
  };

  // In the order of time; of the same time beginnings come first, as nothing tells which was first.
  std::vector<Event> Events() const {
    std::vector<Event> events;
    for (size_t i = 0; i < history_.size(); ++i) {
      if (!history_[i].known() && history_[i].kind == Operation::Kind::kRead) continue;
      events.push_back({history_[i].invoked_ns, false, i});
      if (history_[i].known()) events.push_back({history_[i].returned_ns, true, i});
    }
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
      return std::pair(a.ns, a.is_end) < std::pair(b.ns, b.is_end);
    });
    return events;
  }

  bool Begin(size_t operation) {
    const auto free = std::find(slots_.begin(), slots_.end(), kFree);
    if (free == slots_.end() && slots_.size() == kMostConcurrent) return false;
    slot_of_[operation] = static_cast<int>(free - slots_.begin());
    if (free == slots_.end())
      slots_.push_back(operation);
    else
      *free = operation;
    return true;
  }

  // Keeps the courses in which `operation` has happened. Returns false if none is left.
  bool End(size_t operation) {
    const uint64_t bit = uint64_t{1} << slot_of_[operation];
    Possibilities seen, left;
    std::vector<Possibility> open(possible_.begin(), possible_.end());
    while (!open.empty()) {
      Possibility now = open.back();
      open.pop_back();
      if (now.happened & bit) {
        now.happened &= ~bit;
        left.insert(now);
        continue;
      }
      for (size_t slot = 0; slot < slots_.size(); ++slot) {
        Possibility next = {now.state, now.happened | uint64_t{1} << slot};
        if (slots_[slot] == kFree || next.happened == now.happened) continue;
        if (Happen(history_[slots_[slot]], &next.state) && seen.insert(next).second) open.push_back(next);
      }
    }
    slots_[slot_of_[operation]] = kFree;
    possible_ = std::move(left);
    return !possible_.empty();
  }

  using Possibilities = absl::flat_hash_set<Possibility>;
  static constexpr size_t kFree = SIZE_MAX;

  const History& history_;
  std::vector<int> slot_of_;   // by operation
  std::vector<size_t> slots_;  // the operations under way
  Possibilities possible_;
};

}  // namespace

absl::Status CheckLinearizable(const History& history) { return Search(history).Run(); }

}  // namespace vaquita::checker
