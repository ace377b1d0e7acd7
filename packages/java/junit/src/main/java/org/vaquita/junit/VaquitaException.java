package org.vaquita.junit;

/** The server refused what a test asked of it; the message is the server's. */
public final class VaquitaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  VaquitaException(String message) {
    super(message);
  }

  VaquitaException(String message, Throwable cause) {
    super(message, cause);
  }
}
