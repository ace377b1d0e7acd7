#include "lab/report/png_canvas.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/big_endian.h"
#include "base/unicode.h"
#include "lab/report/png_font.h"

namespace vaquita::lab {
namespace {

constexpr double kScale = 4;  // pixels for a unit of length
constexpr int kGrowth = 8;    // a glyph's points are so many times finer when its edges are smooth

int Pixel(double length) { return static_cast<int>(std::lround(length * kScale)); }

// A glyph's points, true where it has ink.
class Bitmap {
 public:
  Bitmap(int width, int height) : width_(width), height_(height), points_(static_cast<size_t>(width) * height) {}

  int width() const { return width_; }
  int height() const { return height_; }
  bool At(int x, int y) const {  // outside there is no ink
    return x >= 0 && x < width_ && y >= 0 && y < height_ && points_[static_cast<size_t>(y) * width_ + x];
  }
  void Set(int x, int y, bool ink) { points_[static_cast<size_t>(y) * width_ + x] = ink; }

  // Returns it twice as large, with corners that are filled or cut so that slanted edges are smooth (AdvMAME2x).
  Bitmap Doubled() const {
    Bitmap twice(2 * width_, 2 * height_);
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        const bool up = At(x, y - 1), down = At(x, y + 1), left = At(x - 1, y), right = At(x + 1, y), here = At(x, y);
        const bool corners = up != down && left != right;
        twice.Set(2 * x, 2 * y, corners && left == up ? left : here);
        twice.Set(2 * x + 1, 2 * y, corners && up == right ? right : here);
        twice.Set(2 * x, 2 * y + 1, corners && left == down ? left : here);
        twice.Set(2 * x + 1, 2 * y + 1, corners && down == right ? right : here);
      }
    }
    return twice;
  }

 private:
  int width_, height_;
  std::vector<bool> points_;
};

// Returns the place of a character's glyph among kGlyphs; that of ? for characters that it has not.
int GlyphOf(char32_t c) {
  constexpr int kAscii = 0x7F - 0x20;
  if (c >= 0x20 && c < 0x7F) return static_cast<int>(c) - 0x20;
  if (c >= 0xA0 && c <= 0xFF) return kAscii + static_cast<int>(c) - 0xA0;
  return '?' - 0x20;
}

Bitmap LargeGlyph(int glyph) {
  Bitmap bitmap(kGlyphWidth, kGlyphHeight);
  for (int y = 0; y < kGlyphHeight; ++y) {
    int bits = 0;
    for (const char digit : kGlyphs.substr((static_cast<size_t>(glyph) * kGlyphHeight + y) * 3, 3)) {
      bits = bits * 16 + (digit <= '9' ? digit - '0' : digit - 'a' + 10);
    }
    for (int x = 0; x < kGlyphWidth; ++x) bitmap.Set(x, y, bits >> (kGlyphWidth - 1 - x) & 1);
  }
  for (int size = 1; size < kGrowth; size *= 2) bitmap = bitmap.Doubled();
  return bitmap;
}

void AppendChunk(std::string_view type, std::string_view data, std::string* file) {
  AppendBigEndian(static_cast<uint32_t>(data.size()), file);
  const size_t begin = file->size();
  file->append(type);
  file->append(data);
  AppendBigEndian(static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(file->data() + begin),
                                              static_cast<uInt>(file->size() - begin))),
                  file);
}

}  // namespace

PngCanvas::PngCanvas(double height)
    : width_(Pixel(kCanvasWidth)), height_(Pixel(height)), pixels_(static_cast<size_t>(width_) * height_ * 3, 0xFF) {}

void PngCanvas::Blend(int x, int y, const Color& color, double part) {
  if (x < 0 || x >= width_ || y < 0 || y >= height_) return;
  uint8_t* const pixel = &pixels_[(static_cast<size_t>(y) * width_ + x) * 3];
  const std::array<int, 3> parts = {color.red, color.green, color.blue};
  for (int i = 0; i < 3; ++i) pixel[i] = static_cast<uint8_t>(std::lround(pixel[i] + (parts[i] - pixel[i]) * part));
}

void PngCanvas::Fill(int x1, int y1, int x2, int y2, const Color& color) {
  for (int y = y1; y < y2; ++y) {
    for (int x = x1; x < x2; ++x) Blend(x, y, color, 1);
  }
}

void PngCanvas::Area(double x, double y, double width, double height, const Ink& ink, const std::string&) {
  Fill(Pixel(x), Pixel(y), Pixel(x + width), Pixel(y + height), ColorOf(ink, /*dark=*/false));
}

void PngCanvas::Frame(double x, double y, double width, double height) {
  const Ink ink{Ink::kFrame};
  Line(x, y, x + width, y, ink, false);
  Line(x, y + height, x + width, y + height, ink, false);
  Line(x, y, x, y + height, ink, false);
  Line(x + width, y, x + width, y + height, ink, false);
}

// Lines are upright or level.
void PngCanvas::Line(double x1, double y1, double x2, double y2, const Ink& ink, bool dashed) {
  constexpr double kDash = 4, kSpace = 3, kHalf = 0.5;
  const bool upright = x1 == x2;
  const double length = upright ? y2 - y1 : x2 - x1;
  for (double at = 0; at < length; at += dashed ? kDash + kSpace : length) {
    const double end = dashed ? std::min(length, at + kDash) : length;
    Fill(Pixel(upright ? x1 - kHalf : x1 + at), Pixel(upright ? y1 + at : y1 - kHalf),
         Pixel(upright ? x1 + kHalf : x1 + end), Pixel(upright ? y1 + end : y1 + kHalf), ColorOf(ink, false));
  }
}

// Draws a glyph `width` pixels wide: each pixel takes the part of it that has ink.
void PngCanvas::Letter(int glyph, double x, double y, double width, const Color& color, bool bold) {
  const Bitmap bitmap = LargeGlyph(glyph);
  const double points = bitmap.width() / width;  // a pixel has so many of the glyph's
  const int right = static_cast<int>(std::ceil(x + width)), bottom = static_cast<int>(std::ceil(y + 2 * width));
  const int weight = bold ? kGrowth / 2 : 0;
  for (int py = static_cast<int>(y); py < bottom; ++py) {
    for (int px = static_cast<int>(x); px < right + 1; ++px) {
      constexpr int kLooks = 4;
      int ink = 0;
      for (int i = 0; i < kLooks * kLooks; ++i) {
        const int across = i % kLooks, down = i / kLooks;
        const int gx = static_cast<int>(std::floor((px - x + (across + 0.5) / kLooks) * points));
        const int gy = static_cast<int>(std::floor((py - y + (down + 0.5) / kLooks) * points));
        ink += bitmap.At(gx, gy) || bitmap.At(gx - weight, gy) ? 1 : 0;
      }
      if (ink > 0) Blend(px, py, color, static_cast<double>(ink) / (kLooks * kLooks));
    }
  }
}

void PngCanvas::Text(double x, double y, const std::string& text, const TextStyle& style) {
  std::vector<int> glyphs;
  for (size_t at = 0; at < text.size();) glyphs.push_back(GlyphOf(NextCharacter(text, &at)));
  const double width = kMonoWidth * style.size * kScale;
  const double whole = width * static_cast<double>(glyphs.size());
  double left = x * kScale - (style.anchor == TextStyle::kStart ? 0
                              : style.anchor == TextStyle::kEnd ? whole
                                                                : whole / 2);
  const double top = y * kScale - width * kGlyphBase / kGlyphWidth;
  for (const int glyph : glyphs) {
    Letter(glyph, left, top, width, ColorOf(style.ink, false), style.bold);
    left += width;
  }
}

std::string PngCanvas::File() && {
  std::string file = "\x89PNG\r\n\x1A\n", header, rows;
  AppendBigEndian(static_cast<uint32_t>(width_), &header);
  AppendBigEndian(static_cast<uint32_t>(height_), &header);
  header.append(
      {8, 2, 0, 0, 0});  // 8 bits of red, green and blue; one way each of packing, filtering and no interlacing
  AppendChunk("IHDR", header, &file);
  const size_t row_bytes = static_cast<size_t>(width_) * 3;
  for (int y = 0; y < height_; ++y) {
    rows.push_back(0);  // as it is, without a filter
    rows.append(reinterpret_cast<const char*>(&pixels_[y * row_bytes]), row_bytes);
  }
  std::string packed(compressBound(rows.size()), '\0');
  uLongf size = packed.size();
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()), rows.size(),
            Z_BEST_COMPRESSION);
  packed.resize(size);
  AppendChunk("IDAT", packed, &file);
  AppendChunk("IEND", "", &file);
  return file;
}

}  // namespace vaquita::lab
