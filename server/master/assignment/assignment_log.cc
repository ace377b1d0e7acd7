#include "server/master/assignment/assignment_log.h"

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"

namespace vaquita {
namespace {

using assignment::Outputs;
using assignment::RegionChange;
using assignment::TransitionChange;

std::string_view OrNone(std::string_view text) { return text.empty() ? "-" : text; }

std::string RegionLine(const RegionInfo& info, std::string_view state, std::string_view from, std::string_view to,
                       std::string_view reason, int64_t ms) {
  return absl::StrCat("assignment: region=", info.EncodedName(), " table=", info.table.ToString(),
                      " state=", AbslText(state), " from=", AbslText(OrNone(from)), " to=", AbslText(OrNone(to)),
                      " reason=", AbslText(reason), " ms=", ms);
}

std::string ServerLine(std::string_view server, std::string_view state, std::string_view to, std::string_view reason) {
  return absl::StrCat("assignment: server=", AbslText(server), " state=", AbslText(state), " to=", AbslText(OrNone(to)),
                      " reason=", AbslText(reason));
}

// Returns whether a transition ends in `state`.
bool IsEnd(RegionState state) {
  return state == RegionState::kOpen || state == RegionState::kClosed || state == RegionState::kOffline ||
         state == RegionState::kFailedOpen;
}

}  // namespace

std::string AssignmentLog::LineOf(const RegionChange& change, std::string_view reason, int64_t now_ms) {
  const bool open = change.state == RegionState::kOpen;
  const auto [at, is_new] = running_.try_emplace(change.info->EncodedName());
  RunningTransition& running = at->second;
  if (is_new) running = {.at_ms = now_ms, .from = open ? "" : change.home, .reason = std::string(reason)};
  std::string line = RegionLine(*change.info, RegionStateName(change.state), running.from,
                                open ? change.home : change.target, running.reason, now_ms - running.at_ms);
  if (IsEnd(change.state)) running_.erase(at);
  return line;
}

void AssignmentLog::Forget(const std::vector<std::string>& encoded_names) {
  for (const std::string& name : encoded_names) running_.erase(name);
}

std::vector<std::string> AssignmentLog::Lines(const Outputs& outputs, std::string_view reason, int64_t now_ms) {
  std::vector<std::string> lines;
  for (const auto& server : outputs.now_dead) {
    lines.push_back(ServerLine(server, "dead", "", reason));
  }
  for (const TransitionChange& change : outputs.transitions) {
    const char* const kind = change.split ? "split" : "merge";
    for (const auto& parent : change.parents) {
      lines.push_back(RegionLine(*parent, change.split ? "SPLIT" : "MERGED", change.server, "", kind, 0));
      running_.erase(parent->EncodedName());
    }
    for (const auto& info : change.new_regions) {
      lines.push_back(RegionLine(*info, "OPEN", "", change.server, kind, 0));
    }
  }
  for (const RegionChange& change : outputs.changes) lines.push_back(LineOf(change, reason, now_ms));
  for (const auto& [earlier, later] : outputs.adoptions) {
    lines.push_back(ServerLine(earlier, "adopted", later, reason));
  }
  return lines;
}

}  // namespace vaquita
