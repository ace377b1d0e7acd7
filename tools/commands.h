// tools/commands.h: the commands of `vaquita` that run or check servers. Each function returns the exit code.
//
// A command that runs a server ends at SIGTERM or SIGINT. Once it serves, it prints its addresses and writes a ready
// file (server_command.h). Threads: one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/server_command.h"

namespace vaquita {

struct StandaloneArguments {
  ServerArguments server;
  bool ephemeral = false;  // uses a temporary folder, which is removed at exit
};

// `vaquita standalone`: a whole cluster in this process.
int RunStandalone(const StandaloneArguments& arguments);

// `vaquita master`: the master of a cluster. While another master of the data root is active, it says so and waits.
int RunMaster(const ServerArguments& arguments);

// `vaquita regionserver`: a region server of a cluster. After SIGTERM the master moves its regions away first; after
// SIGINT it stops at once and keeps them for its next life. The exit code is also 1 if the master took it for dead;
// start it again in that case.
int RunRegionServer(const ServerArguments& arguments);

struct ClusterArguments {
  ServerArguments server;
  int64_t servers = 3;
  bool no_restart = false;  // a process that ends stays down until it is ordered to start
  std::string order;        // "kill" or "start": an order to the cluster that runs on the data folder
  std::string ordered;      // the server that the order is about: its number, or "master"
};

// `vaquita cluster`: a master and some region servers on this machine, each in its own process, for workshops and
// tests. It restarts a process that ends by itself, on the same ports. The ready file has the addresses of those that
// run. If this process is killed, the others stop. With an order it gives that to the running cluster instead.
int RunCluster(const ClusterArguments& arguments);

struct QueryServerArguments {
  ServerArguments server;
  std::string address = "127.0.0.1:16040";  // the cluster's (client/connection.h)
};

// `vaquita queryserver`: Phoenix's query server for a cluster of Vaquita or HBase, in its own process.
int RunQueryServer(const QueryServerArguments& arguments);

struct FsckArguments {
  std::string data_path;  // the data root of stopped servers; or
  std::string address;    // the gRPC host:port of a running master
  bool repair = false;
  bool deep = false;
  bool accept_data_loss = false;
};

// `vaquita fsck`: checks that hbase:meta, the stores and the servers agree, and repairs them. It prints a line for each
// finding and each repair, and at the end the number of inconsistencies, as HBase's hbck does. Exit code 0: none are
// left; 1: some are left after the repairs; 2: the check could not run.
int RunFsck(const FsckArguments& arguments);

enum class ConfigFormat {
  kText,
  kMarkdown,  // docs/configuration.md's table
  kXml,       // a file in hbase-site.xml's format with every default
};

// `vaquita health`: prints the line of a server's /health page, or an error. The address is host:port of its HTTP. Exit
// code 0: the server does its work; else 1. It ends within ten seconds. For scripts, and for images without curl.
int RunHealth(const std::string& address);

struct CertsArguments {
  std::string folder;
  std::vector<std::string> hosts;     // empty: those of the folder's certificate of a server, else this machine
  std::string password = "changeit";  // of the PKCS12 files
  std::vector<std::string> users;     // they get keys, too, with certificates in their names
};

// `vaquita certs`: makes an authority, and keys of a server and a client with certificates of it, for tests. If the
// folder has an authority, that is used.
int RunCerts(const CertsArguments& arguments);

struct TokenArguments {
  std::string user;
  std::string file;  // vaquita.users.tokens
};

// `vaquita token`: makes a token for a user, prints it, and adds its hash to the file, which only the owner may read.
int RunToken(const TokenArguments& arguments);

// `vaquita config`: prints every property with its default, unit and meaning.
int PrintConfig(ConfigFormat format);

}  // namespace vaquita
