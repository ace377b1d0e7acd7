#include "lab/records/csv_file.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "lab/records/lookup_table.h"

namespace vaquita::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class CsvFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string folder = ::testing::TempDir() + "csv-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    folder_ = folder;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Write(std::string_view text, const std::string& name = "a.csv") {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  // Each record as "line: value|value", each error as its text behind the folder.
  std::vector<std::string> Read(const std::string& path) {
    const auto source = OpenCsvRecords(path);
    if (!source.ok()) return {Short(source.status())};
    std::vector<std::string> lines;
    for (;;) {
      const auto record = (*source)->Next();
      if (record.ok() && !record->has_value()) return lines;
      if (!record.ok()) {
        lines.push_back(Short(record.status()));
        continue;
      }
      std::string line = (*source)->Place().substr(path.size() + 1) + ":";
      for (const FieldValue& value : **record) line.append(line.ends_with(':') ? " " : "|").append(value.text);
      lines.push_back(line);
    }
  }

  std::string Short(const absl::Status& status) const {
    const std::string text(status.message());
    const size_t at = text.find(folder_.string());
    return at == std::string::npos ? text : text.substr(at + folder_.string().size() + 1);
  }

  std::filesystem::path folder_;
};

TEST_F(CsvFile, RowsAreReadAsRfc4180HasThem) {
  EXPECT_THAT(Read(Write("id,name\r\n1,ann\r\n2,\"b, \"\"c\"\"\"\r\n3,\"two\r\nlines\"\r\n4,\r\n")),
              ElementsAre("2: 1|ann", "3: 2|b, \"c\"", "4: 3|two\r\nlines", "6: 4|"));
  EXPECT_THAT(Read(Write("\xEF\xBB\xBF\"id\"\n\n7")), ElementsAre("3: 7"));
  EXPECT_THAT(Read(Write("id,b\n,\n\"\",\"\"\n")), ElementsAre("2: |", "3: |"));
}

TEST_F(CsvFile, ABadRowIsToldAndTheNextOneRead) {
  EXPECT_THAT(Read(Write("id,name\n1\n2,b\n3,c,d\n4,Z\xFCrich\n5,e\n")),
              ElementsAre("a.csv:2: 1 value beginning with '1', but the header names 2", "3: 2|b",
                          "a.csv:4: 3 values beginning with '3', but the header names 2",
                          "a.csv:5: name 'Z\\xFCrich' is not UTF-8", "6: 5|e"));
  EXPECT_THAT(Read(Write("id,name\n1,a\"b\"\n2,b\n3,\"c\"d\n4,e\n")),
              ElementsAre("a.csv:2: a quote within 'a\"b\"', which does not begin with one", "3: 2|b",
                          "a.csv:4: text after the closing quote of 'c'", "5: 4|e"));
  EXPECT_THAT(Read(Write("id,name\n1,\"a\n2,b\n")),
              ElementsAre("a.csv:2: a quote that opens in this row is not closed", "3: 2|b"));
}

TEST_F(CsvFile, AHeaderNamesEachFieldOnce) {
  EXPECT_THAT(Read(Write("")), ElementsAre("a.csv:1: the file is empty; its first row names the fields"));
  EXPECT_THAT(Read(Write("a,,c\n")), ElementsAre("a.csv:1: a field without a name; the first row names the fields"));
  EXPECT_THAT(Read(Write("a,b,a\n")), ElementsAre("a.csv:1: duplicate field 'a'"));
  EXPECT_THAT(Read(Write("a,\xFF\n")), ElementsAre("a.csv:1: the field's name '\\xFF' is not UTF-8"));
  EXPECT_THAT(Read((folder_ / "none.csv").string()), ElementsAre("none.csv: No such file or directory"));
  EXPECT_THAT(Read(folder_.string()), ElementsAre(HasSubstr("directory")));
}

TEST_F(CsvFile, RowsCrossTheReadersBuffer) {
  std::string text = "id,value\n";
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i) + ",\"" + std::string(i % 97, 'x') + "\n\"\n";
  text += "last," + std::string(1'000'000, 'y') + "\n";
  const std::vector<std::string> lines = Read(Write(text));
  ASSERT_EQ(lines.size(), 20'001u);
  for (int i = 0; i < 20'000; ++i) {
    ASSERT_EQ(lines[i], std::to_string(2 + 2 * i) + ": " + std::to_string(i) + "|" + std::string(i % 97, 'x') + "\n");
  }
  EXPECT_EQ(lines.back().size(), std::string("40002: last|").size() + 1'000'000);
}

TEST_F(CsvFile, ARowThatHasNoEndIsAnErrorInBoundedMemory) {
  const std::string unclosed = "a.csv:2: a quote that opens in this row is not closed";
  const std::string too_long = "a.csv:2: the row is longer than 4 MiB";
  for (const size_t size : {5 << 20, 20 << 20}) {
    const std::string large(size, 'x');
    EXPECT_THAT(Read(Write("id\n\"" + large + "\n6\n7\n")), ElementsAre(unclosed, "3: 6", "4: 7")) << size;
    EXPECT_THAT(Read(Write("id\n" + large + "\n6\n7\n")), ElementsAre(too_long, "3: 6", "4: 7")) << size;
    EXPECT_THAT(Read(Write("id\n" + large)), ElementsAre(too_long)) << size;
  }
}

TEST_F(CsvFile, GzipIsRead) {
  const std::string path = (folder_ / "a.csv.gz").string();
  const gzFile file = gzopen(path.c_str(), "wb");
  gzputs(file, "id\n1\n2\n");
  gzclose(file);
  EXPECT_THAT(Read(path), ElementsAre("2: 1", "3: 2"));
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 10);
  EXPECT_THAT(Read(path).back(), HasSubstr("a.csv.gz:"));
}

TEST_F(CsvFile, MessagesCallItByItsName) {
  const auto of_text = CsvRecordsOfText("id\n1\n", "text");
  EXPECT_EQ((**(*of_text)->Next())[0].text, "1");
  EXPECT_FALSE((*of_text)->Next()->has_value());
  EXPECT_THAT(CsvRecordsOfText("", "text").status().message(), HasSubstr("text:1: the file is empty"));
  const auto source = OpenCsvRecords(Write("id\n1,2\n"), "standard input");
  ASSERT_TRUE(source.ok());
  EXPECT_EQ((*source)->Next().status().message(),
            "standard input:2: 2 values beginning with '1', but the header names 1");
}

TEST_F(CsvFile, ALookupTableIsRead) {
  const auto types = ReadLookupTable(Write("info,1\nerror,-3\n"));
  ASSERT_TRUE(types.ok()) << types.status();
  EXPECT_TRUE(types->is_numeric());
  EXPECT_EQ(types->numbers.at("error"), -3);
  EXPECT_EQ(types->values.at("error"), "-3");
  EXPECT_FALSE(ReadLookupTable(Write("info,1\nerror,x\nwarn,2\n"))->is_numeric());
  EXPECT_EQ(Short(ReadLookupTable(Write("a,1\nb,2\na,3\n")).status()), "a.csv:3: duplicate name 'a'");
  EXPECT_THAT(Short(ReadLookupTable(Write("a,1\nb\n")).status()),
              HasSubstr("a.csv:2: 1 values; a lookup table has two"));
  EXPECT_THAT(Short(ReadLookupTable(Write("a,\xFF\n")).status()), EndsWith("a.csv:1: '\\xFF' is not UTF-8"));
  EXPECT_THAT(Short(ReadLookupTable(Write("")).status()), EndsWith("the table is empty"));
}

TEST_F(CsvFile, AHeaderHasBounds) {
  std::string header = "f0";
  for (size_t i = 1; i < kMostCsvFields; ++i) header += ",f" + std::to_string(i);
  EXPECT_THAT(Read(Write(header)), ElementsAre());
  EXPECT_THAT(Read(Write(header + ",more")), ElementsAre("a.csv:1: the first row names 4097 fields; at most 4096"));
  EXPECT_THAT(Read(Write(std::string(256, 'f'))), ElementsAre());
  EXPECT_THAT(Read(Write(std::string(257, 'f'))), ElementsAre(EndsWith("fff...' has 257 bytes; at most 256")));
}

}  // namespace
}  // namespace vaquita::lab
