#include "tools/shell/terminal_input.h"

#include <histedit.h>
#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <clocale>
#include <cstdio>
#include <iostream>

namespace vaquita::shell {
namespace {

constexpr int kHistoryLines = 10'000;

// libedit drops typed characters that the locale does not have. Rows and values are UTF-8 here in every locale, so the
// terminal's text is, too. Returns whether the C library has a locale for it.
bool UseUtf8() {
  if (std::setlocale(LC_CTYPE, "") != nullptr && std::string_view(nl_langinfo(CODESET)) == "UTF-8") return true;
  return std::setlocale(LC_CTYPE, "C.UTF-8") != nullptr;
}

size_t TerminalWidth() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 100;
}

// Lines as the terminal itself edits them, for the static program in a root file system without locales.
class PlainInput final : public TerminalInput {
 public:
  std::optional<std::string> ReadLine(const std::string& prompt) override {
    std::cout << prompt << std::flush;
    std::string line;
    if (std::getline(std::cin, line)) return line;
    std::cout << "\n";
    return std::nullopt;
  }
  size_t Width() const override { return TerminalWidth(); }
};

class LibeditInput : public TerminalInput {
 public:
  LibeditInput(std::string history_path, CompletionWords words)
      : history_path_(std::move(history_path)),
        words_(std::move(words)),
        history_(history_init()),
        editor_(el_init("vaquita", stdin, stdout, stderr)) {
    HistEvent event;
    history(history_, &event, H_SETSIZE, kHistoryLines);
    history(history_, &event, H_SETUNIQUE, 1);
    if (!history_path_.empty()) history(history_, &event, H_LOAD, history_path_.c_str());
    el_set(editor_, EL_CLIENTDATA, this);
    el_set(editor_, EL_PROMPT, &LibeditInput::Prompt);
    el_set(editor_, EL_EDITOR, "emacs");
    el_set(editor_, EL_SETTY, "-d", "-isig", nullptr);  // while a line is edited, Ctrl-C is a key
    el_set(editor_, EL_HIST, history, history_);
    el_set(editor_, EL_ADDFN, "vaquita-complete", "Complete a command or a name", &LibeditInput::OnTab);
    el_set(editor_, EL_BIND, "\t", "vaquita-complete", nullptr);
    el_set(editor_, EL_ADDFN, "vaquita-break", "Forget the command", &LibeditInput::OnBreak);
    el_set(editor_, EL_BIND, "^C", "vaquita-break", nullptr);
    el_source(editor_, nullptr);  // the user's own ~/.editrc
  }
  ~LibeditInput() override {
    HistEvent event;
    if (!history_path_.empty()) history(history_, &event, H_SAVE, history_path_.c_str());
    el_end(editor_);
    history_end(history_);
  }

  std::optional<std::string> ReadLine(const std::string& prompt) override {
    std::cout.flush();
    prompt_ = prompt;
    interrupted_ = false;
    el_resize(editor_);
    int count = 0;
    const char* text = el_gets(editor_, &count);
    if (text == nullptr || count <= 0) {
      std::cout << "\n";
      return std::nullopt;
    }
    std::string line(text, count);
    while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
    HistEvent event;
    if (!line.empty()) history(history_, &event, H_ENTER, line.c_str());
    return line;
  }

  bool interrupted() const override { return interrupted_; }

  size_t Width() const override { return TerminalWidth(); }

 private:
  static LibeditInput* Self(EditLine* editor) {
    void* self = nullptr;
    el_get(editor, EL_CLIENTDATA, &self);
    return static_cast<LibeditInput*>(self);
  }
  static char* Prompt(EditLine* editor) { return Self(editor)->prompt_.data(); }

  static unsigned char OnBreak(EditLine* editor, int) {
    Self(editor)->interrupted_ = true;
    std::cout << "^C" << std::flush;
    return CC_EOF;
  }

  static unsigned char OnTab(EditLine* editor, int) {
    const LineInfo* line = el_line(editor);
    const std::string_view before(line->buffer, line->cursor - line->buffer);
    const Completion completion = Complete(before, Self(editor)->words_);
    if (!completion.insert.empty()) {
      return el_insertstr(editor, completion.insert.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
    }
    if (completion.choices.empty()) return CC_ERROR;
    std::cout << "\n";
    for (const std::string& choice : completion.choices) std::cout << choice << "  ";
    std::cout << "\n" << std::flush;
    return CC_REDISPLAY;
  }

  const std::string history_path_;
  const CompletionWords words_;
  History* const history_;
  EditLine* const editor_;
  std::string prompt_;
  bool interrupted_ = false;
};

}  // namespace

std::unique_ptr<TerminalInput> TerminalInput::Open(const std::string& history_path, CompletionWords words) {
  if (!UseUtf8()) return std::make_unique<PlainInput>();
  return std::make_unique<LibeditInput>(history_path, std::move(words));
}

}  // namespace vaquita::shell
