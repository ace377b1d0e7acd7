#pragma once

// The process's log: spdlog::info("{} regions", n), spdlog::warn, spdlog::error. Lines go to the standard error
// (tools/server_command.cc).

#include "spdlog/spdlog.h"

// base/log_library.cc holds this function, but fmt 9's headers do not say so: without these lines each source that logs
// compiles all of fmt's formatting, which takes 2 s and more.
extern template void fmt::detail::vformat_to<char>(fmt::detail::buffer<char>&, fmt::basic_string_view<char>,
                                                   fmt::basic_format_args<fmt::buffer_context<char>>,
                                                   fmt::detail::locale_ref);
