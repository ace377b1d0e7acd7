#include "lab/emulator/cell_sizes.h"

#include <cmath>

namespace vaquita::lab {
namespace {

double AlignTo8(double bytes) { return std::ceil(bytes / 8) * 8; }

RecordSize SizeInHBase(int64_t heap_bytes, const EmulatedFamily& family, double row_bytes) {
  // KeyValue: lengths of key and value, row with its length, family with its length, qualifier, timestamp, type.
  const double cell = 4 + 4 + 2 + row_bytes + 1 + static_cast<double>(family.name.size()) + family.qualifier_bytes + 8 +
                      1 + family.value_bytes;
  // Up to 32 GB the JVM's pointers have four bytes, object headers twelve.
  const bool small_heap = heap_bytes < (int64_t{32} << 30);
  const double object = small_heap ? 32 : 40;
  const double skip_list_entry = small_heap ? 24 + 16 : 40 + 24;
  // A file adds the sequence number to a cell; to a block of 64 KB its header, checksums and entry in the index; to a
  // row ten bits of the Bloom filter.
  const double in_file = (cell + 3) * (1 + (33 + 16 + 12 + row_bytes + 20) / 65536.0);
  return {.memstore = family.columns * AlignTo8(skip_list_entry + AlignTo8(object + cell)),
          .file = family.columns * in_file + 1.25};
}

RecordSize SizeInVaquita(const EmulatedFamily& family, double row_bytes) {
  // Row and qualifier with their ends, timestamp, type; the value with what is stored before it.
  const double key = row_bytes + 2 + family.qualifier_bytes + 2 + 8 + 1;
  const double value = 1 + family.value_bytes;
  constexpr double kMemtableEntry = 10;
  // A block has three lengths and RocksDB's sequence number for a cell; bytes that a key shares with the one before it
  // are left out.
  constexpr double kBlockEntry = 3 + 8;
  const double shared = family.columns > 1 ? row_bytes * (family.columns - 1) / family.columns : 0;
  return {.memstore = family.columns * (key + value + kMemtableEntry),
          .file = family.columns * (key - shared + value + kBlockEntry) + 1.25};
}

}  // namespace

RecordSize SizeOfRecord(EmulatedSystem system, int64_t heap_bytes, const EmulatedFamily& family, double row_bytes) {
  return system == EmulatedSystem::kHBase ? SizeInHBase(heap_bytes, family, row_bytes)
                                          : SizeInVaquita(family, row_bytes);
}

}  // namespace vaquita::lab
