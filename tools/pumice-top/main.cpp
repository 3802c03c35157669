// SPDX-License-Identifier: MIT
// pumice top: a live view of cards, processes and running kernels in the terminal.
// Exit status: 0, 1 the devices cannot be listed or the output not written, 2 wrong use.
#include "base/cli.h"
#include "smi/report.h"
#include "smi/top.h"
#include <csignal>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

using namespace pumice;
using namespace pumice::smi;

namespace {

volatile std::sig_atomic_t g_stop = 0;

/// The terminal without echo and line mode; as it was when this ends.
class Screen {
public:
  Screen() {
    raw_ = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &saved_) == 0;
    if (raw_) {
      termios t = saved_;
      t.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
      tcsetattr(STDIN_FILENO, TCSANOW, &t);
    }
    write_output("\x1b[?1049h\x1b[?25l", "", false);
  }
  ~Screen() {
    write_output("\x1b[?25h\x1b[?1049l", "", false);
    if (raw_)
      tcsetattr(STDIN_FILENO, TCSANOW, &saved_);
  }
  /// Waits; true when q was pressed.
  bool wait(double seconds) const {
    pollfd p{STDIN_FILENO, POLLIN, 0};
    int n = poll(raw_ ? &p : nullptr, raw_ ? 1 : 0, static_cast<int>(seconds * 1000));
    char c = 0;
    return n > 0 && read(STDIN_FILENO, &c, 1) == 1 && (c == 'q' || c == 'Q');
  }

private:
  termios saved_{};
  bool raw_ = false;
};

} // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  for (int s : {SIGINT, SIGTERM, SIGHUP})
    std::signal(s, [](int) { g_stop = 1; });
  CLI::App app{"Cards, processes and running kernels, live. q ends.", "pumice top"};
  double delay = 1;
  uint64_t rounds = 0;
  bool json = false;
  app.add_option("-d,--delay", delay, "Seconds between samples")
      ->check(cli::number("a number of seconds", 0.05, 3600));
  app.add_option("-n,--iterations", rounds, "End after N frames (plain text, no terminal control)")
      ->check(cli::rounds());
  app.add_flag("--json", json, "One sample as a JSON document");
  auto wrong = [&](const std::string& message) {
    return cli::fail("pumice top", message, cli::given(argc, argv, "--json"));
  };
  if (auto status = cli::parse(app, argc, argv, wrong))
    return *status;
  if (json && rounds)
    return wrong("--json is one sample; -n does not go with it");
  auto model = Model::open();
  if (!model.ok())
    return cli::fail("pumice top", model.status().message, json, 1);
  for (const std::string& w : (*model)->warnings())
    std::fprintf(stderr, "pumice top: %s\n", w.c_str());
  Top top(**model);
  top.sample();
  auto nap = [&] { poll(nullptr, 0, static_cast<int>(delay * 1000)); };
  if (json) {
    nap();
    top.sample();
    return write_output(top.json(), "", false) ? 0 : 1;
  }
  if (rounds || !isatty(STDOUT_FILENO)) {
    for (uint64_t i = 0; i < std::max<uint64_t>(rounds, 1) && !g_stop; ++i) {
      nap();
      top.sample();
      if (!write_output(top.frame(0, 0, Top::Color::off), "", false))
        return 1;
      if (reader_gone())
        break;
    }
    return 0;
  }
  Screen screen;
  while (!g_stop) {
    winsize w{};
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &w);
    std::string frame = top.frame(w.ws_row ? w.ws_row - 1u : 0u, w.ws_col, Top::Color::on);
    if (!write_output("\x1b[H" + frame + "\x1b[J", "", false) || reader_gone() ||
        screen.wait(delay))
      break;
    top.sample();
  }
  return 0;
}
