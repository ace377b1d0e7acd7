// proto/vaquita/enum_codec.h: translates enums of the plain types to and from their wire forms, which number the values
// from 1 on; 0 means "unspecified".
#pragma once

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace vaquita {

template <typename Wire, typename Plain>
Wire EnumToProto(Plain value) {
  return static_cast<Wire>(static_cast<int>(value) + 1);
}

// Leaves `*out` as it is for "unspecified". Returns kIllegalArgument, naming `field`, for a value after `last`.
template <typename Plain, typename Wire>
absl::Status EnumFromProto(Wire wire, Plain last, const char* field, Plain* out) {
  const int value = static_cast<int>(wire);
  if (value == 0) return absl::OkStatus();
  if (value < 0 || value > static_cast<int>(last) + 1) {
    return Error(ErrorKind::kIllegalArgument, absl::StrCat(field, ": unknown value ", value));
  }
  *out = static_cast<Plain>(value - 1);
  return absl::OkStatus();
}

}  // namespace vaquita
