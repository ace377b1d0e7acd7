// tests/fuzz/java_regex_fuzz.cc: a regular expression of a client, and the bytes that it is searched for in.
//
// An input is a byte of java.util.regex.Pattern's flags, a byte that says which charset, the pattern up to the first
// zero, and the bytes.
#include "base/java_regex.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "base/unicode.h"
#include "tests/fuzz/fuzz_input.h"

namespace vaquita {
namespace {

using fuzz::Check;

constexpr std::string_view kCharsets[] = {"UTF-8", "US-ASCII", "ISO-8859-1", "UTF-16BE", "UTF-16LE", "EBCDIC"};
constexpr size_t kMostBytes = 4096;  // a pattern may take time that grows with the square of it

// All matches, as SQL's functions look for them.
void FindGroups(JavaRegex* regex, std::string_view bytes) {
  std::string scratch;
  const std::string_view text = Utf8AsJavaReads(bytes, &scratch);
  std::vector<JavaRegex::Group> groups;
  for (size_t from = 0; from <= text.size();) {
    const auto found = regex->FindGroups(text, from, &groups);
    if (!found.ok() || !*found) return;
    Check(!groups.empty() && groups[0].begin >= from && groups[0].begin <= groups[0].end, "a match is a range");
    for (const JavaRegex::Group& group : groups) {
      if (group.begin == std::string_view::npos) continue;
      Check(group.begin <= text.size() && group.end <= text.size(), "a group is in the text");
    }
    from = std::max(groups[0].end, from + 1);
    while (from < text.size() && ContinuesUtf8(text[from])) ++from;
  }
}

}  // namespace
}  // namespace vaquita

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace vaquita;
  fuzz::Input input(data, size);
  const int32_t flags = input.Byte();
  const std::string_view charset = kCharsets[input.Byte() % std::size(kCharsets)];
  const std::string_view pattern = input.Until('\0').substr(0, kMostBytes);
  const std::string_view text = input.Rest().substr(0, kMostBytes);
  if (const auto regex = JavaRegex::Compile(pattern, flags, charset); regex.ok()) {
    if ((*regex)->IsFoundIn(text).ok()) FindGroups(regex->get(), text);
  }
  if (const auto names = JavaRegex::CompileForNames(pattern); names.ok()) {
    static_cast<void>((*names)->IsFoundIn(text));
  }
  return 0;
}
