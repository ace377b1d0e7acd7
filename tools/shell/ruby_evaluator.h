// tools/shell/ruby_evaluator.h: runs the Ruby that ruby_reader.h reads: variables, blocks, loops, methods of one's own.
//
// Commands and words such as `puts` are its host's. Values are copied, and have no identity. Threads: one.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/shell/ruby_methods.h"
#include "tools/shell/ruby_random.h"
#include "tools/shell/ruby_reader.h"
#include "tools/shell/ruby_rounds.h"
#include "tools/shell/value.h"

namespace vaquita::shell {

// Errors: kInvalidArgument with Ruby's words, which a `rescue` catches; the host's other codes as they are. These end
// the statement.
class RubyEvaluator {
 public:
  class Host {
   public:
    virtual ~Host() = default;
    // Runs the command or the word `name`; nullopt if there is none.
    virtual std::optional<absl::StatusOr<Value>> RunWord(const std::string& name, Arguments& arguments) = 0;
    // Returns the value of a constant; nullopt if there is none.
    virtual std::optional<Value> Constant(const std::string& name) = 0;
    // Returns the error for a word that is nothing. `alone`: it may have been meant as a variable.
    virtual absl::Status UnknownWord(const std::string& name, bool alone) = 0;
    // Returns an error if a loop is to end.
    virtual absl::Status CheckLoop() = 0;
  };

  explicit RubyEvaluator(Host* host) : host_(*host) {}
  // Sets the room for all variables, and as much for the values that a statement holds while it runs. By default it is
  // the room for four of the largest values.
  void SetRoom(ValueRoom room) { room_ = grown_ = in_hand_ = room; }

  // Runs a statement that is not inside a block or method.
  absl::StatusOr<Value> Run(const Expression& statement);
  // Returns whether an error is caught by a `rescue` of the script, which then decides what is said of it.
  bool rescues() const { return rescues_ > 0; }
  // Returns where the last error came from.
  Place error_place() const { return error_place_; }
  // Returns where the word that the host runs stands.
  Place word_place() const { return word_place_; }
  RubyRandom& random() { return random_; }

 private:
  static constexpr int kDeepestCalls = 400;  // calls and expressions within each other
  using Result = absl::StatusOr<Value>;
  struct Variable {
    Value value;
    std::optional<ValueRoom> left;  // room that the value has at least; nullopt: not counted yet
  };
  using Variables = std::map<std::string, Variable>;
  // A call of a method of one's own. Blocks share the variables of what is around them.
  struct Frame {
    Variables variables;
    const Block* block = nullptr;  // that the call was given, for `yield`
    size_t block_frame = 0;        // the frame that has its variables
  };
  // The ways to leave a block, a loop or a method before its end. kBreakCall ends the call that the block was given to,
  // kReturn the method that the `return` is in: both are those of left_frame_.
  enum class Leave { kNone, kNext, kBreak, kBreakCall, kReturn };
  // An early end travels as this error, which nobody prints.
  static absl::Status Leaving() { return absl::OutOfRangeError("leaving"); }
  static bool IsLeaving(const absl::Status& status) { return absl::IsOutOfRange(status); }
  static absl::Status ValueTooLarge() {
    return RubyError("NoMemoryError", "a value has at most a million parts here, 64 MB of text, and 100 levels");
  }
  static absl::Status NoRoom() {
    return RubyError("NoMemoryError", "the values of this session are too large together: set a variable to nil");
  }
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

  // The value that a method may change in its place: a variable's, or an element's in it, however deep. Else a value of
  // its own, which goes when the expression ends.
  struct Target {
    Variables* variables = nullptr;  // that have it; null: none has
    std::string name;
    Array keys;               // the indexes to the element, from the variable inwards
    Value value;              // if no variable has it
    bool is_element = false;  // `value` is a copy of something in a variable, which a method would change in Ruby
  };

  // Unless it is `wanted`, a value is not kept, and may be nil.
  Result Evaluate(const Expression& expression, bool wanted);
  Result EvaluateKind(const Expression& expression, bool wanted);
  Result EvaluateCall(const Expression& call, bool wanted);
  Result CallOn(const Expression& call, Value receiver, const Arguments& arguments);
  Result CallWord(const Expression& call, Arguments arguments);
  Result CallTable(const Expression& call, Value table, Arguments arguments);
  Result CallOwn(const Block& method, const Expression& call, const Arguments& arguments);
  std::optional<Result> CallTime(const Expression& call);

  // ruby_blocks.cc
  std::optional<Result> CallWithBlock(const Expression& call, const Value& receiver, const Arguments& arguments);
  std::optional<Result> CallOnParts(const Expression& call, const Value& receiver, const Arguments& arguments);
  Result Loop(const Expression& call);
  Result GoThrough(const Expression& call, const std::string& method, const Value& receiver, const Rounds& items,
                   const Arguments& arguments);
  Result Fold(const Expression& call, const Rounds& items, const Arguments& arguments);
  Result SortWithBlock(const Expression& call, const Rounds& rounds);
  Result MergeWithBlock(const Expression& call, const Value& receiver, const Arguments& hashes);
  Result ReplaceWithBlock(const Expression& call, const std::string& text, const std::string& part);
  Result RunBlock(const Block& block, const Arguments& arguments, bool wanted = true);
  Result Yield(const Expression& yield);
  // Returns the value of a `break` of the block, if the result is one.
  Result AfterBreak(Result result);
  // Sets the parameters in the frame that is seen.
  absl::Status Bind(const std::vector<Parameter>& parameters, const Arguments& arguments, bool strict);

  Result EvaluateText(const Expression& text);
  Result EvaluateRange(const Expression& range);
  Result EvaluateWhile(const Expression& loop);
  Result EvaluateFor(const Expression& loop);
  Result EvaluateCase(const Expression& made, bool wanted);
  Result EvaluateBegin(const Expression& begin, bool wanted);
  Result LeaveWith(Leave leave, const Expression& with);
  Result EvaluateSequence(const std::vector<Expression>& statements, bool wanted);
  absl::StatusOr<Arguments> EvaluateAll(const std::vector<Expression>& expressions, size_t from = 0);

  // ruby_targets.cc
  absl::StatusOr<Target> TargetOf(const Expression& expression);
  absl::StatusOr<Target> FindTarget(const Expression& expression);
  absl::StatusOr<Target> ElementTarget(const Expression& call);
  absl::StatusOr<Target> GrownTarget(const Expression& call);
  // Sets the element, whose new value is in the answer's `value` if that is wanted.
  absl::StatusOr<Target> AssignElement(const Expression& assign, bool wanted);
  absl::StatusOr<Target> ChangeElement(const Expression& change, bool wanted);
  absl::StatusOr<Value> SetElement(Target* holder, const Value& index, Value value, bool wanted);
  // Returns the value of the target: nil if it is there no more.
  Value* ValueIn(Target* target);
  // Calls a method on the target in its place; nullopt if its value has no such method. A change that would make it too
  // large is taken back.
  absl::StatusOr<std::optional<Value>> ChangeTarget(Target* target, const std::string& method,
                                                    const Arguments& arguments, bool wanted);
  Result CallOnTarget(const Expression& call, Target* target, const Arguments& arguments, bool wanted);

  // Returns the variable that an expression is; null if it is none.
  Variable* VariableOf(const Expression& expression);
  // Sets a variable. Returns an error if all variables have no room for the value.
  absl::Status Set(Variables* variables, const std::string& name, Value value);
  // Returns an error if all variables have no room for the value, which a variable has already if `is_held`.
  absl::Status CheckRoom(const Value& value, bool is_held = false);
  // Takes the value in hand: until the expression around it has its own. Returns an error instead if there is no room.
  Result InHand(const Expression& expression, Result result);
  // Notes where an error came from, unless something deeper has.
  Result At(const Expression& expression, Result result);

  Host& host_;
  std::deque<Frame> frames_{1};  // a frame stays in its place while others come and go
  std::map<std::string, std::shared_ptr<const Block>> methods_;
  size_t frame_ = 0;  // the frame whose variables are seen
  ValueRoom room_ = ValueRoom::For(4);
  ValueRoom grown_ = room_;    // room for variables until they are counted again
  ValueRoom in_hand_ = room_;  // room that is left for values in hand
  int depth_ = 0;
  int rescues_ = 0;
  Leave leave_ = Leave::kNone;
  size_t left_frame_ = 0;
  Value left_with_;
  RubyRandom random_;
  bool has_error_place_ = false;
  Place error_place_;
  Place word_place_;
};

}  // namespace vaquita::shell
