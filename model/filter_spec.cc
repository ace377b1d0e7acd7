#include "model/filter_spec.h"

#include <utility>

namespace vaquita {

FilterSpec::FilterSpec() = default;
FilterSpec::FilterSpec(Kind kind) : kind(std::move(kind)) {}
FilterSpec::FilterSpec(const FilterSpec& other) = default;
FilterSpec::FilterSpec(FilterSpec&& other) noexcept = default;
FilterSpec& FilterSpec::operator=(const FilterSpec& other) = default;
FilterSpec& FilterSpec::operator=(FilterSpec&& other) noexcept = default;
FilterSpec::~FilterSpec() = default;

}  // namespace vaquita
