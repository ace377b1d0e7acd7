#include "base/java_regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "base/unicode.h"

namespace vaquita {
namespace {

// java.util.regex.Pattern's flags.
constexpr int32_t kUnixLines = 0x01;
constexpr int32_t kCaseInsensitive = 0x02;
constexpr int32_t kComments = 0x04;
constexpr int32_t kMultiline = 0x08;
constexpr int32_t kLiteral = 0x10;
constexpr int32_t kDotAll = 0x20;
constexpr int32_t kCanonEq = 0x80;
constexpr int32_t kUnicodeCharacterClass = 0x100;

enum class Charset { kUtf8, kLatin1, kAscii, kUtf16BigEndian, kUtf16LittleEndian };

struct CodeFree {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
struct MatchFree {
  void operator()(pcre2_match_data* match) const { pcre2_match_data_free(match); }
};
struct ContextFree {
  void operator()(pcre2_compile_context* context) const { pcre2_compile_context_free(context); }
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};
struct StackFree {
  void operator()(pcre2_jit_stack* stack) const { pcre2_jit_stack_free(stack); }
};

// PCRE2 limits the steps of a search from each place of the text anew, so a text of many places has fewer for each. The
// first try takes at most 0.4 ms of compiled code; a search that needs more goes on in pieces, each of at most 0.2 s,
// between which it looks at the clock. A scan looks at its deadline only between two searches.
constexpr uint32_t kQuickSteps = 100'000;
constexpr uint32_t kMaxSteps = 60'000'000;

int64_t ProcessorNs() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

// PCRE2's compiled code has 64 KB, so it refuses about as long a pattern too, but takes many times its memory before.
constexpr size_t kMostPatternBytes = 64 << 10;

// A search begins with 32 KB of the thread's stack, which a group repeated over a value of 2 KB can fill; Java
// overflows a thread's stack of 1 MB at about 5 KB.
constexpr size_t kFirstStackBytes = 32 << 10;
constexpr size_t kMaxStackBytes = 16 << 20;

std::string ReasonOf(int error) {
  std::array<PCRE2_UCHAR, 256> why{};
  pcre2_get_error_message(error, why.data(), why.size());
  return reinterpret_cast<const char*>(why.data());
}

absl::Status BadPattern(std::string_view pattern, size_t at, std::string_view why) {
  std::string message(why);
  message.append(" near index ").append(std::to_string(at)).append(": ").append(pattern);
  return Error(ErrorKind::kDoNotRetryIO, message);
}

// Java's names of classes and the inside of the bracket expression that is the same class.
constexpr std::pair<std::string_view, std::string_view> kPosixClasses[] = {{"Lower", "a-z"},
                                                                           {"Upper", "A-Z"},
                                                                           {"ASCII", "\\x00-\\x7F"},
                                                                           {"Alpha", "a-zA-Z"},
                                                                           {"Digit", "0-9"},
                                                                           {"Alnum", "a-zA-Z0-9"},
                                                                           {"Punct", "[:punct:]"},
                                                                           {"Graph", "\\x21-\\x7E"},
                                                                           {"Print", "\\x20-\\x7E"},
                                                                           {"Blank", " \\t"},
                                                                           {"Cntrl", "\\x00-\\x1F\\x7F"},
                                                                           {"XDigit", "0-9a-fA-F"},
                                                                           {"Space", " \\t\\n\\x0B\\f\\r"}};

// Rewrites a pattern from left to right.
class Translator {
 public:
  explicit Translator(std::string_view pattern) : in_(pattern) {}

  absl::StatusOr<std::string> Run() {
    while (at_ < in_.size()) {
      const char c = in_[at_];
      if (c == '\\') {
        VAQUITA_RETURN_IF_ERROR(Escape(false));
      } else if (c == '[') {
        VAQUITA_RETURN_IF_ERROR(Class());
      } else {
        out_.push_back(c);
        ++at_;
      }
    }
    return std::move(out_);
  }

 private:
  bool Sees(std::string_view text) const { return in_.substr(at_).starts_with(text); }

  void Copy(size_t count) {
    out_.append(in_.substr(at_, count));
    at_ += count;
  }

  absl::Status Escape(bool in_class) {
    if (at_ + 1 >= in_.size()) return BadPattern(in_, at_, "Unexpected internal error");
    switch (in_[at_ + 1]) {
      case 'Q':
        return Quoted(in_class);
      case 'u':
        return CodeUnit();
      case '0':
        return Octal();
      case 'p':
      case 'P':
        return Property(in_class);
      default:
        Copy(2);
        return absl::OkStatus();
    }
  }

  // \Q...\E: every character stands for itself.
  absl::Status Quoted(bool in_class) {
    const size_t end = in_.find("\\E", at_ + 2);
    const std::string_view text = in_.substr(at_ + 2, end == in_.npos ? in_.npos : end - at_ - 2);
    for (const char c : text) {
      if (absl::ascii_ispunct(c)) out_.push_back('\\');
      // Under COMMENTS a blank or # would be dropped otherwise.
      if (absl::ascii_isspace(c) && !in_class) {
        out_.append("\\x").append({"0123456789ABCDEF"[c >> 4], "0123456789ABCDEF"[c & 15]});
      } else {
        out_.push_back(c);
      }
    }
    at_ = end == in_.npos ? in_.size() : end + 2;
    return absl::OkStatus();
  }

  // Four hexadecimal digits at `at`, or -1.
  int32_t CodeUnitAt(size_t at) const {
    if (at + 4 > in_.size()) return -1;
    int32_t code = 0;
    for (const char c : in_.substr(at, 4)) {
      if (!absl::ascii_isxdigit(c)) return -1;
      code = code << 4 | (absl::ascii_isdigit(c) ? c - '0' : absl::ascii_tolower(c) - 'a' + 10);
    }
    return code;
  }

  // \uXXXX; two of them may be one character.
  absl::Status CodeUnit() {
    int32_t code = CodeUnitAt(at_ + 2);
    if (code < 0) return BadPattern(in_, at_, "Illegal Unicode escape sequence");
    at_ += 6;
    if (code >= 0xD800 && code <= 0xDBFF && Sees("\\u")) {
      const int32_t low = CodeUnitAt(at_ + 2);
      if (low >= 0xDC00 && low <= 0xDFFF) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        at_ += 6;
      }
    }
    static constexpr char kHex[] = "0123456789ABCDEF";
    std::string digits;
    for (; code > 0; code >>= 4) digits.insert(digits.begin(), kHex[code & 15]);
    out_.append("\\x{").append(digits.empty() ? "0" : digits).append("}");
    return absl::OkStatus();
  }

  // \0n, \0nn or \0mnn with m at most 3.
  absl::Status Octal() {
    size_t end = at_ + 2;
    const size_t most = end < in_.size() && in_[end] <= '3' ? 3 : 2;
    while (end < in_.size() && end < at_ + 2 + most && in_[end] >= '0' && in_[end] <= '7') ++end;
    if (end == at_ + 2) return BadPattern(in_, at_, "Illegal octal escape sequence");
    out_.append("\\o{").append(in_.substr(at_ + 2, end - at_ - 2)).append("}");
    at_ = end;
    return absl::OkStatus();
  }

  // \p{Name}, \P{Name}: Java's POSIX classes are ASCII's; IsX and general categories are Unicode's, as in PCRE2.
  absl::Status Property(bool in_class) {
    const bool negated = in_[at_ + 1] == 'P';
    if (at_ + 2 >= in_.size() || in_[at_ + 2] != '{') {
      Copy(at_ + 2 < in_.size() ? 3 : 2);
      return absl::OkStatus();
    }
    const size_t end = in_.find('}', at_);
    if (end == in_.npos) return BadPattern(in_, at_, "Unclosed character family");
    std::string_view name = in_.substr(at_ + 3, end - at_ - 3);
    at_ = end + 1;
    for (const auto& [posix, members] : kPosixClasses) {
      if (name != posix) continue;
      if (in_class && negated)
        return BadPattern(in_, at_, "\\P{" + std::string(name) + "} inside a character class is not supported");
      if (in_class) {
        out_.append(members);
      } else {
        out_.append(negated ? "[^" : "[").append(members).append("]");
      }
      return absl::OkStatus();
    }
    if (name.starts_with("Is")) name.remove_prefix(2);
    out_.append(negated ? "\\P{" : "\\p{").append(name).append("}");
    return absl::OkStatus();
  }

  // [...]; in Java a class inside is a union with it, and a '[' that PCRE2 would take literally.
  absl::Status Class() {
    const size_t start = at_;
    out_.push_back('[');
    ++at_;
    if (Sees("^")) Copy(1);
    int depth = 1;
    for (bool first = true; at_ < in_.size(); first = false) {
      const char c = in_[at_];
      if (c == '\\') {
        VAQUITA_RETURN_IF_ERROR(Escape(true));
      } else if (Sees("&&")) {
        return BadPattern(in_, at_, "Class intersection (&&) is not supported");
      } else if (Sees("[^")) {
        return BadPattern(in_, at_, "A negated class inside a character class is not supported");
      } else if (c == '[') {
        ++depth;
        ++at_;
      } else if (c == ']' && first) {
        out_.append("\\]");  // Java, like PCRE2, takes a bracket that comes first as itself
        ++at_;
      } else if (c == ']') {
        ++at_;
        if (--depth > 0) continue;
        out_.push_back(']');
        return absl::OkStatus();
      } else {
        Copy(1);
      }
    }
    return BadPattern(in_, start, "Unclosed character class");
  }

  const std::string_view in_;
  size_t at_ = 0;
  std::string out_;
};

absl::StatusOr<Charset> CharsetOf(std::string_view name) {
  const std::string upper = absl::AsciiStrToUpper(std::string(name));
  if (upper.empty() || upper == "UTF-8" || upper == "UTF8") return Charset::kUtf8;
  if (upper == "US-ASCII" || upper == "ASCII") return Charset::kAscii;
  if (upper == "ISO-8859-1" || upper == "ISO8859_1" || upper == "LATIN1") return Charset::kLatin1;
  if (upper == "UTF-16BE" || upper == "UTF-16") return Charset::kUtf16BigEndian;
  if (upper == "UTF-16LE") return Charset::kUtf16LittleEndian;
  return Error(ErrorKind::kIllegalArgument,
               "charset " + std::string(name) + " is not one of UTF-8, US-ASCII, ISO-8859-1, UTF-16BE and UTF-16LE");
}

void Utf16ToUtf8(std::string_view bytes, bool big_endian, std::string* out) {
  const auto unit = [&](size_t i) -> char32_t {
    const auto a = static_cast<unsigned char>(bytes[i]);
    const auto b = static_cast<unsigned char>(bytes[i + 1]);
    return big_endian ? a << 8 | b : b << 8 | a;
  };
  for (size_t i = 0; i < bytes.size(); i += 2) {
    char32_t c = i + 1 < bytes.size() ? unit(i) : 0xFFFD;
    if (c >= 0xD800 && c <= 0xDBFF && i + 3 < bytes.size() && unit(i + 2) >= 0xDC00 && unit(i + 2) <= 0xDFFF) {
      c = 0x10000 + ((c - 0xD800) << 10) + (unit(i + 2) - 0xDC00);
      i += 2;
    } else if (c >= 0xD800 && c <= 0xDFFF) {
      c = 0xFFFD;
    }
    AppendUtf8(c, out);
  }
}

class CompiledRegex : public JavaRegex {
 public:
  // `in_pieces`: the pattern has no \G, so a text may be searched piece by piece.
  CompiledRegex(std::string_view pattern, pcre2_code* code, Charset charset, bool in_pieces)
      : pattern_(pattern),
        in_pieces_(in_pieces),
        code_(code),
        match_(pcre2_match_data_create(1, nullptr)),
        context_(pcre2_match_context_create(nullptr)),
        charset_(charset) {
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);  // not everywhere; pcre2_match then interprets
    pcre2_set_heap_limit(context_.get(), kMaxStackBytes / 1024);
  }

  absl::StatusOr<bool> IsFoundIn(std::string_view bytes, SearchTime* left) override {
    return Find(AsUtf8(bytes), 0, left, match_.get());
  }

  absl::StatusOr<bool> FindGroups(std::string_view text, size_t from, std::vector<Group>* groups) override {
    if (groups_ == nullptr) groups_.reset(pcre2_match_data_create_from_pattern(code_.get(), nullptr));
    SearchTime left;
    VAQUITA_ASSIGN_OR_RETURN(const bool found, Find(text, from, &left, groups_.get()));
    groups->clear();
    if (!found) return false;
    const size_t* places = pcre2_get_ovector_pointer(groups_.get());
    for (uint32_t i = 0; i < pcre2_get_ovector_count(groups_.get()); ++i) {
      groups->push_back({places[2 * i], places[2 * i + 1]});
    }
    return true;
  }

  size_t group_count() const override {
    uint32_t count = 0;
    pcre2_pattern_info(code_.get(), PCRE2_INFO_CAPTURECOUNT, &count);
    return count;
  }

 private:
  absl::StatusOr<bool> Find(std::string_view text, size_t from, SearchTime* left, pcre2_match_data* data) {
    int found = Match(text, from, text.size() + 1 - from, in_pieces_ ? kQuickSteps : kMaxSteps, data);
    if (found == PCRE2_ERROR_MATCHLIMIT && in_pieces_) found = FindInPieces(text, from, left, data);
    if (found >= 0) return true;
    if (found == PCRE2_ERROR_NOMATCH) return false;
    return Error(ErrorKind::kDoNotRetryIO,
                 absl::StrCat("The search for the regular expression ", pattern_, " in a text of ", text.size(),
                              " bytes was given up: ", ReasonOf(found)));
  }

  // Searches from piece to piece: the fewer places a piece has, the more steps each may take.
  int FindInPieces(std::string_view text, size_t from, SearchTime* left, pcre2_match_data* data) {
    size_t places = text.size() + 1 - from;
    for (int64_t began_ns = ProcessorNs();;) {
      const int found = Match(text, from, places, kMaxSteps, data);
      if (found == PCRE2_ERROR_NOMATCH) {
        if (places > text.size() - from) return found;
        from += places;
        while (from < text.size() && (text[from] & 0xC0) == 0x80) ++from;  // to the next character
        places *= 2;
      } else if (found == PCRE2_ERROR_MATCHLIMIT && places > 1) {
        places = (places + 15) / 16;
      } else {
        return found;
      }
      const int64_t now_ns = ProcessorNs();
      left->ns -= now_ns - std::exchange(began_ns, now_ns);
      if (left->ns <= 0) return PCRE2_ERROR_MATCHLIMIT;
    }
  }

  // Looks for a match that begins at one of `places` bytes from `from` on, with at most `steps` altogether.
  int Match(std::string_view text, size_t from, size_t places, uint32_t steps, pcre2_match_data* data) {
    const auto match = [&] {
      return pcre2_match(code_.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), from, PCRE2_NO_UTF_CHECK,
                         data, context_.get());
    };
    pcre2_set_match_limit(context_.get(), std::max<uint32_t>(1, static_cast<uint32_t>(steps / places)));
    if (in_pieces_) pcre2_set_offset_limit(context_.get(), from + places - 1);
    const int found = match();
    return found == PCRE2_ERROR_JIT_STACKLIMIT && GrowStack() ? match() : found;
  }

  // Gives compiled code a larger stack than the thread's own. Returns false if it already has one, or if memory is
  // short.
  bool GrowStack() {
    if (stack_ != nullptr) return false;
    stack_.reset(pcre2_jit_stack_create(kFirstStackBytes, kMaxStackBytes, nullptr));
    pcre2_jit_stack_assign(context_.get(), nullptr, stack_.get());
    return stack_ != nullptr;
  }

  std::string_view AsUtf8(std::string_view bytes) {
    if (charset_ == Charset::kUtf8) return Utf8AsJavaReads(bytes, &scratch_);
    const bool wide = charset_ == Charset::kUtf16BigEndian || charset_ == Charset::kUtf16LittleEndian;
    if (!wide && IsAscii(bytes)) return bytes;
    scratch_.clear();
    if (wide) {
      Utf16ToUtf8(bytes, charset_ == Charset::kUtf16BigEndian, &scratch_);
    } else {
      for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        AppendUtf8(byte >= 0x80 && charset_ == Charset::kAscii ? 0xFFFD : byte, &scratch_);
      }
    }
    return scratch_;
  }

  const std::string pattern_;
  const bool in_pieces_;
  const std::unique_ptr<pcre2_code, CodeFree> code_;
  const std::unique_ptr<pcre2_match_data, MatchFree> match_;
  std::unique_ptr<pcre2_match_data, MatchFree> groups_;  // null until a search wants groups
  std::unique_ptr<pcre2_jit_stack, StackFree> stack_;    // null until a search needs it; context_ has it
  const std::unique_ptr<pcre2_match_context, ContextFree> context_;
  const Charset charset_;
  std::string scratch_;  // keeps its capacity from cell to cell
};

uint32_t CompileOptions(int32_t flags) {
  uint32_t options = PCRE2_UTF | PCRE2_USE_OFFSET_LIMIT;
  if (flags & kCaseInsensitive) options |= PCRE2_CASELESS;
  if (flags & kLiteral)
    return options | PCRE2_LITERAL;  // PCRE2 allows few others beside it, and Java ignores those too
  if (flags & kComments) options |= PCRE2_EXTENDED_MORE;
  if (flags & kMultiline) options |= PCRE2_MULTILINE;
  if (flags & kDotAll) options |= PCRE2_DOTALL;
  if (flags & kUnicodeCharacterClass) options |= PCRE2_UCP;
  return options;
}

}  // namespace

absl::StatusOr<std::string> TranslateJavaPattern(std::string_view pattern) { return Translator(pattern).Run(); }

absl::StatusOr<std::unique_ptr<JavaRegex>> JavaRegex::Compile(std::string_view pattern, int32_t flags,
                                                              std::string_view charset_name) {
  VAQUITA_ASSIGN_OR_RETURN(const Charset charset, CharsetOf(charset_name));
  if (pattern.size() > kMostPatternBytes) {
    return Error(ErrorKind::kDoNotRetryIO, absl::StrCat("A regular expression has at most ", kMostPatternBytes,
                                                        " bytes, and this one ", pattern.size()));
  }
  if (flags & kCanonEq) return BadPattern(pattern, 0, "The flag CANON_EQ is not supported");
  std::string translated(pattern);
  if ((flags & kLiteral) == 0) {
    VAQUITA_ASSIGN_OR_RETURN(translated, TranslateJavaPattern(pattern));
  }
  const std::unique_ptr<pcre2_compile_context, ContextFree> context(pcre2_compile_context_create(nullptr));
  pcre2_set_newline(context.get(), flags & kUnixLines ? PCRE2_NEWLINE_LF : PCRE2_NEWLINE_ANYCRLF);
  int error = 0;
  size_t error_at = 0;
  pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.data()), translated.size(),
                                   CompileOptions(flags), &error, &error_at, context.get());
  if (code == nullptr) return BadPattern(translated, error_at, ReasonOf(error));
  return std::make_unique<CompiledRegex>(pattern, code, charset, translated.find("\\G") == translated.npos);
}

absl::StatusOr<std::unique_ptr<JavaRegex>> JavaRegex::CompileForNames(std::string_view pattern) {
  return Compile("\\A(?:" + std::string(pattern) + ")\\z", 0, "UTF-8");
}

}  // namespace vaquita
