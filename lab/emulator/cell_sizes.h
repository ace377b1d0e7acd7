// lab/emulator/cell_sizes.h: the size of one record's cells in a memstore and in a store file.
//
// HBase counts a cell in the memstore as an object on the heap with its entry in the skip list, so that small cells
// take more than twice their bytes; Vaquita counts the bytes alone. Source: KeyValue, ByteBufferKeyValue, Segment and
// ClassSize (2.6) with the JVM's object layout; engine/cells/cell_key.h and engine/memstore_gauge.h.
#pragma once

#include <cstdint>

#include "lab/emulator/emulation.h"

namespace vaquita::lab {

// Bytes of one record in one family.
struct RecordSize {
  double memstore = 0;
  double file = 0;  // before compression
};

// `heap_bytes` is the server's heap: above 32 GB pointers are larger.
RecordSize SizeOfRecord(EmulatedSystem system, int64_t heap_bytes, const EmulatedFamily& family, double row_bytes);

}  // namespace vaquita::lab
