#include "sql/engine/part_table.h"

#include <sqlite3.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/status.h"
#include "client/table.h"
#include "phoenix/aggregate.pb.h"
#include "sql/aggregate/form.h"
#include "sql/encoding/decimal.h"
#include "sql/encoding/text.h"
#include "sql/engine/exception_guard.h"

namespace vaquita::sql {
namespace {

struct PartTable : sqlite3_vtab {
  PartSource* source = nullptr;
};

int PartConnect(sqlite3* database, void* data, int, const char* const*, sqlite3_vtab** table, char**) {
  auto* source = static_cast<PartSource*>(data);
  auto made = std::make_unique<PartTable>();
  *static_cast<sqlite3_vtab*>(made.get()) = {};
  made->source = source;
  std::string declaration = "CREATE TABLE x(";
  for (size_t i = 0; i < source->types.size(); ++i) AppendText(&declaration, i == 0 ? "c" : ", c", i);
  if (source->types.empty()) declaration += "c0";
  declaration += ")";
  const int code = sqlite3_declare_vtab(database, declaration.c_str());
  if (code == SQLITE_OK) *table = made.release();
  return code;
}

int PartDisconnect(sqlite3_vtab* table) {
  delete static_cast<PartTable*>(table);
  return SQLITE_OK;
}

int PartBestIndex(sqlite3_vtab*, sqlite3_index_info* info) {
  info->estimatedRows = 1000;
  info->estimatedCost = 1000;
  return SQLITE_OK;
}

struct PartCursor : sqlite3_vtab_cursor {
  explicit PartCursor(PartSource* of) : sqlite3_vtab_cursor{}, source(*of) {}

  void Start() {
    at = 0;
    parts.Clear();
    rest_scales.clear();
    rest_digits.clear();
    all_parts = 0;
    reader.emplace(
        PartReader::Source{source.connection->GetTable(source.table), source.scan, source.ranges, source.plan},
        source.threads);
  }

  // Goes on to the next part.
  absl::Status Next() {
    ++at;
    while (reader.has_value() && at >= parts.parts_size()) VAQUITA_RETURN_IF_ERROR(ReadAnswer());
    return absl::OkStatus();
  }

  absl::Status ReadAnswer() {
    VAQUITA_ASSIGN_OR_RETURN(const auto answer, reader->Next(source.due));
    at = 0;
    if (!answer.has_value()) {
      parts.Clear();
      reader.reset();
      return absl::OkStatus();
    }
    source.rows_read += answer->rows_read;
    if (!parts.ParseFromString(answer->parts))
      return Error(ErrorKind::kIO, "the region's answer is not a list of parts");
    source.parts_read += parts.parts_size();
    all_parts += parts.parts_size();
    return CheckSums();
  }

  // Returns an error unless the engine can add up all parts without rounding, so that their order does not count.
  absl::Status CheckSums() {
    for (int i = 0; i < parts.scales_size() && i < parts.digits_size(); ++i) {
      const auto place = static_cast<size_t>(i);
      rest_scales.resize(std::max(rest_scales.size(), place + 1));
      rest_digits.resize(std::max(rest_digits.size(), place + 1));
      rest_scales[place] = std::max(rest_scales[place], parts.scales(i));
      rest_digits[place] = std::max(rest_digits[place], parts.digits(i));
      if (rest_scales[place] + rest_digits[place] + Decimal(all_parts).Digits() > kMaxDecimalDigits) {
        return Error(ErrorKind::kUnsupportedOperation, "a sum has too many digits");
      }
    }
    return absl::OkStatus();
  }

  bool done() const { return at >= parts.parts_size(); }

  PartSource& source;
  std::optional<PartReader> reader;  // nullopt before the first answer and after the last
  phoenix::Parts parts;
  int at = 0;
  int64_t all_parts = 0;
  std::vector<int32_t> rest_scales;
  std::vector<int32_t> rest_digits;
};

int PartOpen(sqlite3_vtab* table, sqlite3_vtab_cursor** cursor) {
  *cursor = new PartCursor(static_cast<PartTable*>(table)->source);
  return SQLITE_OK;
}

int PartClose(sqlite3_vtab_cursor* cursor) {
  delete static_cast<PartCursor*>(cursor);
  return SQLITE_OK;
}

int NextPart(sqlite3_vtab_cursor* base) {
  auto& cursor = *static_cast<PartCursor*>(base);
  const absl::Status status = cursor.Next();
  if (status.ok()) return SQLITE_OK;
  *cursor.source.error = status;
  return SQLITE_ERROR;
}

int PartFilter(sqlite3_vtab_cursor* base, int, const char*, int, sqlite3_value**) {
  static_cast<PartCursor*>(base)->Start();
  return NextPart(base);
}

int PartAtEnd(sqlite3_vtab_cursor* base) { return static_cast<PartCursor*>(base)->done() ? 1 : 0; }

int PartColumn(sqlite3_vtab_cursor* base, sqlite3_context* context, int number) {
  auto& cursor = *static_cast<PartCursor*>(base);
  const phoenix::Part& part = cursor.parts.parts(cursor.at);
  const FormView form = number < part.values_size() ? ViewOf(part.values(number)) : FormView();
  switch (form.kind) {
    case FormKind::kNull:
      sqlite3_result_null(context);
      break;
    case FormKind::kInteger:
      sqlite3_result_int64(context, form.integer);
      break;
    case FormKind::kReal:
      sqlite3_result_double(context, form.real);
      break;
    case FormKind::kBytes: {
      const bool is_text = cursor.source.types[static_cast<size_t>(number)].kind() == ValueKind::kText;
      if (is_text) {
        sqlite3_result_text64(context, form.bytes.data(), form.bytes.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
      } else {
        sqlite3_result_blob64(context, form.bytes.data(), form.bytes.size(), SQLITE_TRANSIENT);
      }
    }
  }
  return SQLITE_OK;
}

int PartRowId(sqlite3_vtab_cursor* base, sqlite3_int64* id) {
  *id = static_cast<PartCursor*>(base)->at;
  return SQLITE_OK;
}

const sqlite3_module& PartModule() {
  static const sqlite3_module module = [] {
    sqlite3_module made = {};
    made.xCreate = Guarded<PartConnect>::Call;
    made.xConnect = Guarded<PartConnect>::Call;
    made.xBestIndex = Guarded<PartBestIndex>::Call;
    made.xDisconnect = Guarded<PartDisconnect>::Call;
    made.xDestroy = Guarded<PartDisconnect>::Call;
    made.xOpen = Guarded<PartOpen>::Call;
    made.xClose = Guarded<PartClose>::Call;
    made.xFilter = Guarded<PartFilter>::Call;
    made.xNext = Guarded<NextPart>::Call;
    made.xEof = Guarded<PartAtEnd>::Call;
    made.xColumn = Guarded<PartColumn>::Call;
    made.xRowid = Guarded<PartRowId>::Call;
    return made;
  }();
  return module;
}

}  // namespace

absl::Status CreatePartTable(sqlite3* database, PartSource* source) {
  int code = sqlite3_create_module_v2(database, "parts", &PartModule(), source, nullptr);
  if (code == SQLITE_OK) {
    code = sqlite3_exec(database, Concat("CREATE VIRTUAL TABLE temp.t", source->number, " USING parts").c_str(),
                        nullptr, nullptr, nullptr);
  }
  return code == SQLITE_OK ? absl::OkStatus() : absl::InternalError(sqlite3_errmsg(database));
}

}  // namespace vaquita::sql
