// base/real_number.h: reads a real number from text, as Java's Float.parseFloat does.
//
// Threads: functions.
#pragma once

#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "base/absl_text.h"

namespace vaquita {

// Reads all of `text`, which may end in the letter of Java's type: hbase-default.xml has "1.2F". Returns false if the
// text is anything else; `*number` may have changed then.
inline bool ReadRealNumber(std::string_view text, double* number) {
  const bool has_type = text.size() > 1 && absl::ascii_isdigit(static_cast<unsigned char>(text[text.size() - 2])) &&
                        std::string_view("fFdD").find(text.back()) != std::string_view::npos;
  if (has_type) text.remove_suffix(1);
  return absl::SimpleAtod(AbslText(text), number);
}

}  // namespace vaquita
