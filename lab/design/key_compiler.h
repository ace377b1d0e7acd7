// lab/design/key_compiler.h: compiles a design's syntax to its program, and checks the types of operations.
//
// Types: text (UTF-8), bytes, number, and time (a number of milliseconds). The type of a number includes its form in a
// key: digits, or 1, 2, 4 or 8 bytes, big-endian. Where a number is needed, text is parsed when the key is made; where
// text is needed, a number gives its digits; bytes are an error in both cases, which names their place in the design.
// Threads: one; a compiler is used once.
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
  int number_bytes = 0;          // for a number: 0 if it stands in a key as digits
  std::optional<size_t> length;  // in a key, if it is always the same

  bool is_number() const { return kind == Kind::kNumber || kind == Kind::kTime; }
};

// One operand of the design's outermost +.
struct CompiledPart {
  std::string source;   // text in the design
  std::string meaning;  // a phrase: "8 bytes, big-endian"
  std::string note;     // a warning, or empty
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
