// server/info/region_sums.h: the sums of figures over regions. Sizes in bytes.
#pragma once

#include <cstdint>

#include "model/cluster_status.h"

namespace vaquita {

struct RegionSums {
  int64_t regions = 0;
  int64_t stores = 0;
  int64_t store_files = 0;
  int64_t store_file_bytes = 0;
  int64_t memstore_bytes = 0;
  int64_t compacting_stores = 0;
  int64_t read_requests = 0;
  int64_t filtered_read_requests = 0;
  int64_t write_requests = 0;

  void Add(const RegionMetrics& region) {
    ++regions;
    stores += static_cast<int64_t>(region.stores.size());
    store_files += region.store_files;
    store_file_bytes += region.store_file_bytes;
    memstore_bytes += region.memstore_bytes;
    for (const RegionMetrics::NamedStore& store : region.stores) compacting_stores += store.metrics.compacting ? 1 : 0;
    read_requests += region.read_requests;
    filtered_read_requests += region.filtered_read_requests;
    write_requests += region.write_requests;
  }

  // Returns the bytes of data of a region, on average.
  int64_t average_bytes() const { return regions == 0 ? 0 : (store_file_bytes + memstore_bytes) / regions; }
};

}  // namespace vaquita
