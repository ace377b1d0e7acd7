#include "tools/shell/ruby_evaluator.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/absl_text.h"
#include "base/status.h"

namespace vaquita::shell {
namespace {

using Node = Expression::Kind;

constexpr int kDeepestCalls = 400;           // calls and expressions within each other
constexpr int64_t kMostCounted = 1'000'000;  // of one counted loop

// An early end travels as this error, which nobody prints.
absl::Status Leaving() { return absl::OutOfRangeError("leaving"); }
absl::Status ValueTooLarge() {
  return RubyError("NoMemoryError", "a value has at most a million parts here, 64 MB of text, and 100 levels");
}
bool IsSmall(const Value& value) {
  return !value.HasParts() && (value.AsString() == nullptr || value.AsString()->size() <= 64);
}
absl::Status NoRoom() {
  return RubyError("NoMemoryError", "the values of this session are too large together: set a variable to nil");
}
bool IsLeaving(const absl::Status& status) { return absl::IsOutOfRange(status); }

// Lets go, at its end, the values that were taken in hand while it lived.
class LetGo {
 public:
  explicit LetGo(ValueRoom* in_hand) : in_hand_(*in_hand), before_(*in_hand) {}
  ~LetGo() { in_hand_ = before_; }
  LetGo(const LetGo&) = delete;
  LetGo& operator=(const LetGo&) = delete;

 private:
  ValueRoom& in_hand_;
  const ValueRoom before_;
};

}  // namespace

RubyEvaluator::Result RubyEvaluator::Run(const Expression& statement) {
  has_error_place_ = false;
  error_place_ = statement.place;
  depth_ = 0;
  rescues_ = 0;
  frames_.resize(1);
  frame_ = 0;
  in_hand_ = room_;
  Result result = Evaluate(statement);
  leave_ = Leave::kNone;
  if (IsLeaving(result.status())) return std::move(left_with_);  // a `return` outside of a method ends the statement
  return result;
}

RubyEvaluator::Result RubyEvaluator::At(const Expression& expression, Result result) {
  if (!result.ok() && !has_error_place_) {
    has_error_place_ = true;
    error_place_ = expression.place;
  }
  return result;
}

RubyEvaluator::Result RubyEvaluator::InHand(const Expression& expression, Result result) {
  if (!result.ok()) return result;
  if (result->IsTooLarge()) return At(expression, ValueTooLarge());
  if (!in_hand_.Take(*result)) return At(expression, NoRoom());
  return result;
}

RubyEvaluator::Result RubyEvaluator::Evaluate(const Expression& expression) {
  if (depth_ >= kDeepestCalls) return RubyError("SystemStackError", "stack level too deep");
  ++depth_;
  Result result = [&]() -> Result {
    const LetGo parts(&in_hand_);
    switch (expression.kind) {
      case Node::kLiteral:
        return expression.literal;
      case Node::kText:
        return EvaluateText(expression);
      case Node::kConstant: {
        const auto own = frames_[0].variables.find(expression.name);
        if (own != frames_[0].variables.end()) return own->second;
        const std::optional<Value> value = host_.Constant(expression.name);
        if (value) return *value;
        return RubyError("NameError", absl::StrCat("uninitialized constant ", expression.name));
      }
      case Node::kArray: {
        VAQUITA_ASSIGN_OR_RETURN(Arguments items, EvaluateAll(expression.items));
        return Value(Array(std::move(items)));
      }
      case Node::kHash: {
        VAQUITA_ASSIGN_OR_RETURN(Arguments items, EvaluateAll(expression.items));
        Hash entries;
        for (size_t i = 0; i + 1 < items.size(); i += 2) {
          entries.push_back({std::move(items[i]), std::move(items[i + 1])});
        }
        return Value(HashOf(std::move(entries)));
      }
      case Node::kRange:
        return EvaluateRange(expression);
      case Node::kCall:
        if (const Value* variable = VariableOf(expression)) return *variable;
        return At(expression, EvaluateCall(expression));
      case Node::kAssign: {
        VAQUITA_ASSIGN_OR_RETURN(Value value, Evaluate(expression.items[0]));
        const bool constant = absl::ascii_isupper(static_cast<unsigned char>(expression.name[0]));
        VAQUITA_RETURN_IF_ERROR(Set(&frames_[constant ? 0 : frame_].variables, expression.name, value));
        return value;
      }
      case Node::kElementAssign:
        return AssignElement(expression);
      case Node::kNot: {
        VAQUITA_ASSIGN_OR_RETURN(const Value value, Evaluate(expression.items[0]));
        return Value(!value.IsTruthy());
      }
      case Node::kAnd:
      case Node::kOr: {
        // `a ||= b`: a variable that is not there yet is nil.
        const bool fresh = expression.name == "=" && expression.items[0].kind == Node::kCall &&
                           !expression.items[0].has_receiver && VariableOf(expression.items[0]) == nullptr;
        Value left;
        if (!fresh) {
          VAQUITA_ASSIGN_OR_RETURN(left, Evaluate(expression.items[0]));
        }
        if (left.IsTruthy() == (expression.kind == Node::kOr)) return left;
        return Evaluate(expression.items[1]);
      }
      case Node::kIf: {
        VAQUITA_ASSIGN_OR_RETURN(const Value condition, Evaluate(expression.items[0]));
        return Evaluate(expression.items[condition.IsTruthy() ? 1 : 2]);
      }
      case Node::kWhile:
      case Node::kUntil:
        return EvaluateWhile(expression);
      case Node::kFor:
        return EvaluateFor(expression);
      case Node::kCase:
        return EvaluateCase(expression);
      case Node::kSequence:
        return EvaluateSequence(expression.items);
      case Node::kBegin:
        return EvaluateBegin(expression);
      case Node::kDef:
        methods_[expression.name] = expression.block;
        return Value(Symbol{expression.name});
      case Node::kYield:
        return At(expression, Yield(expression));
      case Node::kReturn:
        return LeaveWith(Leave::kReturn, expression);
      case Node::kBreak:
        return LeaveWith(Leave::kBreak, expression);
      case Node::kNext:
        return LeaveWith(Leave::kNext, expression);
    }
    return Value();
  }();
  --depth_;
  return InHand(expression, std::move(result));
}

RubyEvaluator::Result RubyEvaluator::EvaluateSequence(const std::vector<Expression>& statements) {
  Value last;
  for (const Expression& statement : statements) {
    const LetGo before(&in_hand_);
    VAQUITA_ASSIGN_OR_RETURN(last, Evaluate(statement));
  }
  return last;
}

absl::StatusOr<Arguments> RubyEvaluator::EvaluateAll(const std::vector<Expression>& expressions, size_t from) {
  Arguments values;
  for (size_t i = from; i < expressions.size(); ++i) {
    VAQUITA_ASSIGN_OR_RETURN(values.emplace_back(), Evaluate(expressions[i]));
  }
  return values;
}

RubyEvaluator::Result RubyEvaluator::EvaluateText(const Expression& text) {
  std::string out;
  for (const Expression& part : text.items) {
    VAQUITA_ASSIGN_OR_RETURN(const Value value, Evaluate(part));
    out += value.ToText();
    if (out.size() > kMostTextBytes) return TextTooLong();
  }
  return Value(std::move(out));
}

// A range of texts is an array of them at once.
RubyEvaluator::Result RubyEvaluator::EvaluateRange(const Expression& range) {
  VAQUITA_ASSIGN_OR_RETURN(Value first, Evaluate(range.items[0]));
  VAQUITA_ASSIGN_OR_RETURN(const Value last, Evaluate(range.items[1]));
  const bool exclusive = range.name == "...";
  if (first.AsInteger() != nullptr && last.AsInteger() != nullptr) {
    return Value(Range{*first.AsInteger(), *last.AsInteger(), exclusive});
  }
  if (first.AsString() == nullptr || last.AsString() == nullptr)
    return RubyError("ArgumentError", "bad value for range");
  Array texts;
  const std::string end = *last.AsString();
  while (first.AsString()->size() <= end.size() && static_cast<int64_t>(texts.size()) < kMostCounted) {
    if (first == last && exclusive) break;
    texts.push_back(first);
    if (first == last) break;
    VAQUITA_ASSIGN_OR_RETURN(const auto next, CallMethod(&first, "succ", {}));
    first = next.value_or(last);
  }
  return Value(std::move(texts));
}

RubyEvaluator::Result RubyEvaluator::LeaveWith(Leave leave, const Expression& with) {
  VAQUITA_ASSIGN_OR_RETURN(Arguments values, EvaluateAll(with.items));
  left_with_ = values.empty() ? Value() : values.size() == 1 ? values[0] : Value(Array(std::move(values)));
  leave_ = leave;
  return Leaving();
}

// --- Loops

RubyEvaluator::Result RubyEvaluator::EvaluateWhile(const Expression& loop) {
  while (true) {
    const LetGo round(&in_hand_);
    VAQUITA_RETURN_IF_ERROR(host_.CheckLoop());
    VAQUITA_ASSIGN_OR_RETURN(const Value condition, Evaluate(loop.items[0]));
    if (condition.IsTruthy() == (loop.kind == Node::kUntil)) return Value();
    const Result result = Evaluate(loop.items[1]);
    if (result.ok()) continue;
    if (!IsLeaving(result.status()) || leave_ == Leave::kReturn) return result;
    if (std::exchange(leave_, Leave::kNone) == Leave::kBreak) return std::move(left_with_);
  }
}

RubyEvaluator::Result RubyEvaluator::EvaluateFor(const Expression& loop) {
  VAQUITA_ASSIGN_OR_RETURN(const Value collection, Evaluate(loop.items[0]));
  VAQUITA_ASSIGN_OR_RETURN(const auto items, ItemsOf(collection));
  if (!items) {
    return RubyError("NoMethodError", absl::StrCat("undefined method `each' for ", collection.Inspect(), ":",
                                                   AbslText(collection.ClassName())));
  }
  for (const Value& item : *items) {
    const LetGo round(&in_hand_);
    VAQUITA_RETURN_IF_ERROR(host_.CheckLoop());
    VAQUITA_RETURN_IF_ERROR(Set(&frames_[frame_].variables, loop.name, item));
    const Result result = Evaluate(loop.items[1]);
    if (result.ok()) continue;
    if (!IsLeaving(result.status()) || leave_ == Leave::kReturn) return result;
    if (std::exchange(leave_, Leave::kNone) == Leave::kBreak) return std::move(left_with_);
  }
  return collection;
}

RubyEvaluator::Result RubyEvaluator::EvaluateCase(const Expression& made) {
  VAQUITA_ASSIGN_OR_RETURN(const Value subject, Evaluate(made.items[0]));
  for (size_t i = 1; i + 1 < made.items.size(); i += 2) {
    VAQUITA_ASSIGN_OR_RETURN(const Arguments values, EvaluateAll(made.items[i].items));
    for (Value value : values) {
      const bool range = std::holds_alternative<Range>(value.kind);
      VAQUITA_ASSIGN_OR_RETURN(const auto match, CallMethod(&value, range ? "===" : "==", {subject}));
      if (match && match->IsTruthy()) return Evaluate(made.items[i + 1]);
    }
  }
  return Evaluate(made.items.back());
}

RubyEvaluator::Result RubyEvaluator::EvaluateBegin(const Expression& begin) {
  const bool has_rescue = begin.items.size() > 1;
  const int depth = depth_;
  const size_t frames = frames_.size();
  const size_t frame = frame_;
  rescues_ += has_rescue ? 1 : 0;
  Result result = Evaluate(begin.items[0]);
  rescues_ -= has_rescue ? 1 : 0;
  if (result.ok() || !has_rescue || IsLeaving(result.status())) return result;
  depth_ = depth;
  frames_.resize(frames);
  frame_ = frame;
  has_error_place_ = false;
  std::string text(StdText(result.status().message()));
  // "RuntimeError (text)" is for a trace.
  const size_t open = text.find(" (");
  if (open != text.npos && text.find(' ') == open && text.ends_with(")"))
    text = text.substr(open + 2, text.size() - open - 3);
  if (!begin.name.empty()) {
    VAQUITA_RETURN_IF_ERROR(Set(&frames_[frame_].variables, begin.name, Value(std::move(text))));
  }
  return Evaluate(begin.items[1]);
}

// --- Variables

Value* RubyEvaluator::VariableOf(const Expression& expression) {
  const bool word = expression.kind == Node::kCall && !expression.has_receiver && !expression.parentheses &&
                    expression.items.empty() && !expression.block;
  if (!word) return nullptr;
  const auto found = frames_[frame_].variables.find(expression.name);
  return found == frames_[frame_].variables.end() ? nullptr : &found->second;
}

// Small values in place of others are always taken, so that a full session can go on.
absl::Status RubyEvaluator::Set(Variables* variables, const std::string& name, Value value) {
  const auto found = variables->find(name);
  if (found == variables->end() || !IsSmall(value)) VAQUITA_RETURN_IF_ERROR(CheckRoom(value));
  (*variables)[name] = std::move(value);
  return absl::OkStatus();
}

// Counts them only when they may have grown by as much as there is room for.
absl::Status RubyEvaluator::CheckRoom(const Value& value, bool is_held) {
  if (grown_.Take(value)) return absl::OkStatus();
  ValueRoom room = room_;
  bool fits = is_held || room.Take(value);
  for (const Frame& frame : frames_) {
    for (const auto& [name, each] : frame.variables) fits = fits && room.Take(each);
  }
  if (!fits) return NoRoom();
  grown_ = room_;
  return absl::OkStatus();
}

RubyEvaluator::Result RubyEvaluator::AssignElement(const Expression& assign) {
  VAQUITA_ASSIGN_OR_RETURN(const Arguments arguments, EvaluateAll(assign.items, 1));
  Value* variable = VariableOf(assign.items[0]);
  if (variable == nullptr) return RubyError("NameError", "only an element of a variable can be set here");
  VAQUITA_ASSIGN_OR_RETURN(const auto set, ChangeVariable(variable, "[]=", arguments));
  if (set) return *set;
  return RubyError("NoMethodError", absl::StrCat("undefined method `[]=' for ", AbslText(variable->ClassName())));
}

// --- Calls

RubyEvaluator::Result RubyEvaluator::EvaluateCall(const Expression& call) {
  if (!call.has_receiver) {
    if (call.name == "loop" && call.block) return Loop(call);
    if (call.name == "block_given?") return Value(frames_[frame_].block != nullptr);
    VAQUITA_ASSIGN_OR_RETURN(Arguments arguments, EvaluateAll(call.items));
    return CallWord(call, std::move(arguments));
  }
  if (std::optional<Result> time = CallTime(call)) return *std::move(time);
  Value* variable = VariableOf(call.items[0]);
  VAQUITA_ASSIGN_OR_RETURN(Value receiver, Evaluate(call.items[0]));
  VAQUITA_ASSIGN_OR_RETURN(const Arguments arguments, EvaluateAll(call.items, 1));
  if (std::holds_alternative<TableReference>(receiver.kind)) return CallTable(call, std::move(receiver), arguments);
  if (variable == nullptr) return CallOn(call, std::move(receiver), arguments);
  variable = VariableOf(call.items[0]);  // the arguments may have made new ones
  if (call.block) return CallOn(call, std::move(receiver), arguments);
  VAQUITA_ASSIGN_OR_RETURN(const auto answer, ChangeVariable(variable, call.name, arguments));
  if (answer) return *answer;
  return CallOn(call, *variable, arguments);
}

// A change that would make the variable too large is taken back.
absl::StatusOr<std::optional<Value>> RubyEvaluator::ChangeVariable(Value* variable, const std::string& method,
                                                                   const Arguments& arguments) {
  // A million small values fit, so only other changes need the look at all parts.
  const Array* array = variable->AsArray();
  const int64_t* index = arguments.empty() ? nullptr : arguments[0].AsInteger();
  const bool leaves_gap =
      method == "[]=" && array != nullptr && index != nullptr && *index > static_cast<int64_t>(array->size());
  if (!leaves_gap && std::all_of(arguments.begin(), arguments.end(), IsSmall)) {
    for (const Value& argument : arguments) VAQUITA_RETURN_IF_ERROR(CheckRoom(argument));
    return CallMethod(variable, method, arguments);
  }
  Value before = *variable;
  auto answer = CallMethod(variable, method, arguments);
  const absl::Status room = variable->IsTooLarge() ? ValueTooLarge() : CheckRoom(*variable, /*is_held=*/true);
  if (room.ok()) return answer;
  *variable = std::move(before);
  return room;
}

RubyEvaluator::Result RubyEvaluator::CallOn(const Expression& call, Value receiver, const Arguments& arguments) {
  if (call.block) {
    if (std::optional<Result> result = CallWithBlock(call, receiver, arguments)) return *std::move(result);
  }
  if (call.name == "each" || call.name == "each_char") return receiver;
  if ((call.name == "inject" || call.name == "reduce") && arguments.size() == 1) {
    VAQUITA_ASSIGN_OR_RETURN(const auto items, ItemsOf(receiver));
    const Symbol* op = std::get_if<Symbol>(&arguments[0].kind);
    if (items && op != nullptr) {
      if (items->empty()) return Value();
      Value sum = items->front();
      for (size_t i = 1; i < items->size(); ++i) {
        VAQUITA_RETURN_IF_ERROR(host_.CheckLoop());
        VAQUITA_ASSIGN_OR_RETURN(const auto next, CallMethod(&sum, op->name, {(*items)[i]}));
        sum = next.value_or(Value());
      }
      return sum;
    }
  }
  VAQUITA_ASSIGN_OR_RETURN(const auto answer, CallMethod(&receiver, call.name, arguments));
  if (answer) return *answer;
  return RubyError("NoMethodError", absl::StrCat("undefined method `", call.name, "' for ", receiver.Inspect(), ":",
                                                 AbslText(receiver.ClassName())));
}

// A variable that holds a table is the first argument of the command after the dot.
RubyEvaluator::Result RubyEvaluator::CallTable(const Expression& call, Value table, Arguments arguments) {
  if (call.name == "name" || call.name == "to_s" || call.name == "nil?" || call.name == "inspect") {
    VAQUITA_ASSIGN_OR_RETURN(const auto answer, CallMethod(&table, call.name == "name" ? "to_s" : call.name, {}));
    return answer.value_or(Value());
  }
  arguments.insert(arguments.begin(), std::move(table));
  word_place_ = call.place;
  std::optional<Result> result = host_.RunWord(call.name, arguments);
  return result ? *std::move(result) : host_.UnknownWord(call.name, /*alone=*/false);
}

RubyEvaluator::Result RubyEvaluator::CallWord(const Expression& call, Arguments arguments) {
  const auto own = methods_.find(call.name);
  if (own != methods_.end()) return CallOwn(*std::shared_ptr<const Block>(own->second), call, arguments);
  word_place_ = call.place;
  std::optional<Result> result = host_.RunWord(call.name, arguments);
  if (result) return *std::move(result);
  return host_.UnknownWord(call.name, !call.parentheses && call.items.empty());
}

RubyEvaluator::Result RubyEvaluator::CallOwn(const Block& method, const Expression& call, const Arguments& arguments) {
  VAQUITA_RETURN_IF_ERROR(host_.CheckLoop());
  Frame frame{.variables = {}, .block = call.block.get(), .block_frame = frame_};
  VAQUITA_RETURN_IF_ERROR(Bind(method.parameters, arguments, /*strict=*/true, &frame.variables));
  const size_t caller = frame_;
  frames_.push_back(std::move(frame));
  frame_ = frames_.size() - 1;
  Result result = Evaluate(method.body);
  frames_.resize(frame_);
  frame_ = caller;
  if (IsLeaving(result.status()) && leave_ == Leave::kReturn) {
    leave_ = Leave::kNone;
    return std::move(left_with_);
  }
  return result;
}

// Time.now, and what is asked of it at once. Without a question it is the seconds since 1970.
std::optional<RubyEvaluator::Result> RubyEvaluator::CallTime(const Expression& call) {
  const auto is_now = [](const Expression& each) {
    return each.kind == Node::kCall && each.has_receiver && each.name == "now" &&
           each.items[0].kind == Node::kConstant && each.items[0].name == "Time";
  };
  const double now = absl::ToDoubleSeconds(absl::Now() - absl::UnixEpoch());
  if (is_now(call)) return Result(Value(now));
  if (!is_now(call.items[0])) return std::nullopt;
  if (call.name == "to_i") return Result(Value(static_cast<int64_t>(now)));
  const bool format = call.name == "strftime" && call.items.size() == 2 && call.items[1].kind == Node::kLiteral;
  if (!format && call.name != "to_s") return std::nullopt;
  const std::string text = format ? call.items[1].literal.ToText() : "%Y-%m-%d %H:%M:%S %z";
  return Result(Value(absl::FormatTime(text, absl::Now(), absl::LocalTimeZone())));
}

// --- Blocks

// Missing arguments of a block are nil, and one array is taken apart; a method is strict.
absl::Status RubyEvaluator::Bind(const std::vector<Parameter>& parameters, const Arguments& arguments, bool strict,
                                 Variables* variables) {
  Arguments given = arguments;
  if (!strict && parameters.size() > 1 && given.size() == 1 && given[0].AsArray() != nullptr)
    given = Array(*given[0].AsArray());
  size_t least = 0;
  bool rest = false;
  for (const Parameter& parameter : parameters) {
    least += parameter.rest || !parameter.initial.empty() ? 0 : 1;
    rest |= parameter.rest;
  }
  if (strict && (given.size() < least || (!rest && given.size() > parameters.size()))) {
    return RubyError("ArgumentError", absl::StrCat("wrong number of arguments (given ", given.size(), ", expected ",
                                                   least, rest ? "+" : "", ")"));
  }
  size_t next = 0;
  for (const Parameter& parameter : parameters) {
    Value& value = (*variables)[parameter.name];
    if (parameter.rest) {
      const size_t from = std::min(next, given.size());
      value = Value(Array(given.begin() + static_cast<std::ptrdiff_t>(from), given.end()));
      next = given.size();
    } else if (next < given.size()) {
      value = given[next++];
    } else {
      value = Value();
      if (!parameter.initial.empty()) {
        VAQUITA_ASSIGN_OR_RETURN(value, Evaluate(parameter.initial[0]));
      }
    }
    VAQUITA_RETURN_IF_ERROR(CheckRoom(value));
  }
  return absl::OkStatus();
}

// The parameters hide variables of the same name.
RubyEvaluator::Result RubyEvaluator::RunBlock(const Block& block, const Arguments& arguments) {
  VAQUITA_RETURN_IF_ERROR(host_.CheckLoop());
  const LetGo round(&in_hand_);
  std::vector<std::pair<std::string, std::optional<Value>>> hidden;
  for (const Parameter& parameter : block.parameters) {
    const auto found = frames_[frame_].variables.find(parameter.name);
    const bool there = found != frames_[frame_].variables.end();
    if (there && !in_hand_.Take(found->second)) return NoRoom();
    hidden.emplace_back(parameter.name, there ? std::optional(found->second) : std::nullopt);
  }
  Variables bound;
  VAQUITA_RETURN_IF_ERROR(Bind(block.parameters, arguments, /*strict=*/false, &bound));
  for (auto& [name, value] : bound) frames_[frame_].variables[name] = std::move(value);
  Result result = Evaluate(block.body);
  for (auto& [name, value] : hidden) {
    if (value) {
      frames_[frame_].variables[name] = *std::move(value);
    } else {
      frames_[frame_].variables.erase(name);
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
  return result;
}

RubyEvaluator::Result RubyEvaluator::Loop(const Expression& call) {
  while (true) {
    const Result result = RunBlock(*call.block, {});
    if (result.ok()) continue;
    if (!IsLeaving(result.status()) || leave_ != Leave::kBreak) return result;
    leave_ = Leave::kNone;
    return std::move(left_with_);
  }
}

namespace {

// The numbers that times, upto, downto and step go through; nullopt for other methods.
std::optional<absl::StatusOr<Array>> Counted(const Value& receiver, const std::string& method,
                                             const Arguments& arguments) {
  const int64_t* start = receiver.AsInteger();
  const Range* range = std::get_if<Range>(&receiver.kind);
  // The difference of two numbers of 64 bits may need one more.
  __int128 from = 0;
  __int128 to = 0;
  __int128 by = 1;
  const auto argument = [&](size_t i, int64_t otherwise) {
    const int64_t* number = i < arguments.size() ? arguments[i].AsInteger() : nullptr;
    return number == nullptr ? otherwise : *number;
  };
  if (start != nullptr && method == "times") {
    to = __int128{*start} - 1;
  } else if (start != nullptr && (method == "upto" || method == "downto" || method == "step")) {
    from = *start;
    to = argument(0, *start);
    by = method == "downto" ? -1 : method == "step" ? argument(1, 1) : 1;
  } else if (range != nullptr && method == "step") {
    from = range->first;
    to = __int128{range->last} - (range->exclusive ? 1 : 0);
    by = argument(0, 1);
  } else {
    return std::nullopt;
  }
  if (by == 0) return RubyError("ArgumentError", "step can't be 0");
  if ((to - from) / by >= kMostCounted) return RubyError("RangeError", "a loop has at most a million rounds here");
  Array numbers;
  for (__int128 i = from; by > 0 ? i <= to : i >= to; i += by) numbers.emplace_back(static_cast<int64_t>(i));
  return numbers;
}

}  // namespace

std::optional<RubyEvaluator::Result> RubyEvaluator::CallWithBlock(const Expression& call, const Value& receiver,
                                                                  const Arguments& arguments) {
  if (auto numbers = Counted(receiver, call.name, arguments)) {
    if (!numbers->ok()) return Result(numbers->status());
    Expression each = call;
    each.name = "each";
    return GoThrough(each, receiver, **numbers, {});
  }
  Value copy = receiver;
  if (receiver.AsString() != nullptr && (call.name == "each_char" || call.name == "each_line")) {
    const auto parts = CallMethod(&copy, call.name == "each_char" ? "chars" : "lines", {});
    if (!parts.ok()) return Result(parts.status());
    Expression each = call;
    each.name = "each";
    return GoThrough(each, receiver, *(*parts)->AsArray(), {});
  }
  const auto items = ItemsOf(receiver);
  if (!items.ok()) return Result(items.status());
  if (!items->has_value()) return std::nullopt;
  static const std::set<std::string> kMethods = {
      "each",    "each_pair", "each_with_index", "each_slice", "each_entry", "reverse_each", "map",
      "collect", "flat_map",  "select",          "filter",     "reject",     "find",         "detect",
      "any?",    "all?",      "none?",           "count",      "sort_by",    "min_by",       "max_by",
      "sum",     "inject",    "reduce",          "group_by"};
  if (!kMethods.contains(call.name)) return std::nullopt;
  return GoThrough(call, receiver, **items, arguments);
}

namespace {

// Returns what a block gets in each round of the method `name`.
absl::StatusOr<Array> RoundsOf(const std::string& name, const Array& items, const Arguments& arguments) {
  if (name == "reverse_each") return Array(items.rbegin(), items.rend());
  if (name != "each_slice") return items;
  const int64_t* size = arguments.empty() ? nullptr : arguments[0].AsInteger();
  if (size == nullptr || *size < 1) return RubyError("ArgumentError", "invalid slice size");
  Array slices;
  for (size_t i = 0; i < items.size(); i += static_cast<size_t>(*size)) {
    const auto from = items.begin() + static_cast<std::ptrdiff_t>(i);
    slices.emplace_back(Array(from, from + std::min<std::ptrdiff_t>(items.end() - from, *size)));
  }
  return slices;
}

// Returns the rounds in the order of their results.
Array SortedBy(const Array& rounds, const Array& results) {
  std::vector<size_t> order(rounds.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return Compare(results[a], results[b]).value_or(0) < 0; });
  Array sorted;
  for (const size_t i : order) sorted.push_back(rounds[i]);
  return sorted;
}

Value GroupedBy(const Array& rounds, const Array& results) {
  std::unordered_map<Value, size_t, ValueHash> places;
  Hash groups;
  for (size_t i = 0; i < rounds.size(); ++i) {
    const auto [found, is_new] = places.try_emplace(results[i], groups.size());
    if (is_new) groups.push_back({results[i], Value(Array())});
    std::get<Array>(groups[found->second].value.kind).push_back(rounds[i]);
  }
  return Value(std::move(groups));
}

// Returns the rounds whose result is true, or, with `rejected`, false: of a hash a hash.
Value Chosen(const Value& receiver, const Array& rounds, const Array& results, bool rejected) {
  Array chosen;
  for (size_t i = 0; i < rounds.size(); ++i) {
    if (results[i].IsTruthy() != rejected) chosen.push_back(rounds[i]);
  }
  if (receiver.AsHash() == nullptr) return Value(std::move(chosen));
  Hash hash;
  for (const Value& pair : chosen) hash.push_back({(*pair.AsArray())[0], (*pair.AsArray())[1]});
  return Value(std::move(hash));
}

// Returns whether the method `name` needs no round after one with this result.
bool IsDecided(const std::string& name, const Value& result) {
  if (name == "all?") return !result.IsTruthy();
  return result.IsTruthy() && (name == "any?" || name == "none?" || name == "find" || name == "detect");
}

// Returns the value of the method `name`, whose block had these results in these rounds.
absl::StatusOr<Value> ValueOf(const std::string& name, const Value& receiver, const Array& rounds, Array results) {
  if (name == "map" || name == "collect") return Value(std::move(results));
  if (name == "flat_map" || name == "sum") {
    Value all(std::move(results));
    VAQUITA_ASSIGN_OR_RETURN(const auto value, CallMethod(&all, name == "sum" ? "sum" : "flatten", {}));
    return value.value_or(Value());
  }
  if (name == "select" || name == "filter") return Chosen(receiver, rounds, results, /*rejected=*/false);
  if (name == "reject") return Chosen(receiver, rounds, results, /*rejected=*/true);
  if (name == "group_by") return GroupedBy(rounds, results);
  const auto truths = std::count_if(results.begin(), results.end(), [](const Value& v) { return v.IsTruthy(); });
  if (name == "count") return Value(int64_t{truths});
  if (name == "any?") return Value(truths > 0);
  if (name == "none?") return Value(truths == 0);
  if (name == "all?") return Value(truths == static_cast<std::ptrdiff_t>(results.size()));
  if (name == "find" || name == "detect") {
    const auto found = std::find_if(results.begin(), results.end(), [](const Value& v) { return v.IsTruthy(); });
    return found == results.end() ? Value() : rounds[static_cast<size_t>(found - results.begin())];
  }
  if (name == "sort_by") return Value(SortedBy(rounds, results));
  if (name == "min_by" || name == "max_by") {
    const Array sorted = SortedBy(rounds, results);
    return sorted.empty() ? Value() : name == "min_by" ? sorted.front() : sorted.back();
  }
  return receiver;
}

}  // namespace

RubyEvaluator::Result RubyEvaluator::GoThrough(const Expression& call, const Value& receiver, const Array& items,
                                               const Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const Array rounds, RoundsOf(call.name, items, arguments));
  static const std::set<std::string> kKeep = {"map",      "collect", "flat_map", "sum",
                                              "group_by", "sort_by", "min_by",   "max_by"};
  const bool kept = kKeep.contains(call.name);  // others look only whether a block's value is true
  const bool folds = call.name == "inject" || call.name == "reduce";
  std::optional<Value> folded;
  if (!arguments.empty()) folded = arguments[0];
  Array results;
  for (size_t i = 0; i < rounds.size(); ++i) {
    if (folds && !folded) {
      folded = rounds[i];
      continue;
    }
    Arguments given = {rounds[i]};
    if (call.name == "each_with_index") given.emplace_back(static_cast<int64_t>(i));
    if (folds) given.insert(given.begin(), *folded);
    Result result = RunBlock(*call.block, given);
    if (!result.ok()) {
      if (!IsLeaving(result.status()) || leave_ != Leave::kBreak) return result;
      leave_ = Leave::kNone;
      return std::move(left_with_);
    }
    if (folds) {
      folded = *std::move(result);
      continue;
    }
    if (!kept) result = Value(result->IsTruthy());
    if (!in_hand_.Take(*result)) return NoRoom();
    results.push_back(*std::move(result));
    if (IsDecided(call.name, results.back())) break;
  }
  if (folds) return folded.value_or(Value());
  return ValueOf(call.name, receiver, rounds, std::move(results));
}

}  // namespace vaquita::shell
