// base/testing/repeated.h: long texts for tests of bounds.
#pragma once

#include <string>
#include <string_view>

namespace vaquita {

// Returns `text`, `times` times.
inline std::string Repeated(int times, std::string_view text) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace vaquita
