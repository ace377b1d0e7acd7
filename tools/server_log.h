// tools/server_log.h: the log of a server's process.
//
// Threads: call it before others start. Any thread may log then.
#pragma once

namespace vaquita {

// Makes standard error, whose reader nobody waits for (base/patient_writer.h), the place of the log. Each message is
// one line: control characters in it are shown as \x0a, so that a client's words do not look like further lines, and do
// not steer a terminal.
void LogToStandardError();

}  // namespace vaquita
