#include "lab/splits/split_key_text.h"

#include <fstream>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "model/region_info.h"

namespace vaquita::lab {
namespace {

// Ruby's single quotes leave \x01 as it is, so that HBase turns it into a byte; in double quotes Ruby would, as text.
std::string RubyText(std::string_view key) {
  return absl::StrCat("'", absl::StrReplaceAll(ToStringBinary(key), {{"'", "\\'"}}), "'");
}

std::string JavaText(std::string_view key) {
  return absl::StrCat("Bytes.toBytesBinary(\"",
                      absl::StrReplaceAll(ToStringBinary(key), {{"\\", "\\\\"}, {"\"", "\\\""}}), "\")");
}

// Octal, as \x would swallow the digits that follow it; and a length, as a key may hold zeros.
std::string CppText(std::string_view key) {
  std::string text = "\"";
  for (const char c : key) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text.append({'\\', c});
    } else if (byte >= ' ' && byte <= '~') {
      text.push_back(c);
    } else {
      text.append({'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + ((byte >> 3) & 7)),
                   static_cast<char>('0' + (byte & 7))});
    }
  }
  return text + "\"s";
}

template <typename Writer>
std::string List(const SplitKeys& splits, std::string_view indent, Writer writer) {
  std::string text;
  for (const std::string& key : splits.keys()) {
    absl::StrAppend(&text, text.empty() ? "" : ",\n", AbslText(indent), writer(key));
  }
  return text;
}

}  // namespace

absl::StatusOr<SplitKeyFormat> ParseSplitKeyFormat(std::string_view name) {
  if (name == "splits-file") return SplitKeyFormat::kSplitsFile;
  if (name == "shell") return SplitKeyFormat::kShell;
  if (name == "java") return SplitKeyFormat::kJava;
  if (name == "c++") return SplitKeyFormat::kCpp;
  return absl::InvalidArgumentError(
      absl::StrCat("unknown format '", AbslText(name), "' of split keys; use splits-file, shell, java or c++"));
}

std::string SplitKeyText(const SplitKeys& splits, SplitKeyFormat format, std::string_view table,
                         std::string_view family) {
  std::string text;
  switch (format) {
    case SplitKeyFormat::kSplitsFile:
      for (const std::string& key : splits.keys()) absl::StrAppend(&text, ToStringBinary(key), "\n");
      return text;
    case SplitKeyFormat::kShell:
      return absl::StrCat("create ", RubyText(table), ", ", RubyText(family), ", SPLITS => [\n",
                          List(splits, "  ", RubyText), "]\n");
    case SplitKeyFormat::kJava:
      return absl::StrCat("// org.apache.hadoop.hbase.util.Bytes\nbyte[][] splitKeys = {\n",
                          List(splits, "    ", JavaText), "\n};\n");
    case SplitKeyFormat::kCpp:
      return absl::StrCat("using namespace std::string_literals;\nconst std::vector<std::string> split_keys = {\n",
                          List(splits, "    ", CppText), "};\n");
  }
  return text;
}

std::string KeyOfLine(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return FromStringBinary(line);
}

absl::StatusOr<SplitKeys> ReadSplitsFile(std::istream& in, std::string_view name) {
  std::vector<std::string> keys;
  std::string line;
  for (int64_t number = 1; std::getline(in, line); ++number) {
    std::string key = KeyOfLine(line);
    VAQUITA_RETURN_IF_ERROR(SplitKeys::CheckNext(absl::StrCat(AbslText(name), ":", number),
                                                 keys.empty() ? std::string_view() : keys.back(), key));
    keys.push_back(std::move(key));
  }
  if (in.bad()) return absl::UnavailableError(absl::StrCat(AbslText(name), " cannot be read"));
  return SplitKeys::Make(std::move(keys));
}

absl::StatusOr<SplitKeys> ReadSplitsFile(const std::string& path) {
  std::ifstream file(path);
  if (!file) return absl::InvalidArgumentError(absl::StrCat("split file ", path, " cannot be opened"));
  return ReadSplitsFile(file, path);
}

}  // namespace vaquita::lab
