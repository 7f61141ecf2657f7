// Runs one kernel of a code object on the HIP runtime that it is linked with, and says how long that took.
//
//   run_kernel FILE.co KERNEL --grid X,Y,Z --block X,Y,Z --runs N ARGUMENT...
//
// An argument is in:FILE (address of a buffer with the file's bytes), out:BYTES:FILE (address of a buffer
// that is written to FILE after the last run) or u32:VALUE. Prints one line of JSON:
// {"cold":S,"warm":[S,...]}, seconds for loading the code object and the first run, and for each further run.
#include "common/error.hpp"
#include "common/file.hpp"
#include "common/hip/hip.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <chrono>
#include <list>
#include <nlohmann/json.hpp>
#include <optional>

namespace cts::peer {
namespace {

/// The number that `text` is; throws Error naming the argument `of`.
std::uint32_t number(std::string_view text, const std::string& of) {
  std::uint32_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || text.empty())
    throw Error("'{}': '{}' is no number of 32 bits", of, text);
  return value;
}

/// "4,2" is {4, 2, 1}.
dim3 sizes(const std::string& text) {
  dim3 result(1, 1, 1);
  std::size_t at = 0;
  for (std::uint32_t* size : {&result.x, &result.y, &result.z}) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    *size = number(std::string_view(text).substr(at, comma - at), text);
    at = comma + 1;
    if (comma == text.size()) return result;
  }
  throw Error("'{}': expected at most three sizes", text);
}

/// One argument of the kernel: a buffer's address, or a value.
class Argument {
public:
  explicit Argument(const std::string& word) {
    const std::string kind = word.substr(0, word.find(':'));
    const std::string rest = word.substr(std::min(word.size(), kind.size() + 1));
    if (kind == "in") {
      const std::string bytes = read_file(rest);
      hold(bytes.size()).upload(std::as_bytes(std::span(bytes)));
    } else if (kind == "out" && rest.find(':') != std::string::npos) {
      hold(number(rest.substr(0, rest.find(':')), word));
      path_ = rest.substr(rest.find(':') + 1);
    } else if (kind == "u32") {
      value_ = number(rest, word);
    } else {
      throw Error("argument '{}': expected in:FILE, out:BYTES:FILE or u32:VALUE", word);
    }
  }

  void* address() { return &value_; }

  /// Fills an output with what no kernel here leaves, so that every run has to write it.
  void prepare() {
    if (path_) buffer_->upload(std::vector<std::byte>(buffer_->size(), std::byte{0xa5}));
  }
  void write() const {
    if (!path_) return;
    const auto bytes = buffer_->download<char>();
    write_file(*path_, {bytes.data(), bytes.size()});
  }

private:
  std::optional<hip::DeviceBuffer> buffer_;
  std::optional<std::string> path_; ///< of an output
  std::uint64_t value_ = 0;

  hip::DeviceBuffer& hold(std::size_t bytes) {
    buffer_.emplace(bytes);
    value_ = reinterpret_cast<std::uintptr_t>(buffer_->device());
    return *buffer_;
  }
};

struct Options {
  std::string file, kernel, grid = "1", block = "1";
  unsigned runs = 1;
  std::vector<std::string> arguments;
};

/// Seconds of each run, the first with the loading of the code object. Outputs are written at the end.
std::vector<double> run(const Options& options) {
  const dim3 grid = sizes(options.grid), block = sizes(options.block);
  std::list<Argument> arguments;
  for (const std::string& word : options.arguments) arguments.emplace_back(word);
  std::vector<void*> addresses;
  for (Argument& argument : arguments) addresses.push_back(argument.address());

  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  std::vector<double> seconds;
  for (unsigned i = 0; i < options.runs; ++i) {
    for (Argument& argument : arguments) argument.prepare();
    const auto began = std::chrono::steady_clock::now();
    if (module == nullptr) {
      hip::check(hipModuleLoadData(&module, read_file(options.file).data()), options.file);
      hip::check(hipModuleGetFunction(&function, module, options.kernel.c_str()), options.kernel);
    }
    hip::check(hipModuleLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z, 0, nullptr,
                                     addresses.data(), nullptr),
               options.kernel);
    hip::check(hipDeviceSynchronize(), options.kernel);
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  }
  hip::check(hipModuleUnload(module), options.file);
  for (const Argument& argument : arguments) argument.write();
  return seconds;
}

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Runs one kernel of a code object and prints the seconds that it took as JSON.", "run_kernel");
  app.add_option("file", options.file, "code object")->required();
  app.add_option("kernel", options.kernel)->required();
  app.add_option("arguments", options.arguments,
                 "in:FILE, out:BYTES:FILE or u32:VALUE, in the kernel's order");
  app.add_option("--grid", options.grid, "workgroups: X, X,Y or X,Y,Z");
  app.add_option("--block", options.block, "threads of a workgroup, likewise");
  app.add_option("--runs", options.runs, "how often")->check(CLI::Range(1, 1000000));
  try {
    app.parse(argc, argv);
    const std::vector<double> seconds = run(options);
    const nlohmann::json line{{"cold", seconds.front()},
                              {"warm", std::vector<double>(seconds.begin() + 1, seconds.end())}};
    fmt::print("{}\n", line.dump());
    return static_cast<int>(Exit::fine);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "run_kernel: {}\n", problem.what());
    return static_cast<int>(Exit::unusable);
  }
}

} // namespace
} // namespace cts::peer

int main(int argc, char** argv) { return cts::peer::main(argc, argv); }
