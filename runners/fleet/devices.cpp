// cdna-cts-devices: which devices HIP shows here, and the file that lets CTest deal tests out to them.
#include "common/file.hpp"
#include "common/hip/hip.hpp"
#include "runners/fleet/start.hpp"

#include <CLI/CLI.hpp>

#include <iostream>

namespace {

std::string text(const cts::Device& device, const char* key) {
  const auto found = device.origin.find(key);
  return found == device.origin.end() ? "-" : found->second;
}

int run(int argc, char** argv) {
  CLI::App app("Devices that the HIP runtime shows: ordinal, target, PCI address, UUID, name.",
               "cdna-cts-devices");
  std::string specification;
  bool count = false;
  app.add_option(
      "--ctest-spec", specification,
      "File to write for ctest --resource-spec-file: one slot of the resource gpus for each device");
  app.add_flag("--count", count, "Print only how many there are");
  app.footer("Exit status: 0 fine, 1 no device, 2 wrong usage or a runtime that fails.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return static_cast<int>(cts::Exit::fine);
  } catch (const CLI::ParseError& e) {
    throw cts::Error("{}", e.what());
  }

  const std::vector<cts::Device> devices = cts::hip::all_devices();
  if (count) std::cout << devices.size() << "\n";
  std::vector<int> ordinals;
  for (const cts::Device& device : devices) {
    ordinals.push_back(device.ordinal);
    if (!count)
      std::cout << fmt::format("{} {} {} {} {}\n", device.ordinal,
                               device.architecture.substr(0, device.architecture.find(':')),
                               text(device, "pci"), text(device, "uuid"), text(device, "device"));
  }
  if (!specification.empty()) cts::write_file(specification, cts::fleet::resource_specification(ordinals));
  return static_cast<int>(devices.empty() ? cts::Exit::found : cts::Exit::fine);
}

} // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::cerr << "cdna-cts-devices: " << e.what() << "\n";
    return static_cast<int>(cts::Exit::unusable);
  }
}
