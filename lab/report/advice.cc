#include "lab/report/advice.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "lab/records/expression.h"
#include "lab/records/random_number.h"
#include "model/region_info.h"

namespace vaquita::lab {
namespace {

// Limits above which a figure is a problem.
constexpr double kRising = 0.9;  // share of the keys that are larger than every one before
// This share is enough if one region also gets kOneRegion of all at a time.
constexpr double kRisingWithDelays = 0.05;
constexpr double kOneRegion = 0.7;
constexpr double kHotAtATime = 2.5;         // times an even share
constexpr double kHotRow = 0.01;            // share of all requests
constexpr double kLongKey = 50;             // bytes
constexpr size_t kLongCommonBeginning = 8;  // bytes
constexpr uint64_t kTrials = 20'000;        // records that a field is judged by
constexpr uint64_t kAllTrials = 400'000;    // those that many fields share
constexpr std::string_view kSeparators = "|:,;/#~_-";

bool Has(const std::vector<Finding>& findings, Finding::Kind kind) {
  return std::any_of(findings.begin(), findings.end(), [kind](const Finding& f) { return f.kind == kind; });
}

std::string Percent(double share) { return absl::StrFormat("%.3g%%", share * 100); }

std::string HotText(const ExaminedKey& key) {
  return absl::StrFormat("of %d regions the hottest gets %.2f x an even share at a time", key.regions,
                         key.writes.hottest_slice);
}

// Returns the shortest prefix with few values behind which the keys rise: that many places are written at a time.
const KeyPrefixes* RisingPrefixes(const ExaminedKey& key) {
  for (const KeyPrefixes& prefixes : key.statistics.prefixes) {
    const bool few = prefixes.values >= 2 && prefixes.values * 20 < key.statistics.keys;
    if (few && prefixes.rising >= 0.9) return &prefixes;
  }
  return nullptr;
}

// A field, or one of a key's parts, by which keys could begin instead.
struct Leader {
  std::string source;  // an expression
  double values = 0;   // different ones, of kTrials records
  double largest = 0;  // the most frequent one's share
};

// Returns records by which a field is judged: runs of neighbours, which show whether its values rise, at random places
// of all records.
std::vector<uint64_t> RecordsOfTrials(uint64_t most, uint64_t records) {
  constexpr uint64_t kRuns = 20;
  const uint64_t trials = std::min(most, records);
  const uint64_t length = std::max(uint64_t{1}, trials / kRuns);
  const uint64_t runs = trials / length;
  std::vector<uint64_t> chosen;
  for (uint64_t run = 0; run < runs; ++run) {
    const uint64_t begin = records * run / runs;
    const uint64_t spare = records * (run + 1) / runs - begin - length;
    const uint64_t first = begin + RandomBelow(RandomNumber(records, run), spare + 1);
    for (uint64_t i = 0; i < length; ++i) chosen.push_back(first + i);
  }
  return chosen;
}

// One of `candidates`, which take the trials in turn.
std::optional<Leader> Judge(const std::string& source, size_t candidates, const ExaminedKey& key) {
  const auto design = KeyDesign::Parse(source, key.records.schema(), key.tables);
  if (!design.ok()) return std::nullopt;
  absl::flat_hash_map<size_t, uint64_t> times;  // by the value's hash: values may be as long as keys
  RecordBuffer buffer;
  std::string bytes, largest;
  uint64_t rising = 0;
  const std::vector<uint64_t> trials = RecordsOfTrials(std::min(kTrials, kAllTrials / candidates), key.records.size());
  for (const uint64_t index : trials) {
    bytes.clear();
    if (!design->AppendKey(key.records.Get(index, &buffer), key.records.RunIndex(index), &bytes).ok())
      return std::nullopt;
    ++times[std::hash<std::string_view>()(bytes)];
    rising += bytes > largest ? 1 : 0;
    largest = std::max(largest, bytes);
  }
  Leader leader{source, static_cast<double>(times.size()), 0};
  for (const auto& [hash, count] : times) {
    leader.largest = std::max(leader.largest, static_cast<double>(count) / static_cast<double>(trials.size()));
  }
  const bool spreads = leader.values >= 2 * key.regions && leader.largest < 0.5 / key.regions;
  if (!spreads || static_cast<double>(rising) > 0.5 * leader.values) return std::nullopt;
  return leader;
}

// The design's operands, without separators between them.
struct Operands {
  std::vector<std::string> sources;
  std::string separator;  // as the design has it: "'|'"; empty: none
};

Operands OperandsOf(const KeyDesign& design) {
  Operands operands;
  const auto whole = ParseExpression(design.expression());
  if (!whole.ok()) return operands;
  for (const Expression& operand : whole->Joined()) {
    const std::string source(operand.Source(design.expression()));
    if (operand.kind == Expression::Kind::kText) {
      operands.separator = source;
    } else {
      operands.sources.push_back(source);
    }
  }
  return operands;
}

// A key of one text field may be made of parts: "part(key, '|', 1)", "part(key, '|', 2)", if all keys have as many.
Operands PartsOfText(const std::string& field, int column, const RecordSet& records) {
  RecordBuffer buffer;
  for (const char separator : kSeparators) {
    std::set<int64_t> counts;
    for (uint64_t i = 0; i < std::min<uint64_t>(records.size(), 1'000); ++i) {
      const std::string_view text = records.Get(i, &buffer)[column].text;
      counts.insert(std::count(text.begin(), text.end(), separator));
    }
    if (counts.size() != 1 || *counts.begin() == 0 || *counts.begin() > 8) continue;
    Operands operands{.sources = {}, .separator = absl::StrCat("'", std::string(1, separator), "'")};
    for (int64_t part = 1; part <= *counts.begin() + 1; ++part) {
      operands.sources.push_back(absl::StrCat("part(", field, ", ", operands.separator, ", ", part, ")"));
    }
    return operands;
  }
  return {};
}

std::string Joined(const std::vector<std::string>& sources, const std::string& separator) {
  return absl::StrJoin(sources, separator.empty() ? " + " : absl::StrCat(" + ", separator, " + "));
}

// Proposes a design that begins with a part by which the load spreads: one of its own, or another field.
std::optional<Proposal> Promotion(const ExaminedKey& key) {
  Operands operands = OperandsOf(key.design);
  const Schema& schema = key.records.schema();
  if (operands.sources.size() == 1) {
    const auto column = schema.Find(operands.sources[0]);
    if (column && schema.fields()[*column].kind == FieldKind::kText) {
      Operands parts = PartsOfText(operands.sources[0], *column, key.records);
      if (!parts.sources.empty()) operands = std::move(parts);
    }
  }
  std::optional<Leader> best;
  for (size_t i = 1; i < operands.sources.size(); ++i) {
    const auto leader = Judge(operands.sources[i], operands.sources.size(), key);
    if (leader && (!best || leader->values > best->values)) best = leader;
  }
  if (best) {
    auto& sources = operands.sources;
    sources.erase(std::find(sources.begin(), sources.end(), best->source));
    sources.insert(sources.begin(), best->source);
    return Proposal{Joined(sources, operands.separator),
                    absl::StrCat(best->source,
                                 " first: it spreads writes, and all rows of one value stay together; ranges over "
                                 "all values become full scans")};
  }
  for (const Field& field : schema.fields()) {
    const auto source = NameSource(field.name);
    if (!source.ok()) continue;
    const auto leader = Judge(*source, schema.fields().size(), key);
    if (!leader || (best && leader->values <= best->values)) continue;
    if (key.design.expression().find(field.name) == std::string::npos) best = leader;
  }
  if (!best) return std::nullopt;
  const std::string separator = operands.separator.empty() ? "'|'" : operands.separator;
  return Proposal{absl::StrCat(best->source, " + ", separator, " + ", key.design.expression()),
                  absl::StrCat("the field ", best->source,
                               " first: it spreads writes, and all rows of one value stay "
                               "together; readers must know it")};
}

// Proposes a bucket of an MD5. Java's hash codes alone would leave patterns of the key in the remainder: modulo 10, 31
// is 1.
Proposal Bucketed(const ExaminedKey& key) {
  const int buckets = std::clamp(key.regions, 2, 128);
  return {absl::StrCat("byte(floor_mod(bytes_hash(md5(", key.design.expression(), ")), ", buckets, ")) + ",
                       key.design.expression()),
          absl::StrCat("a bucket of the key's hash: writes go to ", buckets,
                       " places, a get computes its bucket, a range is ", buckets, " ranges; one byte longer")};
}

Proposal Reversed(const ExaminedKey& key) {
  return {absl::StrCat("reverse_digits(", key.design.expression(), ")"),
          "the digits reversed: the fastest changing comes first; the key stays as long, a get is as before, but a "
          "range is a full scan"};
}

Proposal Hashed(const ExaminedKey& key) {
  return {absl::StrCat("hash_prefix(md5(", key.design.expression(), "), 2) + ", key.design.expression()),
          "two bytes of an MD5: spreads over any number of regions, a get computes them; a range is a full scan"};
}

Proposal Shortened(const ExaminedKey& key) {
  return {absl::StrCat("md5(", key.design.expression(), ")"),
          "the MD5 itself: 16 bytes, however long the key was; gets only, and the key must be kept in a column"};
}

Proposal SpreadRow(const ExaminedKey& key) {
  const int copies = std::clamp(key.regions, 2, 128);
  return {absl::StrCat("round_robin(", copies, ") + ", key.design.expression()),
          absl::StrCat("each row in ", copies, " pieces, written in turn: a hot row's writes spread; a read puts ",
                       copies, " pieces together")};
}

bool IsDigits(const ExaminedKey& key) {
  RecordBuffer buffer;
  std::string bytes;
  for (uint64_t i = 0; i < std::min<uint64_t>(1'000, key.records.size()); ++i) {
    bytes.clear();
    if (!key.design.AppendKey(key.records.Get(i, &buffer), key.records.RunIndex(i), &bytes).ok()) continue;
    if (!std::all_of(bytes.begin(), bytes.end(), [](char c) { return c >= '0' && c <= '9'; })) return false;
  }
  return true;
}

}  // namespace

std::vector<Finding> FindProblems(const ExaminedKey& key) {
  using Kind = Finding::Kind;
  const KeyStatistics& s = key.statistics;
  std::vector<Finding> findings;
  const auto monotonic = [&](double share) {
    const bool one_region = key.writes.hottest_slice >= kOneRegion * key.regions;
    return key.in_order_of_arrival && (share >= kRising || (one_region && share >= kRisingWithDelays));
  };
  const bool rises = monotonic(s.rising);
  const bool falls = monotonic(s.falling);
  if (rises || falls) {
    findings.push_back(
        {rises ? Kind::kRising : Kind::kFalling,
         absl::StrCat(
             "Monotonic: ", Percent(rises ? s.rising : s.falling), " of the keys are ", rises ? "larger" : "smaller",
             " than every one before. All new rows go to one region, wherever the splits are: ", HotText(key), ".")});
  } else if (const KeyPrefixes* prefixes = key.in_order_of_arrival ? RisingPrefixes(key) : nullptr;
             prefixes != nullptr && key.writes.hottest_slice > kHotAtATime) {
    findings.push_back(
        {Kind::kFewBeginnings,
         absl::StrCat("Low-cardinality prefix: the first ", prefixes->bytes, " bytes have ", prefixes->values,
                      " values ('", ToStringBinary(prefixes->largest), "' begins ", Percent(prefixes->largest_share),
                      " of the keys), and behind each the keys rise. At most ", prefixes->values,
                      " places are written at a time: ", HotText(key), ".")});
  } else if (key.in_order_of_arrival && key.writes.hottest_slice > kHotAtATime) {
    findings.push_back(
        {Kind::kSkew, absl::StrCat("Skew: ", HotText(key), ", although the splits divide the keys evenly.")});
  }
  if (s.most_frequent_share >= kHotRow && s.most_frequent_share * static_cast<double>(s.keys) >= 10) {
    findings.push_back(
        {Kind::kHotRow,
         absl::StrCat("Hot row: of all ", WithCommas(s.keys), " requests '", ToStringBinary(s.most_frequent), "' gets ",
                      WithCommas(std::llround(s.most_frequent_share * static_cast<double>(s.keys))), ": alone it is ",
                      ShareText(s.most_frequent_share * key.regions),
                      " an even share of a region. A row lies in one region, and no split divides it.")});
  }
  if (s.mean_bytes > kLongKey) {
    findings.push_back(
        {Kind::kLongKeys,
         absl::StrFormat("Long keys: %.1f bytes on average, %d at most, and each cell repeats its row's key: %s "
                         "MB of keys for each million rows of 5 columns.",
                         s.mean_bytes, s.longest, WithCommas(static_cast<uint64_t>(s.mean_bytes * 5)))});
  }
  if (s.distinct > 1 && s.common_prefix.size() >= kLongCommonBeginning) {
    findings.push_back(
        {Kind::kLongCommonBeginning,
         absl::StrCat("Common beginning: all keys begin with the same ", s.common_prefix.size(), " bytes, '",
                      ToStringBinary(s.common_prefix), "', which do not tell rows apart, but stand in every cell.")});
  }
  return findings;
}

std::vector<Proposal> ProposeDesigns(const ExaminedKey& key, const std::vector<Finding>& findings) {
  using Kind = Finding::Kind;
  std::vector<Proposal> proposals;
  if (Has(findings, Kind::kHotRow)) proposals.push_back(SpreadRow(key));
  if (Has(findings, Kind::kRising) || Has(findings, Kind::kFalling) || Has(findings, Kind::kFewBeginnings) ||
      Has(findings, Kind::kSkew)) {
    proposals.push_back(Bucketed(key));
    if (auto promotion = Promotion(key)) proposals.push_back(*std::move(promotion));
    if (!Has(findings, Kind::kLongKeys)) proposals.push_back(IsDigits(key) ? Reversed(key) : Hashed(key));
  }
  if (Has(findings, Kind::kLongKeys)) proposals.push_back(Shortened(key));
  // A design that does not parse over these fields (reversed digits of a number that is stored in bytes) is not
  // proposed.
  std::erase_if(proposals, [&](const Proposal& proposal) {
    return !KeyDesign::Parse(proposal.design, key.records.schema(), key.tables).ok();
  });
  if (proposals.size() > kMostProposals) proposals.resize(kMostProposals);
  return proposals;
}

}  // namespace vaquita::lab
