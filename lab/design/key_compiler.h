// lab/design/key_compiler.h: from a design's syntax to its program: what each operation takes and gives.
//
// Types: text (UTF-8), bytes, number, and time (a number of milliseconds). A number carries how it stands in a key: as
// its digits, or as 1, 2, 4 or 8 bytes, big-endian. Text that is wanted as a number is parsed when the key is made; a
// number that is wanted as text gives its digits; bytes are never taken for either, which is an error here, at its
// place. Threads: a compiler is used once, by one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lab/design/key_program.h"
#include "lab/records/expression.h"

namespace vaquita::lab {

struct KeyType {
  enum class Kind { kNumber, kTime, kText, kBytes };
  Kind kind = Kind::kText;
  int number_bytes = 0;          // of a number: 0 if it stands in a key as its digits
  std::optional<size_t> length;  // in a key, if it is always the same

  bool is_number() const { return kind == Kind::kNumber || kind == Kind::kTime; }
};

// One operand of the design's outermost +.
struct CompiledPart {
  std::string source;   // as the design has it
  std::string meaning;  // a phrase: "8 bytes, big-endian"
  std::string note;     // what to beware of; empty if there is nothing
  size_t first_op = 0;  // in the program
  size_t last_op = 0;   // exclusive
  KeyType type;
};

struct CompiledKey {
  KeyProgram program;
  std::vector<CompiledPart> parts;
};

absl::StatusOr<CompiledKey> CompileKey(std::string_view design, const Schema& schema, const LookupTables& tables,
                                       uint64_t seed);

}  // namespace vaquita::lab
