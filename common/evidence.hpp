// Evidence: one record for each claim that a test bears on. Schema 1; docs/evidence.md lists every field.
#pragma once

#include "common/target.hpp"

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cts {

/// How a result can be had (the manifests' `check`).
enum class Check { host, compile, code, mir, run, time, source };
/// What gave a result.
enum class Runner { host, compiler, emulator, gpu };
/// How a test ended. `error` is a test that could not judge (crash, timeout, wrong device): neither passed
/// nor failed.
enum class Outcome { passed, failed, skipped, error };

std::string_view name(Check check);
std::string_view name(Runner runner);
std::string_view name(Outcome outcome);
std::optional<Check> parse_check(std::string_view text);
std::optional<Runner> parse_runner(std::string_view text);
std::optional<Outcome> parse_outcome(std::string_view text);

/// One line of evidence.
struct Record {
  std::string claim;                     ///< "CDNA-3.3"
  std::string suite;                     ///< "lane_ownership"
  std::string test;                      ///< "MfmaF32_16x16x32_F16.OwnsEightContiguousK"
  std::string target;                    ///< "gfx950"
  Runner runner = Runner::host;          ///< never gpu unless a GPU executed it
  Check check = Check::host;             ///< which of the claim's checks this is
  Outcome outcome = Outcome::error;      ///< skipped and error carry their reason in `detail`
  std::uint64_t seed = 0;                ///< seed of the test's random data; 0 when it has none
  std::string detail;                    ///< first mismatch, reason of a skip, or empty
  std::map<std::string, double> metrics; ///< counts the test wants to keep, by name
  bool observed = false;                 ///< behaviour recorded where the document leaves it open
  std::string fault; ///< name of the planted fault that was active; empty in real evidence
  std::map<std::string, std::string>
      origin; ///< opt, device, compiler, code_object, wrapper, runtime, where known
  std::map<std::string, std::string>
      facts; ///< what a compiler did, by what it was asked: an opcode, a threshold, a diagnostic, findings
};

/// The record as one JSON object with the fields of schema 1 in their documented order.
nlohmann::ordered_json to_json(const Record& record);

/// Whether records of `runner` can be about `check`: run and time are the emulator's or a GPU's, compile,
/// code and mir the compiler's, host and source the host's.
bool can_give(Runner runner, Check check);

/// The record of one JSON line. Throws Error naming `where` and the field that is missing, unknown or of the
/// wrong kind.
Record record_from_json(std::string_view line, std::string_view where);

/// Makes `folder` if it is missing. Throws Error naming CDNA_CTS_EVIDENCE when no records can be written
/// there.
void require_writable_evidence(const std::filesystem::path& folder);

/// Appends `record` to `folder`/<suite>.<target>[.<opt>].jsonl with a single write.
void append_record(const std::filesystem::path& folder, const Record& record);

/// Marks that `test` has begun, in `folder`/<same name>.begun: a begun test without a record crashed or was
/// killed.
void append_begun(const std::filesystem::path& folder, const Record& record);

/// Writes `folder`/<target>.plan: the tests of a run, a line a test and claim, before the first of them
/// begins. With it a run that was cut short is told from a complete one.
void write_plan(const std::filesystem::path& folder, std::string_view target,
                const std::vector<Record>& tests);

/// What a folder of evidence holds.
struct Evidence {
  std::vector<Record> records;
  std::vector<Record> unfinished; ///< begun and never finished, or planned and never begun: outcome error,
                                  ///< detail says which
  std::vector<std::string>
      problems; ///< one line each for a torn or unreadable record: file, line, what is wrong
};

/// Adds what `from` holds.
void append(Evidence& to, Evidence from);

/// A file of evidence: records (*.jsonl), beginnings (*.begun) or a plan (*.plan).
struct EvidenceFile {
  std::filesystem::path name; ///< below its folder
  std::string bytes;
};

/// All of them below `folder`. Throws Error when the folder does not exist.
std::vector<EvidenceFile> evidence_files(const std::filesystem::path& folder);

/// Whether a line that is no JSON is the beginning of a record, as a crash or a full disk leaves it.
bool is_cut_short(std::string_view line);

/// Reads evidence_files(folder) in the order of names. A torn last line is a problem, not an exception.
Evidence read_evidence(const std::filesystem::path& folder);

/// The same of files that are read already; `folder` is only for messages.
Evidence read_evidence(const std::filesystem::path& folder, std::vector<EvidenceFile> files);

} // namespace cts
