#include "client/action_view.h"

#include <variant>
#include <vector>

namespace vaquita::client {
namespace {

// The memory of an object beside its bytes.
constexpr size_t kOverheadBytes = 64;

size_t SizeOfAll(const std::vector<Mutation>& mutations) {
  size_t bytes = kOverheadBytes;
  for (const Mutation& mutation : mutations) bytes += SizeOf(mutation);
  return bytes;
}

size_t SizeOfAction(const Get& get) { return kOverheadBytes + get.row.size(); }
size_t SizeOfAction(const Mutation& mutation) { return SizeOf(mutation); }
size_t SizeOfAction(const RowMutations& row) { return SizeOfAll(row.mutations); }
size_t SizeOfAction(const CheckAndMutate& check) { return SizeOfAll(check.mutations); }

}  // namespace

std::string_view RowOf(const Action& action) {
  return std::visit([](const auto& request) { return std::string_view(request.row); }, action);
}

size_t SizeOf(const Mutation& mutation) {
  size_t bytes = kOverheadBytes + mutation.row.size();
  for (const Cell& cell : mutation.cells) {
    bytes += kOverheadBytes + cell.family.size() + cell.qualifier.size() + cell.value.size();
  }
  return bytes;
}

size_t SizeOf(const Action& action) {
  return std::visit([](const auto& request) { return SizeOfAction(request); }, action);
}

}  // namespace vaquita::client
