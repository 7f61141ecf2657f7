// What stands around S_BARRIER: nothing of its own, waits where the language asks for them.
#include "common/compile_check.hpp"
#include "suites/memory_completion/waits.hpp"
#include "suites/shared/emitted_code.hpp"

#include <span>

namespace cts::memory_completion {
namespace {

using namespace literals;

/// S_BARRIER has no operand: there is no counter that it could wait for (ISA3 and ISA4, SOPP opcode 10).
constexpr std::uint32_t s_barrier_word = 0xbf8a0000;

/// The barrier builtin alone becomes the instruction alone: neither what was written to LDS nor what is
/// copied there is waited for. The fenced barrier is judged otherwise.
void check_bare(TestContext& context) {
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "memory_completion", opt);
    const auto waits = [&](const char* kernel, const char* operation, Counter counter) {
      const Code code = code_of(object, kernel);
      const std::size_t first = find(code, operation), barrier = find(code, "s_barrier", first);
      expect_equal(context, fmt::format("{} at {}", kernel, opt), s_barrier_word, code[barrier].words.at(0));
      return waited_for(code, first, barrier, counter);
    };
    expect_equal(context, "a write to LDS is waited for", false,
                 waits("write_then_bare_barrier", "ds_write", Counter::lgkm));
    expect_equal(context, "a copy into LDS is waited for", false,
                 waits("copy_then_bare_barrier", "global_load_lds", Counter::vm));
    EXPECT_TRUE(waits("copy_then_fenced_barrier", "global_load_lds", Counter::vm))
        << "not told apart: a fence";
  }
}

/// Why a tile that one wave copies cannot be read by another one; empty when it can.
std::string why_not_shared(const Code& code) {
  const std::size_t copy = find(code, "global_load_lds"), read = find(code, "ds_read", copy);
  std::size_t barrier = read;
  for (std::size_t n = copy; n < read; ++n)
    if (code[n].mnemonic == "s_barrier") barrier = n;
  if (barrier == read) return "no barrier between copy and read";
  return waited_for(code, copy, barrier, Counter::vm) ? "" : "the copy is not waited for before the barrier";
}

void check_shared_tile(TestContext& context) {
  for (const auto opt : optimisations) {
    const auto object = read_emitted(context, "memory_completion", opt);
    const Code fenced = code_of(object, "copy_then_fenced_barrier");
    expect_equal(context, fmt::format("a fenced barrier at {}", opt), std::string(), why_not_shared(fenced));
    expect_equal(context, fmt::format("a bare barrier at {}", opt),
                 std::string("the copy is not waited for before the barrier"),
                 why_not_shared(code_of(object, "copy_then_bare_barrier")));
    Code alone = fenced;
    std::erase_if(alone, [](const codeobject::Instruction& i) { return i.mnemonic == "s_barrier"; });
    EXPECT_EQ("no barrier between copy and read", why_not_shared(alone)) << "not noticed: no barrier";
  }
}

/// HIP's own barrier, with what HIP's header makes of it.
void check_syncthreads(TestContext& context) {
  context.origin("compiler", device_compiler_version());
  const std::string source =
      "#include <hip/hip_runtime.h>\n"
      "extern \"C\" __global__ __launch_bounds__(256) void k(const int* in, int* out) {\n"
      "  __shared__ int tile[256];\n"
      "  tile[threadIdx.x] = in[threadIdx.x];\n"
      "  __syncthreads();\n"
      "  out[threadIdx.x] = tile[255 - threadIdx.x];\n"
      "}\n";
  for (const auto opt : optimisations) {
    const Compilation compilation = compile_device_text(source, context.target(), {fmt::format("-{}", opt)});
    expect_equal(context, "__syncthreads compiles", std::string(), why_not_accepted(compilation));
    if (!compilation.accepted) return;
    const Code code = code_of(codeobject::read_code_object(std::as_bytes(std::span(compilation.code_object)),
                                                           "__syncthreads", codeobject::find_tools()),
                              "k");
    const std::size_t write = find(code, "ds_write"), barrier = find(code, "s_barrier", write),
                      read = find(code, "ds_read", barrier);
    context.compared(3);
    EXPECT_TRUE(waited_for(code, write, barrier, Counter::lgkm)) << opt << ": the write is not waited for";
    EXPECT_LT(barrier, read) << opt;
    const Code bare = without_waits(code);
    EXPECT_FALSE(waited_for(bare, find(bare, "ds_write"), find(bare, "s_barrier"), Counter::lgkm))
        << "not noticed: no wait";
  }
}

ClaimTest test(const char* suite, const char* name, ClaimId claim, void (*body)(TestContext&)) {
  return {.suite = suite, .name = name, .check = Check::code, .claims = {claim}, .body = body};
}

const bool added = add({
    test("Barrier", "IsNoWait", "CDNA-6.2"_claim, check_bare),
    test("Barrier", "OfTheLanguageWaits", "CDNA-6.3"_claim, check_syncthreads),
    test("SharedTile", "HasWaitAndBarrier", "CDNA-6.4"_claim, check_shared_tile),
});

} // namespace
} // namespace cts::memory_completion
