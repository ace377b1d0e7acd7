// tools/shell/testing/transcript_lines.h: normalizes lines of a shell's session, to compare transcripts.
#pragma once

#include <regex>
#include <string>
#include <vector>

namespace vaquita::shell {

// Returns the line without the parts that differ from run to run, and without the column widths that follow from them.
inline std::string NormalizeLine(std::string line) {
  struct Replacement {
    std::regex pattern;
    const char* text;
  };
  static const std::vector<Replacement> kReplacements = [] {
    std::vector<Replacement> list;
    list.push_back({std::regex(R"(Took \d+\.\d+ seconds)"), "Took TIME seconds"});
    list.push_back({std::regex(R"("tookMicros": \d+)"), "\"tookMicros\": TIME"});
    list.push_back({std::regex(R"(20\d\d-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4})"), "NOW"});
    list.push_back({std::regex(R"(20\d\d-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?)"), "NOW"});
    list.push_back({std::regex(R"(,\d{13}\.[0-9a-f]{32}\.)"), ",ID.ENCODED."});
    list.push_back({std::regex(R"([\w.-]+,\d+,\d{13})"), "SERVER"});
    list.push_back({std::regex(R"(ENCODED => [0-9a-f]{32})"), "ENCODED => ENCODED"});
    list.push_back({std::regex(R"(^ [\w.-]+:\d+ \{ENCODED)"), " HOST {ENCODED"});
    list.push_back({std::regex(R"([\w.-]+:\d+ \d{13})"), "HOST START"});
    list.push_back({std::regex(R"(^ \d+ (org\.apache\.hadoop\.hbase\.master\.procedure))"), " PID $1"});
    return list;
  }();
  for (const auto& [pattern, text] : kReplacements) line = std::regex_replace(line, pattern, text);
  if (line.find("numberOfStores=") != std::string::npos)
    line = std::regex_replace(line, std::regex(R"(=[\d.]+)"), "=N");
  if (line.ends_with(" |")) {
    line = std::regex_replace(std::regex_replace(line, std::regex("-+"), "-"), std::regex(" +"), " ");
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

// Returns whether the line begins with the shell's prompt; sets `*typed` to the text behind it.
inline bool IsPrompt(const std::string& line, std::string* typed) {
  static const std::regex kPrompt(R"re(^hbase:\d{3}:\d+[>*'"] ?(.*)$)re");
  std::smatch match;
  if (!std::regex_match(line, match, kPrompt)) return false;
  *typed = match[1];
  return true;
}

}  // namespace vaquita::shell
