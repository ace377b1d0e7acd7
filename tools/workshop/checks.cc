#include "tools/workshop/checks.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "client/admin.h"
#include "client/table.h"
#include "sql/encoding/value_text.h"
#include "sql/engine/session.h"
#include "tools/workshop/table_facts.h"

namespace vaquita::workshop {
namespace {

using Say = std::function<void(const std::string&)>;

constexpr size_t kMostFlights = 2000;  // the sample has 2,105; some may share a key
constexpr size_t kSlices = 8;

// The parts of a check: each says what it found if that is as it should be, and returns what is missing otherwise.
absl::Status Fact(bool holds, const std::string& found, const std::string& wanted, const Say& say) {
  if (!holds) return absl::FailedPreconditionError(absl::StrCat(found, "; wanted: ", wanted));
  say(found);
  return absl::OkStatus();
}

absl::Status HasRegions(const TableFacts& table, size_t least, const Say& say) {
  return Fact(table.regions.size() >= least, absl::StrCat(table.name, " has ", table.regions.size(), " regions"),
              absl::StrCat("at least ", least), say);
}

absl::Status HasRows(const TableFacts& table, size_t least, const Say& say) {
  return Fact(table.rows() >= least, absl::StrCat(table.name, " has ", table.rows(), " rows"),
              absl::StrCat("at least ", least), say);
}

absl::Status IsEven(const std::string& what, double hottest, double most, const Say& say) {
  return Fact(hottest > 0 && hottest <= most,
              absl::StrFormat("%s: the hottest region gets %.2f x an even share", what, hottest),
              absl::StrFormat("at most %.2f x", most), say);
}

std::string_view PartBefore(const std::string& row, char end) { return std::string_view(row).substr(0, row.find(end)); }

// Returns the user regions of each live server.
absl::StatusOr<std::map<std::string, int>> RegionsOfServers(client::Connection* connection, const TableName& table) {
  const auto admin = connection->GetAdmin();
  VAQUITA_ASSIGN_OR_RETURN(const ClusterStatus status, admin->GetClusterStatus());
  VAQUITA_ASSIGN_OR_RETURN(const auto locations, admin->GetRegions(table));
  std::map<std::string, int> regions;
  for (const ServerMetrics& server : status.servers) regions[server.server_name] = 0;
  for (const client::RegionLocation& location : locations) ++regions[location.server_name];
  return regions;
}

// 1: a key of the flight's own columns that spreads the writes of every moment.
absl::Status CheckHotspot(client::Connection* connection, const Say& say) {
  VAQUITA_ASSIGN_OR_RETURN(const TableFacts table, ReadTable(connection, "mine"));
  VAQUITA_RETURN_IF_ERROR(HasRegions(table, 4, say));
  VAQUITA_RETURN_IF_ERROR(HasRows(table, 400, say));
  return IsEven("at any moment", HottestAtATime(table, kSlices), 2, say);
}

// 2: borders for other keys.
absl::Status CheckPreSplitting(client::Connection* connection, const Say& say) {
  VAQUITA_ASSIGN_OR_RETURN(const TableFacts table, ReadTable(connection, "by_dest"));
  VAQUITA_RETURN_IF_ERROR(HasRegions(table, 10, say));
  VAQUITA_RETURN_IF_ERROR(HasRows(table, kMostFlights, say));
  std::set<std::string_view> places;
  for (const FactsOfCell& cell : table.cells) places.insert(std::string_view(cell.row).substr(0, 3));
  VAQUITA_RETURN_IF_ERROR(Fact(places.size() > 50 && places.size() < 200,
                               absl::StrCat("the rows begin with ", places.size(), " destinations"),
                               "keys that begin with the destination's three letters", say));
  std::vector<int64_t> writes;
  for (const RegionMetrics& region : table.regions) writes.push_back(region.write_requests);
  return IsEven("of the writes", HottestShare(writes), 2, say);
}

// 3: as few buckets as the writes need.
absl::Status CheckSalting(client::Connection* connection, const Say& say) {
  VAQUITA_ASSIGN_OR_RETURN(const TableFacts table, ReadTable(connection, "few"));
  VAQUITA_RETURN_IF_ERROR(HasRegions(table, 3, say));
  VAQUITA_RETURN_IF_ERROR(HasRows(table, kMostFlights, say));
  std::set<std::string_view> buckets;
  for (const FactsOfCell& cell : table.cells) buckets.insert(PartBefore(cell.row, '|'));
  VAQUITA_RETURN_IF_ERROR(Fact(buckets.size() == 3, absl::StrCat("a day is read by ", buckets.size(), " scans"),
                               "three, one for each bucket before the first |", say));
  return IsEven("at any moment", HottestAtATime(table, kSlices), 1.5, say);
}

// 4: the newest first, for each airport.
absl::Status CheckReversedTime(client::Connection* connection, const Say& say) {
  VAQUITA_ASSIGN_OR_RETURN(const TableFacts table, ReadTable(connection, "airports"));
  VAQUITA_RETURN_IF_ERROR(HasRows(table, kMostFlights, say));
  std::map<std::string_view, std::vector<std::string>> times;  // in the order of the rows
  for (const FactsOfCell& cell : table.cells) {
    if (cell.column == "f:time") times[PartBefore(cell.row, '|')].push_back(cell.value);
  }
  for (const std::string_view airport : {"EWR", "JFK", "LGA"}) {
    const std::vector<std::string>& its = times[airport];
    const std::string name(airport);
    VAQUITA_RETURN_IF_ERROR(Fact(its.size() > 500, absl::StrCat(name, " has ", its.size(), " rows with f:time"),
                                 "all of its flights, with keys that begin with " + name + "|", say));
    VAQUITA_RETURN_IF_ERROR(Fact(std::is_sorted(its.rbegin(), its.rend()),
                                 absl::StrCat("a scan of ", name, "| begins with ", its.front()),
                                 absl::StrCat("the newest first: ", *std::max_element(its.begin(), its.end())), say));
  }
  return absl::OkStatus();
}

// 5: a row for each carrier.
absl::Status CheckWide(client::Connection* connection, const Say& say) {
  VAQUITA_ASSIGN_OR_RETURN(const TableFacts table, ReadTable(connection, "carriers"));
  const size_t rows = table.rows();
  VAQUITA_RETURN_IF_ERROR(
      Fact(rows >= 10 && rows <= 20, absl::StrCat("carriers has ", rows, " rows"), "one for each carrier", say));
  return Fact(table.cells.size() >= kMostFlights, absl::StrCat("they have ", table.cells.size(), " cells"),
              "a column for each of the 2,105 flights: a time alone is the column of several", say);
}

// Returns whether servers report every region: each begins where the one before ends.
bool HasAllRegions(const TableFacts& table) {
  std::string_view end;
  for (const RegionMetrics& region : table.regions) {
    if (region.info.start_key != end) return false;
    end = region.info.end_key;
  }
  return !table.regions.empty() && end.empty();
}

absl::Status IsCompacted(const TableFacts& table, const Say& say) {
  if (!HasAllRegions(table)) {
    return absl::FailedPreconditionError(absl::StrCat("the servers do not report all regions of ", table.name));
  }
  for (const RegionMetrics& region : table.regions) {
    VAQUITA_RETURN_IF_ERROR(Fact(region.store_files == 1 && region.memstore_bytes == 0,
                                 absl::StrCat("a region of ", table.name, ": ", region.store_files, " store files, ",
                                              region.memstore_bytes, " bytes in its memstore"),
                                 "everything in one store file", say));
  }
  return absl::OkStatus();
}

// 6: versions that are gone from the disk.
absl::Status CheckVersions(client::Connection* connection, const Say& say) {
  VAQUITA_ASSIGN_OR_RETURN(const TableFacts table, ReadTable(connection, "history", /*raw=*/true));
  const auto family = table.descriptor.families.find("f");
  const int versions = family == table.descriptor.families.end() ? 0 : family->second.max_versions;
  VAQUITA_RETURN_IF_ERROR(Fact(versions == 3, absl::StrCat("history keeps ", versions, " versions of f"), "3", say));
  std::vector<std::string> delays;
  for (const FactsOfCell& cell : table.cells) {
    if (cell.row == "UA1545" && cell.column == "f:delay") delays.push_back(cell.value);
  }
  VAQUITA_RETURN_IF_ERROR(Fact(delays.size() == 3,
                               absl::StrCat("row UA1545 has ", delays.size(), " cells of f:delay, hidden ones counted"),
                               "three of the five that were put", say));
  return IsCompacted(table, say);
}

// 7: regions that go on growing.
absl::Status CheckSplits(client::Connection* connection, const Say& say) {
  VAQUITA_ASSIGN_OR_RETURN(const TableFacts table, ReadTable(connection, "by_hash"));
  VAQUITA_RETURN_IF_ERROR(HasRegions(table, 4, say));
  VAQUITA_RETURN_IF_ERROR(HasRows(table, kMostFlights - 100, say));
  return IsEven("of the rows", HottestShare(table.CellsOfRegions()), 1.5, say);
}

// 8: a server without regions, for its repair.
absl::Status CheckBalancer(client::Connection* connection, const Say& say) {
  const auto table = TableName::Parse("flights");
  VAQUITA_ASSIGN_OR_RETURN(const ClusterStatus status, connection->GetAdmin()->GetClusterStatus());
  VAQUITA_RETURN_IF_ERROR(Fact(!status.balancer_on, status.balancer_on ? "the balancer is on" : "the balancer is off",
                               "off, so that it does not undo the moves", say));
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, RegionsOfServers(connection, *table));
  std::vector<int> counts;
  for (const auto& [server, count] : regions) counts.push_back(count);
  std::sort(counts.begin(), counts.end());
  if (counts.size() < 3) return Fact(false, absl::StrCat("region servers alive: ", counts.size()), "three", say);
  VAQUITA_RETURN_IF_ERROR(Fact(counts.front() == 0,
                               absl::StrCat("the servers have ", counts.front(), " to ", counts.back(), " of flights"),
                               "one server of three with none", say));
  return Fact(counts[1] + 1 >= counts.back(),
              absl::StrCat("the other ", counts.size() - 1, " have ", counts[1], " to ", counts.back()),
              "equal shares of the twelve, or one more", say);
}

// 9: two of three servers are gone, and no row.
absl::Status CheckDeath(client::Connection* connection, const Say& say) {
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, RegionsOfServers(connection, *TableName::Parse("flights")));
  VAQUITA_RETURN_IF_ERROR(Fact(regions.size() == 1, absl::StrCat("region servers alive: ", regions.size()),
                               "one, which has the regions of the other two", say));
  VAQUITA_ASSIGN_OR_RETURN(const TableFacts table, ReadTable(connection, "flights"));
  VAQUITA_RETURN_IF_ERROR(HasRegions(table, 12, say));
  return HasRows(table, 2105, say);
}

// 10: one file, and no cell in it that no read returns.
absl::Status CheckCompaction(client::Connection* connection, const Say& say) {
  VAQUITA_ASSIGN_OR_RETURN(const TableFacts seen, ReadTable(connection, "corrected"));
  VAQUITA_ASSIGN_OR_RETURN(const TableFacts stored, ReadTable(connection, "corrected", /*raw=*/true));
  VAQUITA_RETURN_IF_ERROR(HasRows(seen, 1900, say));
  const bool deleted = std::none_of(seen.cells.begin(), seen.cells.end(),
                                    [](const FactsOfCell& cell) { return cell.row.starts_with("201301"); });
  VAQUITA_RETURN_IF_ERROR(Fact(deleted, deleted ? "January is deleted" : "the flights of January are there",
                               "no row that begins with 201301", say));
  VAQUITA_RETURN_IF_ERROR(
      Fact(stored.cells.size() == seen.cells.size(),
           absl::StrCat("reads return ", seen.cells.size(), " of ", stored.cells.size(), " stored cells"),
           "all of them: nothing that is hidden is stored", say));
  return IsCompacted(seen, say);
}

// 11: reads of one row, spread over its copies.
absl::Status CheckHotReads(client::Connection* connection, const Say& say) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<RegionMetrics> before,
                           connection->GetAdmin()->GetRegionMetrics(*TableName::Parse("copies")));
  std::vector<int64_t> reads;
  int64_t total = 0;
  for (const RegionMetrics& region : before) {
    reads.push_back(region.read_requests);
    total += region.read_requests;
  }
  VAQUITA_RETURN_IF_ERROR(
      Fact(total >= 200, absl::StrCat("copies was read ", total, " times"), "at least 200 times", say));
  VAQUITA_RETURN_IF_ERROR(IsEven("of the reads", HottestShare(reads), 1.5, say));
  VAQUITA_ASSIGN_OR_RETURN(const TableFacts table, ReadTable(connection, "copies"));
  VAQUITA_RETURN_IF_ERROR(HasRegions(table, 4, say));
  std::set<std::string> flights;
  for (const FactsOfCell& cell : table.cells) flights.insert(cell.row.substr(cell.row.find('|') + 1));
  return Fact(flights.size() == 1, absl::StrCat("all ", table.rows(), " rows are copies of one flight"),
              "keys of one flight, behind a number and |", say);
}

struct QueryAnswer {
  std::vector<std::vector<std::string>> rows;  // values as text, since the types are the user's choice
  int64_t rows_read = 0;                       // those of tables
};

absl::StatusOr<QueryAnswer> Query(sql::Session* session, const std::string& text) {
  VAQUITA_ASSIGN_OR_RETURN(const auto query, session->Prepare(text));
  VAQUITA_RETURN_IF_ERROR(query->Execute({}).status());
  QueryAnswer answer;
  for (;;) {
    VAQUITA_ASSIGN_OR_RETURN(const auto row, query->Next());
    if (!row.has_value()) break;
    std::vector<std::string>& texts = answer.rows.emplace_back();
    for (size_t i = 0; i < row->size(); ++i) texts.push_back(sql::JavaText(query->columns()[i].type, (*row)[i]));
  }
  answer.rows_read = query->rows_read();
  return answer;
}

// 12: a key for one query of SQL.
absl::Status CheckQuery(client::Connection* connection, const Say& say) {
  // The check's own session ends before the connection.
  sql::Session session(std::shared_ptr<client::Connection>(std::shared_ptr<void>(), connection));
  VAQUITA_ASSIGN_OR_RETURN(
      const QueryAnswer all,
      Query(&session, "SELECT COUNT(*), MAX(CASE WHEN DEST = 'LAX' THEN DEPARTURE END) FROM DESTINATIONS"));
  const std::string& newest = all.rows[0][1];
  size_t flights = 0;
  VAQUITA_RETURN_IF_ERROR(Fact(absl::SimpleAtoi(all.rows[0][0], &flights) && flights >= kMostFlights,
                               absl::StrCat("DESTINATIONS has ", all.rows[0][0], " flights"), "all of them", say));
  VAQUITA_ASSIGN_OR_RETURN(
      const QueryAnswer five,
      Query(&session, "SELECT DEPARTURE FROM DESTINATIONS WHERE DEST = 'LAX' ORDER BY DEPARTURE DESC LIMIT 5"));
  VAQUITA_RETURN_IF_ERROR(Fact(five.rows.size() == 5 && five.rows[0][0] == newest,
                               absl::StrCat("the newest flight to LAX left at ", newest), "a query that begins with it",
                               say));
  return Fact(five.rows_read == 5, absl::StrCat("the query reads ", five.rows_read, " rows"),
              "the five that it answers", say);
}

}  // namespace

absl::Status Check(int exercise, client::Connection* connection, const Say& say) {
  constexpr absl::Status (*kChecks[kExercises])(client::Connection*, const Say&) = {
      CheckHotspot, CheckPreSplitting, CheckSalting, CheckReversedTime, CheckWide,     CheckVersions,
      CheckSplits,  CheckBalancer,     CheckDeath,   CheckCompaction,   CheckHotReads, CheckQuery};
  return kChecks[exercise - 1](connection, say);
}

std::string ResultText(int exercise, const absl::Status& checked) {
  return checked.ok() ? absl::StrCat("Right: exercise ", exercise, " is done.")
                      : absl::StrCat("Not yet: ", checked.message());
}

}  // namespace vaquita::workshop
