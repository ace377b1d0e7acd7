import org.apache.hadoop.hbase.util.EnvironmentEdge;

/**
 * The clock of a script: the threads that handle the data of user tables see the script's time, which only the script moves; all others
 * (procedures, the client, the reader of requests) see the machine's, moved to 20 days after the scripts' start. So no request seems
 * overdue, and the milliseconds that are left to it are an int, which HRegion.getRowLockInternal makes of them without a check: 25 days
 * would be a negative number, and every write would be dropped.
 */
final class ScriptClock implements EnvironmentEdge {
  private static final String[] DATA_THREADS = {
      "Compactions", "RS_FLUSH_OPERATIONS", "RS_CLOSE_REGION", "RS_OPEN_REGION", "MemStoreFlusher", "StoreOpener", "StoreCloser", "StoreFlusher", "LeaseManager"};

  private static final long MACHINE_SHIFT_MS = Words.START_MS + 20 * 86_400_000L - System.currentTimeMillis();

  private volatile long nowMs = Words.START_MS;
  private volatile String handlerSuffix = "no port yet";
  private volatile Thread dataThread;

  void reset() {
    nowMs = Words.START_MS;
  }

  void advance(long ms) {
    nowMs += ms;
  }

  /** Handlers of the region server on this port see the script's time. */
  void handlersOfPort(int port) {
    handlerSuffix = "port=" + port;
  }

  interface Work {
    void run() throws Exception;
  }

  /** Runs `work` with the calling thread as one that sees the script's time. */
  void asDataThread(Work work) throws Exception {
    dataThread = Thread.currentThread();
    try {
      work.run();
    } finally {
      dataThread = null;
    }
  }

  @Override
  public long currentTime() {
    return seesScript(Thread.currentThread()) ? nowMs : System.currentTimeMillis() + MACHINE_SHIFT_MS;
  }

  private boolean seesScript(Thread thread) {
    if (thread == dataThread) {
      return true;
    }
    String name = thread.getName();
    if (name.startsWith("RpcServer.default") && name.endsWith(handlerSuffix)) {
      return true;
    }
    for (String part : DATA_THREADS) {
      if (name.contains(part)) {
        return true;
      }
    }
    return false;
  }
}
