// outside PROTOCOL --address HOST:PORT: makes a table, writes a row and fails if it does not read it. PROTOCOL stands
// before the address, as in hbase://HOST:PORT.
#include <cstdio>
#include <string>

#include "client/admin.h"
#include "client/connection.h"
#include "client/distribution/row_key_distributor.h"
#include "client/table.h"

using namespace vaquita;

namespace {

absl::StatusOr<std::string> WriteAndRead(const std::string& address) {
  auto connection = client::Connection::Open({.address = address});
  if (!connection.ok()) return connection.status();
  TableDescriptor descriptor;
  descriptor.name = *TableName::Parse("outside");
  descriptor.families["f"].name = "f";
  if (absl::Status made = (*connection)->GetAdmin()->CreateTable(descriptor); !made.ok()) return made;
  const auto table = (*connection)->GetTable(descriptor.name);
  Mutation put;
  put.row = "row";
  Cell& cell = put.cells.emplace_back();
  cell.family = "f";
  cell.qualifier = "q";
  cell.value = "value";
  if (auto written = table->Mutate(put); !written.ok()) return written.status();
  const auto result = table->Get(Get{.row = "row"});
  if (!result.ok()) return result.status();
  return result->cells.at(0).value;
}

}  // namespace

int main(int, char** argv) {
  const auto read = WriteAndRead(std::string(argv[1]) + argv[3]);
  std::printf("%s\n", read.ok() ? read->c_str() : read.status().ToString().c_str());
  return read.ok() && *read == "value" ? 0 : 1;
}
