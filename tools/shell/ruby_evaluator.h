// tools/shell/ruby_evaluator.h: runs the Ruby that ruby_reader.h reads: variables, blocks, loops, methods of one's own.
//
// Commands and words such as `puts` are its host's. Values are copied, and have no identity. Threads: one.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/shell/ruby_methods.h"
#include "tools/shell/ruby_reader.h"
#include "tools/shell/value.h"

namespace vaquita::shell {

// Errors: kInvalidArgument with Ruby's words; the host's own codes as they are.
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

  absl::StatusOr<Value> Evaluate(const Expression& expression);
  // Runs a statement that is not inside a block or method.
  absl::StatusOr<Value> Run(const Expression& statement);
  // Returns whether an error is caught by a `rescue` of the script, which then decides what is said of it.
  bool rescues() const { return rescues_ > 0; }
  // Returns where the last error came from.
  Place error_place() const { return error_place_; }
  // Returns where the word that the host runs stands.
  Place word_place() const { return word_place_; }

 private:
  using Result = absl::StatusOr<Value>;
  using Variables = std::map<std::string, Value>;
  // A call of a method of one's own. Blocks share the variables of what is around them.
  struct Frame {
    Variables variables;
    const Block* block = nullptr;  // that the call was given, for `yield`
    size_t block_frame = 0;        // the frame that has its variables
  };
  // The ways to leave a block, a loop or a method before its end.
  enum class Leave { kNone, kNext, kBreak, kReturn };

  Result EvaluateCall(const Expression& call);
  Result CallOn(const Expression& call, Value receiver, const Arguments& arguments);
  Result CallWord(const Expression& call, Arguments arguments);
  Result CallTable(const Expression& call, Value table, Arguments arguments);
  Result CallOwn(const Block& method, const Expression& call, const Arguments& arguments);
  std::optional<Result> CallTime(const Expression& call);
  std::optional<Result> CallWithBlock(const Expression& call, const Value& receiver, const Arguments& arguments);
  Result Loop(const Expression& call);
  Result GoThrough(const Expression& call, const Value& receiver, const Array& items, const Arguments& arguments);
  Result RunBlock(const Block& block, const Arguments& arguments);
  Result Yield(const Expression& yield);
  absl::Status Bind(const std::vector<Parameter>& parameters, const Arguments& arguments, bool strict,
                    Variables* variables);

  Result EvaluateText(const Expression& text);
  Result EvaluateRange(const Expression& range);
  Result EvaluateWhile(const Expression& loop);
  Result EvaluateFor(const Expression& loop);
  Result EvaluateCase(const Expression& made);
  Result EvaluateBegin(const Expression& begin);
  Result AssignElement(const Expression& assign);
  Result LeaveWith(Leave leave, const Expression& with);
  Result EvaluateSequence(const std::vector<Expression>& statements);
  absl::StatusOr<Arguments> EvaluateAll(const std::vector<Expression>& expressions, size_t from = 0);

  // Returns the variable that an expression is; null if it is none.
  Value* VariableOf(const Expression& expression);
  // Sets a variable. Returns an error if all variables have no room for the value.
  absl::Status Set(Variables* variables, const std::string& name, Value value);
  // Returns an error if all variables have no room for the value, which a variable has already if `is_held`.
  absl::Status CheckRoom(const Value& value, bool is_held = false);
  absl::StatusOr<std::optional<Value>> ChangeVariable(Value* variable, const std::string& method,
                                                      const Arguments& arguments);
  // Takes the value in hand: until the expression around it has its own. Returns an error instead if there is no room.
  Result InHand(const Expression& expression, Result result);
  // Notes where an error came from, unless something deeper has.
  Result At(const Expression& expression, Result result);

  Host& host_;
  std::vector<Frame> frames_{1};
  std::map<std::string, std::shared_ptr<const Block>> methods_;
  size_t frame_ = 0;  // the frame whose variables are seen
  ValueRoom room_ = ValueRoom::For(4);
  ValueRoom grown_ = room_;    // room for variables until they are counted again
  ValueRoom in_hand_ = room_;  // room that is left for values in hand
  int depth_ = 0;
  int rescues_ = 0;
  Leave leave_ = Leave::kNone;
  Value left_with_;
  bool has_error_place_ = false;
  Place error_place_;
  Place word_place_;
};

}  // namespace vaquita::shell
