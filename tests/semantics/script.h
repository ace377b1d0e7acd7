// tests/semantics/script.h: a script's file: a header of comments, and blocks of commands, each with a line of dashes
// and its output.
#pragma once

#include <string>
#include <vector>

namespace vaquita::semantics {

// A command with the lines indented below it.
struct Line {
  std::vector<std::string> words;
  std::vector<Line> children;
};

struct Block {
  std::vector<std::string> commands;  // as they stand in the file
  std::vector<std::string> expected;
};

struct Script {
  std::vector<std::string> header;
  std::vector<Block> blocks;

  // Returns whether flushes, compactions and restarts between its lines leave its output unchanged. "# shake: no" says
  // that they do not.
  bool MayShake() const;
};

Script ReadScript(const std::string& path);
void WriteScript(const std::string& path, const Script& script);

// The commands of a block; comments are left out.
std::vector<Line> ParseLines(const std::vector<std::string>& commands);

}  // namespace vaquita::semantics
