// Does what the pages of docs/workshop say, each on a fresh server, and sees whether what they promise is printed.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/testing/temporary_folder.h"
#include "tests/process/server_process.h"
#include "tests/workshop/page.h"

namespace vaquita::workshop {
namespace {

namespace fs = std::filesystem;

const fs::path kPages = fs::path(VAQUITA_SOURCES) / "docs/workshop";

std::vector<std::string> Words(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

std::vector<std::string> Lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string Joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// A reader, in a folder of the reader's own beside the sources, as README.md there has it.
class WorkshopTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "a shell is so slow then that it says that it waits for its server, which no page shows";
#endif
    setenv("TZ", "UTC", 1);
    for (const char* name : {"docs", "tests"}) {
      fs::create_symlink(fs::path(VAQUITA_SOURCES) / name, fs::path(folder_.path()) / name);
    }
    fs::create_directories(Work());
    fs::current_path(Work());
    MakeProgram();
  }
  void TearDown() override { fs::current_path("/"); }

  fs::path Work() const { return fs::path(folder_.path()) / "build/workshop"; }

  // `vaquita` as the reader calls it; the server's ports are other than the usual ones.
  void MakeProgram() {
    const fs::path bin = fs::path(folder_.path()) / "bin";
    fs::create_directories(bin);
    std::ofstream(bin / "vaquita") << "#!/bin/bash\n"
                                      "arguments=()\n"
                                      "for a in \"$@\"; do arguments+=(\"${a//127.0.0.1:16040/$SERVER}\"); done\n"
                                      "case $1 in shell|sql|workshop) arguments+=(--address \"$SERVER\") ;; esac\n"
                                      "exec " VAQUITA_PROGRAM " \"${arguments[@]}\"\n";
    fs::permissions(bin / "vaquita", fs::perms::all);
    const std::string path = bin.string() + ":" + kPages.string() + ":" + std::getenv("PATH");
    setenv("PATH", path.c_str(), 1);
  }

  static bool StartsServer(const std::string& command) {
    return command.starts_with("vaquita standalone") || command.starts_with("vaquita cluster --");
  }
  void StartServer(const std::string& command) {
    server_.reset();
    std::vector<std::string> arguments = Words(command);
    arguments.erase(arguments.begin());
    for (const char* more : {"--free-ports", "--ready-file"}) arguments.push_back(more);
    arguments.push_back(folder_.path() + "/ready.json");
    server_ = std::make_unique<ServerProcess>(folder_.path(), arguments);
    ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
    setenv("SERVER", server_->address().c_str(), 1);
    setenv("VAQUITA_ADDRESS", server_->address().c_str(), 1);
  }

  // Returns the command's output, on either stream.
  std::vector<std::string> Run(const Step& step) {
    const std::string command_file = folder_.path() + "/command", typed_file = folder_.path() + "/typed";
    std::ofstream(command_file) << step.command << "\n";
    std::ofstream(typed_file) << step.typed;
    FILE* pipe = popen(("bash " + command_file + " < " + typed_file + " 2>&1").c_str(), "r");
    std::string printed;
    char buffer[4096];
    for (size_t n; (n = fread(buffer, 1, sizeof(buffer), pipe)) > 0;) printed.append(buffer, n);
    const int status = pclose(pipe);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << step.command << "\n" << printed;
    return Lines(printed);
  }

  void Follow(const std::string& page) {
    for (const Step& step : ReadPage((kPages / page).string())) {
      SCOPED_TRACE(page + ":" + std::to_string(step.line));
      if (StartsServer(step.command)) {
        StartServer(step.command);
        continue;
      }
      const std::vector<std::string> printed = Run(step);
      EXPECT_TRUE(LooksLike(step.output, printed)) << "$ " << step.command << "\n"
                                                   << Joined(printed) << "in place of\n"
                                                   << Joined(step.output);
      if (HasFailure()) return;  // later steps need this one
    }
  }

  testing::TemporaryFolder folder_;
  std::unique_ptr<ServerProcess> server_;
};

// An answer is not there before it is given: the check says so after the page, and is content after the answer's page.
TEST_P(WorkshopTest, ThePagesCommandsPrintWhatTheyShow) {
  Follow("README.md");
  if (!HasFailure()) Follow(GetParam());
  if (HasFailure()) return;
  const std::string number = GetParam().substr(0, GetParam().find('-'));
  EXPECT_EQ(WEXITSTATUS(std::system(("vaquita workshop check " + number + " > check.out 2>&1").c_str())), 1);
  std::stringstream said;
  said << std::ifstream("check.out").rdbuf();
  EXPECT_NE(said.str().find("Not yet: "), std::string::npos) << said.str();
  Follow("answers/" + number + ".md");
}

std::vector<std::string> Pages() {
  std::vector<std::string> pages;
  for (const auto& entry : fs::directory_iterator(kPages)) {
    const std::string name = entry.path().filename();
    if (name.ends_with(".md") && name != "README.md") pages.push_back(name);
  }
  std::sort(pages.begin(), pages.end());
  return pages;
}

// Returns the page's name as a test's.
std::string NameOf(const std::string& page) {
  std::string name = page.substr(0, page.size() - 3);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Pages, WorkshopTest, ::testing::ValuesIn(Pages()),
                         [](const auto& info) { return NameOf(info.param); });

// A page of docs/ that needs none of the workshop's files.
class OtherPageTest : public WorkshopTest {};

TEST_P(OtherPageTest, ItsCommandsPrintWhatItShows) { Follow(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Pages, OtherPageTest, ::testing::Values("../backup.md", "../coming-from-hbase.md"),
                         [](const auto& info) { return NameOf(info.param.substr(3)); });

TEST(PageTest, DotsStandForAnything) {
  EXPECT_TRUE(LooksLike({"a", "...", "d"}, {"a", "b", "c", "d"}));
  EXPECT_TRUE(LooksLike({"a", "...", "d"}, {"a", "d"}));
  EXPECT_TRUE(LooksLike({"from ... to (x)"}, {"from 1 to (x)", ""}));
  EXPECT_FALSE(LooksLike({"a", "..."}, {"b"}));
  EXPECT_FALSE(LooksLike({"a"}, {"a", "b"}));
  EXPECT_FALSE(LooksLike({"a", "b"}, {"a"}));
  EXPECT_FALSE(LooksLike({"a.c"}, {"abc"}));
}

}  // namespace
}  // namespace vaquita::workshop
