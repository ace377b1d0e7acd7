#include "server/master/assignment/simulation/shared_disk.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace vaquita::assignment {
namespace {

std::string KeyText(int key) {
  if (key == 0 || key == kKeys) return "";
  char text[8];
  std::snprintf(text, sizeof text, "%02d", key);
  return text;
}

// The server of "server/a,1,7", "recovering/a,1,7~3".
std::string_view ServerOf(std::string_view path) {
  const std::string_view name = path.substr(path.find('/') + 1);
  return name.substr(0, name.find('~'));
}

}  // namespace

KeyRange RangeOf(const RegionInfo& info) {
  return {info.start_key.empty() ? 0 : std::atoi(info.start_key.c_str()),
          info.end_key.empty() ? kKeys : std::atoi(info.end_key.c_str())};
}

RegionInfo MakeRegion(const KeyRange& keys, int64_t id) {
  return {.table = {"default", "t"}, .start_key = KeyText(keys.first), .end_key = KeyText(keys.last), .id = id};
}

bool SharedDisk::IsAt(const std::string& path, const std::shared_ptr<Folder>& folder) const {
  const auto found = folders.find(path);
  return found != folders.end() && found->second == folder;
}

std::string SharedDisk::FindFolder(const std::string& server) const {
  for (const auto& [path, folder] : folders) {
    if (ServerOf(path) == server) return path;
  }
  return "";
}

std::vector<std::string> SharedDisk::ServerFolders() const {
  std::vector<std::string> names;
  for (const auto& [path, folder] : folders) {
    if (path.starts_with("server/")) names.emplace_back(ServerOf(path));
  }
  return names;
}

}  // namespace vaquita::assignment
