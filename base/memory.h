// base/memory.h: the memory of this process: its size, its limit, and its end.
#pragma once

#include <cstdint>
#include <string>

namespace vaquita {

// Returns the bytes that this process has resident, or 0 if the system does not say.
int64_t ResidentMemoryBytes();

// Returns the bytes of memory that this process may use: the machine's, or less if a control group (a container) has a
// limit; 0 if the system does not say. `root` is the file system's, for tests.
int64_t AllowedMemoryBytes(const std::string& root = "/");

// Makes malloc use two arenas. glibc makes up to eight for each core, and each keeps the memory that its threads freed:
// after reads through a block cache of 14 MB a server had 135 MB resident, and 111 MB with two arenas, at the same CPU
// time. Call it before other threads start.
void UseFewArenas();

// Ends the process with a line on standard error when memory runs out. RocksDB cannot work without memory, but it
// recovers from a process that stops in the middle of a write.
void EndWhenMemoryRunsOut();

}  // namespace vaquita
