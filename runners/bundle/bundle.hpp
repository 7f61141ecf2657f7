// The evidence bundle: everything that a report was made from, in one file that anybody can check offline.
// docs/bundle.md.
#pragma once

#include "common/evidence.hpp"
#include "runners/bundle/archive.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace cts::bundle {

// Names of members, and the folders that the others are in.
inline constexpr std::string_view sums_name = "SHA256SUMS"; // of all others, as sha256sum writes it
inline constexpr std::string_view about_name = "bundle.json";
inline constexpr std::string_view report_name = "report.json";
inline constexpr std::string_view code_folder = "code/", manifest_folder = "manifests/",
                                  page_folder = "pages/", record_folder = "records/";

/// What goes into a bundle.
struct Sources {
  std::vector<std::filesystem::path> evidence; ///< folders of records
  std::filesystem::path report;                ///< the report.json that was made from them
  std::filesystem::path manifests;             ///< folder of the manifests that it was made with
  std::vector<std::filesystem::path> pages;    ///< further files: REPORT.md, index.html
  std::filesystem::path code;                  ///< folder of code objects to take along, or empty
};

/// Reads the sources. Throws Error for what cannot be read or named, and for folders without any record.
Members collect(const Sources& sources, const std::string& made_by);

/// The records of a bundle, a folder of evidence at a time; messages name members.
Evidence evidence_of(const Members& members);

/// Text of bundle.json, all of which but `made_by` follows from the other members: {"schema":1,"made_by":
/// "cdna-cts 0.1.0","manifests":hash,"records":number,"code_objects":{"<suite>.<target>.<opt>":[SHA-256 of
/// each code object that records of these tests name]}}.
std::string about(const std::string& made_by, const std::string& manifests_hash, const Evidence& evidence);

/// Text of SHA256SUMS.
std::string sums_of(const Members& members);

/// The digest that is noted elsewhere: SHA-256 of SHA256SUMS, which names the hash of every other member.
std::string digest_of(const Members& members);

/// Whether and how a bundle agrees with itself.
struct Verification {
  std::vector<std::string> findings; ///< one line each: what differs or does not follow, and from what
  std::string digest;                ///< of the bundle's SHA256SUMS; empty when it has none
  std::string summary;               ///< what the bundle holds, one line; empty when that cannot be said
};

/// Checks every byte of a bundle's file against its hashes, and derives every statement of its report again
/// from its records and manifests. Throws Error when the file is no bundle; `shown` is its name for that.
Verification verify(std::string_view file, std::string_view shown);

} // namespace cts::bundle
