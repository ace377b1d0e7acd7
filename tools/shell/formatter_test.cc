#include "tools/shell/formatter.h"

#include <gtest/gtest.h>

#include <sstream>

namespace vaquita::shell {
namespace {

TEST(Formatter, WithoutATerminalCellsKeepTheirLength) {
  std::ostringstream out;
  Formatter formatter(&out, 0);
  formatter.Header({"ROW", "COLUMN+CELL"});
  formatter.Row({"r1", "column=f:q, value=a long value that nothing cuts into pieces"});
  formatter.Footer();
  EXPECT_EQ(out.str(),
            "ROW  COLUMN+CELL\n"
            " r1 column=f:q, value=a long value that nothing cuts into pieces\n"
            "1 row(s)\n");
}

TEST(Formatter, OnATerminalColumnsShareItsWidth) {
  std::ostringstream out;
  Formatter formatter(&out, 24);
  formatter.Header({"ROW", "COLUMN+CELL"});
  formatter.Row({"12345678", "abcdefghijklmnopqrstuvwxyz"});
  formatter.Row({"1", "a"});
  formatter.Footer(7);
  EXPECT_EQ(out.str(),
            "ROW     COLUMN+CELL\n"
            " 123456 abcdefghijklmnop\n"
            " 78     qrstuvwxyz\n"
            " 1      a\n"
            "7 row(s)\n");
}

TEST(Formatter, AHeaderStartsTheCountAnew) {
  std::ostringstream out;
  Formatter formatter(&out, 0);
  formatter.Row({"x"});
  formatter.Header({"TABLE"});
  formatter.Footer();
  formatter.Row({""});
  formatter.Footer();
  EXPECT_EQ(out.str(), "x\nTABLE\n0 row(s)\n\n1 row(s)\n");
}

}  // namespace
}  // namespace vaquita::shell
