// How fast a listing is parsed: a code object is read at the start of every test process.
#include "common/file.hpp"
#include "runners/codeobject/code_object.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace cts::codeobject;

void parse_lines(benchmark::State& state) {
  constexpr std::string_view lines[] = {
      "\tv_add_f32_e32 v0, v1, v2                                   // 000000001700: 02000501",
      "\tglobal_load_dwordx4 v[0:3], v[4:5], off offset:16 sc0 sc1  // 000000001704: DE5D8010 007F0004",
      "\tv_mfma_f32_16x16x16_f16 v[0:3], v[4:5], v[6:7], v[0:3]     // 00000000170C: D3CD0000 04020D04",
      "\ts_waitcnt vmcnt(0) lgkmcnt(0)                              // 000000001714: BF8C0070",
      "\ts_cbranch_execz 43                                         // 000000001718: BF88002B <add+0x11c>",
  };
  std::int64_t count = 0;
  for (auto _ : state)
    for (const auto line : lines) {
      benchmark::DoNotOptimize(parse_instruction(line));
      ++count;
    }
  state.SetItemsProcessed(count);
}
BENCHMARK(parse_lines);

void read_cached(benchmark::State& state) {
  const std::string bytes = cts::read_file(CDNA_CTS_KERNELS);
  const Tools tools = find_tools();
  std::int64_t count = 0;
  for (auto _ : state) {
    const CodeObject object = read_code_object(std::as_bytes(std::span(bytes)), CDNA_CTS_KERNELS, tools);
    count += static_cast<std::int64_t>(object.instructions.size());
  }
  state.SetItemsProcessed(count);
}
BENCHMARK(read_cached)->Unit(benchmark::kMillisecond);

} // namespace
