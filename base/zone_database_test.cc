#include "base/zone_database.h"

#include <gtest/gtest.h>

#include <string>

namespace vaquita {
namespace {

TEST(ZoneDatabaseTest, FindsZonesByNameOnly) {
  absl::TimeZone zone;
  for (const char* name : {"Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "UTC"}) {
    EXPECT_TRUE(FindZone(name, &zone)) << name;
    EXPECT_EQ(zone.name(), name);
  }
  EXPECT_FALSE(FindZone("Mars", &zone));
  EXPECT_FALSE(FindZone("Europe", &zone)) << "a folder";
}

TEST(ZoneDatabaseTest, NoNameIsAPath) {
  absl::TimeZone zone;
  for (const char* path : {"/usr/share/zoneinfo/Europe/Berlin", "file:/usr/share/zoneinfo/Europe/Berlin",
                           "../zoneinfo/Europe/Berlin", "Europe/../Europe/Berlin", "/proc/self/fd/0"}) {
    EXPECT_FALSE(FindZone(path, &zone)) << path;
  }
  EXPECT_FALSE(FindZone("Europe" + std::string(60, '/') + "Berlin", &zone)) << "longer than any name";
}

}  // namespace
}  // namespace vaquita
