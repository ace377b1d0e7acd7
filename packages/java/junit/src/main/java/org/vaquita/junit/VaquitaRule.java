package org.vaquita.junit;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.rules.TestRule;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;

/**
 * Vaquita for JUnit 4. As a {@code @Rule} it gives each test the declared tables and nothing else; as a {@code @ClassRule} once for the
 * class. All rules of a JVM that have the same properties share a process.
 *
 * <pre>{@code
 * @Rule public VaquitaRule hbase = Vaquita.ruleWithTable("t", "f");
 * }</pre>
 */
public final class VaquitaRule implements TestRule {
  private final Declaration declaration = new Declaration();
  private boolean ownProcess;
  private Vaquita vaquita;

  /** Adds a table that each test finds empty. */
  public VaquitaRule withTable(String table, String... families) {
    declaration.table(table, families);
    return this;
  }

  /** Adds commands of HBase's shell that run before each test, after the tables were made. */
  public VaquitaRule withSeed(String script) {
    declaration.seed(script);
    return this;
  }

  /** Adds a property, as hbase-site.xml has them, for the server and its clients. */
  public VaquitaRule withProperty(String name, String value) {
    declaration.property(name, value);
    return this;
  }

  /** A process of its own, for tests that run at the same time as others in one JVM. */
  public VaquitaRule withOwnProcess() {
    ownProcess = true;
    return this;
  }

  @Override
  public Statement apply(Statement base, Description description) {
    return new Statement() {
      @Override
      public void evaluate() throws Throwable {
        vaquita = ownProcess ? Vaquita.start(declaration.properties()) : SharedServers.OF_THIS_JVM.get(declaration.properties());
        try {
          declaration.prepare(vaquita);
          base.evaluate();
          vaquita.checkRunning();
        } catch (Throwable e) {
          if (!Outcomes.isSkipped(e)) System.err.println(description.getDisplayName() + " failed. " + vaquita.lastLogLines());
          throw e;
        } finally {
          if (ownProcess) vaquita.stop();
        }
      }
    };
  }

  /** Returns the server. IllegalStateException outside of a test. */
  public Vaquita vaquita() {
    if (vaquita == null) throw new IllegalStateException("the rule has not begun: is it a public field with @Rule or @ClassRule?");
    return vaquita;
  }

  public Configuration getConf() {
    return vaquita().getConf();
  }

  public Connection getConnection() {
    return vaquita().getConnection();
  }

  public Admin getAdmin() throws IOException {
    return vaquita().getAdmin();
  }
}
