#include "common/subprocess.hpp"

#include "common/error.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace cts {
namespace {

using Clock = std::chrono::steady_clock;

/// Both ends of a pipe, closed on destruction.
struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error("cannot make a pipe: {}", std::strerror(errno));
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(0);
    close(1);
  }
  void close(std::size_t end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
};

std::vector<std::string> merged_environment(const std::map<std::string, std::string>& extra) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!extra.contains(text.substr(0, text.find('=')))) merged.push_back(text);
  }
  for (const auto& [key, value] : extra) merged.push_back(key + "=" + value);
  return merged;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& s : strings) result.push_back(s.data());
  result.push_back(nullptr);
  return result;
}

using Take = std::function<void(std::string_view)>;

/// Returns how `child` ended.
int kill_group(pid_t child) {
  int status = 0;
  ::kill(-child, SIGKILL);
  ::waitpid(child, &status, 0);
  return status;
}

CommandResult run(const std::vector<std::string>& argv, std::chrono::milliseconds limit,
                  const std::map<std::string, std::string>& environment, const Take& take_out) {
  if (argv.empty()) throw Error("run_command: no command given");
  // Everything that allocates happens before fork: the child only calls async-signal-safe functions.
  std::vector<std::string> arguments = argv;
  std::vector<std::string> variables = merged_environment(environment);
  const std::vector<char*> argument_pointers = pointers(arguments);
  const std::vector<char*> variable_pointers = pointers(variables);
  Pipe out, err, started; // `started` carries exec's errno, or closes unwritten when exec succeeds

  const pid_t child = ::fork();
  if (child < 0) throw Error("{}: cannot fork: {}", argv[0], std::strerror(errno));
  if (child == 0) {
    ::setpgid(0, 0);
    const int empty = ::open("/dev/null", O_RDONLY);
    ::dup2(empty, 0);
    ::dup2(out.ends[1], 1);
    ::dup2(err.ends[1], 2);
    ::execvpe(argument_pointers[0], argument_pointers.data(), variable_pointers.data());
    const int reason = errno;
    [[maybe_unused]] const ssize_t n = ::write(started.ends[1], &reason, sizeof reason);
    ::_exit(127);
  }
  ::setpgid(child, child); // also here: whichever comes first, the group exists before we may kill it
  out.close(1);
  err.close(1);
  started.close(1);

  CommandResult result;
  const auto deadline = Clock::now() + limit;
  std::array<pollfd, 2> streams{pollfd{out.ends[0], POLLIN, 0}, pollfd{err.ends[0], POLLIN, 0}};
  const std::array<Take, 2> sinks{take_out ? take_out : [&](std::string_view t) { result.out += t; },
                                  [&](std::string_view t) { result.err += t; }};
  std::vector<char> chunk(1 << 16); // what a pipe holds
  int open_streams = 2;
  while (open_streams > 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) {
      result.timed_out = true;
      break;
    }
    if (::poll(streams.data(), streams.size(), static_cast<int>(std::min<long>(left, 1000))) < 0 &&
        errno != EINTR)
      break;
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (streams[i].fd < 0 || streams[i].revents == 0) continue;
      const ssize_t n = ::read(streams[i].fd, chunk.data(), chunk.size());
      if (n > 0) {
        try {
          sinks[i]({chunk.data(), static_cast<std::size_t>(n)});
        } catch (...) {
          kill_group(child);
          throw;
        }
      } else if (n == 0 || errno != EINTR) {
        streams[i].fd = -1;
        --open_streams;
      }
    }
  }
  int status = 0;
  while (!result.timed_out) { // streams closed, process perhaps still running
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (Clock::now() >= deadline)
      result.timed_out = true;
    else
      ::usleep(500);
  }
  if (result.timed_out) status = kill_group(child);
  int reason = 0;
  if (::read(started.ends[0], &reason, sizeof reason) == static_cast<ssize_t>(sizeof reason))
    throw Error("{}: cannot start: {}", argv[0], std::strerror(reason));
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

} // namespace

CommandResult run_command(const std::vector<std::string>& argv, std::chrono::milliseconds limit,
                          const std::map<std::string, std::string>& environment) {
  return run(argv, limit, environment, {});
}

CommandResult stream_command(const std::vector<std::string>& argv, std::chrono::milliseconds limit,
                             const std::function<void(std::string_view)>& take) {
  return run(argv, limit, {}, take);
}

} // namespace cts
