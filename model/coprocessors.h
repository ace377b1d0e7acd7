// model/coprocessors.h: the region coprocessors that tables and servers name, and those that Vaquita replaces.
//
// Vaquita does not run Java code. It has the endpoints that HBase's own clients and tools call in native code
// (server/frontend/hbase/endpoint/), under their classes' names. Threads: functions only. Source: HConstants
// (CP_HTD_ATTR_KEY_PATTERN, CP_HTD_ATTR_VALUE_PATTERN), TableDescriptorBuilder.getCoprocessorDescriptors,
// .setCoprocessorWithSpec and .removeCoprocessor, RegionCoprocessorHost.testTableCoprocessorAttrs (2.6).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "model/table_descriptor.h"

namespace vaquita {

inline constexpr std::string_view kMultiRowMutationEndpoint =
    "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint";
inline constexpr std::string_view kAggregateImplementation =
    "org.apache.hadoop.hbase.coprocessor.AggregateImplementation";
inline constexpr std::string_view kRowCountEndpoint = "org.apache.hadoop.hbase.coprocessor.example.RowCountEndpoint";
inline constexpr std::string_view kBulkDeleteEndpoint =
    "org.apache.hadoop.hbase.coprocessor.example.BulkDeleteEndpoint";

// Returns the classes that the table's attributes "coprocessor$NUMBER" name, in the attributes' order. As in HBase, an
// attribute whose value has another form than "jar|class|priority|arguments" names none.
std::vector<std::string> CoprocessorClasses(const TableDescriptor& table);

// Adds a coprocessor of the form "jar|class|priority|arguments" under the next free number. kInvalidArgument, as HBase
// says it, for another form and for a class that the table has already.
absl::Status AddCoprocessor(std::string_view specification, TableDescriptor* table);
// Removes the coprocessor of that class. kInvalidArgument if the table has none.
absl::Status RemoveCoprocessor(std::string_view class_name, TableDescriptor* table);

// Returns the classes of a comma-separated list, as servers are given them.
std::vector<std::string> CoprocessorClasses(std::string_view list);

// Returns true if Vaquita does this class's work.
bool RunsCoprocessor(std::string_view class_name);

// Returns HBase's error for the table's first class that Vaquita does not know: kDoNotRetryIO.
absl::Status CheckCoprocessors(const TableDescriptor& table);

}  // namespace vaquita
