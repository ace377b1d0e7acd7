#include "tools/shell/ruby_signatures.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status.h"
#include "tools/shell/ruby_arguments.h"

namespace vaquita::shell {
namespace {

// Names of methods, and a letter for each argument: v any value, s a text, t a text or nil, i a number, j a number or
// nil, a an array, h a hash. Those behind ? may be missing. A last * stands for any number of the letter before it.
struct MethodsWithArguments {
  const char* names;
  const char* arguments;
};

using SignatureTable = std::vector<MethodsWithArguments>;

const SignatureTable kAnyMethods = {{"to_s inspect nil? class dup clone freeze", ""},
                                    {"== eql? equal? <=> < <= > >=", "v"}};
const SignatureTable kNilMethods = {{"to_a to_i to_f", ""}};
const SignatureTable kNumberMethods = {
    {"+ - * / % ** & | << modulo div", "v"}, {"to_f to_i to_int abs zero?", ""}, {"truncate floor ceil round", "?i"}};
const SignatureTable kIntegerMethods = {{"even? odd? succ next pred chr", ""}, {"to_s", "?i"}};
const SignatureTable kTextMethods = {
    {"length size bytesize upcase downcase capitalize strip lstrip rstrip chop reverse hex to_f to_sym message empty? "
     "lines chars bytes ord succ next",
     ""},
    {"<< + * %", "v"},
    {"concat", "v*"},
    {"to_i", "?i"},
    {"chomp", "?t"},
    {"include?", "s"},
    {"start_with? end_with?", "s*"},
    {"index", "s?i"},
    {"split", "?ti"},
    {"rjust ljust center", "i?s"},
    {"sub gsub", "ss"},
    {"[]", "v?i"}};
// Those of everything that has elements.
const SignatureTable kElementMethods = {{"to_a entries sort uniq any? all? none?", ""},
                                        {"count sum", "?v"},
                                        {"first min max", "?i"},
                                        {"take drop", "i"},
                                        {"include? member?", "v"},
                                        {"zip", "a*"}};
const SignatureTable kArrayMethods = {{"length size empty? reverse compact", ""},
                                      {"index find_index << + - & *", "v"},
                                      {"push append unshift prepend", "v*"},
                                      {"concat", "a*"},
                                      {"last pop shift", "?i"},
                                      {"flatten", "?j"},
                                      {"join", "?t"},
                                      {"[]", "v?i"},
                                      {"[]=", "vv"}};
const SignatureTable kHashMethods = {{"length size empty? compact keys values to_h", ""},
                                     {"[] delete key? has_key?", "v"},
                                     {"fetch", "v?v"},
                                     {"dig", "vv*"},
                                     {"[]= store", "vv"},
                                     {"merge", "h*"}};
const SignatureTable kRangeMethods = {{"size begin end", ""}, {"last", "?i"}, {"cover? ===", "v"}};

const SignatureTable kBlocksOfElements = {
    {"each each_pair each_with_index each_entry reverse_each map collect flat_map select filter reject find detect "
     "any? "
     "all? none? count sort_by min_by max_by group_by sort min max uniq find_index",
     ""},
    {"each_slice", "i"},
    {"sum inject reduce", "?v"}};
const SignatureTable kBlocksOfArrays = {{"index each_index", ""}};
const SignatureTable kBlocksOfHashes = {{"each_key each_value", ""}, {"fetch", "v"}, {"merge", "h*"}};
const SignatureTable kBlocksOfTexts = {{"each_char each_line", ""}, {"gsub", "s"}};

using Signatures = std::unordered_map<std::string, std::string>;

Signatures SignaturesIn(const std::vector<const SignatureTable*>& tables) {
  Signatures signatures;
  for (const SignatureTable* table : tables) {
    for (const MethodsWithArguments& methods : *table) {
      for (const std::string& name : std::vector<std::string>(absl::StrSplit(methods.names, ' '))) {
        signatures[name] = methods.arguments;
      }
    }
  }
  return signatures;
}

const Signatures& SignaturesOf(const Value& receiver) {
  static const Signatures kOther = SignaturesIn({&kAnyMethods});
  static const Signatures kNil = SignaturesIn({&kAnyMethods, &kNilMethods});
  static const Signatures kInteger = SignaturesIn({&kAnyMethods, &kNumberMethods, &kIntegerMethods});
  static const Signatures kFloat = SignaturesIn({&kAnyMethods, &kNumberMethods});
  static const Signatures kText = SignaturesIn({&kAnyMethods, &kTextMethods});
  static const Signatures kArray = SignaturesIn({&kAnyMethods, &kElementMethods, &kArrayMethods});
  static const Signatures kHash = SignaturesIn({&kAnyMethods, &kElementMethods, &kHashMethods});
  static const Signatures kRange = SignaturesIn({&kAnyMethods, &kElementMethods, &kRangeMethods});
  if (receiver.IsNil()) return kNil;
  if (receiver.AsInteger() != nullptr) return kInteger;
  if (std::holds_alternative<double>(receiver.kind)) return kFloat;
  if (receiver.AsString() != nullptr) return kText;
  if (receiver.AsArray() != nullptr) return kArray;
  if (receiver.AsHash() != nullptr) return kHash;
  return std::holds_alternative<Range>(receiver.kind) ? kRange : kOther;
}

const Signatures& BlockSignaturesOf(const Value& receiver) {
  static const Signatures kOther;
  static const Signatures kText = SignaturesIn({&kBlocksOfTexts});
  static const Signatures kArray = SignaturesIn({&kBlocksOfElements, &kBlocksOfArrays});
  static const Signatures kHash = SignaturesIn({&kBlocksOfElements, &kBlocksOfHashes});
  static const Signatures kRange = SignaturesIn({&kBlocksOfElements});
  if (receiver.AsString() != nullptr) return kText;
  if (receiver.AsArray() != nullptr) return kArray;
  if (receiver.AsHash() != nullptr) return kHash;
  return std::holds_alternative<Range>(receiver.kind) ? kRange : kOther;
}

absl::Status CheckArgument(const Value& value, char type) {
  const bool may_be_nil = type == 't' || type == 'j';
  if (type == 'v' || (may_be_nil && value.IsNil())) return absl::OkStatus();
  if ((type == 's' || type == 't') && value.AsString() == nullptr) return NotOf(value, "String");
  if ((type == 'i' || type == 'j') && !IsNumber(value)) return NotOf(value, "Integer");
  if (type == 'a' && value.AsArray() == nullptr) return NotOf(value, "Array");
  if (type == 'h' && value.AsHash() == nullptr) return NotOf(value, "Hash");
  return absl::OkStatus();
}

absl::Status CheckSignature(std::string_view signature, const Arguments& arguments) {
  const bool repeats = signature.ends_with('*');
  if (repeats) signature.remove_suffix(1);
  const size_t optional = std::min(signature.find('?'), signature.size());
  std::string letters(signature.substr(0, optional));
  if (optional < signature.size()) letters.append(signature.substr(optional + 1));
  const size_t most = letters.size();
  const size_t least = repeats ? most - 1 : optional;
  if (arguments.size() < least || (!repeats && arguments.size() > most)) {
    std::string expected = absl::StrCat(least);
    if (repeats) expected += "+";
    if (!repeats && most > least) absl::StrAppend(&expected, "..", most);
    return WrongArguments(arguments.size(), expected);
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    VAQUITA_RETURN_IF_ERROR(CheckArgument(arguments[i], letters[std::min(i, most - 1)]));
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> CheckIn(const Signatures& signatures, std::string_view method, const Arguments& arguments) {
  const auto found = signatures.find(std::string(method));
  if (found == signatures.end()) return false;
  VAQUITA_RETURN_IF_ERROR(CheckSignature(found->second, arguments));
  return true;
}

}  // namespace

bool HasMethod(const Value& receiver, std::string_view method) {
  return SignaturesOf(receiver).contains(std::string(method));
}

absl::StatusOr<bool> CheckMethod(const Value& receiver, std::string_view method, const Arguments& arguments) {
  return CheckIn(SignaturesOf(receiver), method, arguments);
}

absl::StatusOr<bool> CheckBlockMethod(const Value& receiver, std::string_view method, const Arguments& arguments) {
  return CheckIn(BlockSignaturesOf(receiver), method, arguments);
}

bool GrowsReceiver(std::string_view method) {
  static constexpr std::string_view kGrowing[] = {"<<",      "push",    "append", "concat",
                                                  "unshift", "prepend", "[]=",    "store"};
  return std::find(std::begin(kGrowing), std::end(kGrowing), method) != std::end(kGrowing);
}

}  // namespace vaquita::shell
