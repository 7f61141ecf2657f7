// The bundle's file: same members, same bytes; and no byte of it changes unnoticed.
#include "common/file.hpp"
#include "common/subprocess.hpp"
#include "common/temporary_folder.hpp"
#include "tests/bundle/damage.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <zstd.h>

namespace cts::bundle {
namespace {

using namespace std::chrono_literals;

Members small() { return {{"a.txt", "some text\n"}, {"folder/b", std::string(700, 'b')}, {"z", ""}}; }

std::string numbers(std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i * 31 >> 3);
  return bytes;
}

/// What is found in a file; an Error is one finding.
std::vector<std::string> found_in(const std::string& file, std::size_t largest = largest_content) {
  try {
    return unpack(file, "B", largest).findings;
  } catch (const Error& e) {
    return {e.what()};
  }
}

TEST(Archive, MembersComeBackAsTheyWere) {
  Members members;
  for (const std::size_t size : {0, 1, 511, 512, 513, 100000})
    members[fmt::format("folder/{}", size)] = numbers(size);
  members[std::string(120, 'f') + "/g/" + std::string(90, 'a')] = "in a deep folder";
  const Archive archive = unpack(pack(members), "B");
  EXPECT_EQ(archive.findings, std::vector<std::string>{});
  EXPECT_EQ(archive.members, members);
}

TEST(Archive, SameMembersSameBytes) {
  EXPECT_EQ(pack(small()), pack(small()));
  Members other = small();
  other["a.txt"] = "some texT\n";
  EXPECT_NE(pack(small()), pack(other));
}

TEST(Archive, OtherToolsReadIt) {
  try {
    if (run_command({"zstd", "--version"}, 10s).status != 0) GTEST_SKIP() << "no zstd command here";
  } catch (const Error&) {
    GTEST_SKIP() << "no zstd command here";
  }
  const TemporaryFolder folder("bundle");
  const std::string file = (folder.path() / "b.tar.zst").string();
  write_file(file, pack(small()));
  const CommandResult list =
      run_command({"tar", "--zstd", "--numeric-owner", "--utc", "-tvf", file}, 30s, {{"TZ", "UTC"}});
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_EQ(list.out, "-rw-r--r-- 0/0              10 1970-01-01 00:00 a.txt\n"
                      "-rw-r--r-- 0/0             700 1970-01-01 00:00 folder/b\n"
                      "-rw-r--r-- 0/0               0 1970-01-01 00:00 z\n");
  EXPECT_EQ(run_command({"tar", "--zstd", "-xf", file, "-C", folder.path().string()}, 30s).status, 0);
  EXPECT_EQ(read_file(folder.path() / "folder/b"), small()["folder/b"]);
}

TEST(Archive, EverySingleBitIsCovered) {
  std::string file = pack(small());
  const auto places = tests::places(file);
  ASSERT_EQ(places.back().end, file.size());
  for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
    const char mask = static_cast<char>(1 << bit % 8);
    file[bit / 8] = static_cast<char>(file[bit / 8] ^ mask);
    const auto found = found_in(file);
    ASSERT_FALSE(found.empty()) << "bit " << bit % 8 << " of byte " << bit / 8;
    const std::string& what = tests::place_of(places, bit / 8).what;
    ASSERT_NE(found.front().find(what), std::string::npos)
        << "byte " << bit / 8 << ", expected " << what << ", got " << found.front();
    file[bit / 8] = static_cast<char>(file[bit / 8] ^ mask);
  }
}

TEST(Archive, EveryTruncationIsNoticed) {
  const std::string file = pack(small());
  const auto places = tests::places(file);
  for (std::size_t size = 0; size < file.size(); ++size) {
    const auto found = found_in(file.substr(0, size));
    ASSERT_FALSE(found.empty()) << size << " bytes of " << file.size();
    if (size < places[0].end) continue;
    const std::string& what = tests::place_of(places, size).what;
    ASSERT_NE(found.front().find(what + ": the file was cut short"), std::string::npos)
        << size << " bytes: " << found.front();
  }
}

TEST(Archive, WhatFollowsTheEndIsNoticed) {
  const std::string file = pack(small());
  for (const std::string& tail : {std::string(1, '\0'), std::string("garbage"), file})
    EXPECT_EQ(found_in(file + tail),
              std::vector{fmt::format("end: {} bytes follow the last member", tail.size())});
}

TEST(Archive, SwappedFramesAreNamed) {
  Members members = small();
  members["a.txt"] = std::string(700, 'a');
  const std::string file = pack(members);
  const auto places = tests::places(file);
  const auto frame = [&](std::size_t n) {
    return file.substr(places[n].begin, places[n].end - places[n].begin);
  };
  const auto found = found_in(file.substr(0, places[0].end) + frame(2) + frame(1) + frame(3));
  ASSERT_GE(found.size(), 2u);
  EXPECT_NE(found[0].find("'a.txt': its bytes were changed"), std::string::npos) << found[0];
}

TEST(Archive, WhatIsNoBundleIsSaidToBeWhatItIs) {
  const auto refusal = [](const std::string& file) {
    try {
      unpack(file, "B");
      return std::string("no Error");
    } catch (const Error& e) {
      return std::string(e.what());
    }
  };
  const auto line = [](const std::string& why) {
    return "B: not a bundle: " + why + "; expected what 'cdna-cts bundle' writes";
  };
  EXPECT_EQ(refusal(""), line("it is empty"));
  EXPECT_EQ(refusal("\x1f\x8b\x08more"), line("it is compressed with gzip"));
  EXPECT_EQ(refusal("\xfd"
                    "7zXZ"),
            line("it is compressed with xz"));
  EXPECT_EQ(refusal("BZh9"), line("it is compressed with bzip2"));
  EXPECT_EQ(refusal("PK\3\4"), line("it is a zip file"));
  EXPECT_EQ(refusal("\x28\xb5\x2f\xfd...."), line("it is compressed with zstd and has no head"));
  std::string tar(1024, '\0');
  tar.replace(257, 5, "ustar");
  EXPECT_EQ(refusal(tar), line("it is a tar file"));
  EXPECT_EQ(refusal("{}"), line("it begins with other bytes, or those of its head were changed"));
  std::string other = pack(small());
  other[8 + 16] = '2';
  EXPECT_EQ(refusal(other), line("its head begins with 'cdna-cts bundle 2', not with 'cdna-cts bundle 1'"));
}

TEST(Archive, NamesOfMembers) {
  for (const char* name : {"a", "records/001/x.jsonl", "A-b_c+d.e/f"})
    EXPECT_TRUE(is_member_name(name)) << name;
  for (const char* name : {"", "/etc/passwd", "../x", "a/../x", "a//b", "a/", ".hidden", "a/.hidden", "a b",
                           "a\\b", "a\nb", "\xc3\xa4"})
    EXPECT_FALSE(is_member_name(name)) << name;
  EXPECT_TRUE(is_member_name(std::string(100, 'a')));
  EXPECT_FALSE(is_member_name(std::string(101, 'a')));
  EXPECT_TRUE(is_member_name(std::string(155, 'f') + "/" + std::string(100, 'a')));
  EXPECT_FALSE(is_member_name(std::string(156, 'f') + "/" + std::string(100, 'a')));
  EXPECT_THROW(pack({{"../x", ""}}), Error);
}

// ---- Files that somebody made on purpose: hashes are right, contents are not.

/// A member as a forger writes it: what the head says, and the tar bytes that the frame holds.
struct Forged {
  std::string name;
  std::size_t size;
  std::string tar;
};

std::string file_of(const std::vector<Forged>& members) {
  std::string head = "cdna-cts bundle 1\n", frames;
  for (const auto& [name, size, tar] : members) {
    std::string frame(ZSTD_compressBound(tar.size()), '\0');
    frame.resize(ZSTD_compress(frame.data(), frame.size(), tar.data(), tar.size(), 3));
    head += fmt::format("{} {} {} {}\n", sha256(frame), frame.size(), size, name);
    frames += frame;
  }
  head += sha256(head) + "\n";
  std::string file("\x5c\x2a\x4d\x18", 4);
  for (int shift = 0; shift < 32; shift += 8) file += static_cast<char>(head.size() >> shift & 0xff);
  return file + head + frames;
}

/// The tar bytes of a last member "a.txt" that holds "0123456789", as pack() writes them.
std::string honest_tar() {
  const std::string file = pack({{"a.txt", "0123456789"}});
  const auto frame = tests::places(file)[1];
  std::string tar(4 * 512, '\0');
  ZSTD_decompress(tar.data(), tar.size(), file.data() + frame.begin, frame.end - frame.begin);
  return tar;
}

TEST(ForgedArchive, TheHonestOneIsAccepted) {
  EXPECT_EQ(found_in(file_of({{"a.txt", 10, honest_tar()}})), std::vector<std::string>{});
}

TEST(ForgedArchive, PathsThatLeadElsewhere) {
  for (const char* name : {"../a", "/a", "b/../../a", ".a"})
    EXPECT_EQ(found_in(file_of({{name, 10, honest_tar()}})),
              std::vector{fmt::format(
                  "member '{}': no name of a member: it would be unpacked elsewhere, or hidden", name)});
}

TEST(ForgedArchive, TwiceAndOutOfOrder) {
  const Forged a{"a.txt", 10, honest_tar()};
  EXPECT_EQ(found_in(file_of({a, a})), std::vector<std::string>{"member 'a.txt': is there twice"});
  EXPECT_EQ(
      found_in(file_of({{"b", 10, honest_tar()}, a})),
      std::vector<std::string>{"member 'a.txt': stands behind 'b'; members stand in the order of names"});
  EXPECT_EQ(found_in(file_of({})), std::vector<std::string>{"head: it lists no member"});
}

TEST(ForgedArchive, LinksOwnersAndTimes) {
  const auto finding = [](std::size_t at, const std::string& bytes) {
    std::string tar = honest_tar();
    tar.replace(at, bytes.size(), bytes);
    return found_in(file_of({{"a.txt", 10, tar}})).at(0);
  };
  const std::string begin = "member 'a.txt': its tar header is not a member's: ";
  EXPECT_EQ(finding(156, "2/etc/passwd"),
            begin + "kind of file '2' in place of '0', name of a link's file '/etc/passwd' in place of ''");
  EXPECT_EQ(finding(0, "b"), begin + "name 'b.txt' in place of 'a.txt'");
  EXPECT_EQ(finding(103, "4755"), begin + "mode '0004755' in place of '0000644'");
  EXPECT_EQ(finding(136, "1"), begin + "time '10000000000' in place of '00000000000'");
  EXPECT_EQ(finding(345, "../.."), begin + "folder '../..' in place of ''");
  EXPECT_EQ(finding(148, "7"), begin + "checksum");
}

TEST(ForgedArchive, HiddenBytes) {
  std::string tar = honest_tar();
  tar[512 + 10] = 'x';
  EXPECT_EQ(found_in(file_of({{"a.txt", 10, tar}})),
            std::vector<std::string>{"member 'a.txt': bytes are hidden behind its end"});
  // A second member behind the first one, which tar would unpack.
  EXPECT_EQ(found_in(file_of({{"a.txt", 10, honest_tar().substr(0, 1024) + honest_tar()}})),
            std::vector<std::string>{"member 'a.txt': cannot be unpacked to its 10 bytes"});
}

TEST(ForgedArchive, BombsAreNotUnpacked) {
  EXPECT_EQ(found_in(file_of({{"a.txt", largest_content + 1, honest_tar()}})),
            std::vector{fmt::format("member 'a.txt': with it the content would be more than {} bytes: not "
                                    "unpacked",
                                    largest_content)});
  EXPECT_EQ(found_in(file_of({{"a.txt", 600, honest_tar()}, {"b.txt", 600, honest_tar()}}), 1000).at(0),
            "member 'b.txt': with it the content would be more than 1000 bytes: not unpacked");
  // 64 MB of zeros in a frame of some kilobytes that says it holds ten bytes.
  EXPECT_EQ(found_in(file_of({{"a.txt", 10, honest_tar() + std::string(64 << 20, '\0')}})),
            std::vector<std::string>{"member 'a.txt': cannot be unpacked to its 10 bytes"});
}

} // namespace
} // namespace cts::bundle
