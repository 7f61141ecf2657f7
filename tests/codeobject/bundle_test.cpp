// Offload bundles: written here from the documented layout, and by the real bundler where there is one.
#include "tests/codeobject/bundles.hpp"

#include "common/subprocess.hpp"
#include "tests/codeobject/files.hpp"

#include <unistd.h>

namespace cts::codeobject {
namespace {

constexpr const char* host = "host-x86_64-unknown-linux-gnu-";
const std::string hip = "hipv4-amdgcn-amd-amdhsa--";

std::string select(std::string_view bytes, Target target) {
  const auto selected = select_code_object(bytes_of(bytes), target, "input");
  return {reinterpret_cast<const char*>(selected.data()), selected.size()};
}

TEST(Bundle, BareElfIsItself) {
  EXPECT_EQ(select("\x7f"
                   "ELF and so on",
                   Target::gfx942),
            "\x7f"
            "ELF and so on");
}

TEST(Bundle, SelectsByTarget) {
  const std::string bundle =
      make_bundle({{host, ""}, {hip + "gfx942", "four"}, {hip + "gfx950", "nine fifty"}});
  EXPECT_EQ(select(bundle, Target::gfx942), "four");
  EXPECT_EQ(select(bundle, Target::gfx950), "nine fifty");
}

TEST(Bundle, PrefersTheFittingFeatures) {
  const std::string bundle = make_bundle({{hip + "gfx942", "plain"},
                                          {hip + "gfx942:xnack+", "page faults"},
                                          {hip + "gfx942:sramecc+:xnack-", "both"},
                                          {hip + "gfx942:xnack-", "one"},
                                          {hip + "gfx942:sramecc-", "no ecc"}});
  EXPECT_EQ(select(bundle, Target::gfx942), "both");
  EXPECT_EQ(select(make_bundle({{hip + "gfx942:xnack+", "x"}, {hip + "gfx942", "plain"}}), Target::gfx942),
            "plain");
}

TEST(Bundle, MissingTargetListsWhatThereIs) {
  const std::string bundle = make_bundle({{host, ""}, {hip + "gfx90a", "x"}, {hip + "gfx950:xnack+", "y"}});
  expect_error([&] { select(bundle, Target::gfx950); }, "no code object for gfx950");
  expect_error([&] { select(bundle, Target::gfx950); }, hip + "gfx90a, " + hip + "gfx950:xnack+");
  expect_error([&] { select(make_bundle({}), Target::gfx950); }, "it holds: nothing");
  expect_error([&] { select("neither", Target::gfx950); },
               "input: expected a code object (ELF) or an offload bundle");
}

TEST(Bundle, EveryTruncationIsRefused) {
  const std::string bundle =
      make_bundle({{host, ""}, {hip + "gfx942", "four"}, {hip + "gfx950", "nine fifty"}});
  for (std::size_t size = 0; size < bundle.size(); ++size)
    EXPECT_THROW(select(bundle.substr(0, size), Target::gfx942), Error) << "first " << size << " bytes";
}

TEST(Bundle, CompressedInEveryVersionAndMethod) {
  const std::string large(200000, 'x'); // more than one block of either method
  const std::string plain = make_bundle({{hip + "gfx942", "four"}, {hip + "gfx950", large}});
  for (const int version : {1, 2, 3})
    for (const std::uint16_t method : {std::uint16_t{0}, std::uint16_t{1}}) {
      SCOPED_TRACE(fmt::format("version {} method {}", version, method));
      const std::string bundle = make_compressed(version, method, plain, plain.size());
      EXPECT_EQ(select(bundle, Target::gfx942), "four");
      EXPECT_EQ(select(bundle, Target::gfx950), large);
      if (version > 1) { // the header says where it ends: what follows is another's
        EXPECT_EQ(select(bundle + "trailing", Target::gfx942), "four");
        EXPECT_EQ(fat_binary_size(bytes_of(bundle)), bundle.size());
      } else {
        expect_error([&] { fat_binary_size(bytes_of(bundle)); }, "version 1 does not say its size");
      }
      for (std::size_t size = 4; size < bundle.size(); size += 1 + bundle.size() / 50)
        EXPECT_THROW(select(bundle.substr(0, size), Target::gfx942), Error) << "first " << size << " bytes";
      expect_error([&] { select(make_compressed(version, method, plain, plain.size() - 1), Target::gfx942); },
                   "compressed bundle");
      expect_error([&] { select(make_compressed(version, method, plain, 0x3fffff00), Target::gfx942); },
                   "cannot hold");
      expect_error([&] { select(make_compressed(version, method, "no bundle", 9), Target::gfx942); },
                   "no offload bundle");
    }
  expect_error([&] { select(make_compressed(4, 0, plain, plain.size()), Target::gfx942); },
               "version 4, expected 1 to 3");
  expect_error([&] { select(make_compressed(2, 2, plain, plain.size()), Target::gfx942); }, "method 2");
}

TEST(FatBinary, SizeComesFromTheHeaders) {
  const std::string bundle = make_bundle({{host, ""}, {hip + "gfx942", "four"}});
  EXPECT_EQ(fat_binary_size(bytes_of(bundle)), bundle.size());
  const std::string elf = built("kernels.gfx942.O3");
  EXPECT_EQ(fat_binary_size(bytes_of(elf)), elf.size());
  expect_error([] { fat_binary_size(bytes_of(std::string(64, 'x'))); }, "expected an ELF");
  std::string endless = bundle;
  std::memset(endless.data() + 24, 0x7f, 8); // number of entries
  expect_error([&] { fat_binary_size(bytes_of(endless)); }, "at most 4096");
}

TEST(FatBinary, Wrapper) {
  struct {
    std::uint32_t magic = 0x48495046, version = 1;
    const void* binary = nullptr;
    const void* unused = nullptr;
  } wrapper;
  expect_error([&] { fat_binary_of(&wrapper); }, "fat binary wrapper");
  wrapper.binary = host;
  EXPECT_EQ(static_cast<const void*>(fat_binary_of(&wrapper)), host);
  wrapper.magic ^= 1;
  expect_error([&] { fat_binary_of(&wrapper); }, "magic 0x48495047 version 1");
}

/// The real bundler of the toolchain, in every version and method that it writes.
TEST(Bundle, OfTheRealBundler) {
  if (std::string_view(CDNA_CTS_OFFLOAD_BUNDLER).ends_with("NOTFOUND"))
    GTEST_SKIP() << "no clang-offload-bundler";
  const auto out = std::filesystem::temp_directory_path() / fmt::format("codeobject-bundle-{}", ::getpid());
  const auto input = [](std::string_view name) {
    return fmt::format("-input={}/{}.co", CDNA_CTS_CODE_OBJECTS, name);
  };
  for (const char* version : {"", "2", "3"}) {
    std::vector<std::string> argv{
        CDNA_CTS_OFFLOAD_BUNDLER,   "-type=o",
        "-bundle-align=4096",       fmt::format("-targets={},{}gfx942,{}gfx950:xnack-", host, hip, hip),
        "-input=/dev/null",         input("kernels.gfx942.O3"),
        input("kernels.gfx950.O3"), "-output=" + out.string()};
    if (*version != '\0') argv.push_back("-compress");
    const CommandResult result =
        run_command(argv, std::chrono::minutes(1), {{"COMPRESSED_BUNDLE_FORMAT_VERSION", version}});
    ASSERT_EQ(result.status, 0) << result.err;
    const std::string bundle = read_file(out);
    std::filesystem::remove(out);
    SCOPED_TRACE(fmt::format("compressed version '{}'", version));
    EXPECT_TRUE(bundle.starts_with(*version != '\0' ? "CCOB" : "__CLANG_OFFLOAD_BUNDLE__"));
    EXPECT_EQ(select(bundle, Target::gfx942), built("kernels.gfx942.O3"));
    EXPECT_EQ(select(bundle, Target::gfx950), built("kernels.gfx950.O3"));
    EXPECT_EQ(fat_binary_size(bytes_of(bundle)), bundle.size());
  }
}

} // namespace
} // namespace cts::codeobject
