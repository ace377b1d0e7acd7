#include "tools/usage.h"

#include <algorithm>
#include <iostream>
#include <string_view>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/did_you_mean.h"
#include "base/exit_code.h"

namespace vaquita {
namespace {

std::vector<std::string_view> CommandNames(const CLI::App& app) {
  std::vector<std::string_view> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

// Returns the options' names as they are typed.
std::vector<std::string> OptionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// Returns the innermost command of the line, as its words: "lab key".
const CLI::App* InnermostCommand(const CLI::App* app, std::string* words) {
  while (!app->get_subcommands().empty()) {
    app = app->get_subcommands().back();
    *words += " " + app->get_name();
  }
  return app;
}

// Returns what is wrong with the first word that no command takes.
std::string Unexpected(const CLI::App& command, const std::string& words, const std::string& extra) {
  if (!extra.starts_with("-")) {
    const std::vector<std::string_view> commands = CommandNames(command);
    if (commands.empty()) return words + " takes no '" + extra + "'";
    return words + " has no command '" + extra + "'" + DidYouMean(extra, commands);
  }
  const std::vector<std::string> options = OptionNames(command);
  const std::string name = extra.substr(0, extra.find('='));
  return words + " has no option " + name + DidYouMean(name, {options.begin(), options.end()});
}

}  // namespace

int EndOfParse(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {  // help or version
    app.exit(error);
    return 0;
  }
  std::string words = "vaquita";
  const CLI::App* const command = InnermostCommand(&app, &words);
  const std::vector<std::string> extras = app.remaining(/*recurse=*/true);
  // A line without a known command lacks a command, for CLI11.
  const bool extra = !extras.empty() && (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                                         dynamic_cast<const CLI::RequiredError*>(&error) != nullptr);
  std::string what = extra ? Unexpected(*command, words, extras[0]) : words + ": " + error.what();
  while (what.ends_with('.') || what.ends_with('\n')) what.pop_back();
  std::cerr << what << "\nRun `" << words << " --help` for everything.\n";
  return kUsageError;
}

int PrintHelpOf(CLI::App& app, const std::vector<std::string>& words) {
  CLI::App* command = &app;
  std::string said = "vaquita";
  for (const std::string& word : words) {
    const std::vector<std::string_view> names = CommandNames(*command);
    if (std::find(names.begin(), names.end(), word) == names.end()) {
      std::cerr << said << " has no command '" << word << "'" << DidYouMean(word, names) << "\n";
      return kUsageError;
    }
    command = command->get_subcommand(word);
    said += " " + word;
  }
  // App::help() would print the help of `help`, the command that was given.
  std::cout << app.get_formatter()->make_help(command, said, CLI::AppFormatMode::Normal);
  return 0;
}

}  // namespace vaquita
