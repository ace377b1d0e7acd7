#include "proto/hbase/status_codec.h"

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/named_exception.h"
#include "base/status.h"
#include "base/unicode.h"
#include "base/whole_number.h"

namespace vaquita {
namespace {

constexpr std::string_view kDoNotRetryClass = "org.apache.hadoop.hbase.DoNotRetryIOException";
constexpr std::string_view kRegionMovedClass = "org.apache.hadoop.hbase.exceptions.RegionMovedException";
constexpr std::string_view kForeignSource = "master";

// Returns whether the kind's Java class is not an IOException.
bool IsWrapped(ErrorKind kind) {
  return kind == ErrorKind::kIllegalArgument || kind == ErrorKind::kUnsupportedOperation ||
         kind == ErrorKind::kDeserialization;
}

struct JavaException {
  std::string class_name;
  std::string message;
  bool do_not_retry = false;

  std::string Text() const { return message.empty() ? class_name : absl::StrCat(class_name, ": ", message); }
};

// Returns the text as Java writes it. A message may show a client's bytes, and a client in another language than Java
// may not be able to read an answer whose text is not UTF-8.
std::string JavaText(absl::string_view text) {
  std::string scratch;
  return std::string(Utf8AsJavaReads(StdText(text), &scratch));
}

JavaException ToJava(const absl::Status& status) {
  if (NamedException named; GetNamedException(status, &named)) {
    return {named.java_class, JavaText(status.message()), named.do_not_retry};
  }
  JavaException java{std::string(ExceptionClass(status)), JavaText(status.message())};
  ErrorKind kind;
  if (!GetErrorKind(status, &kind)) return java;
  java.do_not_retry = !IsRetryable(status);
  if (IsWrapped(kind)) {
    java.message = java.Text();
    java.class_name = kDoNotRetryClass;
  }
  return java;
}

// Takes "class: " off the front of `text`; `text` may also be the class alone.
bool TakeClass(std::string_view class_name, std::string_view* text) {
  if (class_name.empty() || !text->starts_with(class_name)) return false;
  const std::string_view rest = text->substr(class_name.size());
  if (rest.empty()) {
    *text = rest;
    return true;
  }
  if (!rest.starts_with(": ")) return false;
  *text = rest.substr(2);
  return true;
}

// Returns the message of an exception from the text of printStackTrace.
std::string_view MessageOf(std::string_view class_name, std::string_view text) {
  for (std::string_view end : {"\n\tat ", "\nCaused by: "}) text = text.substr(0, text.find(end));
  while (text.ends_with('\n')) text.remove_suffix(1);
  TakeClass(class_name, &text);
  return text;
}

absl::Status FromJava(std::string_view class_name, std::string_view text, bool do_not_retry) {
  std::string_view message = MessageOf(class_name, text);
  ErrorKind kind;
  if (!KindOfExceptionClass(class_name, &kind)) {
    return Error(do_not_retry ? ErrorKind::kDoNotRetryIO : ErrorKind::kIO,
                 absl::StrCat(AbslText(class_name), ": ", AbslText(message)));
  }
  if (kind == ErrorKind::kDoNotRetryIO) {
    const std::string_view inner = message.substr(0, message.find(':'));
    ErrorKind inner_kind;
    if (KindOfExceptionClass(inner, &inner_kind) && IsWrapped(inner_kind)) {
      TakeClass(inner, &message);
      kind = inner_kind;
    }
  }
  return Error(kind, message);
}

// Finds the text between `name` and `end`.
bool FindField(std::string_view text, std::string_view name, char end, std::string_view* value) {
  const size_t begin = text.find(name);
  if (begin == text.npos) return false;
  const size_t value_begin = begin + name.size();
  const size_t value_end = text.find(end, value_begin);
  if (value_end == text.npos) return false;
  *value = text.substr(value_begin, value_end - value_begin);
  return true;
}

template <typename Number>
bool FindNumber(std::string_view text, std::string_view name, char end, Number* value) {
  std::string_view digits;
  if (!FindField(text, name, end, &digits)) return false;
  return ReadWholeNumber(digits, value);
}

}  // namespace

absl::Status RegionMoved(const RegionMove& move) {
  return Error(ErrorKind::kRegionMoved,
               absl::StrCat("Region moved to: hostname=", move.host, " port=", move.port,
                            " startCode=", move.start_code, ". As of locationSeqNum=", move.sequence_number, "."));
}

bool ParseRegionMove(std::string_view message, RegionMove* move) {
  std::string_view host;
  if (!FindField(message, "hostname=", ' ', &host) || !FindNumber(message, "port=", ' ', &move->port) ||
      !FindNumber(message, "startCode=", '.', &move->start_code) ||
      !FindNumber(message, "locationSeqNum=", '.', &move->sequence_number)) {
    return false;
  }
  move->host = host;
  return true;
}

void EncodeStatus(const absl::Status& status, pb::ExceptionResponse* out) {
  const JavaException java = ToJava(status);
  out->set_exception_class_name(java.class_name);
  out->set_stack_trace(java.Text());
  out->set_do_not_retry(java.do_not_retry);
  RegionMove move;
  if (java.class_name == kRegionMovedClass && ParseRegionMove(StdText(status.message()), &move)) {
    out->set_hostname(move.host);
    out->set_port(move.port);
  }
}

void EncodeStatus(const absl::Status& status, pb::NameBytesPair* out) {
  const JavaException java = ToJava(status);
  out->set_name(java.class_name);
  out->set_value(java.Text());
}

void EncodeStatus(const absl::Status& status, pb::ForeignExceptionMessage* out) {
  const JavaException java = ToJava(status);
  out->set_source(std::string(kForeignSource));
  pb::GenericExceptionMessage* exception = out->mutable_generic_exception();
  exception->set_class_name(java.class_name);
  exception->set_message(java.message);
}

absl::Status DecodeStatus(const pb::ExceptionResponse& exception) {
  return FromJava(exception.exception_class_name(), exception.stack_trace(), exception.do_not_retry());
}

absl::Status DecodeStatus(const pb::NameBytesPair& exception) {
  return FromJava(exception.name(), exception.value(), false);
}

absl::Status DecodeStatus(const pb::ForeignExceptionMessage& exception) {
  const pb::GenericExceptionMessage& generic = exception.generic_exception();
  return FromJava(generic.class_name(), generic.message(), true);
}

}  // namespace vaquita
