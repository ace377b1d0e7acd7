// base/testing/json_of.h: reads the JSON of an answer in a test.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "base/json_value.h"

namespace vaquita {

// Returns null, and the test fails, if the text is not JSON.
inline Json JsonOf(std::string_view text) {
  const absl::StatusOr<Json> json = ParseJson(text);
  EXPECT_TRUE(json.ok()) << json.status() << "\n" << text;
  return json.ok() ? *json : Json();
}

}  // namespace vaquita
