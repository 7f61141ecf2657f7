#include "runners/audit/assembly.hpp"

#include "common/error.hpp"
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "runners/audit/tools.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <span>

namespace cts::audit {
namespace {

template <typename F> void each_line(std::string_view text, F f) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    f(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

/// "gfx942:sramecc+" of `.amdgcn_target "amdgcn-amd-amdhsa--gfx942:sramecc+"`; empty: not there.
std::string arch_in(std::string_view text) {
  const auto directive = text.find(".amdgcn_target");
  if (directive == text.npos) return {};
  const std::string_view line = text.substr(directive, text.find('\n', directive) - directive);
  const auto gfx = line.find("gfx");
  if (gfx == line.npos) return {};
  return std::string(line.substr(gfx, line.find('"', gfx) - gfx));
}

/// llvm-mc's "+sramecc,-xnack" of "gfx942:sramecc+:xnack-".
std::string features_of(std::string_view arch) {
  std::string features;
  for (auto at = arch.find(':'); at != arch.npos;) {
    const auto end = arch.find(':', at + 1);
    const std::string_view feature = arch.substr(at + 1, end == arch.npos ? end : end - at - 1);
    if (feature.size() > 1)
      features += fmt::format("{}{}{}", features.empty() ? "" : ",", feature.back(),
                              feature.substr(0, feature.size() - 1));
    at = end;
  }
  return features;
}

/// llvm-objdump's lines end with "// 000000001700: 7E000280".
bool has_encoding(std::string_view line) {
  const auto comment = line.rfind("// ");
  if (!line.starts_with('\t') || comment == line.npos) return false;
  const auto end = line.find_first_not_of("0123456789ABCDEF", comment + 3);
  return end != line.npos && end - comment - 3 >= 12 && line.substr(end).starts_with(": ");
}

bool is_disassembly(std::string_view text) {
  bool found = false;
  each_line(text, [&](std::string_view line) { found = found || has_encoding(line); });
  return found;
}

/// What a disassembly has: instructions, and labels by address.
struct Disassembly {
  std::vector<codeobject::Instruction> instructions;
  std::map<std::uint64_t, std::string> labels;
};

/// Where branches go to, each with the lowest address that one comes from.
std::map<std::uint64_t, std::uint64_t> branch_targets(const Disassembly& d) {
  std::map<std::uint64_t, std::uint64_t> targets;
  for (const auto& i : d.instructions)
    if (i.mnemonic.starts_with("s_branch") || i.mnemonic.starts_with("s_cbranch"))
      for (const auto& o : i.operands)
        if (o.kind == codeobject::Operand::Kind::branch) targets.emplace(o.value, i.pc);
  return targets;
}

/// What stands before a place: the mnemonic of the last instruction that is no padding (empty: none), and
/// whether there is padding behind it.
std::pair<std::string_view, bool> before(const Disassembly& d, std::uint64_t pc) {
  const auto place = std::ranges::lower_bound(d.instructions, pc, {}, &codeobject::Instruction::pc);
  for (auto at = place; at != d.instructions.begin();) {
    --at;
    if (at->mnemonic != "s_nop" && at->mnemonic != "s_code_end" && at->words[0] != 0)
      return {at->mnemonic, at + 1 != place};
  }
  return {};
}

/// Whether a label is a function's. Nothing in a disassembly says so: code that runs into it and branches to
/// it from before it say that it is not, a kernel's alignment says that it is.
bool begins_function(const Disassembly& d, std::uint64_t pc,
                     const std::map<std::uint64_t, std::uint64_t>& targets) {
  constexpr std::uint64_t kernel_alignment = 256;
  const auto [last, padded] = before(d, pc);
  const bool ends = last.starts_with("s_endpgm") || last.starts_with("s_setpc");
  if (const auto from = targets.find(pc); from != targets.end()) return ends && from->second >= pc;
  return ends || last == "s_branch" || (padded && pc % kernel_alignment == 0);
}

Disassembly read_disassembly(std::string_view text) {
  Disassembly d;
  each_line(text, [&](std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (has_encoding(line)) d.instructions.push_back(codeobject::parse_instruction(line));
    std::uint64_t address = 0;
    const auto name = line.find(" <");
    if (!line.ends_with(">:") || name == line.npos) return;
    const auto [end, error] = std::from_chars(line.data(), line.data() + name, address, 16);
    if (error == std::errc{} && end == line.data() + name)
      d.labels[address] = line.substr(name + 2, line.size() - name - 4);
  });
  const auto targets = branch_targets(d);
  if (!d.labels.empty())
    std::erase_if(d.labels, [&, first = d.labels.begin()->first](const auto& label) {
      return label.first != first && !begins_function(d, label.first, targets);
    });
  return d;
}

/// Source that assembles to the encodings of a disassembly; `first` is the address of the first one.
std::string source_of_disassembly(std::string_view text, const std::string& file, std::uint64_t& first) {
  const Disassembly d = read_disassembly(text);
  if (d.instructions.empty()) throw Error("{}: a disassembly without instructions", file);
  std::string source;
  std::uint64_t next = first = d.instructions.front().pc;
  for (const codeobject::Instruction& i : d.instructions) {
    if (i.pc < next || i.pc % 4 != 0 || i.pc - next > (std::uint64_t{64} << 20))
      throw Error("{}: its instruction at {:#x} is not where the one before it lets it be", file, i.pc);
    if (i.pc > next) source += fmt::format(".fill {}, 4, 0xbf800000\n", (i.pc - next) / 4);
    if (const auto label = d.labels.find(i.pc); label != d.labels.end())
      source += fmt::format(".globl \"{0}\"\n.type \"{0}\",@function\n\"{0}\":\n", label->second);
    for (const std::uint32_t word : i.words) source += fmt::format(".long {:#x}\n", word);
    next = i.pc + 4 * i.words.size();
  }
  return source;
}

/// Numbers of the lines that the assembler refuses because the target lacks the instruction. Throws Error for
/// any other error.
std::set<std::size_t> unsupported_lines(std::string_view errors, const std::string& file) {
  constexpr std::string_view missing = ": error: instruction not supported on this GPU";
  std::set<std::size_t> lines;
  each_line(errors, [&](std::string_view line) {
    const auto error = line.find(": error: ");
    if (error == line.npos) return;
    const auto column = line.rfind(':', error - 1), row = line.rfind(':', column - 1);
    std::size_t number = 0;
    if (line.substr(error).starts_with(missing) && row != line.npos)
      std::from_chars(line.data() + row + 1, line.data() + column, number);
    if (number == 0)
      throw Error("{}: the assembler refuses it:{}{}", file, row == line.npos ? "" : " line ",
                  row == line.npos ? line : line.substr(row + 1));
    lines.insert(number);
  });
  return lines;
}

std::string without_lines(std::string_view text, const std::string& file, const std::set<std::size_t>& lines,
                          std::vector<std::string>& taken) {
  std::string rest;
  std::size_t number = 0;
  each_line(text, [&](std::string_view line) {
    if (lines.contains(++number)) {
      taken.push_back(fmt::format(
          "{} ({}:{})", line.substr(std::min(line.find_first_not_of(" \t"), line.size())), file, number));
      rest += fmt::format(".long {:#x}\n", unsupported_word);
    } else {
      rest.append(line).append("\n");
    }
  });
  return rest;
}

} // namespace

constexpr std::uint64_t lowest_text = 0x100000;

std::vector<std::byte> link(const std::string& object_file, const std::string& where,
                            const codeobject::Tools& tools, std::optional<std::uint64_t> text_address) {
  const TemporaryFolder folder;
  std::vector<std::string> command{tool(tools, "ld.lld"), "-shared", "--unresolved-symbols=ignore-all",
                                   object_file,           "-o",      folder.file("linked.co")};
  if (text_address) command.push_back(fmt::format("-Ttext={:#x}", *text_address));
  run_tool(command, where);
  const std::string bytes = read_file(folder.file("linked.co"));
  const auto elf = std::as_bytes(std::span(bytes));
  return {elf.begin(), elf.end()};
}

Part assemble(const std::string& text, const std::string& file, std::optional<Target> target,
              const codeobject::Tools& tools) {
  const std::string arch = arch_in(text);
  const auto written = parse_target(arch);
  if (!arch.empty() && !written)
    throw Error("{}: the listing is for {}, expected gfx942 or gfx950", file, arch);
  if (!target) target = written;
  if (!target)
    throw Error("{}: the listing does not say what it is for: give --target gfx942 or gfx950", file);
  if (written && *written != *target)
    throw Error("{}: the listing is for {}, not for {}", file, name(*written), name(*target));

  Part part{file, {}, {}};
  const bool words = is_disassembly(text);
  std::uint64_t first = 0;
  const TemporaryFolder folder;
  std::string source = file, object = folder.file("assembled.o");
  if (words) {
    source = folder.file("words.s");
    write_file(source, source_of_disassembly(text, file, first));
  }
  std::vector<std::string> command{tool(tools, "llvm-mc"),
                                   "-triple=amdgcn-amd-amdhsa",
                                   fmt::format("-mcpu={}", name(*target)),
                                   "-filetype=obj",
                                   "-o",
                                   object};
  if (const std::string features = features_of(arch); !words && !features.empty())
    command.push_back("-mattr=" + features);
  const bool own_lines = text.find("\t.loc") != text.npos || text.find(".section\t.debug") != text.npos;
  if (!words && !own_lines) command.push_back("-g"); // findings then name the listing's lines
  command.push_back(source);
  CommandResult result = run_command(command, std::chrono::minutes(1));
  if (result.status != 0) {
    const auto lines = unsupported_lines(result.err, file);
    if (lines.empty())
      throw Error("{}: {} ended with status {}: {}", file, command[0], result.status,
                  result.err.substr(0, result.err.find('\n')));
    const std::string base = std::filesystem::path(file).filename().string();
    command.back() = folder.file(base);
    write_file(command.back(), without_lines(text, base, lines, part.not_on_target));
    run_tool(command, file);
  }
  // The ELF's own headers stand at address 0: code that starts there is linked higher up.
  if (words && first < lowest_text) part.moved_by = lowest_text;
  part.elf = link(object, file, tools, words ? std::optional(first + part.moved_by) : std::nullopt);
  return part;
}

} // namespace cts::audit
