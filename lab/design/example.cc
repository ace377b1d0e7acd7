#include "lab/design/example.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/absl_text.h"
#include "base/did_you_mean.h"
#include "base/status.h"
#include "lab/design/example_files.h"
#include "lab/records/expression.h"

namespace vaquita::lab {
namespace {

std::string_view Trimmed(std::string_view text) { return StdText(absl::StripAsciiWhitespace(AbslText(text))); }

// "a=1, b=2": calls `set` with each.
template <typename F>
absl::Status ForEachAssignment(std::string_view list, F set) {
  for (const absl::string_view item : absl::StrSplit(AbslText(list), ',')) {
    const std::pair<absl::string_view, absl::string_view> sides = absl::StrSplit(item, absl::MaxSplits('=', 1));
    VAQUITA_RETURN_IF_ERROR(set(Trimmed(StdText(sides.first)), Trimmed(StdText(sides.second))));
  }
  return absl::OkStatus();
}

absl::Status SetShape(std::string_view name, std::string_view value, CellShape* shape) {
  if (name == "family") {
    shape->family = value;
    return absl::OkStatus();
  }
  uint64_t* number = name == "cells"       ? &shape->columns
                     : name == "qualifier" ? &shape->qualifier_bytes
                     : name == "value"     ? &shape->value_bytes
                                           : nullptr;
  if (number != nullptr && absl::SimpleAtoi(AbslText(value), number)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("'", AbslText(name), "=", AbslText(value), "' is not family=, cells=, qualifier= or value="));
}

void AddLine(std::string_view line, std::string* text) { text->append(text->empty() ? "" : "\n").append(line); }

absl::Status SetOfDesign(std::string_view word, std::string_view value, Example* example) {
  if (example->designs.empty()) return absl::InvalidArgumentError("no design is above this line");
  ExampleDesign& design = example->designs.back();
  if (word == "store") {
    return ForEachAssignment(value,
                             [&](std::string_view n, std::string_view v) { return SetShape(n, v, &design.shape); });
  }
  if (word != "column" && word != "splits") {
    return absl::InvalidArgumentError(absl::StrCat("a design does not take '", AbslText(word), "'"));
  }
  (word == "column" ? design.column : design.splits) = value;
  return absl::OkStatus();
}

absl::Status SetOfExample(std::string_view word, std::string_view name, std::string_view value, Example* example) {
  if (word == "question") {
    example->question = value;
  } else if (word == "about") {
    AddLine(value, &example->about);
  } else if (word == "see") {
    AddLine(value, &example->see);
  } else if (word == "records") {
    example->records = value;
  } else if (word == "rows") {
    if (!absl::SimpleAtoi(AbslText(value), &example->rows)) return absl::InvalidArgumentError("rows: a number");
  } else if (word == "design") {
    example->designs.push_back({.name = std::string(name), .expression = std::string(value)});
  } else if (word == "table") {
    LookupTable& table = example->tables[std::string(name)];
    return ForEachAssignment(value, [&](std::string_view n, std::string_view v) { return table.Add(n, v); });
  } else {
    return absl::InvalidArgumentError(absl::StrCat("unknown word '", AbslText(word), "'"));
  }
  return absl::OkStatus();
}

}  // namespace

const ExampleDesign* Example::FindDesign(std::string_view design) const {
  const auto found =
      std::find_if(designs.begin(), designs.end(), [&](const ExampleDesign& d) { return d.name == design; });
  return found == designs.end() ? nullptr : &*found;
}

absl::StatusOr<Example> ParseExample(std::string_view name, std::string_view text) {
  Example example{.name = std::string(name)};
  int number = 0;
  for (const absl::string_view line : absl::StrSplit(AbslText(text), '\n')) {
    ++number;
    const std::string_view trimmed = Trimmed(StdText(line));
    if (trimmed.empty() || trimmed.starts_with('#')) continue;
    const size_t colon = trimmed.find(':');
    if (colon == std::string_view::npos) {
      return absl::InvalidArgumentError(absl::StrCat(example.name, ":", number, ": ':' is missing in '", line, "'"));
    }
    const std::string_view head = trimmed.substr(0, colon);
    const std::string_view value = Trimmed(trimmed.substr(colon + 1));
    const size_t space = head.find(' ');
    const std::string_view word = head.substr(0, space);
    const std::string_view named = space == std::string_view::npos ? "" : Trimmed(head.substr(space));
    VAQUITA_RETURN_IF_ERROR(
        Annotate(line.front() == ' ' ? SetOfDesign(word, value, &example) : SetOfExample(word, named, value, &example),
                 absl::StrCat(example.name, ":", number)));
  }
  if (example.question.empty() || example.records.empty() || example.designs.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(example.name, ": it needs a question, records and a design"));
  }
  return example;
}

std::vector<std::string_view> ExampleNames() {
  std::vector<std::string_view> names;
  for (const ExampleFile& file : kExampleFiles) names.push_back(file.name);
  return names;
}

absl::StatusOr<Example> FindExample(std::string_view name) {
  for (const ExampleFile& file : kExampleFiles) {
    if (file.name == name) return ParseExample(file.name, file.text);
  }
  return absl::InvalidArgumentError(absl::StrCat("unknown example '", AbslText(name), "'",
                                                 DidYouMean(name, ExampleNames()),
                                                 " (`vaquita lab examples` lists them)"));
}

}  // namespace vaquita::lab
