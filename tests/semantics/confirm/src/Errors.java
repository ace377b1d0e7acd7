import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.ipc.RemoteException;

/** How an exception prints: "! Class: message", without what differs from run to run (regions' names, servers). */
final class Errors {
  private Errors() {}

  static String print(Throwable thrown) {
    Throwable cause = root(thrown);
    String text = cause.getMessage() == null ? "" : cause.getMessage().split("\n")[0];
    String line = "! " + cause.getClass().getSimpleName() + ": " + normalize(text);
    StringBuilder out = new StringBuilder();
    for (char c : line.trim().toCharArray()) {
      out.append(c < 0x20 || c >= 0x7f ? String.format("\\x%02X", (int) c & 0xff) : String.valueOf(c));
    }
    return out.toString();
  }

  /** The server's own exception, out of what the client wraps around it. */
  private static Throwable root(Throwable thrown) {
    Throwable at = thrown;
    while (true) {
      Throwable next = null;
      if (at instanceof RetriesExhaustedWithDetailsException) {
        next = ((RetriesExhaustedWithDetailsException) at).getCause(0);
      } else if (at instanceof RemoteException) {
        IOException unwrapped = ((RemoteException) at).unwrapRemoteException();
        next = unwrapped == at ? null : unwrapped;
      } else if (at instanceof RetriesExhaustedException || at instanceof ExecutionException || at instanceof CompletionException
          || at instanceof UncheckedIOException || at.getClass() == RuntimeException.class) {
        next = at.getCause();
      }
      if (next == null) {
        return at;
      }
      at = next;
    }
  }

  private static String normalize(String text) {
    return text.replaceAll("^([a-z]\\w*\\.)+[A-Z]\\w*(Exception|Error): ", "")
        .replaceAll("[\\w:.-]+,[^, ]*,\\d{13}\\.[0-9a-f]{32}\\.?", "<region>")
        .replaceAll("\\b[0-9a-f]{32}\\b", "<encoded>")
        .replaceAll("[\\w.-]+,\\d+,\\d{13}", "<server>")
        .replaceAll("('[\\w:.-]+'), \\{.*\\}", "$1, <descriptor>");
  }
}
