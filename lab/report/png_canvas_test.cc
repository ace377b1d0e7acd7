#include "lab/report/png_canvas.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include <string_view>

namespace vaquita::lab {
namespace {

uint32_t NumberAt(std::string_view file, size_t at) {
  uint32_t number = 0;
  for (size_t i = 0; i < 4; ++i) number = number << 8 | static_cast<unsigned char>(file[at + i]);
  return number;
}

// A picture as its reader sees it.
struct Picture {
  uint32_t width = 0, height = 0;
  std::string rows;

  std::string At(size_t x, size_t y) const {  // "#rrggbb"
    const auto* const pixel = reinterpret_cast<const unsigned char*>(&rows[y * (3 * width + 1) + 1 + 3 * x]);
    return Color{pixel[0], pixel[1], pixel[2]}.Text();
  }
};

// Reads a file, and checks each chunk's sum.
Picture ReadPng(const std::string& file) {
  Picture picture;
  EXPECT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1A\n");
  for (size_t at = 8; at < file.size();) {
    const uint32_t size = NumberAt(file, at);
    const std::string type = file.substr(at + 4, 4);
    EXPECT_EQ(NumberAt(file, at + 8 + size), crc32(0, reinterpret_cast<const Bytef*>(&file[at + 4]), size + 4)) << type;
    if (type == "IHDR") {
      picture.width = NumberAt(file, at + 8);
      picture.height = NumberAt(file, at + 12);
      picture.rows.resize(picture.height * (3 * picture.width + 1));
    } else if (type == "IDAT") {
      uLongf length = picture.rows.size();
      EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(picture.rows.data()), &length,
                           reinterpret_cast<const Bytef*>(&file[at + 8]), size),
                Z_OK);
      EXPECT_EQ(length, picture.rows.size());
    } else {
      EXPECT_EQ(type, "IEND");
      EXPECT_EQ(at + 12, file.size());
    }
    at += size + 12;
  }
  return picture;
}

TEST(PngCanvasTest, AreasLinesAndLettersHaveTheirPlaces) {
  PngCanvas canvas(100);
  canvas.Area(10, 20, 30, 40, {Ink::kHeat, kHeatSteps}, "a tip");
  canvas.Line(100, 10, 100, 30, {Ink::kText}, /*dashed=*/true);
  canvas.Text(200, 60, "\xC3\x9C|", {.size = 20, .mono = true, .anchor = TextStyle::kEnd});
  const Picture picture = ReadPng(std::move(canvas).File());
  ASSERT_EQ(picture.width, 2560);
  ASSERT_EQ(picture.height, 400);
  EXPECT_EQ(picture.At(39, 80), "#ffffff");
  EXPECT_EQ(picture.At(40, 80), "#081d58");
  EXPECT_EQ(picture.At(159, 239), "#081d58");
  EXPECT_EQ(picture.At(160, 239), "#ffffff");
  EXPECT_EQ(picture.At(400, 41), "#1a1a1a");
  EXPECT_EQ(picture.At(400, 60), "#ffffff") << "between two dashes";

  const auto dark = [&](size_t left, size_t right, size_t top, size_t bottom) {
    size_t points = 0;
    for (size_t y = top; y < bottom; ++y) {
      for (size_t x = left; x < right; ++x) points += picture.At(x, y) == "#1a1a1a" ? 1 : 0;
    }
    return points;
  };
  // Each letter is 48 pixels wide, the last one ends at 800; its foot is at 240.
  EXPECT_GT(dark(704, 752, 160, 180), 20U) << "the dots of U";
  EXPECT_GT(dark(752, 800, 160, 240), 200U) << "an upright line";
  EXPECT_EQ(dark(560, 700, 0, 400), 0U);
  EXPECT_EQ(dark(801, 900, 0, 400), 0U);
}

}  // namespace
}  // namespace vaquita::lab
