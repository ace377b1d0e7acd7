// lab/splits/split_key_text.h: writes split keys as files, shell commands and source code, and reads them from a file.
//
// Keys are written as Bytes.toStringBinary does; HBase's shell reads that back (Bytes.toBytesBinary), in SPLITS and in
// a SPLITS_FILE. Source: hbase-shell's admin.rb (2.6).
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "lab/splits/split_keys.h"

namespace vaquita::lab {

enum class SplitKeyFormat {
  kSplitsFile,  // one key a line: create 't', 'f', SPLITS_FILE => 'splits.txt'
  kShell,       // create 't', 'f', SPLITS => [...]
  kJava,        // a byte[][] for Admin.createTable
  kCpp,         // a std::vector<std::string> for Admin::CreateTable
};

// Parses "splits-file", "shell", "java" or "c++". Returns InvalidArgument for another name.
absl::StatusOr<SplitKeyFormat> ParseSplitKeyFormat(std::string_view name);

// Writes split keys. `table` and `family` are for the shell's command.
std::string SplitKeyText(const SplitKeys& splits, SplitKeyFormat format, std::string_view table = "t",
                         std::string_view family = "f");

// Returns the key on a line of a file, as Bytes.toStringBinary writes it; the line may end with a carriage return.
std::string KeyOfLine(std::string_view line);

// Reads a SPLITS_FILE. Returns kIllegalArgument, with file, line and value, if a key is empty, repeated or out of
// order: HBase would sort them, but an unsorted file is usually the wrong file. Returns NotFound if it cannot be
// opened.
absl::StatusOr<SplitKeys> ReadSplitsFile(const std::string& path);
// Reads a SPLITS_FILE from a stream, which messages call `name`.
absl::StatusOr<SplitKeys> ReadSplitsFile(std::istream& in, std::string_view name);

}  // namespace vaquita::lab
