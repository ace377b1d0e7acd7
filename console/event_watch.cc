#include "console/event_watch.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/clock.h"
#include "server/master/master.h"
#include "server/master/master_metrics.h"
#include "server/regionserver/region_server.h"

namespace vaquita {
namespace {

constexpr std::chrono::milliseconds kPeriod(200);
constexpr int64_t kMasterPeriodMs = 1'000;

std::string CountText(int64_t count, std::string_view name) {
  return std::to_string(count) + " " + std::string(name) + (count == 1 ? "" : "s");
}

std::string SizeText(int64_t bytes) {
  if (bytes < 10 * kKiB) return CountText(bytes, "byte");
  return bytes < 10 * kMiB ? std::to_string(bytes / kKiB) + " KB" : std::to_string(bytes / kMiB) + " MB";
}

// A plan in a sentence: one line of its text after the other.
std::string PlanSentence(std::string plan) {
  constexpr size_t kMost = 1'000;
  while (plan.ends_with('\n')) plan.pop_back();
  std::replace(plan.begin(), plan.end(), '\n', ';');
  if (plan.size() > kMost) plan = plan.substr(0, kMost) + " ...";
  return plan.empty() ? "" : ": " + plan;
}

int64_t Compactions(const FileWork& work) { return work.minor_compactions + work.major_compactions; }

ConsoleEvent EventOf(std::string_view kind, const RegionInfo& region, const std::string& name, int64_t now_ms) {
  return {
      .time_ms = now_ms, .kind = kind, .table = region.table.ToString(), .region = name, .start_key = region.start_key};
}

void AddFlush(const StoreMetrics& before, const StoreMetrics& now, const std::string& family, ConsoleEvent event,
              EventLog* log) {
  event.files_out = now.flushes - before.flushes;
  event.bytes_out = now.flushed_bytes - before.flushed_bytes;
  event.text = "family " + family + ": " + SizeText(event.bytes_out) + " of cells were flushed to " +
               CountText(event.files_out, "file");
  log->Add(std::move(event));
}

std::string DroppedText(const DroppedCells& dropped) {
  const std::pair<int64_t, std::string_view> kinds[] = {{dropped.markers, "delete marker"},
                                                        {dropped.deleted, "deleted cell"},
                                                        {dropped.versions, "old version"},
                                                        {dropped.expired, "expired cell"},
                                                        {dropped.outside, "cell of the split's other half"},
                                                        {dropped.skipped, "more cell"}};
  std::string text;
  for (const auto& [count, name] : kinds) {
    if (count > 0) text += (text.empty() ? ", and dropped " : ", ") + CountText(count, name);
  }
  return text;
}

void AddCompaction(const StoreMetrics& before, const StoreMetrics& now, const std::string& family, ConsoleEvent event,
                   EventLog* log) {
  event.files_out = Compactions(now) - Compactions(before);
  event.files_in = now.compacted_files_read - before.compacted_files_read;
  event.bytes_in = now.compacted_bytes_read - before.compacted_bytes_read;
  event.bytes_out = now.compacted_bytes_written - before.compacted_bytes_written;
  const bool major = now.major_compactions > before.major_compactions;
  event.text = "family " + family + ": a " + (major ? "major" : "minor") + " compaction of " +
               CountText(event.files_in, "file") + " (" + SizeText(event.bytes_in) + ") made " +
               CountText(event.files_out, "file") + " (" + SizeText(event.bytes_out) + ")" +
               DroppedText(now.dropped - before.dropped);
  log->Add(std::move(event));
}

}  // namespace

void EventWatch::Start() {
  chore_ = std::make_unique<Chore>(kPeriod, [this] { CollectEvents(); });
}

// A server that is not there has no events.
void EventWatch::CollectEvents() {
  const int64_t now_ms = source_.clock->NowMs();
  if (source_.with_region_server != nullptr) {
    source_
        .with_region_server([&](RegionServer* server) {
          CollectRegionEvents(server, now_ms);
          CollectStoreEvents(server, now_ms);
          return absl::OkStatus();
        })
        .IgnoreError();
  }
  if (source_.with_master == nullptr ||
      (now_ms >= master_checked_ms_ && now_ms < master_checked_ms_ + kMasterPeriodMs)) {
    return;
  }
  master_checked_ms_ = now_ms;
  source_
      .with_master([&](Master* master) {
        CollectMasterEvents(master, now_ms);
        return absl::OkStatus();
      })
      .IgnoreError();
}

void EventWatch::CollectRegionEvents(RegionServer* server, int64_t now_ms) {
  const auto add = [&](std::vector<ConsoleEvent> events) {
    for (ConsoleEvent& event : events) {
      event.server = server->server_name();
      log_.Add(std::move(event));
    }
  };
  const bool same_life = server_ == server->server_name();
  if (!same_life) changes_ = RegionChanges();
  const bool same = same_life && regions_version_ == server->RegionsVersion();
  server_ = server->server_name();
  if (same) {
    if (changes_.waits()) add(changes_.Closed(now_ms));
    return;
  }
  regions_version_ = server->RegionsVersion();
  std::map<std::string, Watched> known;
  for (Watched& watched : regions_) known[watched.name] = std::move(watched);
  regions_.clear();
  RegionChanges::Regions infos;
  for (const auto& region : server->Regions()) {
    if (region->info().table.IsSystem()) continue;
    std::string name = region->info().EncodedName();
    infos[name] = region->info();
    Watched& before = known[name];
    if (before.region.lock() != region) before.stores.clear();  // counters are since the opening
    regions_.push_back({region, std::move(name), std::move(before.stores)});
  }
  add(changes_.Update(infos, now_ms));
}

void EventWatch::CollectStoreEvents(RegionServer* server, int64_t now_ms) {
  const StoreDbMetrics stores = server->StoreCounters();
  const bool same = stores.flushes == stores_.flushes && stores.minor_compactions == stores_.minor_compactions &&
                    stores.major_compactions == stores_.major_compactions;
  // A store counts a moment after the database, so the stores are looked at once more.
  if (same && !std::exchange(look_again_, false)) return;
  if (!same) look_again_ = true;
  stores_ = stores;
  for (Watched& watched : regions_) {
    const std::shared_ptr<Region> region = watched.region.lock();
    if (region == nullptr) continue;
    for (const RegionMetrics::NamedStore& store : region->Metrics().stores) {
      StoreMetrics& before = watched.stores[store.family];
      ConsoleEvent event = EventOf("flush", region->info(), watched.name, now_ms);
      event.server = server->server_name();
      if (store.metrics.flushes > before.flushes) AddFlush(before, store.metrics, store.family, event, &log_);
      event.kind = "compaction";
      if (Compactions(store.metrics) > Compactions(before)) {
        AddCompaction(before, store.metrics, store.family, event, &log_);
      }
      before = store.metrics;
    }
  }
}

void EventWatch::CollectMasterEvents(Master* master, int64_t now_ms) {
  const std::vector<std::string> names = master->ServerNames();
  const std::set<std::string> servers(names.begin(), names.end());
  const MasterMetrics metrics = master->Metrics();
  const auto add = [&](std::string_view kind, const std::string& server, std::string text) {
    log_.Add({.time_ms = now_ms, .kind = kind, .server = server, .text = std::move(text)});
  };
  if (master_seen_) {
    for (const std::string& name : servers) {
      if (!servers_.contains(name)) add("server", name, "server " + name + " is there");
    }
    for (const std::string& name : servers_) {
      if (!servers.contains(name)) add("server", name, "server " + name + " is gone");
    }
    if (metrics.balancer.moves > balancer_moves_) {
      add("balance", "",
          "the balancer moved " + CountText(metrics.balancer.moves - balancer_moves_, "region") +
              NewReasons(master->LastBalancerPlan()));
    }
  }
  master_seen_ = true;
  servers_ = servers;
  balancer_moves_ = metrics.balancer.moves;
}

// A run's moves may be seen at several looks: the first event has the reasons.
std::string EventWatch::NewReasons(const std::string& plan) {
  if (plan == shown_plan_) return "";
  shown_plan_ = plan;
  return PlanSentence(plan);
}

}  // namespace vaquita
