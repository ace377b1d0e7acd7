// tests/fuzz/filter_language_fuzz.cc: a filter as the shell and Thrift take it, parsed and made.
#include <cstddef>
#include <cstdint>

#include "region/filter/filter.h"
#include "region/filter/filter_language.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto spec = vaquita::ParseFilterLanguage({reinterpret_cast<const char*>(data), size});
  if (spec.ok()) static_cast<void>(vaquita::MakeFilter(*spec));
  return 0;
}
