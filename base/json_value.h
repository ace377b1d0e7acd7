// base/json_value.h: JSON as a value, for sources that make one or look into one. base/json.h reads and writes texts.
//
// The value's functions are compiled in base/json.cc alone: they took a tenth of the time of each source that uses
// them.
#pragma once

#include <nlohmann/json.hpp>

#include "base/json.h"

extern template class nlohmann::basic_json<nlohmann::ordered_map>;
// For its literals, such as "1"_json, nlohmann's header makes a parser, which nobody here needs.
extern template nlohmann::json nlohmann::json::parse<const char*>(const char*, const char*,
                                                                  nlohmann::json::parser_callback_t, bool, bool);
