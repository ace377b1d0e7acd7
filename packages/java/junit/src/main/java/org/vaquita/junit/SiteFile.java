package org.vaquita.junit;

import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** hbase-site.xml to and from names and values. */
final class SiteFile {
  private SiteFile() {}

  static Map<String, String> parse(String xml) {
    try {
      NodeList list = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(xml)))
                          .getElementsByTagName("property");
      Map<String, String> properties = new LinkedHashMap<>();
      for (int i = 0; i < list.getLength(); ++i) {
        Element property = (Element) list.item(i);
        properties.put(text(property, "name"), text(property, "value"));
      }
      return properties;
    } catch (Exception e) {
      throw new IllegalStateException("the server's hbase_site cannot be read: " + xml, e);
    }
  }

  private static String text(Element property, String name) {
    return property.getElementsByTagName(name).item(0).getTextContent().trim();
  }

  static String write(Map<String, String> properties) {
    StringBuilder out = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    properties.forEach((name, value) -> out.append("  <property><name>").append(escaped(name)).append("</name><value>")
        .append(escaped(value)).append("</value></property>\n"));
    return out.append("</configuration>\n").toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
