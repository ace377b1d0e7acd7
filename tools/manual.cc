#include "tools/manual.h"

#include <functional>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/version.h"

namespace vaquita {
namespace {

std::vector<const CLI::App*> CommandsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

// Calls `visit` for the program and each command, with its words: "vaquita lab key".
void ForEachCommand(const CLI::App& app, const std::string& words,
                    const std::function<void(const CLI::App&, const std::string&)>& visit) {
  visit(app, words);
  for (const CLI::App* command : CommandsOf(app)) ForEachCommand(*command, words + " " + command->get_name(), visit);
}

bool TakesValue(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

// Returns the option's names as they are typed.
std::vector<std::string> NamesOf(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

// Returns the values of an option that takes one of a few; CLI11 describes those as "TEXT:{a,b}".
std::vector<std::string> ValuesOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const size_t begin = type.find('{'), end = type.rfind('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  return absl::StrSplit(type.substr(begin + 1, end - begin - 1), ',');
}

// --- The manual page

std::string Roff(const std::string& text) {
  std::string safe = absl::StrReplaceAll(text, {{"\\", "\\e"}, {"-", "\\-"}});
  if (safe.starts_with('.') || safe.starts_with('\'')) safe.insert(0, "\\&");
  return safe;
}

// Returns what follows an option's names, such as " TEXT" or " (a|b)".
std::string ArgumentText(const CLI::Option& option) {
  if (!TakesValue(option)) return "";
  const std::vector<std::string> values = ValuesOf(option);
  if (!values.empty()) return " " + absl::StrJoin(values, "|");
  const std::string type = option.get_type_name();
  return " " + type.substr(0, type.find(':'));
}

void AppendOptions(const CLI::App& command, std::string* page) {
  for (const CLI::Option* option : command.get_options()) {
    const std::vector<std::string> names = NamesOf(*option);
    const std::string name = names.empty() ? option->get_name(/*positional=*/true) : absl::StrJoin(names, ", ");
    absl::StrAppend(page, ".TP\n\\fB", Roff(name), "\\fR", Roff(names.empty() ? "" : ArgumentText(*option)), "\n",
                    Roff(option->get_description()));
    const std::string standard = option->get_default_str();
    if (TakesValue(*option) && !standard.empty()) absl::StrAppend(page, " (default: ", Roff(standard), ")");
    absl::StrAppend(page, "\n");
  }
}

// --- Completion

std::string Quoted(const std::string& text) {
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "'\\''"}}), "'");
}

// Returns the cases of a shell's `case "$place $word"` that lead from a command to one of its own, as patterns.
std::string CommandPatterns(const CLI::App& app) {
  std::vector<std::string> patterns;
  ForEachCommand(app, "vaquita", [&](const CLI::App&, const std::string& words) {
    if (words != "vaquita") patterns.push_back(Quoted(words));
  });
  return absl::StrJoin(patterns, "|");
}

// Appends a case for each option that takes a value: `values` is the text that offers some, or files.
void AppendValueCases(const CLI::App& app, const std::function<std::string(const std::vector<std::string>&)>& values,
                      std::string* script) {
  ForEachCommand(app, "vaquita", [&](const CLI::App& command, const std::string& words) {
    for (const CLI::Option* option : command.get_options()) {
      std::vector<std::string> patterns;
      for (const std::string& name : NamesOf(*option)) patterns.push_back(Quoted(words + " " + name));
      if (!TakesValue(*option) || patterns.empty()) continue;
      absl::StrAppend(script, "    ", absl::StrJoin(patterns, "|"), ") ", values(ValuesOf(*option)), " ;;\n");
    }
  });
}

}  // namespace

std::string ManPage(const CLI::App& app) {
  std::string page = absl::StrCat(".TH VAQUITA 1 \"\" \"Vaquita ", std::string(kVersion), "\"\n.SH NAME\nvaquita \\- ",
                                  Roff("an HBase that fits in one small process"),
                                  "\n.SH SYNOPSIS\n\\fBvaquita\\fR COMMAND [OPTIONS]\n.SH DESCRIPTION\n",
                                  Roff(app.get_description()), ".\n.SH COMMANDS\n");
  ForEachCommand(app, "vaquita", [&](const CLI::App& command, const std::string& words) {
    if (&command != &app) absl::StrAppend(&page, ".SS ", Roff(words), "\n", Roff(command.get_description()), ".\n");
    AppendOptions(command, &page);
  });
  absl::StrAppend(&page, ".SH EXIT STATUS\n0: done. 1: it failed. 2: the command line is wrong, or a value or a file ",
                  "that it names.\n.SH ENVIRONMENT\n.TP\n\\fBVAQUITA_ADDRESS\\fR\nThe default of \\-\\-address.\n.TP\n",
                  "\\fBVAQUITA_\\fIPROPERTY\\fR\nA property of a server, in capital letters with _ for . and \\-; ",
                  "\\fBvaquita config\\fR lists them.\n");
  return page;
}

std::string BashCompletion(const CLI::App& app) {
  std::string script = absl::StrCat(R"(# Completion of vaquita for bash; `vaquita completion bash` printed it.
_vaquita() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} place=vaquita offered= i
  if [ "$word" = = ]; then word=; elif [ "$before" = = ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$place ${COMP_WORDS[i]}" in
    'vaquita help') ;;  # its words are the commands
    )",
                                    CommandPatterns(app), R"() place="$place ${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
  case "$place $before" in
)");
  const auto values = [](const std::vector<std::string>& some) {
    if (some.empty()) return std::string("return");  // the shell's own default: files
    return absl::StrCat("mapfile -t COMPREPLY < <(compgen -W ", Quoted(absl::StrJoin(some, " ")),
                        " -- \"$word\"); return");
  };
  AppendValueCases(app, values, &script);
  absl::StrAppend(&script, "  esac\n  case $place in\n");
  ForEachCommand(app, "vaquita", [&](const CLI::App& command, const std::string& words) {
    std::vector<std::string> offered;
    for (const CLI::App* one : CommandsOf(command)) offered.push_back(one->get_name());
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : NamesOf(*option)) offered.push_back(name);
    }
    absl::StrAppend(&script, "    ", Quoted(words), ") offered=", Quoted(absl::StrJoin(offered, " ")), " ;;\n");
  });
  absl::StrAppend(&script, R"(  esac
  mapfile -t COMPREPLY < <(compgen -W "$offered" -- "$word")
}
complete -o default -F _vaquita vaquita
)");
  return script;
}

std::string ZshCompletion(const CLI::App& app) {
  std::string script = absl::StrCat(R"(#compdef vaquita
# Completion of vaquita for zsh; `vaquita completion zsh` printed it.
_vaquita() {
  local place=vaquita i
  local -a commands options
  for ((i = 2; i < CURRENT; ++i)); do
    case "$place ${words[i]}" in
    'vaquita help') ;;  # its words are the commands
    )",
                                    CommandPatterns(app), R"() place="$place ${words[i]}" ;;
    esac
  done
  case "$place ${words[CURRENT-1]}" in
)");
  const auto values = [](const std::vector<std::string>& some) {
    return some.empty() ? std::string("_files; return")
                        : absl::StrCat("compadd -- ", absl::StrJoin(some, " "), "; return");
  };
  AppendValueCases(app, values, &script);
  absl::StrAppend(&script, "  esac\n  case $place in\n");
  const auto described = [](const std::string& name, const std::string& meaning) {
    return Quoted(absl::StrCat(absl::StrReplaceAll(name, {{":", "\\:"}}), ":", meaning));
  };
  ForEachCommand(app, "vaquita", [&](const CLI::App& command, const std::string& words) {
    absl::StrAppend(&script, "    ", Quoted(words), ")\n      commands=(");
    for (const CLI::App* one : CommandsOf(command)) {
      absl::StrAppend(&script, "\n        ", described(one->get_name(), one->get_description()));
    }
    absl::StrAppend(&script, ")\n      options=(");
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : NamesOf(*option)) {
        absl::StrAppend(&script, "\n        ", described(name, option->get_description()));
      }
    }
    absl::StrAppend(&script, ") ;;\n");
  });
  absl::StrAppend(&script, R"(  esac
  if [[ $PREFIX == -* ]]; then
    _describe option options
  elif (( $#commands )); then
    _describe command commands
  else
    _files
  fi
}
if [ "$funcstack[1]" = _vaquita ]; then _vaquita "$@"; else compdef _vaquita vaquita; fi
)");
  return script;
}

}  // namespace vaquita
