// The block cache when the load is over: LruBlockCache (2.6), by lab/emulator/block_cache_model.h.
#include <algorithm>
#include <cmath>

#include "lab/emulator/block_cache_model.h"
#include "lab/emulator/emulator_run.h"

namespace vaquita::lab {
namespace {

constexpr double kSkew = 0.99;  // YCSB's, as lab/records/record_choice.h has it

// The share of the requests that the `count` most popular of `records` get.
double ZipfShare(double count, double records) {
  const auto sum = [](double n) { return (std::pow(n + 1, 1 - kSkew) - 1) / (1 - kSkew); };
  return sum(std::clamp(count, 0.0, records)) / sum(records);
}

}  // namespace

// Returns whether the file's keys arrived in key order, so that its newest rows stand together. Otherwise they are in
// all its blocks.
bool EmulatorRun::IsInOrder(const EmulatedRegion& region, const EmulatedFile& file) const {
  const KeyTimeIndex& index = sample_.index();
  const ArrivalRange newer{file.arrivals.first + (file.arrivals.end - file.arrivals.first) / 2, file.arrivals.end};
  const uint32_t points = index.Count(region.ranks, newer);
  if (points == 0) return false;
  const RankRange span{index.NthRank(region.ranks, newer, 0), index.NthRank(region.ranks, newer, points - 1) + 1};
  return index.Count(span, file.arrivals) < points * 1.5;
}

// Adds the requests to `file` if readers want the newest records. The file's time is divided into slices, each twice as
// old as the next newer one, because popularity falls so fast.
void EmulatorRun::AddLatest(const EmulatedRegion& region, const EmulatedFile& file, double blocks,
                            std::vector<BlockGroup>* groups) const {
  const uint32_t all = sample_.size();
  const uint32_t points = std::max(uint32_t{1}, sample_.index().Count(region.ranks, file.arrivals));
  const bool in_order = IsInOrder(region, file);
  BlockGroup whole{.blocks = blocks};
  for (uint32_t end = file.arrivals.end; end > file.arrivals.first;) {
    const uint32_t age = all - end;
    const uint32_t first = std::max(file.arrivals.first, all - std::min(all, 2 * age + 1));
    const double of_slice = ZipfShare((all - first) * records_per_point_, load_.records) -
                            ZipfShare(age * records_per_point_, load_.records);
    const uint32_t here = sample_.index().Count(region.ranks, {first, end});
    const double requests = of_slice * here / (end - first) / static_cast<double>(sizes_.size());
    if (in_order) {
      groups->push_back({blocks * here / points, requests});
    } else {
      whole.requests += requests;
    }
    end = first;
  }
  if (!in_order) groups->push_back(whole);
}

// Requests go to the files' blocks, or to memstores.
double EmulatorRun::CacheHitRatio(const EmulatedServer& server) const {
  const bool latest = load_.reads == ReadPattern::kLatest;
  double file_bytes_per_record = 0;
  for (const RecordSize& size : sizes_) file_bytes_per_record += size.file;
  std::vector<BlockGroup> groups;
  BlockGroup even;  // blocks with equal request rates
  for (const uint32_t id : server.regions) {
    const EmulatedRegion& region = regions_[id];
    for (const EmulatedStore& store : region.stores) {
      for (const EmulatedFile& file : store.files) {
        // The cache holds blocks as they were before compression.
        const double blocks = file.bytes / load_.compressed_share / kBlockBytes;
        if (latest) {
          AddLatest(region, file, blocks, &groups);
        } else {
          even.blocks += blocks;
          even.requests += file.bytes / file_bytes_per_record / load_.records;
        }
      }
    }
  }
  if (load_.reads == ReadPattern::kZipfian) SpreadPopular(even, &groups);
  if (load_.reads == ReadPattern::kUniform) groups.push_back(even);
  const double cache_bytes = static_cast<double>(cluster_.heap_bytes) * settings_.block_cache_share;
  return LruHitRatio(groups, cache_bytes / kBlockBytes);
}

// The popular records lie anywhere, each in a block of its own as long as they are few. `even` has the requests that
// all blocks would get if no record were popular.
void EmulatorRun::SpreadPopular(const BlockGroup& even, std::vector<BlockGroup>* groups) const {
  if (even.blocks <= 0) return;
  const double share = even.requests;  // the share of all records in these blocks
  double blocks_left = even.blocks;
  double popular = 0;
  for (double first = 0, count = 1; first < load_.records; first += count, count *= 2) {
    const double blocks = count * share;
    if (blocks > blocks_left / 2) break;
    const double end = std::min(first + count, load_.records);
    const double requests = share * (ZipfShare(end, load_.records) - ZipfShare(first, load_.records));
    groups->push_back({blocks, requests});
    blocks_left -= blocks;
    popular += requests;
  }
  // All other requests go to all blocks alike.
  const double rest = std::max(0.0, share - popular);
  for (BlockGroup& group : *groups) group.requests += rest * group.blocks / even.blocks;
  groups->push_back({blocks_left, rest * blocks_left / even.blocks});
}

}  // namespace vaquita::lab
