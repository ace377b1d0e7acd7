// Runs the sessions of tests/shell/*.txt against an in-process server, and compares what the shell prints with what
// they say.
//
// A transcript is a session as it looks: what follows a prompt (or a question that ends in "(y/n)?") is typed, the rest
// is printed. Lines that start with '#' before the first prompt say what it is about. Times, new timestamps, region ids
// and server names are the same for all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/options.h"
#include "client/connection.h"
#include "server/process/standalone.h"
#include "server/test_control/test_control.h"
#include "tools/shell/command.h"
#include "tools/shell/input.h"
#include "tools/shell/interpreter.h"
#include "tools/shell/session.h"
#include "tools/shell/shell.h"
#include "tools/shell/testing/transcript_lines.h"

namespace vaquita::shell {
namespace {

namespace fs = std::filesystem;

using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::vector<std::string> Lines(std::istream& in) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(NormalizeLine(line));
  return lines;
}

// The lines that a person types in the session.
std::string TypedText(const std::vector<std::string>& session) {
  std::string typed, line;
  for (size_t i = 0; i < session.size(); ++i) {
    const bool answer = i > 0 && session[i - 1].ends_with("(y/n)?");
    if (IsPrompt(session[i], &line) || answer) typed += (answer ? session[i] : line) + "\n";
  }
  return typed;
}

// Without the prompt that meets the end of the input.
std::vector<std::string> WithoutLastPrompt(std::vector<std::string> session) {
  std::string typed;
  while (!session.empty() && (session.back().empty() || (IsPrompt(session.back(), &typed) && typed.empty()))) {
    session.pop_back();
  }
  return session;
}

std::vector<std::string> ReadTranscript(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines = Lines(file);
  std::string typed;
  while (!lines.empty() && !IsPrompt(lines.front(), &typed)) lines.erase(lines.begin());
  return WithoutLastPrompt(std::move(lines));
}

std::vector<fs::path> Transcripts() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(VAQUITA_SHELL_TRANSCRIPTS)) {
    if (entry.path().extension() == ".txt") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// A server, a connection to it, and a temporary folder to work in.
class ServedShell : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("TZ", "UTC", 1);
    tzset();
    folder_ = fs::temp_directory_path() / ("vaquita_shell_test_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    fs::current_path(folder_);  // sessions read split.txt from here
    std::ofstream("split.txt") << "1000000\n2000000\n3000000\n";
    UseFreePorts(&options_);
    auto server = Standalone::Start({.options = &options_, .control = &control_, .orders = &orders_});
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
    control_.Serve(server_.get(), [](const v1::SeedRequest&) { return absl::UnimplementedError("no seeds here"); });
    client::ConnectionOptions connection_options;
    connection_options.address = server_->grpc_address();
    auto connection = client::Connection::Open(connection_options);
    ASSERT_TRUE(connection.ok()) << connection.status();
    connection_ = *std::move(connection);
  }
  void TearDown() override {
    connection_.reset();
    control_.Stop();
    if (server_ != nullptr) server_->Stop();
    fs::current_path(fs::temp_directory_path());
    fs::remove_all(folder_);
  }

  SessionEnd RunTyped(const std::string& typed, bool stop_on_error, std::vector<std::string>* printed) {
    std::istringstream in(typed);
    std::ostringstream out;
    StreamInput input(&in, &out);
    Interpreter interpreter(connection_, server_->grpc_address(), &out, 0, [&] { return input.ReadLine(""); });
    const SessionEnd end = RunSession(input, interpreter, stop_on_error);
    std::istringstream output(out.str());
    *printed = Lines(output);
    return end;
  }

  Options options_;
  std::atomic<int> stops_ = 0;  // that clients have asked for
  absl::Status update_answer_;
  const ProcessOrders orders_ = {.stop = [this] { ++stops_; },
                                 .update_configuration = [this] { return update_answer_; }};
  TestControl control_{/*from_anywhere=*/false};
  fs::path folder_;
  std::unique_ptr<Standalone> server_;
  std::shared_ptr<client::Connection> connection_;
};

// Quotas are on in quotas.txt only: they are off by default, and `describe` says so.
class TranscriptTest : public ServedShell, public ::testing::WithParamInterface<fs::path> {
 protected:
  void SetUp() override {
    options_.quotas = GetParam().stem() == "quotas";
    ServedShell::SetUp();
  }
};

TEST_P(TranscriptTest, PrintsWhatTheTranscriptSays) {
  const std::vector<std::string> expected = ReadTranscript(GetParam());
  ASSERT_FALSE(expected.empty());
  std::vector<std::string> printed;
  RunTyped(TypedText(expected), /*stop_on_error=*/false, &printed);
  const std::vector<std::string> actual = WithoutLastPrompt(std::move(printed));
  if (const char* folder = std::getenv("VAQUITA_SHELL_ACTUAL")) {  // to see the difference with a tool made for it
    std::ofstream file(fs::path(folder) / GetParam().filename());
    for (const std::string& line : actual) file << line << "\n";
  }
  std::string last_prompt;
  for (size_t i = 0; i < std::max(expected.size(), actual.size()); ++i) {
    const std::string want = i < expected.size() ? expected[i] : "(the end)";
    const std::string got = i < actual.size() ? actual[i] : "(the end)";
    std::string typed;
    if (IsPrompt(want, &typed)) last_prompt = want;
    ASSERT_EQ(got, want) << GetParam().filename() << " at " << last_prompt;
  }
}

INSTANTIATE_TEST_SUITE_P(Shell, TranscriptTest, ::testing::ValuesIn(Transcripts()),
                         [](const auto& info) { return info.param.stem().string(); });

TEST_F(ServedShell, TheFirstErrorStopsASessionThatAsksForIt) {
  std::vector<std::string> printed;
  const SessionEnd end = RunTyped("list\nget 'nosuch', 'r'\nversion\n", /*stop_on_error=*/true, &printed);
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(printed, Contains("ERROR: Unknown table nosuch!"));
  EXPECT_THAT(printed, Not(Contains("hbase:003:0> version")));
}

TEST_F(ServedShell, ExitEndsTheSessionWithItsCode) {
  std::vector<std::string> printed;
  const SessionEnd end = RunTyped("exit 3\nlist\n", /*stop_on_error=*/false, &printed);
  EXPECT_TRUE(end.exited);
  EXPECT_EQ(end.exit_code, 3);
  EXPECT_THAT(printed, ElementsAre("hbase:001:0> exit 3"));
}

// SystemExit is no StandardError: a rescue does not catch it.
TEST_F(ServedShell, ExitEndsTheSessionWithinARescue) {
  for (const bool stop_on_error : {false, true}) {
    std::vector<std::string> printed;
    const std::string typed = "begin; puts 'one'; exit 4; rescue => e; puts \"failed #{e}\"; exit 1; end; puts 'two'";
    const SessionEnd end = RunTyped(typed + "\nputs 'three'\n", stop_on_error, &printed);
    EXPECT_TRUE(end.exited);
    EXPECT_EQ(end.exit_code, 4);
    EXPECT_THAT(printed, ElementsAre("hbase:001:0> " + typed, "one"));
  }
  std::vector<std::string> printed;
  EXPECT_EQ(RunTyped("exit false\n", /*stop_on_error=*/false, &printed).exit_code, 1);
}

TEST_F(ServedShell, AnInputThatEndsInsideACommandIsAnError) {
  std::vector<std::string> printed;
  RunTyped("put 't',", /*stop_on_error=*/false, &printed);
  EXPECT_EQ(printed.back(), "SyntaxError (line 2, column 1: the input ends inside brackets, quotes or arguments)");
}

TEST_F(ServedShell, AScriptsExitCodeIsTheFirstErrors) {
  std::ofstream("script") << "create 't', 'f'\ncreate 't', 'f'\nlist\n";
  ShellOptions options{.address = server_->grpc_address(), .script_path = "script", .stop_on_error = true};
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(RunShell(options), 1);
  const std::string printed = ::testing::internal::GetCapturedStdout();
  EXPECT_THAT(printed, HasSubstr("ERROR: Table already exists: t!"));
  EXPECT_THAT(printed, Not(HasSubstr("TABLE\n")));
}

// As in HBase's shell, where command_safe prints the error and returns nil.
TEST_F(ServedShell, AtAPromptTheStatementGoesOnAfterACommandsError) {
  std::vector<std::string> printed;
  RunTyped(
      "get 'nosuch', 'r'; puts 'next'\n[1, 2].each { |i| get 'nosuch', i; puts \"round #{i}\" }\n"
      "begin\nget 'nosuch', 'r'\nputs 'goes on'\nrescue => e\nputs 'rescued'\nend\n"
      "x = get 'nosuch', 'r'\nputs x.nil?\nbegin\nraise 'mine'\nrescue => e\nputs \"rescued #{e}\"\nend\n"
      "nosuch_word; puts 'not reached'\nputs 'the end'\n",
      /*stop_on_error=*/false, &printed);
  EXPECT_EQ(std::count(printed.begin(), printed.end(), "ERROR: Unknown table nosuch!"), 5);
  for (const char* line : {"next", "round 1", "round 2", "goes on", "true", "rescued mine", "the end"}) {
    EXPECT_THAT(printed, Contains(line));
  }
  EXPECT_THAT(printed, Not(Contains("rescued")));
  EXPECT_THAT(printed, Not(Contains("not reached")));
}

// HBase's shell with -n raises what the command raised.
TEST_F(ServedShell, InAScriptThatEndsWithItsFirstErrorACommandRaisesIt) {
  std::vector<std::string> printed;
  const SessionEnd end = RunTyped(
      "begin\nget 'nosuch', 'r'\nputs 'goes on'\nrescue => e\nputs \"rescued #{e}\"\nend\n"
      "[1, 2].each { |i| puts \"round #{i}\"; get 'nosuch', i }\nputs 'the end'\n",
      /*stop_on_error=*/true, &printed);
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(printed, Contains("rescued Unknown table nosuch!"));
  EXPECT_EQ(std::count(printed.begin(), printed.end(), "ERROR: Unknown table nosuch!"), 1) << "the loop's alone";
  EXPECT_THAT(printed, Contains("round 1"));
  for (const char* line : {"goes on", "round 2", "the end"}) {
    EXPECT_THAT(printed, Not(Contains(line)));
  }
}

TEST_F(ServedShell, AnErrorOfAScriptHasItsFileAndLine) {
  std::ofstream("script") << "create 't',\n  'f'\n\nget 'nosuch',\n  'r'\nscam 't'\nput 't',\n  'r' 5\n"
                             "2.times do |i|\n  puts i\n  5.nosuch\nend\n";
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(RunShell({.address = server_->grpc_address(), .script_path = "script", .stop_on_error = false}), 0);
  const std::string printed = ::testing::internal::GetCapturedStdout();
  EXPECT_THAT(printed, ContainsRegex("ERROR: Unknown table nosuch![^(]*\\(script, line 4\\)\n"));
  EXPECT_THAT(printed, HasSubstr("Did you mean?  scan\n(script, line 6)\n"));
  EXPECT_THAT(printed, HasSubstr("SyntaxError (script, line 8, column 7: unexpected 5"));
  EXPECT_THAT(printed, HasSubstr("0\nTraceback (most recent call last):\nNoMethodError (undefined method "
                                 "`nosuch' for 5:Integer)\n(script, line 11)\n"));
}

TEST_F(ServedShell, ACommandOfAFeatureThatIsOffSaysSoWhoeverMayRunIt) {
  std::ostringstream out;
  Interpreter interpreter(connection_, server_->grpc_address(), &out, 0, [] { return std::nullopt; });
  interpreter.SetCheck([](const Command&, const Arguments&) { return ShellError("checked"); });
  EXPECT_FALSE(interpreter.Run(ReadRuby("get_rsgroup 'g'")));
  EXPECT_THAT(out.str(), HasSubstr("ERROR: "));
  EXPECT_THAT(out.str(), Not(HasSubstr("checked")));
  EXPECT_FALSE(interpreter.Run(ReadRuby("list")));
  EXPECT_THAT(out.str(), HasSubstr("ERROR: checked"));
}

TEST_F(ServedShell, OrdersReachTheProcess) {
  std::vector<std::string> printed;
  const std::string name = "'" + server_->server_name() + "'\n";
  RunTyped("stop_master\nstop_regionserver '" + server_->region_server_address() + "'\nstop_regionserver " + name,
           /*stop_on_error=*/true, &printed);
  EXPECT_THAT(printed, Not(Contains(HasSubstr("ERROR"))));
  EXPECT_EQ(stops_, 3);

  update_answer_ = absl::FailedPreconditionError("a restart is needed for vaquita.grpc.port");
  RunTyped("update_config " + name, /*stop_on_error=*/true, &printed);
  EXPECT_THAT(printed, Contains(HasSubstr("DoNotRetryIOException: a restart is needed for vaquita.grpc.port")));
  RunTyped("update_all_config\n", /*stop_on_error=*/true, &printed);
  EXPECT_THAT(printed, Contains(HasSubstr(": a restart is needed for vaquita.grpc.port")));
  update_answer_ = absl::OkStatus();
  RunTyped("update_config " + name + "update_all_config\n", /*stop_on_error=*/true, &printed);
  EXPECT_THAT(printed, Not(Contains(HasSubstr("ERROR"))));
}

TEST_F(ServedShell, ProcesslistPrintsTheTableOfWorks) {
  std::vector<std::string> printed;
  RunTyped(
      "processlist 'operation'\nprocesslist 'rpc'\ncreate 't', 'f'\nput 't', 'r', 'f:', 'v'\nflush 't'\n"
      "processlist\nprocesslist 'all', '" +
          server_->server_name() + "'\nprocesslist 'nosuch,1'\n",
      /*stop_on_error=*/false, &printed);
  const std::string all = absl::StrJoin(printed, "\n");
  EXPECT_THAT(all, HasSubstr("0 tasks as of: "));
  EXPECT_THAT(all, HasSubstr("\nNo operation tasks currently running.\n"));
  EXPECT_THAT(all, HasSubstr("\nNo rpc tasks currently running.\n"));
  EXPECT_THAT(all, ContainsRegex("\n[1-9][0-9]* tasks as of: "));
  EXPECT_THAT(all, HasSubstr("| Host | Start Time | State | Description | Status |"));
  EXPECT_THAT(all, ContainsRegex("\n\\| 127.0.0.1 \\| [^|]* \\| COMPLETE \\| Flushing t,,[^|]* \\| Flush "
                                 "successful \\(since"));
  EXPECT_THAT(all, HasSubstr("ERROR: There is no live server nosuch,1. list_liveservers names them"));
}

TEST_F(ServedShell, ALoopEndsWhenNobodyWaitsForIt) {
  std::ostringstream out;
  int checks = 0;
  Interpreter interpreter(connection_, server_->grpc_address(), &out, 0, [] { return std::nullopt; });
  interpreter.SetCancelled([&] { return ++checks > 100; });
  EXPECT_FALSE(interpreter.Run(ReadRuby("loop { }")));
  EXPECT_THAT(out.str(), HasSubstr("Interrupt (the loop was ended)"));
  EXPECT_FALSE(interpreter.Run(ReadRuby("sleep 3600")));
  EXPECT_THAT(out.str(), HasSubstr("the shell of a web page does not sleep"));
  interpreter.SetCancelled([] { return true; }, /*may_sleep=*/true);
  EXPECT_TRUE(interpreter.Run(ReadRuby("sleep 0")));
}

TEST_F(ServedShell, NoRescueKeepsALoopThatNobodyWaitsFor) {
  std::ostringstream out;
  int checks = 0;
  Interpreter interpreter(connection_, server_->grpc_address(), &out, 0, [] { return std::nullopt; });
  interpreter.SetCancelled([&] { return ++checks > 100; });
  EXPECT_FALSE(interpreter.Run(ReadRuby("begin; loop { }; rescue; puts 'rescued'; end")));
  EXPECT_THAT(out.str(), HasSubstr("Interrupt (the loop was ended)"));
  EXPECT_THAT(out.str(), Not(HasSubstr("rescued")));
}

TEST_F(ServedShell, RandomNumbersDifferFromShellToShell) {
  std::vector<std::string> printed[2];
  for (auto& lines : printed) RunTyped("[rand(10**12), rand(10**12)]\n", /*stop_on_error=*/false, &lines);
  EXPECT_NE(printed[0], printed[1]);
  for (const std::string_view typed :
       {"(1..100).all? { n = rand(1..6); n.class == 'Integer' && n >= 1 && n <= 6 }",
        "(1..100).map { rand(10**12) }.max > 2**31", "rand < 1 && rand(0) < 1 && rand(3.9) < 3 && rand(2..1).nil?",
        "srand(5); a = rand(10**9); srand(5); a == rand(10**9)"}) {
    RunTyped(std::string(typed) + "\n", /*stop_on_error=*/false, &printed[0]);
    EXPECT_THAT(printed[0], Contains("=> true")) << typed;
  }
  RunTyped("rand('x')\n", /*stop_on_error=*/false, &printed[0]);
  EXPECT_THAT(printed[0], Contains("TypeError (no implicit conversion of String into Integer)"));
}

TEST_F(ServedShell, IntegerAndFloatReadAWholeText) {
  const std::vector<std::pair<const char*, const char*>> kAnswers = {
      {"Integer(' 1_000 ')", "=> 1000"},
      {"Integer('0x1f') + Integer('ff', 16) + Integer('-0b11') + Integer('010')", "=> 291"},
      {"Integer(12.9)", "=> 12"},
      {"Float('1e3') + Float('1_0.5')", "=> 1010.5"},
      {"[Integer('x', exception: false)]", "=> [nil]"},
      {"Integer('12x')", "ArgumentError (invalid value for Integer(): \"12x\")"},
      {"Integer('')", "ArgumentError (invalid value for Integer(): \"\")"},
      {"Integer('08')", "ArgumentError (invalid value for Integer(): \"08\")"},
      {"Integer(nil)", "TypeError (can't convert nil into Integer)"},
      {"Integer([1])", "TypeError (can't convert Array into Integer)"},
      {"Float('x')", "ArgumentError (invalid value for Float(): \"x\")"},
      {"Float('1.')", "ArgumentError (invalid value for Float(): \"1.\")"},
      {"sleep 'nan'", "ArgumentError (sleep takes a number of seconds from 0 to 3600)"},
      {"sleep 0.0 / 0.0", "ArgumentError (sleep takes a number of seconds from 0 to 3600)"},
      {"sprintf('%s-%s', nil, 'x')", "=> \"-x\""},
      {"sprintf('%s', [1, 2])", "=> \"[1, 2]\""},
  };
  for (const auto& [typed, answer] : kAnswers) {
    std::vector<std::string> printed;
    RunTyped(std::string(typed) + "\n", /*stop_on_error=*/false, &printed);
    EXPECT_THAT(printed, Contains(answer)) << typed;
  }
}

TEST_F(ServedShell, AlterAddsAndRemovesCoprocessors) {
  std::vector<std::string> printed;
  const std::string aggregate = "org.apache.hadoop.hbase.coprocessor.AggregateImplementation";
  const std::string row_count = "org.apache.hadoop.hbase.coprocessor.example.RowCountEndpoint";
  RunTyped("create 't', 'f'\nalter 't', 'coprocessor' => '|" + aggregate + "||'\nalter 't', METHOD => 'table_att', " +
               "'Coprocessor$9' => ' |" + row_count + "|5|a=b '\ndescribe 't'\n",
           /*stop_on_error=*/true, &printed);
  std::string all = absl::StrJoin(printed, "\n");
  EXPECT_THAT(all, Not(HasSubstr("ignored")));
  EXPECT_THAT(all, HasSubstr("'coprocessor$1' => '|" + aggregate + "||'"));
  EXPECT_THAT(all, HasSubstr("'coprocessor$2' => '|" + row_count + "|5|a=b'"));
  RunTyped("alter 't', 'coprocessor' => '|" + aggregate + "||'\nalter 't', 'coprocessor' => '" + aggregate + "'\n",
           /*stop_on_error=*/false, &printed);
  all = absl::StrJoin(printed, "\n");
  EXPECT_THAT(all, HasSubstr("ERROR: Coprocessor " + aggregate + " already exists."));
  EXPECT_THAT(all, HasSubstr("ERROR: Format does not match jar|class|priority|arguments: " + aggregate));
  RunTyped("alter 't', METHOD => 'table_remove_coprocessor', CLASSNAME => ['" + aggregate + "', '" + row_count +
               "']\ndescribe 't'\n",
           /*stop_on_error=*/true, &printed);
  EXPECT_THAT(absl::StrJoin(printed, "\n"), Not(HasSubstr("coprocessor$")));
  RunTyped("alter 't', METHOD => 'table_remove_coprocessor', CLASSNAME => '" + aggregate +
               "'\nalter 't', METHOD => 'table_remove_coprocessor'\n",
           /*stop_on_error=*/false, &printed);
  all = absl::StrJoin(printed, "\n");
  EXPECT_THAT(all, HasSubstr("ERROR: coprocessor with class name " + aggregate + " was not found"));
  EXPECT_THAT(all, HasSubstr("ERROR: CLASSNAME parameter missing for table_remove_coprocessor method"));
}

// Each line would take as long as all lines before it.
TEST_F(ServedShell, AStatementMayHaveManyLines) {
  const auto run = [&](const std::string& typed) {
    std::istringstream in(typed);
    std::ostringstream out;
    StreamInput input(&in, &out);
    Interpreter interpreter(connection_, server_->grpc_address(), &out, 0, [&] { return input.ReadLine(""); });
    RunSession(input, interpreter, /*stop_on_error=*/false);
    return out.str();
  };
  std::string array = "keys = [\n";
  for (int i = 0; i < 20'000; ++i) absl::StrAppend(&array, "  ['row", i, "'],\n");
  std::string text = "text = '\n";
  for (int i = 0; i < 10'000; ++i) text += "it is long\n";
  std::string block = "begin\n";
  for (int i = 0; i < 5'000; ++i) absl::StrAppend(&block, "  last = ", i, "\n");
  const std::string printed =
      run(array + "  'end']; keys.size\n" + text + "'; text.size\n" + block + "end\nputs 'after'\n");
  for (const char* line : {"\n=> 20001\n", "\n=> 110001\n", "\n=> 4999\n", "\nafter\n"}) {
    EXPECT_THAT(printed, HasSubstr(line));
  }
  array.resize(array.find("  ['row2000'"));
  EXPECT_THAT(run(array + "  'open' 'end']; 5 5\nputs 'after'\n"),
              HasSubstr("unexpected 5: a comma before it is missing"));
  EXPECT_THAT(run(array + "  'open'"), HasSubstr("the input ends inside brackets, quotes or arguments"));
}

TEST_F(ServedShell, ARegionIsClosedOpenedAndEmptied) {
  std::vector<std::string> printed;
  RunTyped("create 't', 'f', SPLITS => ['m']\nput 't', 'a', 'f:q', '1'\nput 't', 'z', 'f:q', '2'\n",
           /*stop_on_error=*/true, &printed);
  const auto admin = connection_->GetAdmin();
  const TableName table = *TableName::Parse("t");
  const auto regions = admin->GetRegions(table);
  ASSERT_TRUE(regions.ok()) << regions.status();
  ASSERT_EQ(regions->size(), 2u);
  const RegionInfo& last = regions->at(1).info;
  const std::string region = "'" + last.EncodedName() + "'\n";

  RunTyped("unassign " + region, /*stop_on_error=*/true, &printed);
  EXPECT_THAT(printed, Not(Contains(HasSubstr("ERROR"))));
  EXPECT_EQ(admin->GetRegionMetrics(table)->size(), 1u);
  RunTyped("assign " + region + "scan 't'\n", /*stop_on_error=*/true, &printed);
  EXPECT_EQ(admin->GetRegionMetrics(table)->size(), 2u);
  EXPECT_THAT(printed, Contains("2 row(s)"));
  RunTyped("truncate_region '" + last.Name() + "'\nscan 't'\n", /*stop_on_error=*/true, &printed);
  EXPECT_THAT(printed, Contains("1 row(s)"));
  EXPECT_THAT(printed, Contains(StartsWith(" a")));
  RunTyped("regioninfo " + region + "regioninfo '" + last.Name() + "'\n", /*stop_on_error=*/true, &printed);
  EXPECT_EQ(std::count(printed.begin(), printed.end(),
                       "{ENCODED => ENCODED, NAME => 't,m,ID.ENCODED.', STARTKEY => 'm', ENDKEY => ''}"),
            2);
}

TEST(Commands, EachIsThereOnceAndEitherRunsOrSaysWhyNot) {
  std::set<std::string_view> names;
  for (const CommandGroup& group : CommandGroups()) {
    for (const Command& command : group.commands) {
      EXPECT_TRUE(names.insert(command.name).second) << command.name;
      EXPECT_EQ(command.off, command.handler == nullptr) << command.name;
    }
  }
}

// The list is that of HBase 2.6.0's own `help`: a line for each group.
TEST(Commands, AreHBasesInHBasesGroups) {
  std::ifstream file(fs::path(VAQUITA_SHELL_TRANSCRIPTS) / "hbase-2.6.commands");
  const std::vector<std::string> expected = Lines(file);
  std::vector<std::string> actual;
  for (const CommandGroup& group : CommandGroups()) {
    if (group.name == std::string_view("test control")) continue;  // Vaquita's own
    std::set<std::string_view> names;
    for (const Command& command : group.commands) names.insert(command.name);
    actual.push_back(
        absl::StrCat(group.name, ": ",
                     absl::StrJoin(names, ", ", [](std::string* out, std::string_view name) { out->append(name); })));
  }
  EXPECT_EQ(actual, expected);
}

TEST_F(ServedShell, WithoutItsScriptThereIsNothingToRun) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(RunShell({.address = server_->grpc_address(), .script_path = "nosuch"}), 2);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "vaquita shell: cannot read nosuch\n");
}

TEST(Transcripts, AreThere) { EXPECT_GE(Transcripts().size(), 15u); }

}  // namespace
}  // namespace vaquita::shell
