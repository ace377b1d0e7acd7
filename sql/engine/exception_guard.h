// sql/engine/exception_guard.h: keeps exceptions from SQLite.
//
// SQLite is C: an exception that passes it would end the process, or leave the connection locked. No code here throws
// on purpose; this is the last net. Threads: functions.
#pragma once

#include <sqlite3.h>

#include <exception>
#include <new>

namespace vaquita::sql {

// Runs a function's body. An exception is the function's error.
template <typename Body>
void GuardFunction(sqlite3_context* context, const Body& body) {
  try {
    body();
  } catch (const std::exception& exception) {
    sqlite3_result_error(context, exception.what(), -1);
  }
}

// Guarded<callback>::Call is a callback of a virtual table. An exception is a code of SQLite.
template <auto callback>
struct Guarded;

template <typename... Arguments, int (*callback)(Arguments...)>
struct Guarded<callback> {
  static int Call(Arguments... arguments) {
    try {
      return callback(arguments...);
    } catch (const std::bad_alloc&) {
      return SQLITE_NOMEM;
    } catch (const std::exception&) {
      return SQLITE_INTERNAL;
    }
  }
};

}  // namespace vaquita::sql
