// Command lines that cannot be run: what is said of them, and the exit code.
#include "tests/process/process_harness.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class CommandLineTest : public ProcessTest {};

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

}  // namespace
}  // namespace vaquita
