// server/info/jmx_beans.h: the beans of /jmx, and the page that HBase's servers make of theirs.
//
// A bean has a name as in JMX, "Hadoop:service=HBase,name=RegionServer,sub=Server", and attributes. Threads: one at a
// time. Source: JMXJsonServlet and JSONBean (HBase 2.6), and the pages of a server of 2.6.0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/frontend/http/http_message.h"

namespace vaquita {

class JmxBeans {
 public:
  struct Bean {
    std::string name;
    std::string type;                                             // modelerType
    std::vector<std::pair<std::string, std::string>> attributes;  // the values in JSON
  };

  // Begins a bean.
  void Begin(std::string_view name, std::string_view type) { beans_.push_back({std::string(name), std::string(type)}); }
  // Begins one of HBase's: `part` is "RegionServer,sub=Server".
  void BeginHBase(std::string_view part) { Begin("Hadoop:service=HBase,name=" + std::string(part), part); }
  // Add an attribute to the last bean.
  void Text(std::string_view attribute, std::string_view value);
  void Number(std::string_view attribute, int64_t value);
  void Real(std::string_view attribute, double value);  // with a fraction, as Java prints it

  const std::vector<Bean>& beans() const { return beans_; }

 private:
  std::vector<Bean> beans_;
};

// Returns the page for a request's query: qry=PATTERN chooses beans, excl=PATTERN leaves some out, get=NAME::ATTRIBUTE
// chooses one attribute. Without them it has all beans. 400 for a query that is malformed, or asks for HBase's callback
// (which would let a page of another site read the answer) or description.
http::Response JmxPage(const JmxBeans& beans, std::string_view query);

}  // namespace vaquita
