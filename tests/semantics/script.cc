#include "tests/semantics/script.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "tests/semantics/words.h"

namespace vaquita::semantics {
namespace {

constexpr char kDashes[] = "----";

// Reads lines from `commands[*at]` on that are indented deeper than `outer`.
std::vector<Line> ParseBelow(const std::vector<std::string>& commands, int outer, size_t* at) {
  std::vector<Line> lines;
  while (*at < commands.size()) {
    const std::string& text = commands[*at];
    const size_t indentation = text.find_first_not_of(' ');
    if (indentation == text.npos || text[indentation] == '#') {
      ++*at;
      continue;
    }
    if (static_cast<int>(indentation) <= outer) return lines;
    ++*at;
    Line line{SplitWords(text), {}};
    line.children = ParseBelow(commands, static_cast<int>(indentation), at);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

bool Script::MayShake() const { return std::find(header.begin(), header.end(), "# shake: no") == header.end(); }

Script ReadScript(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw ScriptError("cannot read " + path);
  Script script;
  Block block;
  bool in_header = true;
  bool in_expected = false;
  for (std::string line; std::getline(file, line);) {
    in_header &= line.starts_with('#');
    if (in_header) {
      script.header.push_back(line);
    } else if (in_expected && line.empty()) {
      in_expected = false;
      script.blocks.push_back(std::exchange(block, Block()));
    } else if (in_expected) {
      block.expected.push_back(line);
    } else if (line == kDashes) {
      in_expected = true;
    } else if (!line.empty()) {
      block.commands.push_back(line);
    }
  }
  if (in_expected || !block.commands.empty()) script.blocks.push_back(block);
  return script;
}

void WriteScript(const std::string& path, const Script& script) {
  std::ofstream file(path, std::ios::trunc);
  for (const std::string& line : script.header) file << line << '\n';
  for (const Block& block : script.blocks) {
    file << '\n';
    for (const std::string& line : block.commands) file << line << '\n';
    file << kDashes << '\n';
    for (const std::string& line : block.expected) file << line << '\n';
  }
  file.close();
  if (!file) throw ScriptError("cannot write " + path);
}

std::vector<Line> ParseLines(const std::vector<std::string>& commands) {
  size_t at = 0;
  return ParseBelow(commands, -1, &at);
}

}  // namespace vaquita::semantics
