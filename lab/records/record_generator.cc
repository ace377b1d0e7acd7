#include "lab/records/record_generator.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/did_you_mean.h"
#include "base/status.h"
#include "lab/records/expression.h"
#include "lab/records/random_number.h"
#include "lab/records/zipf_distribution.h"
#include "model/cell.h"

namespace vaquita::lab {
namespace {

using Kind = Expression::Kind;
constexpr size_t kMostNumberDigits = 20;
constexpr int64_t kAny = std::numeric_limits<int64_t>::min();

// A value, or a piece of a joined text: 'user-' + uniform(1, 1000).
struct Piece {
  enum class What {
    kConstant,
    kSequence,
    kUniform,
    kZipf,
    kScrambledZipf,
    kLatest,
    kTimes,
    kTimesByRate,
    kChoice,
    kDigits,
    kHex
  };

  What what = What::kConstant;
  FieldKind kind = FieldKind::kInteger;
  uint64_t seed = 0;
  int64_t first = 0;                     // kConstant's number; the first of sequences and ranges
  int64_t step = 1;                      // for sequences; kTimesByRate: records a second
  uint64_t range = 1;                    // for random numbers: how many different ones; for kDigits, 0: any
  int64_t jitter = 0;                    // for times: up to so many ms are added at random
  std::optional<ZipfDistribution> zipf;  // for ranks
  std::string text;                      // kConstant's text; the prefix of digits
  size_t digits = 0;                     // kDigits, kHex: how many; pad(): at least so many
  std::vector<std::string> choices;      // kChoice
  std::vector<int64_t> numbers;          // kChoice of numbers
  std::vector<int64_t> weights;          // kChoice: summed up

  size_t WidestText() const {
    size_t widest = std::max(kMostNumberDigits, text.size() + digits);
    for (const std::string& choice : choices) widest = std::max(widest, choice.size());
    return widest;
  }
};

size_t Choice(const Piece& piece, uint64_t random) {
  const auto at = static_cast<int64_t>(RandomBelow(random, piece.weights.back()));
  return std::upper_bound(piece.weights.begin(), piece.weights.end(), at) - piece.weights.begin();
}

// The instant of record `index` when `per_second` come in a second.
int64_t AtRate(const Piece& piece, uint64_t index) {
  const auto ms = static_cast<unsigned __int128>(index) * 1000 / static_cast<uint64_t>(piece.step);
  return static_cast<int64_t>(piece.first + static_cast<uint64_t>(ms));
}

int64_t Number(const Piece& piece, uint64_t index) {
  const auto random = [&] { return RandomNumber(piece.seed, index); };
  const auto rank = [&] { return piece.zipf->Rank(RandomFraction(random())); };
  const auto jitter = [&] { return piece.jitter == 0 ? 0 : RandomBelow(random(), piece.jitter); };
  const auto first = static_cast<uint64_t>(piece.first);  // sums wrap around
  switch (piece.what) {
    case Piece::What::kSequence:
      return static_cast<int64_t>(first + index * static_cast<uint64_t>(piece.step));
    case Piece::What::kUniform:
      return static_cast<int64_t>(first + RandomBelow(random(), piece.range));
    case Piece::What::kZipf:
      return static_cast<int64_t>(first + rank());
    case Piece::What::kScrambledZipf:
      return static_cast<int64_t>(first + RandomBelow(RandomNumber(piece.seed + 1, rank()), piece.range));
    case Piece::What::kLatest:
      return static_cast<int64_t>(index - rank() % (index + 1));
    case Piece::What::kTimes:
      return static_cast<int64_t>(first + index * static_cast<uint64_t>(piece.step) + jitter());
    case Piece::What::kTimesByRate:
      return AtRate(piece, index) + static_cast<int64_t>(jitter());
    case Piece::What::kChoice:
      return piece.numbers[Choice(piece, random())];
    default:
      return piece.first;
  }
}

// The sign stands before the zeros, as in Java's %04d.
char* PutNumber(int64_t number, size_t width, char* to) {
  char digits[kMostNumberDigits];
  const size_t length = std::to_chars(digits, digits + sizeof(digits), number).ptr - digits;
  const size_t sign = number < 0 ? 1 : 0;
  to = std::copy_n(digits, sign, to);
  for (size_t i = length; i < width; ++i) *to++ = '0';
  return std::copy(digits + sign, digits + length, to);
}

// Random digits of base 10 or 16; one random number makes 16 of them.
char* PutRandomDigits(const Piece& piece, uint64_t index, char* to) {
  const bool hex = piece.what == Piece::What::kHex;
  uint64_t random = RandomNumber(piece.seed, index);
  if (piece.range > 0) random = RandomNumber(piece.seed + 1, RandomBelow(random, piece.range));
  uint64_t made_from = random;  // nothing of `random` is left after 16 digits
  for (size_t i = 0; i < piece.digits; ++i) {
    if (i > 0 && i % 16 == 0) random = made_from = RandomNumber(made_from, i);
    if (hex) {
      *to++ = "0123456789abcdef"[random & 15];
      random >>= 4;
    } else {  // the next digit is what a multiplication carries out of 64 bits
      const auto carried = static_cast<unsigned __int128>(random) * 10;
      *to++ = static_cast<char>('0' + static_cast<int>(carried >> 64));
      random = static_cast<uint64_t>(carried);
    }
  }
  return to;
}

char* PutText(const Piece& piece, uint64_t index, char* to) {
  const auto put = [&](const std::string& text) { return std::copy(text.begin(), text.end(), to); };
  switch (piece.what) {
    case Piece::What::kConstant:
      if (piece.kind == FieldKind::kText) return put(piece.text);
      break;
    case Piece::What::kChoice:
      if (piece.kind == FieldKind::kText) return put(piece.choices[Choice(piece, RandomNumber(piece.seed, index))]);
      break;
    case Piece::What::kDigits:
    case Piece::What::kHex:
      return PutRandomDigits(piece, index, put(piece.text));
    default:
      break;
  }
  return PutNumber(Number(piece, index), piece.digits, to);
}

struct GeneratorUsage {
  std::string_view name;
  std::string_view usage;
  size_t least;
  size_t most;
};
constexpr GeneratorUsage kUsages[] = {
    {"sequence", "sequence([first], [step])", 0, 2},
    {"uniform", "uniform(least, most)", 2, 2},
    {"zipf", "zipf(n, [exponent])", 1, 2},
    {"scrambled_zipf", "scrambled_zipf(n, [exponent])", 1, 2},
    {"latest", "latest(n, [exponent])", 1, 2},
    {"time", "time(start, step, [jitter])", 2, 3},
    {"time_rate", "time_rate(start, per_second, [jitter])", 2, 3},
    {"choice", "choice(value:weight, value:weight, ...)", 1, 10'000},
    {"phone", "phone(prefix, digits, [how_many])", 2, 3},
    {"hex", "hex(digits)", 1, 1},
    {"constant", "constant(value)", 1, 1},
    {"pad", "pad(number, digits)", 2, 2},
};

class GeneratorParser {
 public:
  GeneratorParser(std::string_view text, uint64_t seed) : text_(text), seed_(seed) {}

  absl::StatusOr<std::vector<Piece>> Pieces(const Expression& e) {
    std::vector<Piece> pieces;
    for (const Expression& operand : e.Joined()) {
      VAQUITA_ASSIGN_OR_RETURN(Piece piece, One(operand));
      pieces.push_back(std::move(piece));
    }
    return pieces;
  }

 private:
  absl::Status Fail(const Expression& at, std::string_view message) const {
    return ExpressionError(message, text_, at.begin);
  }

  absl::StatusOr<Piece> One(const Expression& e) {
    Piece piece{.seed = RandomNumber(seed_, ++pieces_)};  // each has random numbers of its own
    if (e.kind == Kind::kCall) {
      VAQUITA_RETURN_IF_ERROR(Call(e, &piece));
    } else {
      VAQUITA_RETURN_IF_ERROR(Constant(e, &piece));
    }
    return piece;
  }

  absl::Status Constant(const Expression& e, Piece* piece) {
    if (e.kind != Kind::kText && e.kind != Kind::kNumber && e.kind != Kind::kTime) {
      return Fail(e, absl::StrCat("a generator is needed here: ", Names()));
    }
    piece->kind = e.kind == Kind::kText   ? FieldKind::kText
                  : e.kind == Kind::kTime ? FieldKind::kTime
                                          : FieldKind::kInteger;
    piece->first = e.number;
    piece->text = e.text;
    return absl::OkStatus();
  }

  static std::string Names() {
    std::string names;
    for (const GeneratorUsage& known : kUsages)
      absl::StrAppend(&names, names.empty() ? "" : ", ", AbslText(known.name));
    return names;
  }

  absl::Status Call(const Expression& e, Piece* piece) {
    const GeneratorUsage* usage = nullptr;
    std::vector<std::string_view> names;
    for (const GeneratorUsage& known : kUsages) {
      if (known.name == e.text) usage = &known;
      names.push_back(known.name);
    }
    if (usage == nullptr) {
      return Fail(e, absl::StrCat("unknown generator '", e.text, "'", DidYouMean(e.text, names),
                                  "; the generators are ", Names()));
    }
    if (e.arguments.size() < usage->least || e.arguments.size() > usage->most) {
      return Fail(e, absl::StrCat("use it as ", AbslText(usage->usage)));
    }
    if (e.text == "choice") return Choices(e, piece);
    for (const Expression& argument : e.arguments) {
      if (argument.weight) return Fail(argument, "only the values of choice() have weights");
    }
    if (e.text == "constant") return Constant(e.arguments[0], piece);
    if (e.text == "pad") return Padded(e, piece);
    if (e.text == "uniform") return Uniform(e, piece);
    if (e.text == "sequence") return Sequence(e, piece);
    if (e.text.ends_with("zipf") || e.text == "latest") return Zipf(e, piece);
    if (e.text.starts_with("time")) return Times(e, piece);
    return RandomDigits(e, piece);
  }

  // Reads a call's constant number; one that was not given leaves `*number` as it is.
  template <typename T>
  absl::Status NumberAt(const Expression& call, size_t which, int64_t least, std::string_view what, T* number) const {
    if (which >= call.arguments.size()) return absl::OkStatus();
    const Expression& e = call.arguments[which];
    if (e.kind != Kind::kNumber || e.number < least) {
      const std::string range = least == kAny ? "" : absl::StrCat(" from ", least);
      return Fail(e, absl::StrCat(AbslText(what), " is needed here: a number", range));
    }
    *number = static_cast<T>(e.number);
    return absl::OkStatus();
  }

  absl::Status Sequence(const Expression& e, Piece* piece) {
    piece->what = Piece::What::kSequence;
    VAQUITA_RETURN_IF_ERROR(NumberAt(e, 0, kAny, "the first number", &piece->first));
    return NumberAt(e, 1, kAny, "the step", &piece->step);
  }

  absl::Status Uniform(const Expression& e, Piece* piece) {
    const Expression& least = e.arguments[0];
    const Expression& most = e.arguments[1];
    const bool times = least.kind == Kind::kTime;
    if (!times && least.kind != Kind::kNumber) return Fail(least, "a number or a date is needed here");
    if (most.kind != least.kind) return Fail(most, absl::StrCat("a ", times ? "date" : "number", " is needed here"));
    if (most.number < least.number) return Fail(most, "the second number is below the first");
    piece->what = Piece::What::kUniform;
    piece->kind = times ? FieldKind::kTime : FieldKind::kInteger;
    piece->first = least.number;
    piece->range = static_cast<uint64_t>(most.number) - static_cast<uint64_t>(least.number) + 1;
    if (piece->range == 0) return Fail(most, "a range of all 64-bit numbers is too wide");
    return absl::OkStatus();
  }

  absl::Status Zipf(const Expression& e, Piece* piece) {
    piece->what = e.text == "zipf"     ? Piece::What::kZipf
                  : e.text == "latest" ? Piece::What::kLatest
                                       : Piece::What::kScrambledZipf;
    VAQUITA_RETURN_IF_ERROR(NumberAt(e, 0, 1, "a count", &piece->range));
    double exponent = ZipfDistribution::kDefaultExponent;
    if (e.arguments.size() > 1) {
      exponent = e.arguments[1].decimal;
      if (exponent <= 0 || exponent >= 1)
        return Fail(e.arguments[1], "an exponent between 0.0 and 1.0 is needed here, such as 0.99");
    }
    piece->zipf.emplace(piece->range, exponent);
    return absl::OkStatus();
  }

  absl::Status Times(const Expression& e, Piece* piece) {
    const bool by_rate = e.text == "time_rate";
    piece->what = by_rate ? Piece::What::kTimesByRate : Piece::What::kTimes;
    piece->kind = FieldKind::kTime;
    const Expression& start = e.arguments[0];
    if (start.kind != Kind::kTime && start.kind != Kind::kNumber) {
      return Fail(start, "a date is needed here: 2026-01-31T10:30:00");
    }
    piece->first = start.number;
    VAQUITA_RETURN_IF_ERROR(by_rate ? NumberAt(e, 1, 1, "a rate in records a second", &piece->step)
                                    : NumberAt(e, 1, 0, "a step such as 1ms", &piece->step));
    return NumberAt(e, 2, 0, "a duration such as 5s", &piece->jitter);
  }

  absl::Status Choices(const Expression& e, Piece* piece) {
    piece->what = Piece::What::kChoice;
    piece->kind = e.arguments[0].kind == Kind::kText ? FieldKind::kText : FieldKind::kInteger;
    const Kind kind = e.arguments[0].kind;
    int64_t sum = 0;
    for (const Expression& choice : e.arguments) {
      if (choice.kind != kind || (kind != Kind::kText && kind != Kind::kNumber)) {
        return Fail(choice, "the choices must be all texts or all numbers: choice('web1':3, 'web2')");
      }
      const int64_t weight = choice.weight.value_or(1);
      if (weight < 0 || weight > std::numeric_limits<int32_t>::max()) return Fail(choice, "a weight is 0 or more");
      piece->choices.push_back(choice.text);
      piece->numbers.push_back(choice.number);
      piece->weights.push_back(sum += weight);
    }
    return sum > 0 ? absl::OkStatus() : Fail(e, "all weights are 0");
  }

  // phone('+49170', 7) and hex(16); phone('+49170', 7, 1000): one of 1000 numbers, as people call again.
  absl::Status RandomDigits(const Expression& e, Piece* piece) {
    const bool phone = e.text == "phone";
    piece->what = phone ? Piece::What::kDigits : Piece::What::kHex;
    piece->kind = FieldKind::kText;
    if (phone && e.arguments[0].kind != Kind::kText)
      return Fail(e.arguments[0], "a prefix for the numbers is needed here: '+49170'");
    if (phone) piece->text = e.arguments[0].text;
    VAQUITA_RETURN_IF_ERROR(NumberAt(e, phone ? 1 : 0, 1, "a number of digits", &piece->digits));
    if (piece->digits > kMaxRowLength) return Fail(e, "a row key has at most 32,767 bytes");
    piece->range = 0;
    return phone ? NumberAt(e, 2, 1, "a count", &piece->range) : absl::OkStatus();
  }

  absl::Status Padded(const Expression& e, Piece* piece) {
    VAQUITA_ASSIGN_OR_RETURN(*piece, One(e.arguments[0]));
    if (piece->kind == FieldKind::kText) return Fail(e.arguments[0], "a generator of numbers is needed here");
    VAQUITA_RETURN_IF_ERROR(NumberAt(e, 1, 1, "a number of digits", &piece->digits));
    return piece->digits <= kMaxRowLength ? absl::OkStatus() : Fail(e, "a row key has at most 32,767 bytes");
  }

  const std::string_view text_;
  const uint64_t seed_;
  uint64_t pieces_ = 0;
};

}  // namespace

struct RecordGenerator::Fields {
  Schema schema;
  std::vector<std::vector<Piece>> pieces;  // by field
  size_t text_bytes = 0;                   // the longest record's texts
};

absl::StatusOr<RecordGenerator> RecordGenerator::Parse(std::string_view text, uint64_t seed) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<NamedExpression> list, ParseNamedExpressions(text));
  Fields fields;
  std::vector<Field> declared;
  GeneratorParser parser(text, seed);
  for (const NamedExpression& named : list) {
    for (const Field& earlier : declared) {
      if (earlier.name == named.name) {
        return ExpressionError(absl::StrCat("duplicate field '", named.name, "'"), text, named.name_begin);
      }
    }
    VAQUITA_ASSIGN_OR_RETURN(std::vector<Piece> pieces, parser.Pieces(named.expression));
    const bool is_text = pieces.size() > 1 || pieces[0].digits > 0;
    declared.push_back({named.name, is_text ? FieldKind::kText : pieces[0].kind});
    if (declared.back().kind == FieldKind::kText) {
      for (const Piece& piece : pieces) fields.text_bytes += piece.WidestText();
    }
    fields.pieces.push_back(std::move(pieces));
  }
  fields.schema = Schema(std::move(declared));
  return RecordGenerator(std::make_shared<const Fields>(std::move(fields)));
}

const Schema& RecordGenerator::schema() const { return fields_->schema; }

Record RecordGenerator::Generate(uint64_t index, RecordBuffer* buffer) const {
  const Fields& fields = *fields_;
  if (buffer->values_.size() != fields.pieces.size()) buffer->values_.resize(fields.pieces.size());
  if (buffer->text_.size() < fields.text_bytes) buffer->text_.resize(fields.text_bytes);
  char* to = buffer->text_.data();
  for (size_t i = 0; i < fields.pieces.size(); ++i) {
    FieldValue& value = buffer->values_[i];
    if (fields.schema.fields()[i].kind != FieldKind::kText) {
      value.number = Number(fields.pieces[i][0], index);
      continue;
    }
    char* const begin = to;
    for (const Piece& piece : fields.pieces[i]) to = PutText(piece, index, to);
    value.text = {begin, static_cast<size_t>(to - begin)};
  }
  return buffer->record();
}

}  // namespace vaquita::lab
