package example;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.junit.Rule;
import org.junit.Test;
import org.vaquita.junit.Vaquita;
import org.vaquita.junit.VaquitaRule;

/** The code block of docs/testing.md for JUnit 4. */
public class SnippetTest {
// snippet: java-junit4
}
