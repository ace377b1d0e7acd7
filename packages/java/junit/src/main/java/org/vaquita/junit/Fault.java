package org.vaquita.junit;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A failure on demand: which calls it is for, and what then happens. Deterministic: after {@link #skip} calls that match, the next
 * {@link #times} get it. Without times it stays until it is cleared or the server is reset.
 *
 * <pre>{@code
 * hbase.addFault(Fault.on("Mutate").table("t").times(2).throwing("RegionTooBusyException", "as ordered"));
 * }</pre>
 */
public final class Fault {
  private final Map<String, Object> match = new LinkedHashMap<>();
  private final Map<String, Object> fields = new LinkedHashMap<>();

  private Fault() {
    fields.put("match", match);
  }

  /** For calls of these methods, by HBase's names: "Get", "Mutate", "Multi", "Scan", "CreateTable"; none: all. */
  public static Fault on(String... methods) {
    Fault fault = new Fault();
    if (methods.length > 0) fault.match.put("methods", Arrays.asList(methods));
    return fault;
  }

  /** Only calls on this table, "name" or "namespace:name". */
  public Fault table(String table) {
    match.put("table", table);
    return this;
  }

  /** Only calls with a row in [from, to); bytes that are not printable are written \xNN. */
  public Fault rows(String from, String to) {
    match.put("rowFrom", from);
    match.put("rowTo", to);
    return this;
  }

  /** Only calls on the region of this encoded name. */
  public Fault region(String encodedName) {
    match.put("region", encodedName);
    return this;
  }

  /** Only calls of this user, or from this address. */
  public Fault client(String userOrAddress) {
    match.put("client", userOrAddress);
    return this;
  }

  /** Only calls of this service: "ClientService", "MasterService", "AdminService". */
  public Fault service(String service) {
    match.put("service", service);
    return this;
  }

  /** Also calls on system tables and look-ups in hbase:meta. */
  public Fault system() {
    match.put("system", true);
    return this;
  }

  /** The first calls that match pass. */
  public Fault skip(int calls) {
    fields.put("skip", calls);
    return this;
  }

  /** So many calls get it. */
  public Fault times(int calls) {
    fields.put("times", calls);
    return this;
  }

  /** They are answered with this exception, and nothing is done. A class without a package is looked for among HBase's. */
  public Fault throwing(String exceptionClass, String message) {
    Map<String, Object> exception = new LinkedHashMap<>();
    exception.put("class", exceptionClass);
    exception.put("message", message);
    fields.put("exception", exception);
    return this;
  }

  /** The same; the client is told to give up. */
  public Fault throwingForGood(String exceptionClass, String message) {
    throwing(exceptionClass, message);
    @SuppressWarnings("unchecked")
    Map<String, Object> exception = (Map<String, Object>) fields.get("exception");
    exception.put("doNotRetry", true);
    return this;
  }

  /** They are answered late. */
  public Fault delayed(Duration duration) {
    fields.put("delay", Durations.text(duration));
    return this;
  }

  /** The connection closes before anything is done. */
  public Fault droppedBefore() {
    fields.put("drop", "before");
    return this;
  }

  /** The call is done, and the connection closes before the answer. */
  public Fault droppedAfter() {
    fields.put("drop", "after");
    return this;
  }

  /** The call is done and never answered; the connection stays. */
  public Fault answerLost() {
    fields.put("loseAnswer", true);
    return this;
  }

  /** The call's region answers NotServingRegionException for so long, to every client. */
  public Fault regionInTransition(Duration duration) {
    fields.put("inTransition", Durations.text(duration));
    return this;
  }

  /** The server closes all connections and takes no calls for so long. */
  public Fault serverDead(Duration duration) {
    fields.put("serverDead", Durations.text(duration));
    return this;
  }

  Map<String, Object> fields() {
    return fields;
  }
}
