#include <utility>
#include <variant>

#include "base/status.h"
#include "region/filter/filter.h"
#include "region/filter/filter_makers.h"

namespace vaquita {

absl::StatusOr<std::unique_ptr<Filter>> MakeFilter(const FilterSpec& spec, bool reversed) {
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<Filter> filter,
                           std::visit([&](const auto& kind) { return MakeFilterOf(kind, reversed); }, spec.kind));
  filter->set_reversed(reversed);
  return filter;
}

}  // namespace vaquita
