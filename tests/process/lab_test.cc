// `vaquita lab` as its users run it: what it prints, what it says to bad input, and what it makes of a running server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/testing/json_of.h"
#include "model/region_info.h"
#include "tests/process/process_harness.h"

namespace vaquita {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class LabTest : public ProcessTest {
 protected:
  Outcome Lab(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "lab");
    return Vaquita(std::move(arguments));
  }
  std::string Path(const std::string& name) { return commands_.path() + "/" + name; }
  std::string Read(const std::string& name) {
    std::ifstream file(Path(name));
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  void Write(const std::string& name, const std::string& text) { std::ofstream(Path(name)) << text; }
  // Where the regions of a table begin, as the server has them.
  std::vector<std::string> StartKeys(const std::string& table) {
    std::vector<std::string> keys;
    const auto regions = admin_->GetRegions(Name(table));
    EXPECT_TRUE(regions.ok()) << regions.status();
    for (const auto& region : *regions) keys.push_back(ToStringBinary(region.info.start_key));
    return keys;
  }
};

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST_F(LabTest, ATableThatIsCreatedWithASplitsFileHasThoseRegions) {
  Start();
  const Outcome made = Lab({"splits", "hash_prefix(md5(int64(id)), 2) + int64(id)", "--generate", "id=sequence()",
                            "--rows", "20000", "--regions", "7", "--output", Path("splits.txt")});
  ASSERT_EQ(made.code, 0) << made.errors;
  const std::vector<std::string> keys = Lines(Read("splits.txt"));
  ASSERT_EQ(keys.size(), 6);
  Write("create.rb", "create 'log', 'f', SPLITS_FILE => '" + Path("splits.txt") + "'\n");
  const Outcome created = Vaquita({"shell", "-n", "--address", server_->address(), Path("create.rb")});
  ASSERT_EQ(created.code, 0) << created.output << created.errors;

  std::vector<std::string> expected = keys;
  expected.insert(expected.begin(), "");
  EXPECT_EQ(StartKeys("log"), expected);
  // And back from the table, as the shell's text: a table created by that has the same regions.
  const Outcome read =
      Lab({"splits", "--table", "log", "--address", server_->address(), "--format", "shell", "--name", "copy"});
  ASSERT_EQ(read.code, 0) << read.errors;
  Write("copy.rb", read.output);
  EXPECT_EQ(Vaquita({"shell", "-n", "--address", server_->address(), Path("copy.rb")}).code, 0);
  EXPECT_EQ(StartKeys("copy"), expected);
}

TEST_F(LabTest, SplitsByCalculation) {
  EXPECT_EQ(Lab({"splits", "--split-by", "HexStringSplit", "--regions", "4"}).output, "40000000\n80000000\nc0000000\n");
  EXPECT_EQ(Lab({"splits", "--split-by", "buckets", "--regions", "3"}).output, "\\x01\n\\x02\n");
  EXPECT_EQ(
      Lab({"splits", "--split-by", "decimal", "--prefix", "foo", "--digits", "4", "--values", "4", "--regions", "4"})
          .output,
      "foo0001\nfoo0002\nfoo0003\n");
  EXPECT_EQ(Lines(Lab({"splits", "--split-by", "partitions"}).output).size(), 19);
  EXPECT_EQ(Lab({"splits", "bucket(long_hash(ts), 5) + int64(ts)", "--generate", "ts=time(2026-01-01, 1ms)", "--rows",
                 "1000", "--split-by", "prefix"})
                .output,
            "\\x01\n\\x02\n\\x03\n\\x04\n");
}

TEST_F(LabTest, BadSplitFilesAreNamedByLineAndValue) {
  Write("unsorted.txt", "b\nd\nc\n");
  const Outcome unsorted =
      Lab({"simulate", "text(id)", "--generate", "id=sequence()", "--splits", Path("unsorted.txt")});
  EXPECT_EQ(unsorted.code, 2);
  EXPECT_THAT(unsorted.errors,
              HasSubstr("unsorted.txt:3: split key 'c' is smaller than the one before, 'd'; sort them"));
  EXPECT_THAT(unsorted.output, IsEmpty());
  Write("repeated.txt", "b\nb\n");
  const Outcome repeated = Lab({"splits", "--splits", Path("repeated.txt")});
  EXPECT_EQ(repeated.code, 2);
  EXPECT_THAT(repeated.errors, HasSubstr("repeated.txt:2: split key 'b' is repeated"));
}

// The second published run, with a thousandth of its keys: as exact.
TEST_F(LabTest, PartitionedKeysAreExactlyEven) {
  const Outcome run = Lab({"simulate", "int64(id % 20) + int64(id)", "--generate", "id=sequence(1)", "--rows", "100000",
                           "--split-by", "partitions", "--format", "report"});
  ASSERT_EQ(run.code, 0) << run.errors;
  const std::vector<std::string> lines = Lines(run.output);
  ASSERT_GE(lines.size(), 22);
  EXPECT_EQ(lines[0], "start key:requests:(ratio)");
  EXPECT_EQ(lines[1], ":5000:(1.0)");
  for (int region = 1; region < 20; ++region) EXPECT_THAT(lines[region + 1], ::testing::EndsWith(":5000:(1.0)"));
  EXPECT_EQ(lines[21], "total:100000");
}

TEST_F(LabTest, APictureIsWrittenByTheFilesName) {
  const Outcome run = Lab({"simulate",  "int64(ts)",      "--generate", "ts=time(2026-01-01, 1s)",
                           "--rows",    "50000",          "--reads",    "500",
                           "--scan",    "ts=1h",          "--output",   Path("run.svg"),
                           "--output",  Path("run.html"), "--output",   Path("run.json"),
                           "--output",  Path("run.csv"),  "--output",   Path("run.png"),
                           "--heat-map"});
  ASSERT_EQ(run.code, 0) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("range: int64(ts)"));
  EXPECT_THAT(run.output, HasSubstr("█"));
  EXPECT_THAT(Read("run.svg"), StartsWith("<svg"));
  EXPECT_THAT(Read("run.png"), StartsWith("\x89PNG\r\n"));
  EXPECT_THAT(Read("run.html"), StartsWith("<!doctype html>"));
  EXPECT_THAT(Read("run.html"), HasSubstr(">2026-01-01 01:23</text>"));
  EXPECT_THAT(Read("run.csv"), StartsWith("start_key,end_key,requests,ratio,read_requests,read_ratio\n"));
  const Json json = JsonOf(Read("run.json"));
  EXPECT_EQ(json["writes"]["total"], 50'000);
  EXPECT_EQ(json["reads"]["ranges_per_read"], 1);
}

TEST_F(LabTest, DesignsStandSideBySideOnAPage) {
  const std::vector<std::string> records = {"--generate", "ts=time(2026-01-01, 1s)", "--rows", "20000"};
  std::vector<std::string> compare = {
      "compare",  "int64(ts)",         "salt(8) + int64(ts)", "--regions", "8", "--output", Path("compare.html"),
      "--output", Path("compare.json")};
  compare.insert(compare.end(), records.begin(), records.end());
  const Outcome compared = Lab(compare);
  ASSERT_EQ(compared.code, 0) << compared.errors;
  EXPECT_THAT(compared.output, StartsWith("A: int64(ts)\n"));
  const std::string page = Read("compare.html");
  EXPECT_THAT(page, StartsWith("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr(">A: int64(ts)</text>"));
  EXPECT_THAT(page, HasSubstr(">2026-01-01 00:41</text>"));
  EXPECT_THAT(page, HasSubstr(">B: salt(8) + int64(ts)</text>"));
  EXPECT_THAT(page, HasSubstr("<td>key bytes, longest</td><td class=\"best\">8</td><td>9</td>"));
  EXPECT_EQ(JsonOf(Read("compare.json")).size(), 2U);

  std::vector<std::string> advise = {"advise", "int64(ts)", "--output", Path("advice.html")};
  advise.insert(advise.end(), records.begin(), records.end());
  const Outcome advised = Lab(advise);
  ASSERT_EQ(advised.code, 0) << advised.errors;
  EXPECT_THAT(Read("advice.html"), HasSubstr("<li>Monotonic: 100% of the keys"));
  EXPECT_THAT(Read("advice.html"), HasSubstr(">now: int64(ts)</text>"));
  EXPECT_THAT(Read("advice.html"), HasSubstr("<b>A</b>: <code>byte(floor_mod("));

  compare.back() = "10";
  compare[6] = Path("compare.pdf");
  const Outcome refused = Lab(compare);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.errors,
              HasSubstr("compare.pdf: the name of the file says its format, by one of .txt .json .html"));
  // Before any work, which would be for nothing.
  for (const std::string verb : {"advise", "compare", "simulate", "emulate", "splits"}) {
    const Outcome missing = Lab({verb, "nosuch", "--output", Path("no/where.json")});
    EXPECT_EQ(missing.code, 2) << verb;
    EXPECT_THAT(missing.errors, HasSubstr(Path("no/where.json") + " cannot be written: No such file or directory"));
    const Outcome folder = Lab({verb, "nosuch", "--output", Path("")});
    EXPECT_EQ(folder.code, 2) << verb;
  }
  EXPECT_THAT(Lab({"simulate", "nosuch", "--format", "pdf"}).errors, HasSubstr("--format: pdf not in {"));
  EXPECT_THAT(Lab({"emulate", "nosuch", "--format", "pdf"}).errors, HasSubstr("--format: pdf not in {"));
}

TEST_F(LabTest, RowsOfACsvFileThatDoNotFitAreSaidOrEndTheRun) {
  Write("calls.csv", "phone,seconds\n13800000001,10\n13800000002\n13800000003,12,13\n13800000001,14\n");
  const std::vector<std::string> arguments = {
      "simulate", "reverse_digits(phone)", "--csv", Path("calls.csv"), "--regions", "1"};
  const Outcome run = Lab(arguments);
  ASSERT_EQ(run.code, 0) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("(first)         2  1.00 x\n\nOne region takes everything.\n"));
  EXPECT_THAT(run.errors, HasSubstr("skipped 2 records that do not fit:\n"));
  EXPECT_THAT(run.errors, HasSubstr("calls.csv:3"));
  EXPECT_THAT(run.errors, HasSubstr("calls.csv:4"));
  EXPECT_THAT(run.errors, HasSubstr("are both '10000000831'"));  // a repeated key

  std::vector<std::string> strict = arguments;
  strict.push_back("--stop-at-bad-row");
  const Outcome stopped = Lab(strict);
  EXPECT_EQ(stopped.code, 2);
  EXPECT_THAT(stopped.errors, HasSubstr("calls.csv:3"));
  EXPECT_THAT(stopped.output, IsEmpty());
}

TEST_F(LabTest, ASizeThatNoCellHasIsAnError) {
  for (const auto& [option, value] : {std::pair("--cells", "0"), std::pair("--value-bytes", "18446744073709551615")}) {
    const Outcome run = Lab({"key", "id", "--generate", "id=sequence()", "--rows", "5", "--explain", option, value});
    EXPECT_NE(run.code, 0) << run.output;
    EXPECT_THAT(run.errors, HasSubstr(option));
  }
}

TEST_F(LabTest, KeysBehindTheFirstTwoMillionAreComparedWithThose) {
  const Outcome run = Lab({"key", "id % 2000001", "--generate", "id=sequence()", "--rows", "2000010", "--show", "0"});
  EXPECT_EQ(run.code, 0) << run.errors;
  EXPECT_THAT(run.errors, HasSubstr("9 records would hide an earlier one"));
  EXPECT_THAT(run.errors, HasSubstr("the first 2000000 different ones only; keys that are none of these: 1"));
}

TEST_F(LabTest, ARunWithoutAKeyIsAnError) {
  const Outcome run = Lab({"simulate", "int64(c)", "--generate", "c='x'", "--rows", "5", "--regions", "1"});
  EXPECT_NE(run.code, 0) << run.output;
  EXPECT_THAT(run.errors, HasSubstr("no record has a key"));
  EXPECT_EQ(run.output, "");
}

TEST_F(LabTest, AdviceOnARunningTable) {
  Start();
  ASSERT_TRUE(admin_->CreateTable(Descriptor("events"), {"row105000"}).ok());
  std::vector<Action> actions;
  for (int i = 0; i < 10'000; ++i) {
    Mutation put = testing::MakePut(Row(i), "f:q", "value");
    put.cells[0].timestamp_ms = 1'700'000'000'000 + i;
    actions.push_back(put);
  }
  for (const auto& result : connection_->GetTable(Name("events"))->Batch(actions)) ASSERT_TRUE(result.status.ok());
  const Outcome advice = Lab({"advise", "--table", "events", "--address", server_->address()});
  ASSERT_EQ(advice.code, 0) << advice.errors;
  EXPECT_THAT(advice.output, HasSubstr("Examined: 10,000 keys, 10,000 different"));
  EXPECT_THAT(advice.output, HasSubstr("Monotonic: 100% of the keys are larger than every one before"));
  EXPECT_THAT(advice.output, HasSubstr("Proposal A: byte(floor_mod(bytes_hash(md5(key)), 10)) + key"));
}

TEST_F(LabTest, CompareMeasuresOnARunningServerAndLeavesNothingBehind) {
  Start();
  const Outcome run = Lab({"compare", "int64(ts)", "salt(8) + int64(ts)", "--generate", "ts=time(2026-01-01, 1s)",
                           "--rows", "20000", "--regions", "8", "--scan", "ts=10m", "--address", server_->address(),
                           "--live-rows", "4000", "--live-scans", "5", "--live-rounds", "2"});
  ASSERT_EQ(run.code, 0) << run.errors;
  EXPECT_THAT(run.output, ::testing::ContainsRegex("writes: hottest region at a time +[78][.][0-9]+ x +1\\."));
  EXPECT_THAT(run.output, ::testing::ContainsRegex("scan of 10m of ts: ranges +1.00 +8.00"));
  EXPECT_THAT(run.output, ::testing::ContainsRegex("writes counted by the regions +4,000 +4,000"));
  EXPECT_THAT(run.output, ::testing::ContainsRegex("scan: ranges +1.00 +8.00"));
  EXPECT_THAT(run.output, ::testing::ContainsRegex("scan: rows +510[.]6 +510[.]6"));  // on average of both ways
  EXPECT_THAT(run.output,
              ::testing::ContainsRegex("scan: ms, its ranges one after the other +[0-9.]*[1-9][0-9.]* +[0-9.]*[1-9]"));
  EXPECT_THAT(run.output, ::testing::ContainsRegex("scan: ms, its ranges at once +[0-9.]*[1-9][0-9.]* +[0-9.]*[1-9]"));
  EXPECT_THAT(*admin_->ListTableNames(), IsEmpty());
}

TEST_F(LabTest, ComparisonsOnARunningServerAreOneJsonDocument) {
  Start();
  const Outcome run =
      Lab({"compare", "int64(ts)", "md5(int64(ts))", "--generate", "ts=time(2026-01-01, 1s)", "--rows", "2000",
           "--address", server_->address(), "--live-rows", "1000", "--live-rounds", "1", "--format", "json"});
  ASSERT_EQ(run.code, 0) << run.errors;
  const Json designs = JsonOf(run.output);
  ASSERT_EQ(designs.size(), 2U);
  for (const Json& design : designs) {
    EXPECT_EQ(design["measured"]["counted_writes"], 1000) << design;
    EXPECT_GT(design["measured"]["get_ms"].get<double>(), 0) << design;
  }
}

TEST_F(LabTest, AKeyIsExplained) {
  const Outcome run = Lab({"key", "hash_prefix(md5_hex(user), 3) + user + ':' + int64(id)", "--generate",
                           "id=sequence(1), user=choice('ann')", "--rows", "1000", "--show", "2", "--explain"});
  ASSERT_EQ(run.code, 0) << run.errors;
  EXPECT_THAT(run.output, StartsWith("7e0ann:\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01\n"
                                     "7e0ann:\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02\n... 998 more\n"));
  EXPECT_THAT(run.output, HasSubstr("     3     3  user                           ann "));
  EXPECT_THAT(run.output, HasSubstr("1000 rows, each of 1 cell: 45.0 kB in HBase (33% of it row keys)"));
  EXPECT_THAT(run.errors, IsEmpty());
}

TEST_F(LabTest, ADesignThatDoesNotFitIsPointedAt) {
  const Outcome run = Lab({"key", "user + pad(idd, 9)", "--generate", "id=sequence(), user=choice('ann')"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.errors,
            "vaquita lab key: unknown field 'idd'; did you mean 'id'?; the fields are id, user\n  user + pad(idd, 9)\n"
            "             ^\n");
  EXPECT_THAT(run.output, IsEmpty());
}

TEST_F(LabTest, KeysThatAreTheSameAreNamedByFileAndLine) {
  Write("users.csv", "id,name\n1,ann\nx,bob\n1,eve\n\"2\",\"Z\xFCrich\"\n");
  const std::vector<std::string> arguments = {"key", "int16(id)", "--csv", Path("users.csv")};
  const Outcome run = Lab(arguments);
  ASSERT_EQ(run.code, 0) << run.errors;
  EXPECT_EQ(run.output, "\\x00\\x01\n\\x00\\x01\n");
  EXPECT_THAT(run.errors, HasSubstr("skipped 2 records"));
  EXPECT_THAT(run.errors, HasSubstr("users.csv:3: id: 'x' is not a number\n"));
  EXPECT_THAT(run.errors, HasSubstr("users.csv:5: name 'Z\\xFCrich' is not UTF-8\n"));
  EXPECT_THAT(run.errors, HasSubstr("users.csv:4: the key '\\x00\\x01' is also that of " + Path("users.csv") + ":2\n"));
}

TEST_F(LabTest, ExamplesAreListedAndRun) {
  const Outcome list = Lab({"examples"});
  ASSERT_EQ(list.code, 0) << list.errors;
  EXPECT_THAT(list.output, HasSubstr("bit-reversed-ids         Ids count up"));

  const Outcome run = Lab({"examples", "bit-reversed-ids", "--rows", "25600"});
  ASSERT_EQ(run.code, 0) << run.errors;
  EXPECT_THAT(run.output, ::testing::ContainsRegex("writes: hottest region, whole run +256.00 x +1.00 x +1.00 x"));
  EXPECT_THAT(run.output, ::testing::ContainsRegex("reversed +25600 +25600 +38.0 +1.0 MB"));

  const Outcome simulated =
      Lab({"simulate", "reversed", "--example", "bit-reversed-ids", "--split-by", "bytes", "--regions", "4"});
  ASSERT_EQ(simulated.code, 0) << simulated.errors;
  EXPECT_THAT(simulated.output, HasSubstr("@          25,000  1.00 x\n"));
  const Outcome split = Lab({"splits", "three", "--example", "md5-prefix"});  // as the example splits its table
  ASSERT_EQ(split.code, 0) << split.errors;
  EXPECT_THAT(split.output, StartsWith("100\n200\n300\n"));
  EXPECT_THAT(split.output, EndsWith("e00\nf00\n"));
}

}  // namespace
}  // namespace vaquita
