#include "sql/avatica/signature.h"

#include <string>

#include "sql/avatica/values.h"
#include "sql/encoding/date_text.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

constexpr uint32_t kDisplayWidth = 40;     // where nothing else says how wide
constexpr uint32_t kNullDisplayWidth = 6;  // "<null>"
constexpr uint32_t kJavaObject = 2000;     // java.sql.Types
constexpr std::string_view kArrayClass = "org.apache.phoenix.schema.types.PhoenixArray";

std::string_view ClassOf(const SqlType& type) {
  if (type.is_null()) return "";
  return type.array ? kArrayClass : RowOf(type.id).java_class;
}

uint32_t DisplayWidth(const SqlType& type) {
  if (type.is_null()) return kNullDisplayWidth;
  // A TIMESTAMP is no DATE to Phoenix, an UNSIGNED_TIMESTAMP is.
  if (IsTime(type) && type.id != TypeId::kTimestamp) return kDatePattern.size();
  return type.array ? kDisplayWidth : static_cast<uint32_t>(type.length.value_or(kDisplayWidth));
}

void SetType(const SqlType& type, avatica::AvaticaType* out) {
  out->set_id(static_cast<uint32_t>(type.ResultJdbc()));
  out->set_name(type.Name());
  out->set_rep(ColumnRep(type));
  if (!type.array) return;
  // Drivers read the elements by the form of each.
  out->mutable_component()->set_id(kJavaObject);
  out->mutable_component()->set_name(type.Name());
  out->mutable_component()->set_rep(avatica::OBJECT);
}

void SetColumn(const OutputColumn& column, avatica::ColumnMetaData* out) {
  const SqlType& type = column.type;
  out->set_case_sensitive(column.case_sensitive);
  out->set_searchable(true);
  out->set_nullable(column.nullable ? 1 : 0);
  out->set_signed_(IsNumber(type));
  out->set_display_size(DisplayWidth(type));
  out->set_label(WireText(column.label));
  out->set_column_name(WireText(column.name.empty() ? column.label : column.name));
  if (!type.array) {
    out->set_precision(static_cast<uint32_t>(type.length.value_or(0)));
    out->set_scale(static_cast<uint32_t>(type.scale.value_or(0)));
  }
  out->set_table_name(WireText(column.table));
  out->set_read_only(true);
  out->set_column_class_name(std::string(ClassOf(type)));
  SetType(type, out->mutable_type());
}

}  // namespace

avatica::Signature MakeSignature(std::string_view text, const std::vector<OutputColumn>& columns,
                                 const std::vector<SqlType>& parameters) {
  avatica::Signature signature;
  signature.set_sql(std::string(text));
  for (size_t i = 0; i < columns.size(); ++i) {
    avatica::ColumnMetaData* column = signature.add_columns();
    column->set_ordinal(static_cast<uint32_t>(i));
    SetColumn(columns[i], column);
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    avatica::AvaticaParameter* parameter = signature.add_parameters();
    parameter->set_parameter_type(static_cast<uint32_t>(parameters[i].jdbc()));
    parameter->set_type_name(parameters[i].Name());
    parameter->set_class_name(std::string(ClassOf(parameters[i])));
    parameter->set_name(Concat("?", i + 1));
  }
  signature.mutable_cursor_factory()->set_style(avatica::CursorFactory::STYLE_LIST);
  return signature;
}

}  // namespace vaquita::sql
