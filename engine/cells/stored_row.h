// engine/cells/stored_row.h: the form of a row in which bytes compare as the table's rows do.
//
// Rows in the order of bytes are stored as they are. A row of hbase:meta is stored as 0x01, the table, 0x01, the start
// key, 0x01, the id; a row of fewer parts ends earlier. In the parts, 0x00, 0x01 and 0x02 become 0x02 0x01, 0x02 0x02
// and 0x02 0x03. So memcmp of two stored rows gives the order of model/row_order.h, and the stored row gives the row
// back, for all bytes: stored_row_test.cc runs both on random rows. In folders of format 1 the rows are stored as
// they are. None of those begins with a byte below 0x02, because a table's name does not, so the first byte tells the
// two forms apart. Disk: these bytes outlive a release (docs/formats.md). Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "model/cell.h"
#include "model/row_order.h"

namespace vaquita {

// Returns the stored form of `row`: `row` itself, or a view into `*scratch`.
std::string_view StoredRow(RowOrder order, std::string_view row, std::string* scratch);
// Returns the row that is stored as `stored`: `stored` itself, or a view into `*scratch`.
std::string_view RowOfStored(RowOrder order, std::string_view stored, std::string* scratch);
// Returns the range of stored rows that has the rows of `range`; no bound stays no bound.
RowRange StoredRange(RowOrder order, RowRange range);

// Rows of hbase:meta at or after this one are stored in the form of format 1.
inline constexpr std::string_view kFormerMetaRows = "\x02";

}  // namespace vaquita
