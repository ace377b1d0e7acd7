#include "model/table_name.h"

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "model/legal_name.h"

namespace vaquita {

absl::Status CheckNamespaceName(std::string_view name) {
  if (name.empty()) return IllegalArgument("Namespace name must not be empty");
  if (name == kDisallowedName) return IllegalArgument(absl::StrCat("Tables may not be named '", kDisallowedName, "'"));
  IllegalCharacter c;
  if (!FindIllegal(name, "_", &c)) return absl::OkStatus();
  return IllegalArgument(absl::StrCat(
      "Illegal character <", c.bytes, "> at ", c.position,
      ". Namespaces may only contain 'alphanumeric characters' from any language and digits: ", std::string(name)));
}

absl::StatusOr<TableName> TableName::Parse(std::string_view text) {
  TableName name;
  const size_t colon = text.find(':');
  if (colon == text.npos) {
    name.qualifier = text;
  } else {
    name.ns = text.substr(0, colon);
    name.qualifier = text.substr(colon + 1);
  }
  if (name.qualifier == "-ROOT-") return IllegalArgument("-ROOT- has been deprecated.");
  if (name.qualifier == ".META.") {
    return IllegalArgument(".META. no longer exists. The table has been renamed to hbase:meta");
  }
  VAQUITA_RETURN_IF_ERROR(CheckNamespaceName(name.ns));
  VAQUITA_RETURN_IF_ERROR(CheckQualifier(name.qualifier, QualifierOf::kTable));
  return name;
}

}  // namespace vaquita
