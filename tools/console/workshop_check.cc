#include "tools/console/workshop_check.h"

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status.h"
#include "tools/console/request_json.h"
#include "tools/workshop/checks.h"

namespace vaquita {

absl::StatusOr<std::string> CheckAnswerForPage(ClusterLink* link, std::string_view body) {
  VAQUITA_ASSIGN_OR_RETURN(const Json request, ParseRequestJson(body));
  VAQUITA_ASSIGN_OR_RETURN(const int64_t exercise, NumberField(request, "exercise", 1, workshop::kExercises));
  VAQUITA_ASSIGN_OR_RETURN(const auto connection, link->Open());
  std::string output;
  const absl::Status checked = workshop::Check(static_cast<int>(exercise), connection.get(),
                                               [&](const auto& fact) { absl::StrAppend(&output, fact, "\n"); });
  absl::StrAppend(&output, workshop::ResultText(static_cast<int>(exercise), checked), "\n");
  return JsonText({{"right", checked.ok()}, {"output", output}});
}

}  // namespace vaquita
