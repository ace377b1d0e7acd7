#include "tests/workshop/page.h"

#include <fstream>

#include "re2/re2.h"
#include "tools/shell/testing/transcript_lines.h"

namespace vaquita::workshop {
namespace {

// The lines that count, as they are compared.
std::vector<std::string> Compared(const std::vector<std::string>& lines) {
  std::vector<std::string> compared;
  for (const std::string& line : lines) {
    const std::string normal = shell::NormalizeLine(line);
    std::string typed;
    const bool last_prompt = shell::IsPrompt(normal, &typed) && typed.empty();
    if (!normal.empty() && !normal.starts_with("Took ") && !last_prompt) compared.push_back(normal);
  }
  return compared;
}

// Returns whether `line` matches `pattern`, in which "..." is any text.
bool LineMatches(const std::string& pattern, const std::string& line) {
  std::string expression;
  size_t begin = 0;
  for (size_t dots; (dots = pattern.find("...", begin)) != std::string::npos; begin = dots + 3) {
    expression += RE2::QuoteMeta(pattern.substr(begin, dots - begin)) + ".*";
  }
  expression += RE2::QuoteMeta(pattern.substr(begin));
  return RE2::FullMatch(line, RE2(expression));
}

}  // namespace

std::vector<Step> ReadPage(const std::string& path) {
  std::ifstream file(path);
  std::vector<Step> steps;
  bool in_block = false;
  int number = 0;
  for (std::string line, typed; std::getline(file, line);) {
    ++number;
    if (line.starts_with("```")) {
      in_block = !in_block && line == "```console";
    } else if (!in_block) {
      continue;
    } else if (line.starts_with("$ ")) {
      steps.push_back({number, line.substr(2), "", {}});
    } else if (steps.empty()) {
      steps.push_back({number, "false  # output before any command: " + line, "", {}});
    } else if (line.starts_with("> ") && steps.back().output.empty()) {
      steps.back().command += "\n" + line.substr(2);
    } else {
      if (shell::IsPrompt(line, &typed)) steps.back().typed += typed + "\n";
      steps.back().output.push_back(line);
    }
  }
  return steps;
}

bool LooksLike(const std::vector<std::string>& expected, const std::vector<std::string>& printed) {
  const std::vector<std::string> patterns = Compared(expected), lines = Compared(printed);
  // reached[j]: the patterns so far match the first j lines.
  std::vector<bool> reached(lines.size() + 1, false);
  reached[0] = true;
  for (const std::string& pattern : patterns) {
    std::vector<bool> next(lines.size() + 1, false);
    for (size_t j = 0; j <= lines.size(); ++j) {
      if (pattern == "...") {
        next[j] = reached[j] || (j > 0 && next[j - 1]);
      } else {
        next[j] = j > 0 && reached[j - 1] && LineMatches(pattern, lines[j - 1]);
      }
    }
    reached = next;
  }
  return reached.back();
}

}  // namespace vaquita::workshop
