// Command lines that cannot be run: what is said of them, and the exit code.
#include <cstdlib>
#include <fstream>

#include "base/durable_files.h"
#include "tests/process/process_harness.h"

namespace vaquita {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class CommandLineTest : public ProcessTest {
 protected:
  // Returns the commands below `words`, as their help lists them.
  std::vector<std::string> CommandsOf(std::vector<std::string> words) {
    words.insert(words.begin(), "help");
    std::istringstream help(Vaquita(words).output);
    std::vector<std::string> names;
    bool listed = false;
    for (std::string line; std::getline(help, line);) {
      if (listed && line.starts_with("  ") && line[2] != ' ') names.push_back(line.substr(2, line.find(' ', 2) - 2));
      listed = listed || line == "Subcommands:";
    }
    return names;
  }

  void ExpectOneExitCode(std::vector<std::string> words) {
    std::string said = "vaquita";
    for (const std::string& word : words) said += " " + word;
    words.emplace_back("--frobnicate");
    const Outcome outcome = Vaquita(words);
    EXPECT_EQ(outcome.code, 2) << said;
    EXPECT_EQ(outcome.errors, said + " has no option --frobnicate\nRun `" + said + " --help` for everything.\n");
    EXPECT_EQ(outcome.output, "") << said;
  }
};

TEST_F(CommandLineTest, EveryCommandHasTheSameEndAndHelp) {
  const std::vector<std::string> commands = CommandsOf({});
  EXPECT_THAT(commands, IsSupersetOf({"standalone", "shell", "lab", "help"}));
  for (const std::string& command : commands) {
    ExpectOneExitCode({command});
    EXPECT_THAT(Vaquita({"help", command}).output, HasSubstr("Usage: vaquita " + command)) << command;
    for (const std::string& verb : CommandsOf({command})) {
      ExpectOneExitCode({command, verb});
      EXPECT_THAT(Vaquita({"help", command, verb}).output, HasSubstr("Usage: vaquita " + command + " " + verb));
    }
  }
}

// /dev/full is a disk without room.
TEST_F(CommandLineTest, AnOutputThatIsCutIsAnError) {
  const std::string errors = commands_.path() + "/errors";
  for (const char* const command : {"version", "--version", "--help", "lab --help", "help lab", "config", "bench list",
                                    "lab examples", "man", "completion bash"}) {
    const std::string line = std::string(VAQUITA_PROGRAM) + " " + command + " > /dev/full 2> " + errors;
    EXPECT_EQ(WEXITSTATUS(std::system(line.c_str())), 1) << command;
    EXPECT_EQ(ReadFile(errors).value_or(""), "vaquita: standard output could not be written to its end\n") << command;
  }
}

TEST_F(CommandLineTest, AWrongValueEndsAsAWrongOptionDoes) {
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"standalone"}, "vaquita: give either --data DIR or --ephemeral\n"},
      {{"cluster"}, "vaquita: give a data folder: --data DIR\n"},
      {{"master"}, "vaquita: give the cluster's data root: --data DIR\n"},
      {{"regionserver"}, "vaquita: give the cluster's data root: --data DIR\n"},
      {{"standalone", "--ephemeral", "-D", "x"}, "vaquita: -D x: must be NAME=VALUE\n"},
      {{"standalone", "--ephemeral", "--master-port", "x"},
       "vaquita: -D hbase.master.port=x: hbase.master.port cannot be \"x\": it takes a whole number from 0 to 65535\n"},
      {{"fsck"}, "fsck: give --data FOLDER of stopped servers, or --address of a running one\n"},
      {{"sql", "--format", "xml"}, "vaquita: --format xml: must be table, csv or json\n"},
      {{"control", "clock", "forward"}, "vaquita control: forward: must be FIELD=VALUE, or one JSON object\n"},
      {{"lab", "splits", "hashed", "--example", "nosuch"}, "vaquita lab splits: unknown example 'nosuch'"},
  };
  for (const auto& [arguments, says] : cases) {
    const Outcome outcome = Vaquita(arguments);
    EXPECT_EQ(outcome.code, 2) << says;
    EXPECT_THAT(outcome.errors, StartsWith(says));
  }
}

TEST_F(CommandLineTest, AStandardInputThatIsClosedHasEnded) {
  const std::string line = "timeout 60 " + std::string(VAQUITA_PROGRAM) +
                           " standalone --ephemeral --free-ports --exit-with-stdin <&- > " + commands_.path() +
                           "/output";
  EXPECT_EQ(WEXITSTATUS(std::system(line.c_str())), 0);
}

// A script whose variable is not set gives an empty value.
TEST_F(CommandLineTest, AnEmptyValueIsNotOneThatWasNotGiven) {
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"standalone", "--ephemeral", "--config", ""}, "vaquita standalone: --config: the value is empty\n"},
      {{"standalone", "--ephemeral", "--config="}, "vaquita standalone: --config: the value is empty\n"},
      {{"standalone", "--data=", "--ephemeral"}, "vaquita standalone: --data: the value is empty\n"},
      {{"standalone", "--ephemeral", "--test-control="}, "vaquita standalone: --test-control: the value is empty\n"},
      {{"restore", "--from", "x", "--data", ""}, "vaquita restore: --data: the value is empty\n"},
      {{"sql", "-e", ""}, "vaquita sql: --execute: the value is empty\n"},
      {{"shell", ""}, "vaquita shell: script: the value is empty\n"},
  };
  for (const auto& [arguments, says] : cases) {
    const Outcome outcome = Vaquita(arguments);
    EXPECT_EQ(outcome.code, 2) << says;
    EXPECT_THAT(outcome.errors, StartsWith(says));
  }
}

TEST_F(CommandLineTest, ANumberIsNotReadAsAnother) {
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"cluster", "--servers", "010"}, "vaquita cluster: --servers: 010 is not a whole number in decimal digits\n"},
      {{"demo", "--rows", "9223372036854775808"}, "vaquita demo: --rows: 9223372036854775808 is out of range\n"},
      {{"bench", "--rate", "nan"}, "vaquita bench: --rate: nan is not a number\n"},
  };
  for (const auto& [arguments, says] : cases) {
    const Outcome outcome = Vaquita(arguments);
    EXPECT_EQ(outcome.code, 2) << says;
    EXPECT_THAT(outcome.errors, StartsWith(says));
  }
}

// The list of ports is that of the ready file.
TEST_F(CommandLineTest, EveryPortHasAnOptionAndIsNamedWhenItIsTaken) {
  Start();
  const std::map<std::string, std::pair<std::string, std::string>> options = {
      {"zookeeper", {"--zookeeper-port", "hbase.zookeeper.property.clientPort"}},
      {"master", {"--master-port", "hbase.master.port"}},
      {"region_server", {"--region-server-port", "hbase.regionserver.port"}},
      {"grpc", {"--grpc-port", "vaquita.grpc.port"}},
      {"master_info", {"--master-info-port", "hbase.master.info.port"}},
      {"region_server_info", {"--region-server-info-port", "hbase.regionserver.info.port"}},
      {"query_server", {"--sql-port", "phoenix.queryserver.http.port"}}};
  const Json ready = server_->Ready();
  for (const auto& [service, port] : ready.at("ports").items()) {
    const auto& [option, property] = options.at(service);
    const std::string number = std::to_string(port.get<int>());
    const Outcome outcome = Vaquita({"standalone", "--ephemeral", "--free-ports", option, number});
    EXPECT_EQ(outcome.code, 1) << service;
    EXPECT_THAT(outcome.errors, StartsWith("vaquita: " + property + ": listen for ")) << service;
    EXPECT_THAT(outcome.errors, EndsWith(" on 127.0.0.1:" + number +
                                         ": Address already in use; set another port, or take free ones by "
                                         "--free-ports\n"));
    EXPECT_THAT(outcome.errors, Not(HasSubstr(".cc:"))) << "gRPC's own log";
  }
  EXPECT_THAT(ready.at("ports"), SizeIs(options.size()));
}

TEST_F(CommandLineTest, AnAddressIsHostAndPort) {
  for (const std::string address : {"localhost", "[::1", "::1:16040", "localhost:65536", "localhost:x"}) {
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"fsck", "--address", address},
                                               {"control", "--address", address, "clock"},
                                               {"health", "--address", address},
                                               {"shell", "--address", address},
                                               {"sql", "--address", address},
                                               {"queryserver", "--address", address}}) {
      const Outcome outcome = Vaquita(arguments);
      EXPECT_EQ(outcome.code, 2) << arguments[0] << " " << address;
      EXPECT_THAT(outcome.errors, HasSubstr(address)) << arguments[0];
      EXPECT_THAT(outcome.errors, HasSubstr("HOST:PORT")) << arguments[0];
    }
  }
}

TEST_F(CommandLineTest, WrongUsageHasOneExitCodeAndSaysWhatMayBeMeant) {
  const struct {
    std::vector<std::string> arguments;
    std::string says;
  } cases[] = {
      {{}, "vaquita: A subcommand is required\n"},
      {{"standalon"}, "vaquita has no command 'standalon'; did you mean 'standalone'?\n"},
      {{"frobnicate"}, "vaquita has no command 'frobnicate'\n"},
      {{"standalone", "--dta", "x"}, "vaquita standalone has no option --dta; did you mean '--data'?\n"},
      {{"standalone", "--dta=x"}, "vaquita standalone has no option --dta; did you mean '--data'?\n"},
      {{"standalone", "more"}, "vaquita standalone takes no 'more'\n"},
      {{"lab", "kye"}, "vaquita lab has no command 'kye'; did you mean 'key'?\n"},
      {{"cluster", "--servers", "0"}, "vaquita cluster: --servers: Value 0 not in range 1 to 100\n"},
      {{"help", "shel"}, "vaquita has no command 'shel'; did you mean 'shell'?\n"},
  };
  for (const auto& [arguments, says] : cases) {
    const Outcome outcome = Vaquita(arguments);
    EXPECT_EQ(outcome.code, 2) << says;
    EXPECT_THAT(outcome.errors, StartsWith(says));
    EXPECT_EQ(outcome.output, "") << says;
  }
}

TEST_F(CommandLineTest, AnInputThatCannotBeReadIsWrongUsage) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"standalone", "--ephemeral", "--config", "/nosuch"},
           {"lab", "emulate", "text(id)", "--generate", "id=sequence()", "--rows", "10", "--site", "/nosuch"},
           {"sql", "/nosuch"},
           {"shell", "/nosuch"},
           {"client-config", "--ready-file", "/nosuch"},
           {"restore", "--from", "/nosuch", "--data", folder_.path() + "/restored"},
           {"backup", "--data", "/nosuch", "--to", folder_.path() + "/backup"},
           {"shell", "--tls", "/nosuch"},
           {"token", "--user", "a", "--file", "/nosuch/tokens"},
           {"certs", "--out", "/dev/null/nosuch"}}) {
    const Outcome outcome = Vaquita(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments[0];
    EXPECT_THAT(outcome.errors, HasSubstr("/nosuch")) << arguments[0];
    EXPECT_EQ(outcome.output, "") << arguments[0];
  }
}

TEST_F(CommandLineTest, HelpAndVersionAreNoErrors) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"help"}, {"--help"}, {"help", "shell"}, {"shell", "--help"}}) {
    const Outcome outcome = Vaquita(arguments);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.output, HasSubstr(arguments.size() == 1 ? "standalone" : "--noninteractive"));
    EXPECT_EQ(outcome.errors, "");
  }
  EXPECT_THAT(Vaquita({"--version"}).output, StartsWith("Vaquita "));
}

class CompletionTest : public CommandLineTest {
 protected:
  void SetUp() override {
    for (const std::string shell : {"bash", "zsh"}) {
      std::ofstream(folder_.path() + "/completion." + shell) << Vaquita({"completion", shell}).output;
    }
  }
  std::string Shell(const std::string& shell, const std::string& script) {
    ServerProcess process(commands_.path(), {"-c", script, folder_.path() + "/completion." + shell}, {},
                          "/usr/bin/" + shell);
    EXPECT_EQ(process.WaitForEnd(), 0) << process.Errors();
    EXPECT_EQ(process.Errors(), "");
    return process.Output();
  }
  // Returns what bash offers for the last of `words`.
  std::string Bash(const std::string& words) {
    return Shell("bash", ". $0; COMP_WORDS=(" + words +
                             "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _vaquita; "
                             "printf '%s\\n' \"${COMPREPLY[@]}\"");
  }
  // Stands in for zsh's own functions, which work only while a line is typed.
  std::string Zsh(const std::string& words) {
    return Shell("zsh",
                 "compdef() { }; _files() { print files }; _describe() { print -l -- ${(P)2} }; "
                 "compadd() { shift; print -l -- $@ }; . $0; words=(" +
                     words + "); CURRENT=$#words; PREFIX=$words[CURRENT]; _vaquita");
  }
};

TEST_F(CompletionTest, BashCompletesCommandsOptionsAndValues) {
  EXPECT_EQ(Bash("vaquita stan"), "standalone\n");
  EXPECT_EQ(Bash("vaquita help clus"), "cluster\n");
  EXPECT_EQ(Bash("vaquita lab k"), "key\n");
  EXPECT_EQ(Bash("vaquita standalone --data x --fr"), "--free-ports\n");
  EXPECT_EQ(Bash("vaquita standalone --log-level d"), "debug\n");
  EXPECT_EQ(Bash("vaquita standalone --log-level = d"), "debug\n");
  EXPECT_EQ(Bash("vaquita lab watch --requests ''"), "all\nreads\nwrites\n");
  EXPECT_EQ(Bash("vaquita standalone --data d"), "\n") << "files, by bash itself";
}

TEST_F(CompletionTest, ZshCompletesCommandsOptionsAndValues) {
  EXPECT_THAT(Zsh("vaquita stan"), HasSubstr("standalone:Run a whole cluster in this process\n"));
  EXPECT_THAT(Zsh("vaquita lab k"), HasSubstr("\nkey:Print"));
  EXPECT_THAT(Zsh("vaquita standalone --fr"), HasSubstr("\n--free-ports:Use any free port"));
  EXPECT_EQ(Zsh("vaquita lab watch --requests ''"), "all\nreads\nwrites\n");
  EXPECT_EQ(Zsh("vaquita standalone --data d"), "files\n");
  EXPECT_EQ(Zsh("vaquita shell scr"), "files\n");
}

TEST_F(CompletionTest, EveryOptionIsInTheManualPage) {
  const std::string page = Vaquita({"man"}).output;
  EXPECT_THAT(page, HasSubstr(".SS vaquita lab key\n"));
  EXPECT_THAT(page, HasSubstr(".TP\n\\fB\\-\\-log\\-level\\fR trace|debug|info|warn|error|off\n"));
  EXPECT_THAT(page, HasSubstr(".SH EXIT STATUS\n"));
}

}  // namespace
}  // namespace vaquita
