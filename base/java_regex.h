// base/java_regex.h: java.util.regex patterns, run by PCRE2.
//
// A pattern is rewritten where the two syntaxes differ (classes within classes, \uXXXX, \0n, \p{Alpha} and its like),
// compiled once, with PCRE2's just-in-time compiler if the processor has one, and searched for anywhere in the bytes
// (Matcher.find). Known differences: without UNICODE_CASE Java folds only ASCII's case, PCRE2 all letters'; class
// intersections (&&) and CANON_EQ are refused; a search that costs too much fails, where Java goes on, or overflows its
// thread's stack. Source: java.util.regex.Pattern (Java 17); org.apache.hadoop.hbase.filter.RegexStringComparator
// (2.6). Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace vaquita {

// The time that searches have left: of the searching thread, while a processor runs it. Several regular expressions may
// share it.
struct SearchTime {
  int64_t ns = 200'000'000;
};

class JavaRegex {
 public:
  // `flags` are java.util.regex.Pattern's. Returns kDoNotRetryIO, with PCRE2's reason and the place, if the pattern is
  // malformed or has more than 64 KB; kIllegalArgument if the charset is not UTF-8, US-ASCII, ISO-8859-1 or
  // UTF-16BE/LE.
  static absl::StatusOr<std::unique_ptr<JavaRegex>> Compile(std::string_view pattern, int32_t flags,
                                                            std::string_view charset);
  // Compiles a pattern for names, which must match a whole name (Matcher.matches). Returns kDoNotRetryIO if it is
  // malformed.
  static absl::StatusOr<std::unique_ptr<JavaRegex>> CompileForNames(std::string_view pattern);
  virtual ~JavaRegex() = default;
  // Returns whether the pattern matches anywhere in `bytes`. Returns kDoNotRetryIO, with the pattern and PCRE2's
  // reason, if the search exceeds its limits (a few tenths of a second, 16 MB of stack). A search that takes more than
  // a millisecond takes it from `*left`, and is given up when none is left.
  virtual absl::StatusOr<bool> IsFoundIn(std::string_view bytes, SearchTime* left) = 0;
  absl::StatusOr<bool> IsFoundIn(std::string_view bytes) {
    SearchTime own;
    return IsFoundIn(bytes, &own);
  }

  // A group's place in the text. Both are npos if the group has no part in the match.
  struct Group {
    size_t begin = std::string_view::npos;
    size_t end = std::string_view::npos;
  };
  // Finds the first match that begins at `from` or behind it, and sets `*groups`: number 0 is the whole match. Returns
  // false if there is none. `text` is UTF-8, whatever the charset. Errors are those of IsFoundIn.
  virtual absl::StatusOr<bool> FindGroups(std::string_view text, size_t from, std::vector<Group>* groups) = 0;
  // Returns the number of the pattern's groups, without the whole match (Matcher.groupCount).
  virtual size_t group_count() const = 0;
};

// Returns `pattern` in PCRE2's syntax.
absl::StatusOr<std::string> TranslateJavaPattern(std::string_view pattern);

}  // namespace vaquita
