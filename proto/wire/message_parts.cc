#include "proto/wire/message_parts.h"

#include "base/big_endian.h"
#include "base/varint.h"

namespace vaquita {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

// Measured: an empty action of a Multi takes 80 bytes as a message; with its operation and its answer 600.
constexpr int64_t kMessageCost = 256;
constexpr int64_t kTextCost = 64;    // a std::string and a pointer to it
constexpr int64_t kNumberCost = 16;  // stands in a list, or is unknown
constexpr int64_t kCellCost = 256;   // measured: 250 for a cell of 26 bytes, which becomes four texts in a list
constexpr int kMostDepth = 100;      // a parser refuses more

enum WireType { kVarint = 0, kFixed64 = 1, kDelimited = 2, kGroup = 3, kGroupEnd = 4, kFixed32 = 5 };

class PartCounter {
 public:
  explicit PartCounter(int64_t most) : most_(most) {}
  int64_t cost() const { return cost_; }

  // False if there is nothing more to count.
  bool Count(std::string_view bytes, const Descriptor& type, int depth) {
    while (!bytes.empty()) {
      uint64_t tag = 0;
      if (!TakeVarint(&bytes, &tag)) return false;
      const FieldDescriptor* field = type.FindFieldByNumber(static_cast<int>(tag >> 3));
      if (!CountField(static_cast<int>(tag & 7), field, depth, &bytes) || cost_ > most_) return false;
    }
    return true;
  }

 private:
  bool CountField(int wire_type, const FieldDescriptor* field, int depth, std::string_view* bytes) {
    uint64_t number = 0;
    switch (wire_type) {
      case kVarint:
        cost_ += kNumberCost;
        return TakeVarint(bytes, &number);
      case kFixed64:
        cost_ += kNumberCost;
        return Take(8, bytes);
      case kFixed32:
        cost_ += kNumberCost;
        return Take(4, bytes);
      case kDelimited: {
        if (!TakeVarint(bytes, &number)) return false;
        const std::string_view part = bytes->substr(0, number);
        return Take(number, bytes) && CountPart(part, field, depth);
      }
      case kGroup:  // unknown; its fields follow
        cost_ += kTextCost;
        return true;
      default:
        return wire_type == kGroupEnd;
    }
  }

  bool CountPart(std::string_view part, const FieldDescriptor* field, int depth) {
    if (field != nullptr && field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      cost_ += kMessageCost;
      return depth < kMostDepth && Count(part, *field->message_type(), depth + 1);
    }
    cost_ += kTextCost + (field == nullptr ? 0 : CostOfText(part, *field));
    return true;
  }

  int64_t CostOfText(std::string_view text, const FieldDescriptor& field) const {
    const auto size = static_cast<int64_t>(text.size());
    if (field.is_packable()) return size * kNumberCost;  // a list of numbers in one piece may have one in each byte
    // HBase's filters and comparators stand in others as bytes, in which two may be an empty text.
    if (field.name().starts_with("serialized_")) return size * kTextCost / 2;
    return field.name() == "cell_block" ? CostOfCells(text, most_) : 0;
  }

  static bool Take(uint64_t size, std::string_view* bytes) {
    if (size > bytes->size()) return false;
    bytes->remove_prefix(size);
    return true;
  }

  const int64_t most_;
  int64_t cost_ = 0;
};

}  // namespace

int64_t CostOfParts(std::string_view bytes, const Descriptor& type, int64_t most) {
  PartCounter counter(most);
  counter.Count(bytes, type, 1);
  return counter.cost();
}

int64_t CostOfCells(std::string_view block, int64_t most) {
  int64_t cost = 0;
  while (block.size() >= 4 && cost <= most) {
    const size_t length = GetBigEndian<uint32_t>(block.data());
    if (length > block.size() - 4) break;
    cost += kCellCost;
    block.remove_prefix(4 + length);
  }
  return cost;
}

}  // namespace vaquita
