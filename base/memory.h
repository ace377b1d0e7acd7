// base/memory.h: how much memory this process has, and how much it may have.
#pragma once

#include <cstdint>
#include <string>

namespace vaquita {

// Returns the bytes that this process has resident, or 0 if the system does not say.
int64_t ResidentMemoryBytes();

// Returns the bytes of memory that this process may use: the machine's, or less if a control group (a container) has a
// limit; 0 if the system does not say. `root` is the file system's, for tests.
int64_t AllowedMemoryBytes(const std::string& root = "/");

// Has malloc keep freed memory in few places. glibc makes up to eight arenas for each core, and each keeps what its
// threads have freed: after reads that went through a block cache of 14 MB a server had 135 MB, and 111 with two
// arenas, at the same CPU time. Call it before other threads start.
void UseFewArenas();

// Ends the process with a line on the standard error when memory runs out. RocksDB cannot go on without memory, and a
// process that stops in the middle of a write is what it recovers from.
void EndWhenMemoryRunsOut();

}  // namespace vaquita
