#include "tools/shell/ruby_evaluator.h"

#include <utility>
#include <variant>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "tools/shell/ruby_arguments.h"
#include "tools/shell/ruby_signatures.h"
#include "tools/shell/ruby_text.h"

namespace vaquita::shell {
namespace {

using Node = Expression::Kind;

absl::Status OutsideOfLoop(bool next) {
  return RubyError("SyntaxError",
                   next ? "'next' outside of a loop and of a block" : "'break' outside of a loop and of a block");
}
bool IsSmall(const Value& value) { return ValueRoom(/*parts=*/1, /*text_bytes=*/64).Take(value); }

}  // namespace

RubyEvaluator::Result RubyEvaluator::Run(const Expression& statement) {
  has_error_place_ = false;
  error_place_ = statement.place;
  depth_ = 0;
  rescues_ = 0;
  frames_.resize(1);
  frame_ = 0;
  in_hand_ = room_;
  Result result = Evaluate(statement, /*wanted=*/true);
  const Leave leave = std::exchange(leave_, Leave::kNone);
  if (!IsLeaving(result.status())) return result;
  if (leave == Leave::kReturn) return std::move(left_with_);  // outside of a method it ends the statement
  return OutsideOfLoop(leave == Leave::kNext);
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

RubyEvaluator::Result RubyEvaluator::Evaluate(const Expression& expression, bool wanted) {
  if (depth_ >= kDeepestCalls) return RubyError("SystemStackError", "stack level too deep");
  ++depth_;
  Result result = EvaluateKind(expression, wanted);
  --depth_;
  if (!wanted && result.ok()) return Value();
  return InHand(expression, std::move(result));
}

RubyEvaluator::Result RubyEvaluator::EvaluateKind(const Expression& expression, bool wanted) {
  const LetGo parts(&in_hand_);
  switch (expression.kind) {
    case Node::kLiteral:
      return expression.literal;
    case Node::kText:
      return EvaluateText(expression);
    case Node::kConstant: {
      const auto own = frames_[0].variables.find(expression.name);
      if (own != frames_[0].variables.end()) return own->second.value;
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
      Hash hash;
      for (size_t i = 0; i + 1 < items.size(); i += 2) hash.Set(std::move(items[i]), std::move(items[i + 1]));
      return Value(std::move(hash));
    }
    case Node::kRange:
      return EvaluateRange(expression);
    case Node::kCall:
      if (const Variable* variable = VariableOf(expression)) return wanted ? variable->value : Value();
      return At(expression, EvaluateCall(expression, wanted));
    case Node::kAssign: {
      VAQUITA_ASSIGN_OR_RETURN(Value value, Evaluate(expression.items[0], /*wanted=*/true));
      const bool constant = absl::ascii_isupper(static_cast<unsigned char>(expression.name[0]));
      Value kept = wanted ? value : Value();
      VAQUITA_RETURN_IF_ERROR(Set(&frames_[constant ? 0 : frame_].variables, expression.name, std::move(value)));
      return kept;
    }
    case Node::kElementAssign:
    case Node::kElementChange: {
      VAQUITA_ASSIGN_OR_RETURN(Target element, expression.kind == Node::kElementAssign
                                                   ? AssignElement(expression, wanted)
                                                   : ChangeElement(expression, wanted));
      return std::move(element.value);
    }
    case Node::kNot: {
      VAQUITA_ASSIGN_OR_RETURN(const Value value, Evaluate(expression.items[0], /*wanted=*/true));
      return Value(!value.IsTruthy());
    }
    case Node::kAnd:
    case Node::kOr: {
      // `a ||= b`: a variable that is not there yet is nil.
      const bool fresh = expression.name == "=" && expression.items[0].kind == Node::kCall &&
                         !expression.items[0].has_receiver && VariableOf(expression.items[0]) == nullptr;
      Value left;
      if (!fresh) {
        VAQUITA_ASSIGN_OR_RETURN(left, Evaluate(expression.items[0], /*wanted=*/true));
      }
      if (left.IsTruthy() == (expression.kind == Node::kOr)) return left;
      return Evaluate(expression.items[1], wanted);
    }
    case Node::kIf: {
      VAQUITA_ASSIGN_OR_RETURN(const Value condition, Evaluate(expression.items[0], /*wanted=*/true));
      return Evaluate(expression.items[condition.IsTruthy() ? 1 : 2], wanted);
    }
    case Node::kWhile:
    case Node::kUntil:
      return EvaluateWhile(expression);
    case Node::kFor:
      return EvaluateFor(expression);
    case Node::kCase:
      return EvaluateCase(expression, wanted);
    case Node::kSequence:
      return EvaluateSequence(expression.items, wanted);
    case Node::kBegin:
      return EvaluateBegin(expression, wanted);
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
}

RubyEvaluator::Result RubyEvaluator::EvaluateSequence(const std::vector<Expression>& statements, bool wanted) {
  Value last;
  for (const Expression& statement : statements) {
    const LetGo before(&in_hand_);
    VAQUITA_ASSIGN_OR_RETURN(last, Evaluate(statement, wanted && &statement == &statements.back()));
  }
  return last;
}

absl::StatusOr<Arguments> RubyEvaluator::EvaluateAll(const std::vector<Expression>& expressions, size_t from) {
  Arguments values;
  for (size_t i = from; i < expressions.size(); ++i) {
    VAQUITA_ASSIGN_OR_RETURN(values.emplace_back(), Evaluate(expressions[i], /*wanted=*/true));
  }
  return values;
}

RubyEvaluator::Result RubyEvaluator::EvaluateText(const Expression& text) {
  std::string out;
  for (const Expression& part : text.items) {
    VAQUITA_ASSIGN_OR_RETURN(const Value value, Evaluate(part, /*wanted=*/true));
    out += value.ToText();
    if (out.size() > kMostTextBytes) return TextTooLong();
  }
  return Value(std::move(out));
}

// A range of texts is an array of them at once.
RubyEvaluator::Result RubyEvaluator::EvaluateRange(const Expression& range) {
  VAQUITA_ASSIGN_OR_RETURN(const Value first, Evaluate(range.items[0], /*wanted=*/true));
  VAQUITA_ASSIGN_OR_RETURN(const Value last, Evaluate(range.items[1], /*wanted=*/true));
  const bool exclusive = range.name == "...";
  if (first.AsInteger() != nullptr && last.AsInteger() != nullptr) {
    return Value(Range{*first.AsInteger(), *last.AsInteger(), exclusive});
  }
  if (first.AsString() == nullptr || last.AsString() == nullptr)
    return RubyError("ArgumentError", "bad value for range");
  VAQUITA_ASSIGN_OR_RETURN(Array texts, TextsBetween(*first.AsString(), *last.AsString(), exclusive, in_hand_));
  return Value(std::move(texts));
}

RubyEvaluator::Result RubyEvaluator::LeaveWith(Leave leave, const Expression& with) {
  VAQUITA_ASSIGN_OR_RETURN(Arguments values, EvaluateAll(with.items));
  left_with_ = values.empty() ? Value() : values.size() == 1 ? values[0] : Value(Array(std::move(values)));
  leave_ = leave;
  left_frame_ = frame_;
  return Leaving();
}

// --- Loops

RubyEvaluator::Result RubyEvaluator::EvaluateWhile(const Expression& loop) {
  for (bool body_first = loop.name == "begin";; body_first = false) {
    const LetGo round(&in_hand_);
    VAQUITA_RETURN_IF_ERROR(host_.CheckLoop());
    if (!body_first) {
      VAQUITA_ASSIGN_OR_RETURN(const Value condition, Evaluate(loop.items[0], /*wanted=*/true));
      if (condition.IsTruthy() == (loop.kind == Node::kUntil)) return Value();
    }
    const Result result = Evaluate(loop.items[1], /*wanted=*/false);
    if (result.ok()) continue;
    if (!IsLeaving(result.status()) || (leave_ != Leave::kBreak && leave_ != Leave::kNext)) return result;
    if (std::exchange(leave_, Leave::kNone) == Leave::kBreak) return std::move(left_with_);
  }
}

RubyEvaluator::Result RubyEvaluator::EvaluateFor(const Expression& loop) {
  VAQUITA_ASSIGN_OR_RETURN(const Value collection, Evaluate(loop.items[0], /*wanted=*/true));
  VAQUITA_ASSIGN_OR_RETURN(const auto rounds, RoundsOf(collection));
  if (!rounds) return UndefinedMethod("each", collection);
  for (size_t i = 0; i < rounds->size; ++i) {
    const LetGo round(&in_hand_);
    VAQUITA_RETURN_IF_ERROR(host_.CheckLoop());
    VAQUITA_RETURN_IF_ERROR(Set(&frames_[frame_].variables, loop.name, rounds->at(i)));
    const Result result = Evaluate(loop.items[1], /*wanted=*/false);
    if (result.ok()) continue;
    if (!IsLeaving(result.status()) || (leave_ != Leave::kBreak && leave_ != Leave::kNext)) return result;
    if (std::exchange(leave_, Leave::kNone) == Leave::kBreak) return std::move(left_with_);
  }
  return collection;
}

RubyEvaluator::Result RubyEvaluator::EvaluateCase(const Expression& made, bool wanted) {
  VAQUITA_ASSIGN_OR_RETURN(const Value subject, Evaluate(made.items[0], /*wanted=*/true));
  for (size_t i = 1; i + 1 < made.items.size(); i += 2) {
    const std::vector<Expression>& values = made.items[i].items;
    for (const Expression& each : values) {
      VAQUITA_ASSIGN_OR_RETURN(Value value, Evaluate(each, /*wanted=*/true));
      const bool among = std::holds_alternative<Range>(value.kind) || each.kind == Node::kRange;
      VAQUITA_ASSIGN_OR_RETURN(const auto match, CallMethod(&value, among ? "include?" : "==", {subject}));
      if (match && match->IsTruthy()) return Evaluate(made.items[i + 1], wanted);
    }
  }
  return Evaluate(made.items.back(), wanted);
}

// The end of a script, and of a loop that nobody waits for, are no errors that a script may go on after.
RubyEvaluator::Result RubyEvaluator::EvaluateBegin(const Expression& begin, bool wanted) {
  const bool has_rescue = begin.items.size() > 1;
  const int depth = depth_;
  const size_t frames = frames_.size();
  const size_t frame = frame_;
  rescues_ += has_rescue ? 1 : 0;
  Result result = Evaluate(begin.items[0], wanted);
  rescues_ -= has_rescue ? 1 : 0;
  if (!has_rescue || !absl::IsInvalidArgument(result.status())) return result;
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
  return Evaluate(begin.items[1], wanted);
}

// --- Variables

RubyEvaluator::Variable* RubyEvaluator::VariableOf(const Expression& expression) {
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
  (*variables)[name] = {std::move(value), std::nullopt};
  return absl::OkStatus();
}

// Counts them only when they may have grown by as much as there is room for.
absl::Status RubyEvaluator::CheckRoom(const Value& value, bool is_held) {
  if (grown_.Take(value)) return absl::OkStatus();
  ValueRoom room = room_;
  bool fits = is_held || room.Take(value);
  for (const Frame& frame : frames_) {
    for (const auto& [name, each] : frame.variables) fits = fits && room.Take(each.value);
  }
  if (!fits) return NoRoom();
  grown_ = room_;
  return absl::OkStatus();
}

// --- Calls

RubyEvaluator::Result RubyEvaluator::EvaluateCall(const Expression& call, bool wanted) {
  if (!call.has_receiver) {
    if (call.name == "loop" && call.block) return Loop(call);
    if (call.name == "block_given?") return Value(frames_[frame_].block != nullptr);
    VAQUITA_ASSIGN_OR_RETURN(Arguments arguments, EvaluateAll(call.items));
    return CallWord(call, std::move(arguments));
  }
  if (std::optional<Result> time = CallTime(call)) return *std::move(time);
  if (!call.block) {
    VAQUITA_ASSIGN_OR_RETURN(Target target, TargetOf(call.items[0]));
    VAQUITA_ASSIGN_OR_RETURN(const Arguments arguments, EvaluateAll(call.items, 1));
    return CallOnTarget(call, &target, arguments, wanted);
  }
  VAQUITA_ASSIGN_OR_RETURN(Value receiver, Evaluate(call.items[0], /*wanted=*/true));
  VAQUITA_ASSIGN_OR_RETURN(const Arguments arguments, EvaluateAll(call.items, 1));
  if (std::holds_alternative<TableReference>(receiver.kind)) return CallTable(call, std::move(receiver), arguments);
  return CallOn(call, std::move(receiver), arguments);
}

RubyEvaluator::Result RubyEvaluator::CallOn(const Expression& call, Value receiver, const Arguments& arguments) {
  if (call.block) {
    if (std::optional<Result> result = CallWithBlock(call, receiver, arguments)) return *std::move(result);
    if (HasMethod(receiver, call.name)) {
      return RubyError("NotImplementedError", absl::StrCat("`", call.name, "' of ", AbslText(receiver.ClassName()),
                                                           " with a block is Ruby that this shell does not run"));
    }
  }
  const bool has_items = receiver.HasParts() || std::holds_alternative<Range>(receiver.kind);
  if (call.name == "each" && has_items && arguments.empty()) return receiver;
  if (call.name == "each_char" && receiver.AsString() != nullptr && arguments.empty()) return receiver;
  const Array* array = receiver.AsArray();
  if (array != nullptr && call.name == "sample") return random_.Sample(*array, arguments);
  if (array != nullptr && call.name == "shuffle" && arguments.empty()) return random_.Shuffle(*array);
  if ((call.name == "inject" || call.name == "reduce") && has_items && !call.block) {
    VAQUITA_ASSIGN_OR_RETURN(const auto items, RoundsOf(receiver));
    return Fold(call, *items, arguments);
  }
  VAQUITA_ASSIGN_OR_RETURN(const auto answer, CallMethod(&receiver, call.name, arguments));
  if (answer) return *answer;
  return UndefinedMethod(call.name, receiver);
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
  const size_t caller = frame_;
  const size_t own = frames_.size();
  frames_.push_back({.variables = {}, .block = call.block.get(), .block_frame = caller});
  frame_ = own;
  const absl::Status bound = Bind(method.parameters, arguments, /*strict=*/true);
  Result result = bound.ok() ? Evaluate(method.body, /*wanted=*/true) : Result(bound);
  frames_.resize(own);
  frame_ = caller;
  if (!IsLeaving(result.status())) return result;
  if (leave_ == Leave::kBreak || leave_ == Leave::kNext) {
    return OutsideOfLoop(std::exchange(leave_, Leave::kNone) == Leave::kNext);
  }
  if (left_frame_ != own) return result;
  leave_ = Leave::kNone;
  return std::move(left_with_);
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

}  // namespace vaquita::shell
