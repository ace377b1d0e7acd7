package org.vaquita.junit;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.extension.ExtensionContext;

/** What a store of JUnit closes at its end: JUnit 5 by an interface of its own, JUnit 5.13 and later by AutoCloseable. */
@SuppressWarnings("deprecation")
final class Resource<T> implements ExtensionContext.Store.CloseableResource, AutoCloseable {
  /** Closes what may throw. */
  interface Closer<T> {
    void close(T value) throws Exception;
  }

  private final T value;
  private final Closer<T> closer;
  private final AtomicBoolean closed = new AtomicBoolean();

  Resource(T value, Closer<T> closer) {
    this.value = value;
    this.closer = closer;
  }

  T get() {
    return value;
  }

  @Override
  public void close() throws Exception {
    if (closed.compareAndSet(false, true)) closer.close(value);
  }
}
