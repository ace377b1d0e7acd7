// base/nesting.h: bounds how deep the text that a recursive parser reads may be nested.
//
// A text from outside must not overflow the stack, neither while it is read nor when its tree is walked or freed. Two
// things make a tree deep: parts within parts, as in ((1)), and operators that follow one another, as in 1 - 2 - 3,
// whose tree has the first at its bottom. A parser opens a Level in each function that may come back to itself, and
// calls Link for each operator that takes what was read before it.
//
// One object is for one text, and one thread uses it.
#pragma once

#include <algorithm>

namespace vaquita {

class Nesting {
 public:
  // At most `most_levels` levels are open at a time, and a tree is at most `most_height` levels high.
  Nesting(int most_levels, int most_height) : most_levels_(most_levels), most_height_(most_height) {}

  class Level {
   public:
    explicit Level(Nesting* nesting) : nesting_(*nesting), height_before_(nesting->height_) {
      ++nesting_.levels_;
      nesting_.height_ = 0;
    }
    ~Level() {
      --nesting_.levels_;
      nesting_.height_ = std::max(height_before_, nesting_.height_ + 1);
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Nesting& nesting_;
    const int height_before_;
  };

  // Adds a level to the tree of all that was read since the innermost Level was opened.
  void Link() { ++height_; }

  bool IsTooDeep() const { return levels_ > most_levels_ || height_ > most_height_; }
  int levels() const { return levels_; }

 private:
  const int most_levels_;
  const int most_height_;
  int levels_ = 0;
  int height_ = 0;
};

}  // namespace vaquita
