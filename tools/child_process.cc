#include "tools/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "base/durable_files.h"
#include "base/json.h"

namespace vaquita {
namespace {

using std::chrono::steady_clock;

// A process is started again no sooner than this after its last start.
constexpr std::chrono::seconds kPause{1};
// The pause between two looks whether a process has ended.
constexpr std::chrono::milliseconds kLookForEnd{20};

std::string HowItEnded(int status) {
  if (WIFSIGNALED(status)) return "was ended by signal " + std::to_string(WTERMSIG(status));
  return "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

// In the child: becomes the program. Only what may be called between fork and exec.
[[noreturn]] void Become(char* const* argv, pid_t parent) {
  setpgid(0, 0);  // Ctrl-C is for the parent
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(1);  // the parent died before the request for its signal
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (const int null = open("/dev/null", O_WRONLY); null >= 0) dup2(null, STDOUT_FILENO);
  execv("/proc/self/exe", argv);
  _exit(127);
}

}  // namespace

ChildProcess::ChildProcess(std::string name, std::vector<std::string> arguments, std::string ready_file)
    : name_(std::move(name)), arguments_(std::move(arguments)), ready_file_(std::move(ready_file)) {}

ChildProcess::~ChildProcess() {
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

absl::Status ChildProcess::Start() {
  std::error_code ignored;  // the file may be missing
  std::filesystem::remove(ready_file_, ignored);
  is_ready_ = false;
  stopped_ = false;
  std::vector<std::string> words = {"vaquita"};
  words.insert(words.end(), arguments_.begin(), arguments_.end());
  words.insert(words.end(), more_arguments_.begin(), more_arguments_.end());
  words.insert(words.end(), {"--ready-file", ready_file_});
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t self = getpid();
  pid_ = fork();
  if (pid_ == 0) Become(argv.data(), self);
  if (pid_ < 0) {
    restart_at_ = steady_clock::now() + kPause;
    return absl::UnavailableError("start " + name_ + ": " + std::strerror(errno));
  }
  started_at_ = steady_clock::now();
  return absl::OkStatus();
}

void ChildProcess::Stop() {
  stopped_ = true;
  if (pid_ >= 0) kill(pid_, SIGTERM);
}

void ChildProcess::Kill() {
  if (pid_ >= 0) kill(pid_, SIGKILL);
}

bool ChildProcess::CollectEnd() {
  int status = 0;
  if (pid_ < 0) return true;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return false;
  pid_ = -1;
  const steady_clock::time_point now = steady_clock::now();
  restart_at_ = now - started_at_ < kPause ? now + kPause : now;
  if (!stopped_) std::fprintf(stderr, "vaquita: %s %s\n", name_.c_str(), HowItEnded(status).c_str());
  return true;
}

void ChildProcess::WaitForEnd(steady_clock::time_point deadline) {
  if (pid_ < 0) return;
  // Not by pidfd_open, which Linux before 5.3 and some profiles of seccomp do not have.
  while (waitpid(pid_, nullptr, WNOHANG) == 0) {
    if (steady_clock::now() >= deadline) {
      std::fprintf(stderr, "vaquita: %s does not stop and is killed\n", name_.c_str());
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
      break;
    }
    std::this_thread::sleep_for(kLookForEnd);
  }
  pid_ = -1;
}

bool ChildProcess::CheckReady() {
  if (is_ready_) return true;
  const absl::StatusOr<std::string> text = ReadFile(ready_file_);
  Json ready = text.ok() ? ParseJson(*text).value_or(nullptr) : nullptr;
  is_ready_ = !ready.is_null();
  if (is_ready_) ready_ = std::move(ready);
  return is_ready_;
}

}  // namespace vaquita
