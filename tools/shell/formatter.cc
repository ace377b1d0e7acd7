#include "tools/shell/formatter.h"

#include <algorithm>

namespace vaquita::shell {
namespace {

// The `line`th piece of `width` characters; the whole text if `width` is 0.
std::string_view Piece(std::string_view text, size_t width, size_t line) {
  if (width == 0) return line == 0 ? text : std::string_view();
  return line * width < text.size() ? text.substr(line * width, width) : std::string_view();
}

size_t Pieces(std::string_view text, size_t width) { return width == 0 ? 1 : (text.size() + width - 1) / width; }

}  // namespace

void Formatter::Header(const std::vector<std::string>& columns) {
  PrintCells(columns, /*inset=*/false);
  row_count_ = 0;
}

void Formatter::Row(const std::vector<std::string>& cells) {
  PrintCells(cells, /*inset=*/true);
  ++row_count_;
}

void Formatter::Footer(int64_t rows) { out_ << rows << " row(s)\n"; }

void Formatter::PrintCells(const std::vector<std::string>& cells, bool inset) {
  if (cells.size() == 1) {
    for (size_t line = 0; line < std::max<size_t>(1, Pieces(cells[0], width_)); ++line) {
      out_ << Piece(cells[0], width_, line) << "\n";
    }
    return;
  }
  if (cells.size() > 2) {
    for (const std::string& cell : cells) out_ << " " << cell;
    out_ << "\n";
    return;
  }
  // The first column has a quarter of the width. Rows are set in by a blank, so a header has one more between its
  // columns.
  const size_t first_width = width_ / 4;
  const size_t second_width = width_ == 0 ? 0 : std::max<size_t>(width_ - first_width, 3) - 2;
  const size_t lines = std::max({size_t{1}, Pieces(cells[0], first_width), Pieces(cells[1], second_width)});
  for (size_t line = 0; line < lines; ++line) {
    const std::string_view first = Piece(cells[0], first_width, line);
    out_ << (inset ? " " : "") << first;
    if (first.size() < first_width) out_ << std::string(first_width - first.size(), ' ');
    out_ << (inset ? " " : "  ") << Piece(cells[1], second_width, line) << "\n";
  }
}

}  // namespace vaquita::shell
