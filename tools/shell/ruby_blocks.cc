// Runs blocks, and the methods of Ruby's values that take one. Source: Ruby 2.6's Enumerable, Array, Hash.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "tools/shell/ruby_arguments.h"
#include "tools/shell/ruby_evaluator.h"
#include "tools/shell/ruby_signatures.h"
#include "tools/shell/ruby_text.h"

namespace vaquita::shell {
namespace {

absl::Status Incomparable(const Value& a, const Value& b) {
  return RubyError("ArgumentError", absl::StrCat("comparison of ", AbslText(a.ClassName()), " with ",
                                                 AbslText(b.ClassName()), " failed"));
}

// Sorts by `compare`, which may fail, or contradict itself. Equal elements stay in their order.
template <typename Compared>
absl::Status MergeSort(Array* items, const Compared& compare) {
  Array merged(items->size());
  for (size_t width = 1; width < items->size(); width *= 2) {
    for (size_t begin = 0; begin < items->size(); begin += 2 * width) {
      const size_t middle = std::min(begin + width, items->size());
      const size_t end = std::min(begin + 2 * width, items->size());
      size_t left = begin;
      size_t right = middle;
      for (size_t out = begin; out < end; ++out) {
        bool takes_right = left == middle;
        if (left < middle && right < end) {
          VAQUITA_ASSIGN_OR_RETURN(const int order, compare((*items)[left], (*items)[right]));
          takes_right = order > 0;
        }
        merged[out] = (*items)[takes_right ? right++ : left++];
      }
    }
    std::swap(*items, merged);
  }
  return absl::OkStatus();
}

// Returns the rounds in the order of their results.
absl::StatusOr<Array> SortedBy(const Rounds& rounds, const Array& results) {
  Array order;
  for (size_t i = 0; i < rounds.size; ++i) order.emplace_back(static_cast<int64_t>(i));
  const auto result = [&](const Value& at) -> const Value& { return results[static_cast<size_t>(*at.AsInteger())]; };
  VAQUITA_RETURN_IF_ERROR(MergeSort(&order, [&](const Value& a, const Value& b) -> absl::StatusOr<int> {
    const std::optional<int> compared = Compare(result(a), result(b));
    if (!compared) return Incomparable(result(a), result(b));
    return *compared;
  }));
  Array sorted;
  for (const Value& at : order) sorted.push_back(rounds.at(static_cast<size_t>(*at.AsInteger())));
  return sorted;
}

// Returns the first round with the least result, or with the greatest.
absl::StatusOr<Value> ExtremeBy(const Rounds& rounds, const Array& results, bool greatest) {
  size_t best = 0;
  for (size_t i = 1; i < rounds.size; ++i) {
    const std::optional<int> compared = Compare(results[i], results[best]);
    if (!compared) return Incomparable(results[i], results[best]);
    if (greatest ? *compared > 0 : *compared < 0) best = i;
  }
  return rounds.size == 0 ? Value() : rounds.at(best);
}

Value GroupedBy(const Rounds& rounds, const Array& results) {
  Hash groups;
  for (size_t i = 0; i < rounds.size; ++i) {
    Value* group = groups.Find(results[i]);
    if (group == nullptr) group = &groups.Set(results[i], Value(Array()));
    std::get<Array>(group->kind).push_back(rounds.at(i));
  }
  return Value(std::move(groups));
}

Value UniqueBy(const Rounds& rounds, const Array& results) {
  ValueSet seen;
  Array unique;
  for (size_t i = 0; i < rounds.size; ++i) {
    if (seen.insert(results[i]).second) unique.push_back(rounds.at(i));
  }
  return Value(std::move(unique));
}

// Returns the rounds whose result is true, or, with `rejected`, false: of a hash a hash.
Value Chosen(const Value& receiver, const Rounds& rounds, const Array& results, bool rejected) {
  Array chosen;
  for (size_t i = 0; i < rounds.size; ++i) {
    if (results[i].IsTruthy() != rejected) chosen.push_back(rounds.at(i));
  }
  if (receiver.AsHash() == nullptr) return Value(std::move(chosen));
  Hash hash;
  for (const Value& pair : chosen) hash.Set((*pair.AsArray())[0], (*pair.AsArray())[1]);
  return Value(std::move(hash));
}

bool Finds(const std::string& name) {
  return name == "find" || name == "detect" || name == "index" || name == "find_index";
}

// Returns whether the method `name` needs no round after one with this result.
bool IsDecided(const std::string& name, const Value& result) {
  if (name == "all?") return !result.IsTruthy();
  return result.IsTruthy() && (name == "any?" || name == "none?" || Finds(name));
}

// Returns the value of the method `name`, whose block had these results in these rounds.
absl::StatusOr<Value> ValueOf(const std::string& name, const Value& receiver, const Arguments& arguments,
                              const Rounds& rounds, Array results) {
  if (name == "map" || name == "collect") return Value(std::move(results));
  if (name == "flat_map" || name == "sum") {
    Value all(std::move(results));
    VAQUITA_ASSIGN_OR_RETURN(const auto value, name == "sum" ? CallMethod(&all, "sum", arguments)
                                                             : CallMethod(&all, "flatten", {Value(int64_t{1})}));
    return value.value_or(Value());
  }
  if (name == "select" || name == "filter") return Chosen(receiver, rounds, results, /*rejected=*/false);
  if (name == "reject") return Chosen(receiver, rounds, results, /*rejected=*/true);
  if (name == "group_by") return GroupedBy(rounds, results);
  if (name == "uniq") return UniqueBy(rounds, results);
  const auto is_true = [](const Value& v) { return v.IsTruthy(); };
  const auto truths = std::count_if(results.begin(), results.end(), is_true);
  if (name == "count") return Value(int64_t{truths});
  if (name == "any?") return Value(truths > 0);
  if (name == "none?") return Value(truths == 0);
  if (name == "all?") return Value(truths == static_cast<std::ptrdiff_t>(results.size()));
  if (Finds(name)) {
    const auto found = std::find_if(results.begin(), results.end(), is_true);
    if (found == results.end()) return Value();
    const auto at = found - results.begin();
    return name == "index" || name == "find_index" ? Value(int64_t{at}) : rounds.at(static_cast<size_t>(at));
  }
  if (name == "sort_by") {
    VAQUITA_ASSIGN_OR_RETURN(Array sorted, SortedBy(rounds, results));
    return Value(std::move(sorted));
  }
  if (name == "min_by" || name == "max_by") return ExtremeBy(rounds, results, name == "max_by");
  return receiver;
}

}  // namespace

// Missing arguments of a block are nil, and one array is taken apart; a method is strict. A default may be made of the
// parameters before it.
absl::Status RubyEvaluator::Bind(const std::vector<Parameter>& parameters, const Arguments& arguments, bool strict) {
  Arguments given = arguments;
  if (!strict && parameters.size() > 1 && given.size() == 1 && given[0].AsArray() != nullptr)
    given = Array(*given[0].AsArray());
  size_t needed = 0;
  bool rest = false;
  for (const Parameter& parameter : parameters) {
    needed += parameter.rest || !parameter.initial.empty() ? 0 : 1;
    rest |= parameter.rest;
  }
  if (strict && (given.size() < needed || (!rest && given.size() > parameters.size()))) {
    return WrongArguments(given.size(), absl::StrCat(needed, rest ? "+" : ""));
  }
  Variables& variables = frames_[frame_].variables;
  size_t next = 0;
  for (const Parameter& parameter : parameters) {
    const size_t left = given.size() - std::min(next, given.size());
    const bool may_miss = parameter.rest || !parameter.initial.empty();
    needed -= may_miss ? 0 : 1;
    Value value;
    if (parameter.rest) {
      const size_t taken = left - std::min(needed, left);
      const auto from = given.begin() + static_cast<std::ptrdiff_t>(next);
      value = Value(Array(from, from + static_cast<std::ptrdiff_t>(taken)));
      next += taken;
    } else if (left > (may_miss ? needed : 0)) {
      value = std::move(given[next++]);
    } else if (!parameter.initial.empty()) {
      variables[parameter.name] = {};
      VAQUITA_ASSIGN_OR_RETURN(value, Evaluate(parameter.initial[0], /*wanted=*/true));
    }
    VAQUITA_RETURN_IF_ERROR(CheckRoom(value));
    variables[parameter.name] = {std::move(value), std::nullopt};
  }
  return absl::OkStatus();
}

// The parameters hide variables of the same name.
RubyEvaluator::Result RubyEvaluator::RunBlock(const Block& block, const Arguments& arguments, bool wanted) {
  VAQUITA_RETURN_IF_ERROR(host_.CheckLoop());
  const LetGo round(&in_hand_);
  Variables& variables = frames_[frame_].variables;
  std::vector<std::pair<std::string, std::optional<Variable>>> hidden;
  for (const Parameter& parameter : block.parameters) {
    const auto found = variables.find(parameter.name);
    const bool there = found != variables.end();
    if (there && !in_hand_.Take(found->second.value)) return NoRoom();
    hidden.emplace_back(parameter.name, there ? std::optional(found->second) : std::nullopt);
  }
  const absl::Status bound = Bind(block.parameters, arguments, /*strict=*/false);
  Result result = bound.ok() ? Evaluate(block.body, wanted) : Result(bound);
  for (auto& [name, value] : hidden) {
    if (value) {
      variables[name] = *std::move(value);
    } else {
      variables.erase(name);
    }
  }
  if (IsLeaving(result.status()) && leave_ == Leave::kNext) {
    leave_ = Leave::kNone;
    return std::move(left_with_);
  }
  return result;
}

RubyEvaluator::Result RubyEvaluator::Yield(const Expression& yield) {
  VAQUITA_ASSIGN_OR_RETURN(const Arguments arguments, EvaluateAll(yield.items));
  const Frame& frame = frames_[frame_];
  if (frame.block == nullptr) return RubyError("LocalJumpError", "no block given (yield)");
  const size_t inner = std::exchange(frame_, frame.block_frame);
  Result result = RunBlock(*frames_[inner].block, arguments);
  frame_ = inner;
  if (IsLeaving(result.status()) && leave_ == Leave::kBreak) {
    leave_ = Leave::kBreakCall;
    left_frame_ = inner;
  }
  return result;
}

RubyEvaluator::Result RubyEvaluator::AfterBreak(Result result) {
  if (!IsLeaving(result.status()) || leave_ != Leave::kBreak) return result;
  leave_ = Leave::kNone;
  return std::move(left_with_);
}

RubyEvaluator::Result RubyEvaluator::Loop(const Expression& call) {
  while (true) {
    const Result result = RunBlock(*call.block, {}, /*wanted=*/false);
    if (!result.ok()) return AfterBreak(result);
  }
}

std::optional<RubyEvaluator::Result> RubyEvaluator::CallWithBlock(const Expression& call, const Value& receiver,
                                                                  const Arguments& arguments) {
  if (const auto numbers = CountedRounds(receiver, call.name, arguments)) {
    if (!numbers->ok()) return Result(numbers->status());
    return AfterBreak(GoThrough(call, "each", receiver, **numbers, {}));
  }
  const auto known = CheckBlockMethod(receiver, call.name, arguments);
  if (!known.ok()) return Result(known.status());
  if (!*known) return std::nullopt;
  std::optional<Result> result = CallOnParts(call, receiver, arguments);
  if (result) return AfterBreak(*std::move(result));
  return std::nullopt;
}

std::optional<RubyEvaluator::Result> RubyEvaluator::CallOnParts(const Expression& call, const Value& receiver,
                                                                const Arguments& arguments) {
  if (const std::string* text = receiver.AsString()) {
    if (call.name == "gsub") return ReplaceWithBlock(call, *text, *arguments[0].AsString());
    Value copy = receiver;
    const auto parts = CallMethod(&copy, call.name == "each_char" ? "chars" : "lines", {});
    if (!parts.ok()) return Result(parts.status());
    if (!in_hand_.Take(**parts)) return NoRoom();
    return GoThrough(call, "each", receiver, **RoundsOf(**parts), {});
  }
  if (call.name == "merge") return MergeWithBlock(call, receiver, arguments);
  if (call.name == "fetch") {
    Value copy = receiver;
    const auto known = CallMethod(&copy, "key?", arguments);
    if (!known.ok()) return Result(known.status());
    if (!(*known)->IsTruthy()) return RunBlock(*call.block, arguments);
    return Result(CallMethod(&copy, "fetch", arguments)->value_or(Value()));
  }
  const auto items = RoundsOf(receiver);
  if (!items.ok()) return Result(items.status());
  if (!items->has_value()) return std::nullopt;
  if (call.name == "sort" || call.name == "min" || call.name == "max") return SortWithBlock(call, **items);
  if (call.name == "inject" || call.name == "reduce") return Fold(call, **items, arguments);
  return GoThrough(call, call.name, receiver, **items, arguments);
}

RubyEvaluator::Result RubyEvaluator::GoThrough(const Expression& call, const std::string& method, const Value& receiver,
                                               const Rounds& items, const Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const Rounds rounds, RoundsOfMethod(method, receiver, arguments, items));
  static const std::set<std::string> kKeep = {"map",     "collect", "flat_map", "sum", "group_by",
                                              "sort_by", "min_by",  "max_by",   "uniq"};
  const bool kept = kKeep.contains(method);  // others look only whether a block's value is true
  const bool wanted = !method.starts_with("each") && method != "reverse_each";
  Array results;
  for (size_t i = 0; i < rounds.size; ++i) {
    Arguments given = {rounds.at(i)};
    if (method == "each_with_index") given.emplace_back(static_cast<int64_t>(i));
    Result result = RunBlock(*call.block, given, wanted);
    if (!result.ok()) return result;
    if (!wanted) continue;
    if (!kept) result = Value(result->IsTruthy());
    if (!in_hand_.Take(*result)) return NoRoom();
    results.push_back(*std::move(result));
    if (IsDecided(method, results.back())) break;
  }
  if (!wanted) return receiver;
  return ValueOf(method, receiver, arguments, rounds, std::move(results));
}

// inject and reduce: by the block, or by the operator that is the last argument.
RubyEvaluator::Result RubyEvaluator::Fold(const Expression& call, const Rounds& items, const Arguments& arguments) {
  const size_t most = call.block ? 1 : 2;
  if (arguments.size() > most || (!call.block && arguments.empty())) {
    return WrongArguments(arguments.size(), call.block ? "0..1" : "1..2");
  }
  std::string op;
  if (!call.block) {
    const Symbol* symbol = std::get_if<Symbol>(&arguments.back().kind);
    const std::string* text = arguments.back().AsString();
    if (symbol == nullptr && text == nullptr) {
      return RubyError("TypeError", absl::StrCat(arguments.back().Inspect(), " is not a symbol nor a string"));
    }
    op = symbol != nullptr ? symbol->name : *text;
  }
  std::optional<Value> folded;
  if (arguments.size() == most) folded = arguments[0];
  for (size_t i = 0; i < items.size; ++i) {
    const Value item = items.at(i);
    if (!folded) {
      folded = item;
      continue;
    }
    if (call.block) {
      VAQUITA_ASSIGN_OR_RETURN(folded, RunBlock(*call.block, {*std::move(folded), item}));
      continue;
    }
    VAQUITA_RETURN_IF_ERROR(host_.CheckLoop());
    VAQUITA_ASSIGN_OR_RETURN(const auto next, CallMethod(&*folded, op, {item}));
    if (!next) return UndefinedMethod(op, *folded);
    folded = *next;
  }
  return folded.value_or(Value());
}

// sort, min and max by a block that compares two elements.
RubyEvaluator::Result RubyEvaluator::SortWithBlock(const Expression& call, const Rounds& rounds) {
  Value all((Array()));
  Array& items = std::get<Array>(all.kind);
  for (size_t i = 0; i < rounds.size; ++i) items.push_back(rounds.at(i));
  if (!in_hand_.Take(all)) return NoRoom();
  const auto compare = [&](const Value& a, const Value& b) -> absl::StatusOr<int> {
    VAQUITA_ASSIGN_OR_RETURN(const Value order, RunBlock(*call.block, {a, b}));
    if (!IsNumber(order)) return Incomparable(a, b);
    return AsDouble(order) < 0 ? -1 : AsDouble(order) > 0 ? 1 : 0;
  };
  if (call.name == "sort") {
    VAQUITA_RETURN_IF_ERROR(MergeSort(&items, compare));
    return all;
  }
  if (items.empty()) return Value();
  size_t best = 0;
  for (size_t i = 1; i < items.size(); ++i) {
    VAQUITA_ASSIGN_OR_RETURN(const int order, compare(items[i], items[best]));
    if (call.name == "min" ? order < 0 : order > 0) best = i;
  }
  return items[best];
}

// The block chooses among the values of a key that two hashes have.
RubyEvaluator::Result RubyEvaluator::MergeWithBlock(const Expression& call, const Value& receiver,
                                                    const Arguments& hashes) {
  if (!in_hand_.Take(receiver)) return NoRoom();
  Hash merged = *receiver.AsHash();
  for (const Value& other : hashes) {
    for (const HashEntry& entry : *other.AsHash()) {
      Value value = entry.value;
      if (const Value* before = merged.Find(entry.key)) {
        VAQUITA_ASSIGN_OR_RETURN(value, RunBlock(*call.block, {entry.key, *before, entry.value}));
        if (!in_hand_.Take(value)) return NoRoom();
      }
      merged.Set(entry.key, std::move(value));
    }
  }
  return Value(std::move(merged));
}

RubyEvaluator::Result RubyEvaluator::ReplaceWithBlock(const Expression& call, const std::string& text,
                                                      const std::string& part) {
  VAQUITA_ASSIGN_OR_RETURN(std::string out, Replaced(text, part, [&](size_t) -> absl::StatusOr<std::string> {
                             VAQUITA_ASSIGN_OR_RETURN(const Value with, RunBlock(*call.block, {Value(part)}));
                             return with.ToText();
                           }));
  return Value(std::move(out));
}

}  // namespace vaquita::shell
