#include "engine/rocksdb/no_folders_file_system.h"

#include <string>
#include <utility>

namespace vaquita {
namespace {

class NoFoldersFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "vaquita.NoFoldersFileSystem"; }

  rocksdb::IOStatus CreateDirIfMissing(const std::string& path, const rocksdb::IOOptions& options,
                                       rocksdb::IODebugContext* debug) override {
    return target()->FileExists(path, options, debug);
  }
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> NewNoFoldersFileSystem(std::shared_ptr<rocksdb::FileSystem> base) {
  return std::make_shared<NoFoldersFileSystem>(std::move(base));
}

}  // namespace vaquita
