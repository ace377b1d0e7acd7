// lab/emulator/cell_sizes.h: what the cells of one record take in a memstore and in a store file.
//
// HBase counts a cell in the memstore as an object on the heap with its entry in the skip list, so that small cells
// take more than twice their bytes; Vaquita counts the bytes alone. Source: KeyValue, ByteBufferKeyValue, Segment and
// ClassSize (2.6) with the JVM's object layout; engine/cells/cell_key.h and engine/memstore_gauge.h.
#pragma once

#include <cstdint>

#include "lab/emulator/emulation.h"

namespace vaquita::lab {

// Of one record, in one family. Bytes.
struct RecordSize {
  double memstore = 0;
  double file = 0;  // before compression
};

// `heap_bytes`: of the server, because a larger heap has larger pointers.
RecordSize SizeOfRecord(EmulatedSystem system, int64_t heap_bytes, const EmulatedFamily& family, double row_bytes);

}  // namespace vaquita::lab
