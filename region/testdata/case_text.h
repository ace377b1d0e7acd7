// region/testdata/case_text.h: for tests: reads the case files of this folder (see README.md).
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "model/region_info.h"

namespace vaquita::cases {

// The lines of a case file, without comments.
inline std::vector<std::string> Lines(const std::string& name) {
  std::ifstream file(std::filesystem::path(__FILE__).parent_path() / name);
  EXPECT_TRUE(file.is_open()) << name;
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('#')) lines.push_back(line);
  }
  EXPECT_FALSE(lines.empty()) << name;
  return lines;
}

// Bytes as one token, and back.
inline std::string Token(std::string_view bytes) {
  if (bytes.empty()) return "-";
  std::string token;
  for (const char c : ToStringBinary(bytes)) {
    static constexpr std::string_view kEscaped = " ()-\"";
    static constexpr const char* kEscapes[] = {"\\x20", "\\x28", "\\x29", "\\x2D", "\\x22"};
    const size_t at = kEscaped.find(c);
    if (at == kEscaped.npos) {
      token.push_back(c);
    } else {
      token.append(kEscapes[at]);
    }
  }
  return token;
}
inline std::string Bytes(std::string_view token) { return token == "-" ? "" : FromStringBinary(token); }

// Words between blanks.
inline std::vector<std::string> Words(std::string_view line) {
  std::vector<std::string> words;
  for (size_t at = 0; (at = line.find_first_not_of(' ', at)) != line.npos;) {
    const size_t end = std::min(line.find(' ', at), line.size());
    words.emplace_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

// A token, or nodes in parentheses.
struct Node {
  std::string token;
  std::vector<Node> list;

  const std::string& name() const { return list.at(0).token; }
  const std::string& text(size_t i) const { return list.at(i).token; }
  std::string bytes(size_t i) const { return Bytes(text(i)); }
  int64_t number(size_t i) const { return std::stoll(text(i)); }
  bool flag(size_t i) const { return text(i) == "true"; }
};

// Takes one node off the front of `*text`.
inline Node TakeNode(std::string_view* text) {
  text->remove_prefix(std::min(text->find_first_not_of(' '), text->size()));
  Node node;
  if (!text->starts_with('(')) {
    const size_t end = std::min(text->find_first_of(" ()"), text->size());
    node.token = text->substr(0, end);
    text->remove_prefix(end);
    return node;
  }
  text->remove_prefix(1);
  while (true) {
    text->remove_prefix(std::min(text->find_first_not_of(' '), text->size()));
    if (text->empty() || text->starts_with(')')) break;
    node.list.push_back(TakeNode(text));
  }
  if (!text->empty()) text->remove_prefix(1);
  return node;
}

}  // namespace vaquita::cases
