#include "sql/encoding/like.h"

#include <cstring>
#include <optional>
#include <vector>

#include "base/unicode.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

// A pattern's part between two %: bytes and single characters.
struct Segment {
  std::string bytes;         // \ has been read
  std::vector<bool> anyone;  // the byte is a _; empty: none is
};

// Takes the segment that `*rest` begins with, and the % behind it. Returns whether there was a %.
bool TakeSegment(std::string_view* rest, Segment* segment) {
  *segment = {};
  while (!rest->empty()) {
    const char c = rest->front();
    rest->remove_prefix(1);
    if (c == '%') return true;
    const bool escapes = c == '\\' && !rest->empty();
    if (c == '_') segment->anyone.resize(segment->bytes.size() + 1);
    if (c == '_') segment->anyone.back() = true;
    segment->bytes += escapes ? rest->front() : c;
    if (escapes) rest->remove_prefix(1);
  }
  return false;
}

// Finds segments in a text, and counts its steps.
class Matcher {
 public:
  explicit Matcher(std::string_view text) : text_(text) {}

  // Returns where the segment ends that begins at `at`; nullopt if the text has another one there.
  std::optional<size_t> EndOf(const Segment& segment, size_t at) {
    for (size_t i = 0; i < segment.bytes.size(); ++i) {
      ++steps_;
      if (at >= text_.size()) return std::nullopt;
      if (i < segment.anyone.size() && segment.anyone[i]) {
        do ++at;
        while (at < text_.size() && ContinuesUtf8(text_[at]));
      } else if (text_[at++] != segment.bytes[i]) {
        return std::nullopt;
      }
    }
    return at;
  }

  // Returns where the first such segment at `from` or behind it ends.
  std::optional<size_t> EndOfNext(const Segment& segment, size_t from) {
    if (segment.anyone.empty()) {
      // Takes steps in the order of the text's bytes, also for a text that almost matches everywhere.
      const size_t found = FindBytes(text_, segment.bytes, from);
      return found == std::string_view::npos ? std::nullopt : std::optional(found + segment.bytes.size());
    }
    for (size_t at = from; at <= text_.size() && steps_ <= kMostLikeSteps; ++at)
      if (const auto end = EndOf(segment, at)) return end;
    return std::nullopt;
  }

  // Returns whether the text ends with the segment, which begins at `from` or behind it.
  bool EndsWith(const Segment& segment, size_t from) {
    size_t at = text_.size();
    for (size_t i = segment.bytes.size(); i-- > 0;) {
      if (at <= from) return false;
      --at;
      if (i < segment.anyone.size() && segment.anyone[i]) {
        while (at > from && ContinuesUtf8(text_[at])) --at;
      } else if (text_[at] != segment.bytes[i]) {
        return false;
      }
    }
    return true;
  }

  int64_t steps() const { return steps_; }

 private:
  const std::string_view text_;
  int64_t steps_ = 0;
};

}  // namespace

size_t FindBytes(std::string_view text, std::string_view part, size_t from) {
  if (from > text.size()) return std::string_view::npos;
  if (part.empty()) return from;
  const void* found = memmem(text.data() + from, text.size() - from, part.data(), part.size());
  return found == nullptr ? std::string_view::npos : static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

absl::StatusOr<bool> MatchesLike(std::string_view text, std::string_view pattern) {
  Matcher matcher(text);
  std::string_view rest = pattern;
  Segment segment;
  bool more = TakeSegment(&rest, &segment);
  const std::optional<size_t> first = matcher.EndOf(segment, 0);
  if (!first.has_value()) return false;
  if (!more) return *first == text.size();
  for (size_t at = *first;;) {
    more = TakeSegment(&rest, &segment);
    if (!more) return matcher.EndsWith(segment, at);
    const std::optional<size_t> next = matcher.EndOfNext(segment, at);
    if (matcher.steps() > kMostLikeSteps) {
      return SqlError(ErrorCode::kIllegalData, Concat("LIKE takes more than ", kMostLikeSteps, " steps for a text of ",
                                                      text.size(), " bytes and a pattern of ", pattern.size()));
    }
    if (!next.has_value()) return false;
    at = *next;
  }
}

bool HasWildcard(std::string_view pattern) {
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '%' || pattern[i] == '_') return true;
    if (pattern[i] == '\\') ++i;
  }
  return false;
}

std::string LikePrefix(std::string_view pattern) {
  return std::string(pattern.substr(0, pattern.find_first_of("%_\\")));
}

}  // namespace vaquita::sql
