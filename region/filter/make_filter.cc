#include <variant>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "model/filter_size.h"
#include "region/filter/filter.h"
#include "region/filter/filter_makers.h"

namespace vaquita {

FilterOr MakePart(const FilterSpec& spec, const FilterMaking& making) {
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<Filter> filter,
                           std::visit([&](const auto& kind) { return MakeFilterOf(kind, making); }, spec.kind));
  filter->set_reversed(making.reversed);
  return filter;
}

FilterOr MakeFilter(const FilterSpec& spec, bool reversed) {
  if (const int64_t parts = SizeOf(spec).parts; parts > kMostFilterParts) {
    return Error(ErrorKind::kDoNotRetryIO,
                 absl::StrCat("A filter has at most ", kMostFilterParts, " parts, and this one has ", parts,
                              ": each filter, each value in a list and each letter of a regular expression is one, and "
                              "each regular expression ",
                              kPartsOfARegex, " more"));
  }
  return MakePart(spec, {.reversed = reversed, .run = std::make_shared<FilterRun>()});
}

}  // namespace vaquita
