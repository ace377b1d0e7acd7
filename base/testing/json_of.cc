#include "base/testing/json_of.h"

#include <gtest/gtest.h>

#include <ostream>

namespace vaquita {

Json JsonOf(std::string_view text) {
  const absl::StatusOr<Json> json = ParseJson(text);
  EXPECT_TRUE(json.ok()) << json.status() << "\n" << text;
  return json.ok() ? *json : Json();
}

}  // namespace vaquita

namespace nlohmann {

void PrintTo(const ordered_json& value, std::ostream* out) { *out << vaquita::JsonText(value); }

}  // namespace nlohmann
