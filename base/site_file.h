// base/site_file.h: the properties of a file in hbase-site.xml's format.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace vaquita {

struct SiteProperty {
  std::string name;
  std::string value;  // without the blanks around it
};

// Reads <configuration><property><name/><value/></property>...</configuration>, in order. Returns InvalidArgument if
// the file cannot be read, or, with the place, if it is not XML of that form.
absl::StatusOr<std::vector<SiteProperty>> ReadSiteFile(const std::string& path);

// Returns the text of such a file.
std::string WriteSiteFile(const std::vector<SiteProperty>& properties);

}  // namespace vaquita
