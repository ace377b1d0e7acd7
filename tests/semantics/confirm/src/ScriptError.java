/** A line that is not in the scripts' language. */
final class ScriptError extends RuntimeException {
  ScriptError(String message) {
    super(message);
  }
}
