#include "engine/manifest_check.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string_view>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/durable_files.h"
#include "base/log.h"
#include "base/status.h"
#include "engine/damage_record.h"
#include "engine/log_reader.h"
#include "engine/rocksdb/manifest_copies.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

std::string ManifestName(uint64_t number) { return AppendedFileName({.manifest = true, .number = number}); }
std::string CopyName(uint64_t number) { return absl::StrCat(AbslText(kManifestCopyPrefix), ManifestName(number)); }

class ManifestVisitor final : public LogVisitor {
 public:
  void Record(std::string_view, int64_t end) override {
    whole_bytes_ = end;
    if (bad_.has_value()) records_behind_ = true;
  }
  void Bad(const LogDamagePlace& place) override {
    if (!bad_.has_value()) bad_ = place;
  }

  // Returns the damage that is more than a torn tail behind the mark, or null.
  const LogDamagePlace* Damage(const AppendMark& mark) const {
    if (!bad_.has_value()) return nullptr;
    return records_behind_ || bad_->offset < mark.whole_bytes || whole_bytes_ == 0 ? &*bad_ : nullptr;
  }

 private:
  int64_t whole_bytes_ = 0;
  bool records_behind_ = false;
  std::optional<LogDamagePlace> bad_;
};

// Returns what is wrong with a MANIFEST or a copy of one, or an empty text.
absl::StatusOr<std::string> WhatIsWrong(const std::string& path, const AppendMark& mark) {
  const std::string name = fs::path(path).filename().string();
  if (!PathExists(path)) return name + " is missing";
  ManifestVisitor visitor;
  VAQUITA_ASSIGN_OR_RETURN(const int64_t bytes, ReadLog(path, &visitor));
  if (bytes < mark.whole_bytes) return absl::StrCat(name, " has ", bytes, " bytes instead of ", mark.whole_bytes);
  if (const LogDamagePlace* place = visitor.Damage(mark)) {
    return absl::StrCat(name, " is damaged at byte ", place->offset, ": ", place->what);
  }
  if (bytes == 0) return name + " is empty";
  if (!HeadFits(path, mark) || !TailFits(path, mark)) return name + " is not the file that was written here";
  return std::string();
}

// Returns the numbers of all MANIFESTs and of all copies, the highest first.
absl::StatusOr<std::set<uint64_t, std::greater<>>> ListManifests(const std::string& database) {
  VAQUITA_ASSIGN_OR_RETURN(const auto names, ListFolder(database));
  std::set<uint64_t, std::greater<>> numbers;
  for (std::string_view name : names) {
    if (name.starts_with(kManifestCopyPrefix)) name.remove_prefix(kManifestCopyPrefix.size());
    AppendedFile file;
    if (ParseAppendedFile(name, &file) && file.manifest) numbers.insert(file.number);
  }
  return numbers;
}

// Says what is wrong with CURRENT; if nothing is, `*manifest` is what it names. Returns an error if it cannot be read:
// nobody knows then what it names, so it must not be replaced.
absl::StatusOr<std::string> ReadCurrent(const std::string& database, AppendedFile* manifest) {
  const auto current = ReadFile(database + "/CURRENT");
  if (absl::IsNotFound(current.status())) return "CURRENT is missing, and other files are there";
  VAQUITA_RETURN_IF_ERROR(current.status());
  const std::string_view text = *current;
  const bool names_one = text.ends_with('\n') && ParseAppendedFile(text.substr(0, text.size() - 1), manifest) &&
                         manifest->manifest && ManifestName(manifest->number) + "\n" == text;
  return names_one ? std::string() : "CURRENT is damaged: it does not name a MANIFEST";
}

}  // namespace

bool HasDatabase(const std::string& database) {
  const auto names = ListFolder(database);
  if (!names.ok()) return true;  // its next reader gets the error
  for (const std::string& name : *names) {
    AppendedFile file;
    if (name == "CURRENT" || absl::EndsWith(name, ".sst") || ParseAppendedFile(name, &file)) {
      // A crash in the making of the database leaves an empty MANIFEST.
      std::error_code error;
      if (!file.manifest || fs::file_size(database + "/" + name, error) > 0) return true;
    }
  }
  return false;
}

absl::StatusOr<ManifestCheck> CheckManifest(const std::string& database, const FoundMarks& marks) {
  ManifestCheck check;
  AppendedFile named;
  VAQUITA_ASSIGN_OR_RETURN(check.damage, ReadCurrent(database, &named));
  check.manifest = named.number;
  VAQUITA_ASSIGN_OR_RETURN(auto numbers, ListManifests(database));
  if (check.damage.empty() && (numbers.contains(named.number) || marks.files.contains(named))) {
    numbers = {named.number};
  } else if (check.damage.empty()) {
    check.damage = absl::StrCat("CURRENT names ", ManifestName(named.number), ", which was never there");
  }
  const bool is_only = numbers.size() == 1;
  for (const uint64_t number : numbers) {
    const AppendMark mark = marks.MarkOf({.manifest = true, .number = number});
    VAQUITA_ASSIGN_OR_RETURN(const std::string wrong, WhatIsWrong(database + "/" + ManifestName(number), mark));
    if (wrong.empty() && check.damage.empty()) return check;
    if (check.damage.empty()) check.damage = wrong;
    VAQUITA_ASSIGN_OR_RETURN(const std::string copy_wrong, WhatIsWrong(database + "/" + CopyName(number), mark));
    // CURRENT names a new MANIFEST once it is synced: before, it may have a part only.
    const bool may_be_current = is_only || mark.whole_bytes == 0 || mark.is_synced;
    if (!may_be_current || (!wrong.empty() && !copy_wrong.empty())) continue;
    check.mendable = true;
    check.manifest = number;
    check.from_copy = !wrong.empty();
    break;
  }
  return check;
}

absl::Status ManifestError(const std::string& database, const ManifestCheck& check) {
  if (check.damage.empty()) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("database ", database, " is damaged: ", check.damage));
}

absl::Status MendManifest(const std::string& database, const ManifestCheck& check) {
  const std::string name = ManifestName(check.manifest);
  const std::string path = database + "/" + name;
  if (check.from_copy) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(database + "/" + CopyName(check.manifest)));
    VAQUITA_RETURN_IF_ERROR(CreateFolder(DamageFolder(database)));
    if (PathExists(path)) VAQUITA_RETURN_IF_ERROR(RenamePath(path, DamageFolder(database) + "/" + name));
    VAQUITA_RETURN_IF_ERROR(ReplaceFile(path, bytes));
  }
  VAQUITA_RETURN_IF_ERROR(ReplaceFile(database + "/CURRENT", name + "\n"));
  spdlog::warn("database {}: {}; {}, and nothing is lost", database, check.damage,
               check.from_copy ? name + " is there again, from its copy" : "CURRENT names " + name + " again");
  return absl::OkStatus();
}

}  // namespace vaquita
