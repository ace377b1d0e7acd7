#include "tools/bench/workload.h"

#include <charconv>
#include <cmath>
#include <functional>
#include <limits>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/did_you_mean.h"
#include "base/whole_number.h"
#include "model/family_descriptor.h"
#include "model/table_descriptor.h"
#include "model/table_name.h"
#include "region/filter/filter_language.h"

namespace vaquita::bench {
namespace {

constexpr std::string_view kKindNames[kOperationKinds] = {
    "read",      "update", "insert",         "scan",        "readmodifywrite", "delete",
    "increment", "append", "checkandmutate", "checkandput", "checkanddelete",  "nextrow"};

constexpr std::pair<std::string_view, KeyDistribution> kDistributions[] = {
    {"uniform", KeyDistribution::kUniform},
    {"zipfian", KeyDistribution::kZipfian},
    {"latest", KeyDistribution::kLatest},
    {"sequential", KeyDistribution::kSequential}};

// A property's value in a workload, both ways. `set` returns the reason why the text is wrong, or "".
struct Property {
  PropertyRow row;
  std::function<std::string(Workload&, std::string_view)> set;
  std::function<std::string(const Workload&)> get;
};

template <typename Number>
Property WholeNumber(std::string_view name, std::string_view meaning, Number Workload::*field, Number least,
                     Number most = std::numeric_limits<Number>::max()) {
  return {{name, meaning, ""},
          [=](Workload& workload, std::string_view text) -> std::string {
            Number number = 0;
            if (!ReadWholeNumber(text, &number) || number < least || number > most) {
              return absl::StrCat("must be a whole number from ", least, " to ", most);
            }
            workload.*field = number;
            return "";
          },
          [=](const Workload& workload) { return absl::StrCat(workload.*field); }};
}

std::string ReadReal(std::string_view text, double most, double* number) {
  double read = 0;
  if (!absl::SimpleAtod(AbslText(text), &read) || !std::isfinite(read) || read < 0 || read > most) {
    return absl::StrCat("must be a number from 0 to ", most);
  }
  *number = read;
  return "";
}

Property Real(std::string_view name, std::string_view meaning, double Workload::*field, double most) {
  return {{name, meaning, ""},
          [=](Workload& workload, std::string_view text) { return ReadReal(text, most, &(workload.*field)); },
          [=](const Workload& workload) { return ExactText(workload.*field); }};
}

Property Text(std::string_view name, std::string_view meaning, std::string Workload::*field) {
  return {{name, meaning, ""},
          [=](Workload& workload, std::string_view text) -> std::string {
            workload.*field = text;
            return "";
          },
          [=](const Workload& workload) { return workload.*field; }};
}

// One of two words, for a flag.
Property Either(std::string_view name, std::string_view meaning, bool Workload::*field, std::string_view on,
                std::string_view off) {
  return {{name, meaning, ""},
          [=](Workload& workload, std::string_view text) -> std::string {
            if (text != on && text != off) return absl::StrCat("must be ", AbslText(on), " or ", AbslText(off));
            workload.*field = text == on;
            return "";
          },
          [=](const Workload& workload) { return std::string(workload.*field ? on : off); }};
}

Property Flag(std::string_view name, std::string_view meaning, bool Workload::*field) {
  return Either(name, meaning, field, "true", "false");
}

// An option of the column family, under HBase's name for it.
Property FamilyOption(std::string_view name, std::string_view meaning, std::string Workload::*field,
                      std::string_view option) {
  return {{name, meaning, ""},
          [=](Workload& workload, std::string_view text) -> std::string {
            FamilyDescriptor family;
            if (const absl::Status status = family.Set(option, text); !status.ok()) {
              return std::string(status.message());
            }
            workload.*field = text;
            return "";
          },
          [=](const Workload& workload) { return workload.*field; }};
}

Property Share(OperationKind kind, std::string_view name, std::string_view meaning) {
  return {{name, meaning, ""},
          [=](Workload& workload, std::string_view text) {
            return ReadReal(text, 1000, &workload.shares[static_cast<size_t>(kind)]);
          },
          [=](const Workload& workload) { return ExactText(workload.Share(kind)); }};
}

Property Distribution() {
  return {{"requestdistribution", "How rows are chosen: uniform, zipfian, latest or sequential", ""},
          [](Workload& workload, std::string_view text) -> std::string {
            for (const auto& [name, distribution] : kDistributions) {
              if (name != text) continue;
              workload.distribution = distribution;
              return "";
            }
            return "must be uniform, zipfian, latest or sequential";
          },
          [](const Workload& workload) {
            for (const auto& [name, distribution] : kDistributions) {
              if (distribution == workload.distribution) return std::string(name);
            }
            return std::string();
          }};
}

Property FilterText() {
  return {{"filter", "A filter of reads and scans, in HBase's filter language", ""},
          [](Workload& workload, std::string_view text) -> std::string {
            workload.parsed_filter.reset();
            workload.filter = text;
            if (text.empty()) return "";
            absl::StatusOr<FilterSpec> parsed = ParseFilterLanguage(text);
            if (!parsed.ok()) return absl::StrCat("is not a filter: ", parsed.status().message());
            workload.parsed_filter = *std::move(parsed);
            return "";
          },
          [](const Workload& workload) { return workload.filter; }};
}

Property DurabilityName() {
  return {{"durability", "USE_DEFAULT, SKIP_WAL, ASYNC_WAL, SYNC_WAL or FSYNC_WAL", ""},
          [](Workload& workload, std::string_view text) -> std::string {
            TableDescriptor table;
            if (const absl::Status status = table.Set("DURABILITY", text); !status.ok()) {
              return "must be USE_DEFAULT, SKIP_WAL, ASYNC_WAL, SYNC_WAL or FSYNC_WAL";
            }
            workload.durability = table.durability;
            workload.durability_name = text;
            return "";
          },
          [](const Workload& workload) { return workload.durability_name; }};
}

// A property of YCSB's files that has one possible value here.
Property Ignored(std::string_view name, std::string_view meaning) {
  return {{name, meaning, ""},
          [](Workload&, std::string_view) { return std::string(); },
          [](const Workload&) { return std::string(); }};
}

std::vector<Property> MakeProperties() {
  using W = Workload;
  return {
      Text("table", "The table", &W::table),
      Text("columnfamily", "Its column family", &W::family),
      WholeNumber<uint64_t>("recordcount", "The rows that are loaded", &W::rows, 1, uint64_t{1} << 40),
      Flag("load", "The rows are loaded before the operations begin", &W::load),
      WholeNumber<int32_t>("regions", "The regions in which the table is created", &W::regions, 1, 100'000),
      FamilyOption("compression", "NONE, SNAPPY, LZ4, ZSTD or GZ", &W::compression, "COMPRESSION"),
      FamilyOption("blockencoding", "The data block encoding, such as NONE or FAST_DIFF", &W::block_encoding,
                   "DATA_BLOCK_ENCODING"),
      FamilyOption("bloomfilter", "NONE, ROW or ROWCOL", &W::bloom_filter, "BLOOMFILTER"),
      Text("keyprefix", "The beginning of each row key", &W::key_prefix),
      WholeNumber<int32_t>("zeropadding", "The least digits of a row key", &W::zero_padding, 1, 1000),
      Either("insertorder", "hashed: row keys are scattered; ordered: they are in order", &W::hashed_keys, "hashed",
             "ordered"),
      Text("key", "A row key design of the laboratory, over the fields of records", &W::design),
      Text("records", "The generator of these records, such as id=sequence()", &W::records),
      WholeNumber<int32_t>("fieldcount", "The columns of a row", &W::fields, 1, 100'000),
      Text("fieldnameprefix", "The beginning of a column's name; its number follows", &W::field_prefix),
      WholeNumber<int32_t>("fieldlength", "The bytes of a value", &W::field_bytes, 0, 1 << 24),
      WholeNumber<int32_t>("minfieldlength", "The least, if fieldlengthdistribution is uniform", &W::least_field_bytes,
                           0, 1 << 24),
      Either("fieldlengthdistribution", "constant or uniform", &W::constant_field_bytes, "constant", "uniform"),
      Real("compressible", "The share of a value's bytes that are equal, from 0 to 1", &W::compressible, 1),
      Flag("readallfields", "Reads want all columns, not one", &W::read_all_fields),
      Flag("writeallfields", "Updates write all columns, not one", &W::write_all_fields),
      Share(OperationKind::kRead, "readproportion", "The share of gets"),
      Share(OperationKind::kUpdate, "updateproportion", "The share of puts to rows that are there"),
      Share(OperationKind::kInsert, "insertproportion", "The share of puts of new rows"),
      Share(OperationKind::kScan, "scanproportion", "The share of short scans"),
      Share(OperationKind::kReadModifyWrite, "readmodifywriteproportion", "The share of gets with a put behind"),
      Share(OperationKind::kDelete, "deleteproportion", "The share of deletes of a row"),
      Share(OperationKind::kIncrement, "incrementproportion", "The share of increments of the column `counter`"),
      Share(OperationKind::kAppend, "appendproportion", "The share of appends to the column `appended`"),
      Share(OperationKind::kCheckAndMutate, "checkandmutateproportion",
            "The share of puts with a put behind, as a row mutation, on the condition of its value"),
      Share(OperationKind::kCheckAndPut, "checkandputproportion",
            "The share of puts with a put behind, on the condition of its value"),
      Share(OperationKind::kCheckAndDelete, "checkanddeleteproportion",
            "The share of puts with a delete of the column behind, on the condition of its value"),
      Share(OperationKind::kNextRow, "nextrowproportion", "The share of steps of a scan of the whole table"),
      Distribution(),
      WholeNumber<int32_t>("batchsize", "The rows of a read, update, insert or delete", &W::batch, 1, 1'000'000),
      WholeNumber<int32_t>("minscanlength", "The least rows of a short scan", &W::least_scan_rows, 1),
      WholeNumber<int32_t>("maxscanlength", "The most rows of a short scan", &W::most_scan_rows, 1),
      Either("scanlengthdistribution", "uniform or zipfian", &W::uniform_scan_rows, "uniform", "zipfian"),
      Flag("scanbystoprow", "Short scans end at a row key, not by a limit; wants insertorder=ordered",
           &W::scan_by_stop_row),
      Flag("scanwholetable", "Short scans read the whole table", &W::scan_whole_table),
      Flag("reversed", "Scans go backwards", &W::reversed),
      WholeNumber<int32_t>("caching", "The most rows of an answer to a scan; -1: the server's choice", &W::caching, -1),
      Flag("cacheblocks", "Reads put blocks into the block cache", &W::cache_blocks),
      FilterText(),
      Flag("filterbyvalue", "Scans look for a value that no row has", &W::filter_by_value),
      DurabilityName(),
      WholeNumber<uint64_t>("operationcount", "The operations after which a run ends; 0: no such end", &W::operations,
                            0),
      Real("maxexecutiontime", "The seconds after which a run ends; 0: no such end", &W::seconds, 1e7),
      Real("target", "Calls per second, in an open loop; 0: as fast as answers come", &W::rate, 1e8),
      WholeNumber<int32_t>("threadcount", "Threads", &W::threads, 1, 10'000),
      Ignored("workload", "YCSB's class; has no effect"),
  };
}

const std::vector<Property>& Properties() {
  static const auto* const properties = new std::vector<Property>(MakeProperties());
  return *properties;
}

}  // namespace

std::string_view NameOf(OperationKind kind) { return kKindNames[static_cast<size_t>(kind)]; }

const std::vector<PropertyRow>& PropertyRows() {
  static const auto* const rows = [] {
    auto* list = new std::vector<PropertyRow>();
    for (const Property& property : Properties()) {
      list->push_back(property.row);
      list->back().usual = property.get(Workload());
    }
    return list;
  }();
  return *rows;
}

absl::Status Workload::Set(std::string_view property, std::string_view value) {
  std::vector<std::string_view> names;
  for (const Property& known : bench::Properties()) {
    names.push_back(known.row.name);
    if (known.row.name != property) continue;
    const std::string wrong = known.set(*this, value);
    if (wrong.empty()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat(AbslText(property), "=", AbslText(value), ": ", AbslText(property), " ", wrong));
  }
  return absl::InvalidArgumentError(absl::StrCat("a workload has no property '", AbslText(property), "'",
                                                 DidYouMean(property, names), "; `vaquita bench list` has all"));
}

std::vector<std::pair<std::string, std::string>> Workload::Properties() const {
  const Workload usual;
  std::vector<std::pair<std::string, std::string>> properties;
  for (const Property& property : bench::Properties()) {
    std::string value = property.get(*this);
    if (value != property.get(usual)) properties.emplace_back(property.row.name, std::move(value));
  }
  return properties;
}

std::string ExactText(double number) {
  char digits[32];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

absl::Status Workload::Validate() const {
  const auto wrong = [](const std::string& why) { return absl::InvalidArgumentError(why); };
  double sum = 0;
  for (const double share : shares) sum += share;
  if (sum <= 0) return wrong("the workload has no operation: give one a share, such as readproportion=1");
  if (const auto name = TableName::Parse(table); !name.ok()) return wrong(std::string(name.status().message()));
  if (const absl::Status status = CheckFamilyName(family); !status.ok()) return wrong(std::string(status.message()));
  if (!design.empty() && records.empty()) {
    return wrong("key=" + design + " needs records: records=id=sequence(), for example");
  }
  if (design.empty() && !records.empty()) return wrong("records=" + records + " has no effect without key=DESIGN");
  if (least_scan_rows > most_scan_rows) {
    return wrong(absl::StrCat("minscanlength=", least_scan_rows, " is above maxscanlength=", most_scan_rows));
  }
  if (!constant_field_bytes && least_field_bytes > field_bytes) {
    return wrong(absl::StrCat("minfieldlength=", least_field_bytes, " is above fieldlength=", field_bytes));
  }
  if (scan_by_stop_row && (hashed_keys || !design.empty())) {
    return wrong("scanbystoprow=true needs row keys in order: insertorder=ordered");
  }
  return absl::OkStatus();
}

}  // namespace vaquita::bench
