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

// Bounds what malloc keeps of the memory that threads freed: 16 MB, or 4 MB if this process may use less than 2 GB. A
// program without tcmalloc (docs/design/libraries.md) gets at most two arenas of glibc instead.
void BoundFreedMemory();

// Gives memory that was freed back to the system, but for `kept_bytes`, in small steps: a thread that allocates
// meanwhile waits for one of them at most.
void ReturnFreedMemory(int64_t kept_bytes);

// Ends the process with a line on standard error when memory runs out. RocksDB cannot work without memory, but it
// recovers from a process that stops in the middle of a write.
void EndWhenMemoryRunsOut();

}  // namespace vaquita
