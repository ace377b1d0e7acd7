package org.vaquita.junit;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Vaquita for JUnit 5 (from 5.8.1) and 6. Each test finds the declared tables and nothing else, and may have parameters of the types
 * {@link Vaquita}, {@link Configuration}, {@link Connection} and {@link Admin}.
 *
 * <pre>{@code
 * @RegisterExtension static VaquitaExtension hbase = Vaquita.withTable("t", "f");
 *
 * @Test void writes(Connection connection) throws IOException { ... }
 * }</pre>
 *
 * <p>All tests of a JVM share a process, one for each set of properties, which is reset before each test. Tests that run at the same
 * time cannot: what is marked as {@code ExecutionMode.CONCURRENT}, a test or a class, gets a process of its own. Without any
 * declaration, {@code @ExtendWith(VaquitaExtension.class)} does.
 */
public final class VaquitaExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(VaquitaExtension.class);

  private final Declaration declaration = new Declaration();
  private boolean resetPerClass;
  private boolean ownProcess;

  /** Adds a table that each test finds empty. */
  public VaquitaExtension withTable(String table, String... families) {
    declaration.table(table, families);
    return this;
  }

  /** Adds commands of HBase's shell that run before each test, after the tables were made. */
  public VaquitaExtension withSeed(String script) {
    declaration.seed(script);
    return this;
  }

  /** Adds a property, as hbase-site.xml has them, for the server and its clients. */
  public VaquitaExtension withProperty(String name, String value) {
    declaration.property(name, value);
    return this;
  }

  /** The state is made before the class, not before each of its tests: what one leaves, and what @BeforeAll makes, the next finds. */
  public VaquitaExtension resetPerClass() {
    resetPerClass = true;
    return this;
  }

  /** The class has a process of its own (a test, if tests run at the same time), which no other class shares. */
  public VaquitaExtension withOwnProcess() {
    ownProcess = true;
    return this;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    Vaquita vaquita = vaquita(context);
    context.getStore(NAMESPACE).put(used(), new Resource<>(vaquita, v -> {}));
    if (resetPerClass && !isConcurrent(context)) prepareOnce(vaquita, context.getParent().get());
    else declaration.prepare(vaquita);
  }

  /** A test whose server has crashed fails, if it has not failed already. */
  @Override
  public void afterEach(ExtensionContext context) {
    Resource<?> used = context.getStore(NAMESPACE).get(used(), Resource.class);
    if (used == null) return;  // it did not start
    Vaquita vaquita = (Vaquita) used.get();
    Throwable failure = context.getExecutionException().orElse(null);
    if (failure != null && !Outcomes.isSkipped(failure)) System.err.println(context.getDisplayName() + " failed. " + vaquita.lastLogLines());
    if (failure == null) vaquita.checkRunning();
  }

  /** The key of a test's server in the test's store. */
  private Object used() {
    return Arrays.asList(this, "used");
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Vaquita.class || type == Configuration.class || type == Connection.class || type == Admin.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Vaquita vaquita = vaquita(context);
    if (!context.getTestMethod().isPresent()) prepareOnce(vaquita, context);  // @BeforeAll
    Class<?> type = parameter.getParameter().getType();
    if (type == Vaquita.class) return vaquita;
    if (type == Configuration.class) return vaquita.getConf();
    if (type == Connection.class) return vaquita.getConnection();
    try {
      Admin admin = vaquita.getAdmin();
      context.getStore(NAMESPACE).put(admin, new Resource<>(admin, Admin::close));
      return admin;
    } catch (IOException e) {
      throw new VaquitaException("no Admin of " + vaquita + ": " + e, e);
    }
  }

  private Vaquita vaquita(ExtensionContext context) {
    ExtensionContext owner = owner(context);
    if (owner != null) return resource(owner, () -> new Resource<>(Vaquita.start(declaration.properties()), Vaquita::stop));
    resource(context.getRoot(), () -> new Resource<>(SharedServers.OF_THIS_JVM.opened(), SharedServers::close));
    return SharedServers.OF_THIS_JVM.get(declaration.properties());
  }

  private void prepareOnce(Vaquita vaquita, ExtensionContext container) {
    container.getStore(NAMESPACE).getOrComputeIfAbsent(Arrays.asList(this, vaquita, container.getUniqueId()), key -> {
      declaration.prepare(vaquita);
      return true;
    });
  }

  /**
   * Returns the test or class that has a process of its own: the nearest that may run beside others, or if each class is to have one,
   * the outermost class; null: all share.
   */
  private ExtensionContext owner(ExtensionContext context) {
    ExtensionContext outermost = null;
    for (ExtensionContext c = context; c.getParent().isPresent(); c = c.getParent().get()) {
      if (isConcurrent(c)) return c;
      outermost = c;
    }
    return ownProcess ? outermost : null;
  }

  private static boolean isConcurrent(ExtensionContext context) {
    return context.getExecutionMode() == ExecutionMode.CONCURRENT;
  }

  /** A store answers also for the contexts above its own, so the key says whose it is. */
  @SuppressWarnings("unchecked")
  private <T> T resource(ExtensionContext context, Supplier<Resource<T>> make) {
    Object owner = context.getParent().isPresent() ? this : VaquitaExtension.class;
    List<Object> key = Arrays.asList(owner, context.getUniqueId());
    return ((Resource<T>) context.getStore(NAMESPACE).getOrComputeIfAbsent(key, k -> make.get())).get();
  }
}
