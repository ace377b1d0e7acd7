#include "lab/design/key_compiler.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/did_you_mean.h"
#include "base/status.h"
#include "base/unicode.h"
#include "lab/design/digest.h"
#include "lab/design/key_operation.h"
#include "model/cell.h"

namespace vaquita::lab {
namespace {

using Kind = Expression::Kind;

struct NamedNumber {
  std::string_view name;
  int64_t value;
};
constexpr NamedNumber kNamedNumbers[] = {{"MAX_LONG", std::numeric_limits<int64_t>::max()},
                                         {"MIN_LONG", std::numeric_limits<int64_t>::min()},
                                         {"MAX_INT", std::numeric_limits<int32_t>::max()},
                                         {"MIN_INT", std::numeric_limits<int32_t>::min()}};

const int64_t* FindNamedNumber(std::string_view name) {
  for (const NamedNumber& number : kNamedNumbers) {
    if (number.name == name) return &number.value;
  }
  return nullptr;
}

KeyType NumberType(int bytes) {
  KeyType type{.kind = KeyType::Kind::kNumber, .number_bytes = bytes};
  if (bytes > 0) type.length = bytes;
  return type;
}

// The operations that work on the bytes from a mark, and take the mark away.
bool TakesMark(KeyOpCode code) {
  return (code >= KeyOpCode::kParseNumber && code <= KeyOpCode::kLookupNumber) || code >= KeyOpCode::kDropMark;
}

bool IsNumberArgument(KeyParameter parameter) {
  return parameter == KeyParameter::kNumber || parameter == KeyParameter::kTime;
}

// Returns the length of a key's part after `op`; nullopt if keys differ in it.
std::optional<size_t> LengthAfter(const KeyOp& op, const KeyProgram& program, std::optional<size_t> before) {
  switch (op.code) {
    case KeyOpCode::kDigest:
      return DigestBytes(static_cast<DigestKind>(op.a));
    case KeyOpCode::kHex:
      return before ? std::optional(2 * *before) : before;
    case KeyOpCode::kUnhex:
      return before ? std::optional(*before / 2) : before;
    case KeyOpCode::kPrefix:
    case KeyOpCode::kSuffix:
      return before ? std::optional(std::min<size_t>(*before, op.number)) : before;
    case KeyOpCode::kPad:
    case KeyOpCode::kPadRight:
    case KeyOpCode::kPaddedDigits:
    case KeyOpCode::kFixed:
      return op.a;
    case KeyOpCode::kFormatTime:
      return program.patterns[op.a].width();
    case KeyOpCode::kReverse:
    case KeyOpCode::kReverseText:
    case KeyOpCode::kReverseDigits:
    case KeyOpCode::kReverseAllBits:
    case KeyOpCode::kReverseParts:
    case KeyOpCode::kInvert:
    case KeyOpCode::kLower:
    case KeyOpCode::kUpper:
    case KeyOpCode::kDropMark:
      return before;
    default:
      return std::nullopt;
  }
}

class Compiler {
 public:
  Compiler(std::string_view design, const Schema& schema, const LookupTables& tables, uint64_t seed)
      : design_(design), schema_(schema), tables_(tables) {
    program_.seed = seed;
  }

  absl::StatusOr<CompiledKey> Compile(const Expression& whole) {
    CompiledKey compiled;
    for (const Expression& operand : whole.Joined()) {
      CompiledPart part{.source = std::string(operand.Source(design_)), .first_op = program_.ops.size()};
      VAQUITA_ASSIGN_OR_RETURN(part.type, Bytes(operand));
      part.last_op = program_.ops.size();
      part.meaning = Meaning(operand, part.type);
      compiled.parts.push_back(std::move(part));
    }
    compiled.program = std::move(program_);
    return compiled;
  }

 private:
  absl::Status Fail(const Expression& at, std::string_view message) const {
    return ExpressionError(message, design_, at.begin);
  }

  void Emit(KeyOp op, const Expression& at) {
    op.begin = at.begin;
    op.end = at.end;
    program_.ops.push_back(op);
  }
  // A program has no jumps, so an operation can be put before others later.
  void InsertMark(size_t place) { program_.ops.insert(program_.ops.begin() + place, KeyOp{KeyOpCode::kMark}); }

  // ---- An expression, in three forms

  // As it is by itself: numbers go to the stack, text and bytes to the key.
  absl::StatusOr<KeyType> Natural(const Expression& e) {
    switch (e.kind) {
      case Kind::kNumber:
        Emit({.code = KeyOpCode::kConstant, .number = e.number}, e);
        return NumberType(0);
      case Kind::kTime:
        Emit({.code = KeyOpCode::kConstant, .number = e.number}, e);
        return KeyType{.kind = KeyType::Kind::kTime};
      case Kind::kDecimal:
        return Fail(e, "keys have whole numbers only");
      case Kind::kText:
        return Literal(e);
      case Kind::kName:
        return Name(e);
      case Kind::kCall:
        return Call(e);
      case Kind::kJoin:
        return Join(e);
      default:
        return Arithmetic(e);
    }
  }

  // Appended to the key.
  absl::StatusOr<KeyType> Bytes(const Expression& e) {
    VAQUITA_ASSIGN_OR_RETURN(const KeyType type, Natural(e));
    return Append(type, e);
  }

  // On the stack.
  absl::StatusOr<KeyType> Number(const Expression& e, bool is_time = false) {
    const size_t begin = program_.ops.size();
    VAQUITA_ASSIGN_OR_RETURN(const KeyType type, Natural(e));
    return ToNumber(begin, type, is_time, e);
  }

  absl::StatusOr<KeyType> ToNumber(size_t begin, const KeyType& type, bool is_time, const Expression& e) {
    if (type.is_number()) return type;
    const std::string_view wanted = is_time ? "a time" : "a number";
    if (type.kind == KeyType::Kind::kBytes) {
      return Fail(e, absl::StrCat(AbslText(e.Source(design_)), " is bytes, but ", AbslText(wanted),
                                  " is needed here; bytes_hash() makes a number of them"));
    }
    if (e.kind == Kind::kText) return Fail(e, absl::StrCat("this is text, but ", AbslText(wanted), " is needed here"));
    if (e.kind == Kind::kJoin) {
      return Fail(e, absl::StrCat("+ joins, but ", AbslText(wanted), " is needed here; add(a, b) adds"));
    }
    if (e.kind == Kind::kName) {  // a field: nothing is copied
      program_.ops.back().code = is_time ? KeyOpCode::kParseTimeField : KeyOpCode::kParseField;
    } else {
      InsertMark(begin);
      Emit({is_time ? KeyOpCode::kParseTime : KeyOpCode::kParseNumber}, e);
    }
    return is_time ? KeyType{.kind = KeyType::Kind::kTime} : NumberType(0);
  }

  // Moves a number on the stack to the key; text and bytes are there already.
  KeyType Append(const KeyType& type, const Expression& e) {
    if (!type.is_number()) return type;
    if (type.number_bytes > 0) {
      Emit({KeyOpCode::kBigEndian, type.number_bytes}, e);
      return {.kind = KeyType::Kind::kBytes, .number_bytes = type.number_bytes, .length = type.length};
    }
    return AppendDigits(e);
  }

  KeyType AppendDigits(const Expression& e) {
    Emit({KeyOpCode::kDigits}, e);
    return {.kind = KeyType::Kind::kText};
  }

  // ---- What expressions are made of

  absl::StatusOr<KeyType> Literal(const Expression& e) {
    Emit({.code = KeyOpCode::kLiteral,
          .a = static_cast<int32_t>(program_.literals.size()),
          .number = static_cast<int64_t>(e.text.size())},
         e);
    program_.literals += e.text;
    return KeyType{.kind = IsUtf8(e.text) ? KeyType::Kind::kText : KeyType::Kind::kBytes, .length = e.text.size()};
  }

  absl::StatusOr<KeyType> Name(const Expression& e) {
    if (const std::optional<int> field = schema_.Find(e.text)) {
      const FieldKind kind = schema_.fields()[*field].kind;
      Emit({kind == FieldKind::kText ? KeyOpCode::kTextField : KeyOpCode::kNumberField, *field}, e);
      if (kind == FieldKind::kText) return KeyType{};
      return KeyType{.kind = kind == FieldKind::kTime ? KeyType::Kind::kTime : KeyType::Kind::kNumber};
    }
    if (const int64_t* number = FindNamedNumber(e.text)) {
      Emit({.code = KeyOpCode::kConstant, .number = *number}, e);
      return NumberType(0);
    }
    if (FindKeyOperation(e.text) != nullptr) {
      return Fail(e, absl::StrCat(e.text, " is an operation: ", AbslText(FindKeyOperation(e.text)->usage)));
    }
    std::vector<std::string_view> names;
    for (const Field& field : schema_.fields()) names.push_back(field.name);
    return Fail(e, absl::StrCat("unknown field '", e.text, "'", DidYouMean(e.text, names), "; the fields are ",
                                schema_.fields().empty() ? "none" : schema_.Names()));
  }

  absl::StatusOr<KeyType> Join(const Expression& e) {
    KeyType whole{.length = 0};
    for (const Expression& operand : e.arguments) {
      VAQUITA_ASSIGN_OR_RETURN(const KeyType type, Bytes(operand));
      if (type.kind == KeyType::Kind::kBytes) whole.kind = KeyType::Kind::kBytes;
      if (!type.length) whole.length.reset();
      if (whole.length) *whole.length += *type.length;
    }
    return whole;
  }

  absl::StatusOr<KeyType> Arithmetic(const Expression& e) {
    const Expression& right = e.arguments[1];
    VAQUITA_RETURN_IF_ERROR(Number(e.arguments[0]).status());
    if (e.kind == Kind::kRemainder && right.kind == Kind::kNumber && right.number > 0) {
      Emit({.code = KeyOpCode::kRemainderBy, .number = right.number}, e);
      return NumberType(0);
    }
    if ((e.kind == Kind::kRemainder || e.kind == Kind::kDivide) && right.kind == Kind::kNumber && right.number == 0) {
      return Fail(right, "division by zero");
    }
    VAQUITA_RETURN_IF_ERROR(Number(right).status());
    Emit({e.kind == Kind::kSubtract   ? KeyOpCode::kSubtract
          : e.kind == Kind::kMultiply ? KeyOpCode::kMultiply
          : e.kind == Kind::kDivide   ? KeyOpCode::kDivide
                                      : KeyOpCode::kRemainder},
         e);
    return NumberType(0);
  }

  // ---- Operations

  absl::StatusOr<KeyType> Call(const Expression& call) {
    const KeyOperation* operation = FindKeyOperation(call.text);
    if (operation == nullptr) {
      std::vector<std::string_view> names;
      for (const KeyOperation& known : KeyOperations()) names.push_back(known.name);
      return Fail(call, absl::StrCat("unknown operation '", call.text, "'", DidYouMean(call.text, names),
                                     " (docs/lab.md has them all)"));
    }
    for (const Expression& argument : call.arguments) {
      if (argument.weight) return Fail(argument, "an operation's argument has no weight");
    }
    const size_t given = call.arguments.size();
    if (given < operation->required || given > operation->parameters.size()) {
      return Fail(call, absl::StrCat(AbslText(operation->usage), " takes ", operation->required,
                                     operation->required == operation->parameters.size()
                                         ? std::string()
                                         : absl::StrCat(" to ", operation->parameters.size()),
                                     operation->parameters.size() == 1 ? " argument" : " arguments", ", not ", given));
    }
    if (operation->result == KeyResult::kInt64 && operation->parameters[0] == KeyParameter::kTime) {
      return ReverseTime(call);
    }
    std::vector<KeyOp> ops = operation->ops;
    const size_t begin = program_.ops.size();
    KeyType argument;
    for (size_t i = 0; i < given; ++i) {
      const KeyParameter parameter = operation->parameters[i];
      if (IsNumberArgument(parameter)) {
        VAQUITA_ASSIGN_OR_RETURN(argument, Number(call.arguments[i], parameter == KeyParameter::kTime));
      } else if (parameter == KeyParameter::kText || parameter == KeyParameter::kBytes) {
        VAQUITA_ASSIGN_OR_RETURN(argument, MarkedArgument(begin, call.arguments[i], parameter, &ops));
      } else {
        VAQUITA_RETURN_IF_ERROR(Constant(parameter, call, i, &ops));
      }
    }
    return Finish(*operation, call, argument, ops);
  }

  // Emits the operations, and returns their type.
  absl::StatusOr<KeyType> Finish(const KeyOperation& operation, const Expression& call, const KeyType& argument,
                                 const std::vector<KeyOp>& ops) {
    std::optional<size_t> length = argument.length;
    for (const KeyOp& op : ops) {
      if (op.code == KeyOpCode::kDigest && !HasDigest(static_cast<DigestKind>(op.a))) {
        return Fail(call, absl::StrCat(AbslText(operation.usage),
                                       ": OpenSSL does not have this digest here, as in FIPS "
                                       "mode; take another"));
      }
      if (operation.name == "hash_prefix" && (!length || *length < static_cast<size_t>(op.number))) {
        return Fail(call.arguments[0], length
                                           ? absl::StrCat("a hash of ", *length, " bytes has no first ", op.number)
                                           : "hash_prefix() takes a hash; prefix() takes the beginning of any value");
      }
      Emit(op, call);
      length = LengthAfter(op, program_, length);
    }
    switch (operation.result) {
      case KeyResult::kNumber:
        return NumberType(0);
      case KeyResult::kTime:
        return KeyType{.kind = KeyType::Kind::kTime};
      case KeyResult::kByte:
        return NumberType(1);
      case KeyResult::kInt16:
        return NumberType(2);
      case KeyResult::kInt32:
        return NumberType(4);
      case KeyResult::kInt64:
        return NumberType(8);
      case KeyResult::kText:
        return KeyType{.kind = KeyType::Kind::kText, .length = length};
      case KeyResult::kBytes:
        return KeyType{.kind = KeyType::Kind::kBytes, .length = length};
      case KeyResult::kByTable:
        if (ops[0].code == KeyOpCode::kLookupNumber) return NumberType(0);
        return KeyType{.kind = KeyType::Kind::kText};
      case KeyResult::kSame:
        break;
    }
    if (argument.is_number()) return argument;
    return KeyType{.kind = argument.kind, .length = length};
  }

  absl::StatusOr<KeyType> ReverseTime(const Expression& call) {
    Emit({.code = KeyOpCode::kConstant, .number = std::numeric_limits<int64_t>::max()}, call);
    VAQUITA_RETURN_IF_ERROR(Number(call.arguments[0], true).status());
    Emit({KeyOpCode::kSubtract}, call);
    return NumberType(8);
  }

  // An argument whose bytes the first of `ops` works on. A number may stay on the stack, if `ops` has a form for that.
  absl::StatusOr<KeyType> MarkedArgument(size_t begin, const Expression& e, KeyParameter parameter,
                                         std::vector<KeyOp>* ops) {
    VAQUITA_ASSIGN_OR_RETURN(KeyType type, Natural(e));
    KeyOp& op = ops->front();
    if (type.is_number()) {
      const bool in_digits = type.number_bytes == 0;
      if (op.code == KeyOpCode::kPad) {
        op.code = KeyOpCode::kPaddedDigits;
        return type;
      }
      if (op.code == KeyOpCode::kReverseAllBits && in_digits) {
        return Fail(e, "bits of how many bytes? reverse_bits(int64(number)), for example");
      }
      if (op.code == KeyOpCode::kReverseAllBits) {
        op = {.code = KeyOpCode::kReverseBits, .number = 8 * type.number_bytes};
        return type;
      }
      if (op.code == KeyOpCode::kParseTime) {  // milliseconds already
        ops->clear();
        return type;
      }
      type = parameter == KeyParameter::kText ? AppendDigits(e) : Append(type, e);
    } else if (type.kind == KeyType::Kind::kBytes && parameter == KeyParameter::kText) {
      return Fail(e, absl::StrCat(AbslText(e.Source(design_)),
                                  " is bytes, but text is needed here; hex() shows bytes "
                                  "as text"));
    }
    if (type.kind == KeyType::Kind::kBytes) op.code = BytesForm(op.code);
    for (const KeyOp& each : *ops) {
      if (TakesMark(each.code)) InsertMark(begin);
    }
    return type;
  }

  // The form of an operation on characters for bytes.
  static KeyOpCode BytesForm(KeyOpCode code) {
    switch (code) {
      case KeyOpCode::kPrefixText:
        return KeyOpCode::kPrefix;
      case KeyOpCode::kSuffixText:
        return KeyOpCode::kSuffix;
      case KeyOpCode::kReverseText:
        return KeyOpCode::kReverse;
      default:
        return code;
    }
  }

  // A constant argument, which goes into the first of `ops`.
  absl::Status Constant(KeyParameter parameter, const Expression& call, size_t which, std::vector<KeyOp>* ops) {
    const Expression& e = call.arguments[which];
    if (parameter == KeyParameter::kZone) return absl::OkStatus();  // went with its pattern
    if (ops->empty()) return Fail(e, "a number is milliseconds already, and has no pattern");
    KeyOp& op = ops->front();
    switch (parameter) {
      case KeyParameter::kCharacter:
        if (e.kind != Kind::kText || e.text.size() != 1) return Fail(e, "one ASCII character is needed here: '0'");
        op.number = static_cast<unsigned char>(e.text[0]);
        return absl::OkStatus();
      case KeyParameter::kPattern:
        return Pattern(call, which, &op);
      case KeyParameter::kTable:
        return Table(e, &op);
      case KeyParameter::kDefault:
        return Default(e, &program_.lookups[op.a]);
      case KeyParameter::kWidth:
        VAQUITA_RETURN_IF_ERROR(Within(e, kMaxRowLength, "a width"));
        op.a = static_cast<int32_t>(e.number);
        return absl::OkStatus();
      case KeyParameter::kWhich:
        VAQUITA_RETURN_IF_ERROR(Within(e, kMaxRowLength, "the number of a part"));
        op.b = static_cast<int32_t>(e.number);
        return absl::OkStatus();
      case KeyParameter::kBuckets:
        VAQUITA_RETURN_IF_ERROR(Within(e, 256, "a count"));
        break;
      case KeyParameter::kDuration:
        VAQUITA_RETURN_IF_ERROR(Within(e, std::numeric_limits<int64_t>::max(), "a duration such as 1h"));
        break;
      default:
        VAQUITA_RETURN_IF_ERROR(Within(e, std::numeric_limits<int64_t>::max(), "a count"));
        break;
    }
    op.number = e.number;
    return absl::OkStatus();
  }

  absl::Status Within(const Expression& e, int64_t most, std::string_view what) const {
    if (e.kind == Kind::kNumber && e.number >= 1 && e.number <= most) return absl::OkStatus();
    const std::string range =
        most == std::numeric_limits<int64_t>::max() ? "above 0" : absl::StrCat("from 1 to ", most);
    return Fail(e, absl::StrCat(AbslText(what), " is needed here: a constant number ", range));
  }

  absl::Status Pattern(const Expression& call, size_t which, KeyOp* op) {
    const Expression& e = call.arguments[which];
    std::string zone;
    if (which + 1 < call.arguments.size()) {
      const Expression& zone_argument = call.arguments[which + 1];
      if (zone_argument.kind != Kind::kText) return Fail(zone_argument, "a time zone is text: 'Europe/Berlin'");
      zone = zone_argument.text;
    }
    if (e.kind != Kind::kText) return Fail(e, "a pattern is text: 'yyyyMM'");
    absl::StatusOr<TimePattern> pattern = TimePattern::Parse(e.text, zone);
    if (!pattern.ok()) return Fail(e, StdText(pattern.status().message()));
    if (op->code == KeyOpCode::kParseTime) op->code = KeyOpCode::kParsePattern;
    op->a = static_cast<int32_t>(program_.patterns.size());
    program_.patterns.push_back(*std::move(pattern));
    return absl::OkStatus();
  }

  absl::Status Table(const Expression& e, KeyOp* op) {
    const auto found = e.kind == Kind::kName ? tables_.find(e.text) : tables_.end();
    if (found == tables_.end()) {
      std::string names;
      for (const auto& [name, table] : tables_) absl::StrAppend(&names, names.empty() ? "" : ", ", name);
      return Fail(e, absl::StrCat("the name of a lookup table is needed here; ",
                                  names.empty() ? "none was given (--lookup NAME=FILE)" : "there are: " + names));
    }
    if (found->second.is_numeric()) op->code = KeyOpCode::kLookupNumber;
    op->a = static_cast<int32_t>(program_.lookups.size());
    program_.lookups.push_back({.name = found->first, .table = found->second});
    return absl::OkStatus();
  }

  absl::Status Default(const Expression& e, KeyLookup* lookup) {
    if (e.kind != Kind::kText && e.kind != Kind::kNumber) return Fail(e, "a default is a text or a number");
    if (lookup->table.is_numeric() && e.kind == Kind::kText) {
      return Fail(e, absl::StrCat("the values of ", lookup->name, " are numbers, so their default is one, too"));
    }
    lookup->has_default = true;
    lookup->default_number = e.number;
    lookup->default_text = e.kind == Kind::kText ? e.text : absl::StrCat(e.number);
    return absl::OkStatus();
  }

  // ---- For explanations

  std::string Meaning(const Expression& e, const KeyType& type) const {
    std::string meaning = e.kind == Kind::kCall   ? std::string(FindKeyOperation(e.text)->meaning)
                          : e.kind == Kind::kText ? "a constant"
                          : e.kind != Kind::kName ? "calculated"
                          : schema_.Find(e.text)  ? "the field " + e.text
                                                  : "a constant";
    const bool is_digits = !type.length && program_.ops.back().code == KeyOpCode::kDigits;
    if (is_digits) return meaning + ", in digits";
    if (!type.length) return meaning;
    absl::StrAppend(&meaning, ", ", *type.length, *type.length == 1 ? " byte" : " bytes");
    return type.number_bytes > 1 ? meaning + ", big-endian" : meaning;
  }

  const std::string_view design_;
  const Schema& schema_;
  const LookupTables& tables_;
  KeyProgram program_;
};

bool ContainsHash(const Expression& e) {
  if (e.kind == Kind::kCall && e.text.ends_with("_hash")) return true;
  for (const Expression& argument : e.arguments) {
    if (ContainsHash(argument)) return true;
  }
  return false;
}

// Returns the warning about a part that is followed by `next` (nullptr: it is the last), or empty.
std::string PartNote(const Expression& part, const CompiledPart& compiled, const KeyProgram& program,
                     const Expression* next) {
  if (part.kind == Kind::kCall && part.text == "bucket" && ContainsHash(part.arguments[0])) {
    return "a negative hash code gives a negative bucket, so there are up to twice as many; floor_mod() gives none";
  }
  if (part.kind == Kind::kText || compiled.type.length) return "";
  if (program.ops[compiled.last_op - 1].code == KeyOpCode::kDigits) {
    return "digits of different length sort as text does: 10 before 9; pad() or int64() keeps the order of numbers";
  }
  if (next == nullptr || next->kind == Kind::kText) return "";
  return "of any length, with nothing between it and the next part: two records may give one key";
}

}  // namespace

absl::StatusOr<CompiledKey> CompileKey(std::string_view design, const Schema& schema, const LookupTables& tables,
                                       uint64_t seed) {
  VAQUITA_ASSIGN_OR_RETURN(const Expression whole, ParseExpression(design));
  VAQUITA_ASSIGN_OR_RETURN(CompiledKey compiled, Compiler(design, schema, tables, seed).Compile(whole));
  const std::span<const Expression> operands = whole.Joined();
  for (size_t i = 0; i < operands.size(); ++i) {
    const Expression* next = i + 1 < operands.size() ? &operands[i + 1] : nullptr;
    compiled.parts[i].note = PartNote(operands[i], compiled.parts[i], compiled.program, next);
  }
  return compiled;
}

}  // namespace vaquita::lab
