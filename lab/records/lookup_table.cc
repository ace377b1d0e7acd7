#include "lab/records/lookup_table.h"

#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "base/unicode.h"
#include "lab/records/csv_file.h"
#include "model/region_info.h"

namespace vaquita::lab {

absl::Status LookupTable::Add(std::string_view name, std::string_view value) {
  const bool was_numeric = numbers.size() == values.size();
  int64_t number;
  // A number whose digits are not the value, such as 01 or +1, would stand in keys as another text.
  const bool is_number = absl::SimpleAtoi(AbslText(value), &number) && absl::StrCat(number) == AbslText(value);
  if (!values.emplace(name, value).second) {
    return absl::InvalidArgumentError(absl::StrCat("duplicate name '", AbslText(name), "'"));
  }
  if (was_numeric && is_number) {
    numbers.emplace(name, number);
  } else {
    numbers.clear();
  }
  return absl::OkStatus();
}

absl::StatusOr<LookupTable> ReadLookupTable(const std::string& path) {
  VAQUITA_ASSIGN_OR_RETURN(const std::unique_ptr<CsvReader> reader, CsvReader::Open(path));
  LookupTable table;
  std::vector<std::string_view> row;
  for (;;) {
    VAQUITA_ASSIGN_OR_RETURN(const bool found, reader->Next(&row));
    if (!found) break;
    if (row.size() != 2)
      return reader->Error(absl::StrCat(row.size(), " values; a lookup table has two, a name and its value"));
    if (!IsUtf8(row[0]) || !IsUtf8(row[1])) {
      return reader->Error(absl::StrCat("'", ToStringBinary(row[IsUtf8(row[0]) ? 1 : 0]), "' is not UTF-8"));
    }
    if (const absl::Status added = table.Add(row[0], row[1]); !added.ok())
      return reader->Error(StdText(added.message()));
  }
  if (table.values.empty()) return reader->Error("the table is empty");
  return table;
}

}  // namespace vaquita::lab
