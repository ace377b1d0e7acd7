// tools/shell/testing/transcript_lines.h: normalizes lines of a shell's session, to compare transcripts.
#pragma once

#include <string>

#include "re2/re2.h"

namespace vaquita::shell {

// Returns the line without the parts that differ from run to run, and without the column widths that follow from them.
inline std::string NormalizeLine(std::string line) {
  struct Replacement {
    const RE2 pattern;
    const char* text;
  };
  static const Replacement kReplacements[] = {
      {RE2(R"(Took \d+\.\d+ seconds)"), "Took TIME seconds"},
      {RE2(R"("tookMicros": \d+)"), "\"tookMicros\": TIME"},
      {RE2(R"(20\d\d-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4})"), "NOW"},
      {RE2(R"(20\d\d-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?)"), "NOW"},
      {RE2(R"(,\d{13}\.[0-9a-f]{32}\.)"), ",ID.ENCODED."},
      {RE2(R"([\w.-]+,\d+,\d{13})"), "SERVER"},
      {RE2(R"(ENCODED => [0-9a-f]{32})"), "ENCODED => ENCODED"},
      {RE2(R"(^ [\w.-]+:\d+ \{ENCODED)"), " HOST {ENCODED"},
      {RE2(R"([\w.-]+:\d+ \d{13})"), "HOST START"},
      {RE2(R"(^ \d+ (org\.apache\.hadoop\.hbase\.master\.procedure))"), R"( PID \1)"},
  };
  for (const auto& [pattern, text] : kReplacements) RE2::GlobalReplace(&line, pattern, text);
  if (line.find("numberOfStores=") != std::string::npos) RE2::GlobalReplace(&line, R"(=[\d.]+)", "=N");
  if (line.ends_with(" |")) {
    RE2::GlobalReplace(&line, "-+", "-");
    RE2::GlobalReplace(&line, " +", " ");
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

// Returns whether the line begins with the shell's prompt; sets `*typed` to the text behind it.
inline bool IsPrompt(const std::string& line, std::string* typed) {
  static const RE2 kPrompt(R"re(hbase:\d{3}:\d+[>*'"] ?(.*))re");
  return RE2::FullMatch(line, kPrompt, typed);
}

}  // namespace vaquita::shell
