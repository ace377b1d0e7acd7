#include "base/os_user.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <vector>

#include "absl/strings/str_split.h"

namespace vaquita {
namespace {

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string NameInPasswd(const std::string& id) {
  std::ifstream file("/etc/passwd");
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> fields = absl::StrSplit(line, ':');
    if (fields.size() > 3 && fields[2] == id) return fields[0];
  }
  return "";
}

}  // namespace

std::string OsUserName() {
  const std::string id = std::to_string(geteuid());
  if (std::string name = Variable("HADOOP_USER_NAME"); !name.empty()) return name;
  if (std::string name = NameInPasswd(id); !name.empty()) return name;
  if (std::string name = Variable("USER"); !name.empty()) return name;
  return "uid" + id;
}

}  // namespace vaquita
