// Changes values in their place: variables, and the elements in them. Values are copied when they are evaluated, so
// that a change of what an expression returns would be lost.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "tools/shell/ruby_arguments.h"
#include "tools/shell/ruby_evaluator.h"
#include "tools/shell/ruby_signatures.h"

namespace vaquita::shell {
namespace {

using Node = Expression::Kind;

bool IsCall(const Expression& expression) {
  return expression.kind == Node::kCall && expression.has_receiver && !expression.block;
}

// Returns whether the call returns one element of its receiver, or the receiver: not a copy of it.
bool ReturnsElement(const Expression& call) {
  static const std::set<std::string> kAlone = {"first", "last", "min", "max", "sample", "to_a", "to_s", "to_h"};
  static const std::set<std::string> kOthers = {"[]",     "fetch",  "dig",  "find",      "detect",
                                                "min_by", "max_by", "each", "each_pair", "each_with_index"};
  if (call.kind != Node::kCall || !call.has_receiver) return false;
  return kOthers.contains(call.name) || (call.items.size() == 1 && kAlone.contains(call.name));
}

// Returns the element under the key; null if there is none. An index such as a range's stands for a copy of a part.
Value* ElementIn(Value* holder, const Value& key) {
  if (Hash* hash = holder->AsHash()) return hash->Find(key);
  Array* array = std::get_if<Array>(&holder->kind);
  if (array == nullptr || !IsNumber(key)) return nullptr;
  const auto size = static_cast<int64_t>(array->size());
  const int64_t index = IntegerOr(key, 0);
  const int64_t at = index < 0 ? index + size : index;
  return at < 0 || at >= size ? nullptr : &(*array)[static_cast<size_t>(at)];
}

// Returns the key of the one element that the call returns; nullopt if it returns none of the holder's.
std::optional<Value> KeyOf(const std::string& method, const Value& holder, const Arguments& arguments) {
  if (method == "[]" && arguments.size() == 1) {
    const bool is_key = holder.AsHash() != nullptr || (holder.AsArray() != nullptr && IsNumber(arguments[0]));
    return is_key ? std::optional(arguments[0]) : std::nullopt;
  }
  if (holder.AsArray() == nullptr || !arguments.empty()) return std::nullopt;
  if (method == "first") return Value(int64_t{0});
  return method == "last" ? std::optional(Value(int64_t{-1})) : std::nullopt;
}

bool IsChangedBy(const Value& value, std::string_view method) {
  if (!HasMethod(value, method)) return false;
  const bool has_content = value.HasParts() || value.AsString() != nullptr;
  return has_content && (GrowsReceiver(method) || method == "pop" || method == "shift" || method == "delete");
}

}  // namespace

absl::StatusOr<RubyEvaluator::Target> RubyEvaluator::TargetOf(const Expression& expression) {
  if (depth_ >= kDeepestCalls) return RubyError("SystemStackError", "stack level too deep");
  ++depth_;
  absl::StatusOr<Target> target = FindTarget(expression);
  --depth_;
  if (!target.ok()) return At(expression, target.status()).status();
  VAQUITA_ASSIGN_OR_RETURN(target->value, InHand(expression, std::move(target->value)));
  for (const Value& key : target->keys) {
    if (!in_hand_.Take(key)) return At(expression, NoRoom()).status();
  }
  return target;
}

absl::StatusOr<RubyEvaluator::Target> RubyEvaluator::FindTarget(const Expression& expression) {
  const LetGo parts(&in_hand_);
  const bool is_constant = absl::ascii_isupper(static_cast<unsigned char>(expression.name.c_str()[0]));
  Variables& variables = frames_[is_constant ? 0 : frame_].variables;
  const bool is_own = expression.kind == Node::kConstant && variables.contains(expression.name);
  if (is_own || VariableOf(expression) != nullptr) return Target{.variables = &variables, .name = expression.name};
  if (expression.kind == Node::kAssign) {
    VAQUITA_RETURN_IF_ERROR(Evaluate(expression, /*wanted=*/false).status());
    return Target{.variables = &variables, .name = expression.name};
  }
  if (expression.kind == Node::kElementAssign) return AssignElement(expression, /*wanted=*/false);
  if (expression.kind == Node::kElementChange) return ChangeElement(expression, /*wanted=*/false);
  if (IsCall(expression)) {
    if (expression.name == "[]" || expression.name == "first" || expression.name == "last") {
      return ElementTarget(expression);
    }
    if (GrowsReceiver(expression.name) && expression.name != "[]=" && expression.name != "store") {
      return GrownTarget(expression);
    }
  }
  const Expression* root = &expression;
  while (ReturnsElement(*root)) root = &root->items[0];
  Target target;
  target.is_element = root != &expression && (root->kind == Node::kConstant || VariableOf(*root) != nullptr);
  VAQUITA_ASSIGN_OR_RETURN(target.value, Evaluate(expression, /*wanted=*/true));
  return target;
}

// Returns the element that v[key], v.first or v.last is.
absl::StatusOr<RubyEvaluator::Target> RubyEvaluator::ElementTarget(const Expression& call) {
  VAQUITA_ASSIGN_OR_RETURN(Target target, TargetOf(call.items[0]));
  VAQUITA_ASSIGN_OR_RETURN(const Arguments arguments, EvaluateAll(call.items, 1));
  const std::optional<Value> key = KeyOf(call.name, *ValueIn(&target), arguments);
  if (key && target.variables != nullptr) {
    target.keys.push_back(*key);
    return target;
  }
  Target element;
  element.is_element = key && target.is_element;
  VAQUITA_ASSIGN_OR_RETURN(element.value, CallOnTarget(call, &target, arguments, /*wanted=*/true));
  return element;
}

// Returns the target of v << 1 << 2, which is v.
absl::StatusOr<RubyEvaluator::Target> RubyEvaluator::GrownTarget(const Expression& call) {
  VAQUITA_ASSIGN_OR_RETURN(Target target, TargetOf(call.items[0]));
  VAQUITA_ASSIGN_OR_RETURN(const Arguments arguments, EvaluateAll(call.items, 1));
  const bool stays = target.variables != nullptr && IsChangedBy(*ValueIn(&target), call.name);
  VAQUITA_ASSIGN_OR_RETURN(Value value, CallOnTarget(call, &target, arguments, /*wanted=*/!stays));
  if (stays) return target;
  return Target{.value = std::move(value)};
}

Value* RubyEvaluator::ValueIn(Target* target) {
  if (target->variables == nullptr) return &target->value;
  const auto found = target->variables->find(target->name);
  Value* value = found == target->variables->end() ? nullptr : &found->second.value;
  for (const Value& key : target->keys) {
    if (value != nullptr) value = ElementIn(value, key);
  }
  if (value != nullptr) return value;
  target->value = Value();
  return &target->value;
}

absl::StatusOr<Value> RubyEvaluator::SetElement(Target* holder, const Value& index, Value value, bool wanted) {
  VAQUITA_ASSIGN_OR_RETURN(auto set, ChangeTarget(holder, "[]=", {index, std::move(value)}, wanted));
  if (set) return *std::move(set);
  return RubyError("NoMethodError",
                   absl::StrCat("undefined method `[]=' for ", AbslText(ValueIn(holder)->ClassName())));
}

absl::StatusOr<RubyEvaluator::Target> RubyEvaluator::AssignElement(const Expression& assign, bool wanted) {
  VAQUITA_ASSIGN_OR_RETURN(Target target, TargetOf(assign.items[0]));
  VAQUITA_ASSIGN_OR_RETURN(Arguments arguments, EvaluateAll(assign.items, 1));
  if (target.variables == nullptr) return RubyError("NameError", "only an element of a variable can be set here");
  VAQUITA_ASSIGN_OR_RETURN(Value value, SetElement(&target, arguments[0], std::move(arguments[1]), wanted));
  target.keys.push_back(std::move(arguments[0]));
  target.value = std::move(value);
  return target;
}

// `a[i] += 1` and the like: the index is evaluated once.
absl::StatusOr<RubyEvaluator::Target> RubyEvaluator::ChangeElement(const Expression& change, bool wanted) {
  VAQUITA_ASSIGN_OR_RETURN(Target target, TargetOf(change.items[0]));
  if (target.variables == nullptr) return RubyError("NameError", "only an element of a variable can be set here");
  VAQUITA_ASSIGN_OR_RETURN(Value index, Evaluate(change.items[1], /*wanted=*/true));
  VAQUITA_ASSIGN_OR_RETURN(auto old, ChangeTarget(&target, "[]", {index}, /*wanted=*/true));
  if (!old) {
    return RubyError("NoMethodError",
                     absl::StrCat("undefined method `[]' for ", AbslText(ValueIn(&target)->ClassName())));
  }
  VAQUITA_ASSIGN_OR_RETURN(Value value, InHand(change, *std::move(old)));
  const bool is_choice = change.name == "||" || change.name == "&&";
  if (!is_choice || value.IsTruthy() == (change.name == "&&")) {
    VAQUITA_ASSIGN_OR_RETURN(Value operand, Evaluate(change.items[2], /*wanted=*/true));
    if (is_choice) {
      value = std::move(operand);
    } else {
      VAQUITA_ASSIGN_OR_RETURN(value, InHand(change, CallOn(change, std::move(value), {std::move(operand)})));
    }
    VAQUITA_ASSIGN_OR_RETURN(value, SetElement(&target, index, std::move(value), wanted));
  }
  target.keys.push_back(std::move(index));
  target.value = std::move(value);
  return target;
}

// Takes the room of what is added from the room that the variable has left. That is counted seldom, so the time does
// not depend on the size.
absl::StatusOr<std::optional<Value>> RubyEvaluator::ChangeTarget(Target* target, const std::string& method,
                                                                 const Arguments& arguments, bool wanted) {
  Value& value = *ValueIn(target);
  const auto found = target->variables->find(target->name);
  if (!GrowsReceiver(method) || found == target->variables->end()) {
    return CallMethod(&value, method, arguments, wanted);
  }
  Variable& variable = found->second;
  const Array* array = value.AsArray();
  const int64_t* index = arguments.empty() ? nullptr : arguments[0].AsInteger();
  const bool leaves_gap =
      method == "[]=" && array != nullptr && index != nullptr && *index > static_cast<int64_t>(array->size());
  if (!variable.left) {
    variable.left.emplace();
    variable.left->Take(variable.value);
  }
  const int levels = 99 - std::min(static_cast<int>(target->keys.size()), 99);
  const auto fits = [&](const Value& argument) { return variable.left->Take(argument, levels); };
  if (!leaves_gap && std::all_of(arguments.begin(), arguments.end(), fits)) {
    for (const Value& argument : arguments) VAQUITA_RETURN_IF_ERROR(CheckRoom(argument));
    return CallMethod(&value, method, arguments, wanted);
  }
  variable.left.reset();
  Value before = value;
  auto answer = CallMethod(&value, method, arguments, wanted);
  const absl::Status room = variable.value.IsTooLarge() ? ValueTooLarge() : CheckRoom(variable.value, /*is_held=*/true);
  if (room.ok()) return answer;
  value = std::move(before);
  return room;
}

RubyEvaluator::Result RubyEvaluator::CallOnTarget(const Expression& call, Target* target, const Arguments& arguments,
                                                  bool wanted) {
  Value& value = *ValueIn(target);
  if (std::holds_alternative<TableReference>(value.kind)) return CallTable(call, value, arguments);
  if (target->variables == nullptr) {
    if (!target->is_element || !IsChangedBy(value, call.name)) return CallOn(call, std::move(value), arguments);
    return RubyError("NameError", absl::StrCat("only a variable and its elements by their indexes can be changed by `",
                                               call.name, "' here"));
  }
  VAQUITA_ASSIGN_OR_RETURN(auto answer, ChangeTarget(target, call.name, arguments, wanted));
  return answer ? Result(*std::move(answer)) : CallOn(call, *ValueIn(target), arguments);
}

}  // namespace vaquita::shell
