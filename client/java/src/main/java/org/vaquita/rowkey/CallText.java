package org.vaquita.rowkey;

/** {@code Name(argument)}, the form in which distributors and hashers are kept as text. */
final class CallText {
  final String whole;
  final String name;
  final String argument;

  private CallText(String whole, String name, String argument) {
    this.whole = whole;
    this.name = name;
    this.argument = argument;
  }

  static CallText of(String text) {
    int open = text.indexOf('(');
    if (open <= 0 || !text.endsWith(")")) throw new IllegalArgumentException("'" + text + "' is not of the form NAME(PARAMETERS)");
    return new CallText(text, text.substring(0, open), text.substring(open + 1, text.length() - 1));
  }

  int buckets() {
    int buckets;
    try {
      buckets = Integer.parseInt(argument);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + whole + "': '" + argument + "' is not a number of buckets");
    }
    return checkOneByteBuckets(buckets);
  }

  static int checkOneByteBuckets(int buckets) {
    if (buckets >= 1 && buckets <= 256) return buckets;
    throw new IllegalArgumentException("1 to 256 buckets fit in one byte, not " + buckets);
  }
}
