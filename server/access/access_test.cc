#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "base/options.h"
#include "base/random_bytes.h"
#include "base/status.h"
#include "base/testing/temporary_folder.h"
#include "server/access/access_control.h"
#include "server/access/http_caller.h"
#include "server/access/permission_cells.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;
using enum UserAction;

const TableName kTable{"ns", "t"};

UserPermission Global(std::string user, UserActions actions) {
  return {std::move(user), {.scope = Permission::Scope::kGlobal, .actions = actions}};
}
UserPermission InNamespace(std::string user, std::string ns, UserActions actions) {
  return {std::move(user), {.scope = Permission::Scope::kNamespace, .ns = std::move(ns), .actions = actions}};
}
UserPermission On(std::string user, std::string family, std::string qualifier, UserActions actions) {
  return {std::move(user),
          {.scope = Permission::Scope::kTable,
           .table = kTable,
           .family = std::move(family),
           .qualifier = std::move(qualifier),
           .actions = actions}};
}

class AccessTest : public ::testing::Test {
 protected:
  AccessTest() {
    options_.authorization = true;
    options_.superusers = "root1, root2";
    table_.name = kTable;
    for (const char* family : {"f", "g"}) table_.families[family].name = family;
    Make();
  }
  void Make() { access_ = *AccessControl::Create(options_, "process secret"); }
  void Know(std::vector<UserPermission> permissions) {
    access_->Update(std::make_shared<Permissions>(std::move(permissions), ++version_));
  }
  static Caller By(std::string name) { return {.name = std::move(name)}; }

  // Returns what the caller may read of the columns, as text; "denied" if that is nothing.
  std::string Readable(const std::string& user, const ColumnSelection& columns, bool exists = false) {
    const Caller caller = By(user);
    std::optional<ColumnSelection> narrowed;
    const absl::Status status = access_->CheckRead(&caller, table_, columns, exists, &narrowed);
    if (!status.ok()) return IsError(status, ErrorKind::kAccessDenied) ? "denied" : status.ToString();
    if (!narrowed.has_value()) return "all";
    std::string text;
    for (const auto& [family, qualifiers] : *narrowed) {
      text += (text.empty() ? "" : " ") + family + ":";
      for (const std::string& qualifier : qualifiers) text += qualifier + ",";
    }
    return text;
  }
  bool MayWrite(const std::string& user, const std::vector<std::pair<std::string, std::string>>& columns) {
    Mutation put;
    for (const auto& [family, qualifier] : columns) {
      Cell cell;
      cell.family = family;
      cell.qualifier = qualifier;
      put.cells.push_back(cell);
    }
    const Caller caller = By(user);
    return access_->CheckMutation(&caller, table_, put).ok();
  }

  Options options_;
  TableDescriptor table_;
  std::unique_ptr<AccessControl> access_;
  int64_t version_ = 0;
};

// --- Who

TEST_F(AccessTest, ATokenCountsBeforeACertificateAndThatBeforeAWord) {
  const auto name = [&](const CallerClaim& claim) {
    const auto caller = access_->Establish(claim);
    return caller.ok() ? caller->name : "nobody";
  };
  EXPECT_EQ(name({.said_name = "bob"}), "bob");
  EXPECT_EQ(name({.certificate_name = "carol", .said_name = "bob"}), "carol");
  EXPECT_EQ(name({.certificate_name = "carol", .token = "process secret", .said_name = "bob"}),
            access_->process().name);
  EXPECT_EQ(name({.certificate_name = "carol", .token = "a guess", .said_name = "bob"}), "nobody");
  EXPECT_EQ(name({}), "nobody");
}

TEST_F(AccessTest, AWordIsNotBelievedIfTheOptionSaysSo) {
  options_.believe_names = false;
  Make();
  EXPECT_TRUE(IsError(access_->Establish({.said_name = "bob"}).status(), ErrorKind::kAccessDenied));
  EXPECT_TRUE(access_->Establish({.certificate_name = "bob"}).ok());
}

TEST_F(AccessTest, OnlySuperusersCallInTheNamesOfOthers) {
  const auto bob = access_->Establish({.said_name = "root2", .acts_for = "bob"});
  ASSERT_TRUE(bob.ok());
  EXPECT_EQ(bob->name, "bob");
  EXPECT_FALSE(bob->superuser);
  EXPECT_THAT(std::string(access_->Establish({.said_name = "bob", .acts_for = "root1"}).status().message()),
              HasSubstr("User: bob is not allowed to impersonate root1"));
  // A program that acts for its users may have lost the name of one.
  EXPECT_THAT(std::string(access_->Establish({.said_name = "root2", .acts_for = ""}).status().message()),
              HasSubstr("User: root2 acts for a user without a name"));
}

TEST_F(AccessTest, TokensComeFromAFileThatOnlyItsOwnerReads) {
  testing::TemporaryFolder folder;
  options_.token_file = folder.path() + "/tokens";
  const std::string token = RandomToken();
  std::ofstream(options_.token_file) << "# users\nbob " << Tokens::Hash(token) << "\n";
  chmod(options_.token_file.c_str(), 0644);
  EXPECT_THAT(std::string(AccessControl::Create(options_, "").status().message()), HasSubstr("chmod 600"));
  chmod(options_.token_file.c_str(), 0600);
  Make();
  EXPECT_EQ(access_->Establish({.token = token})->name, "bob");
  EXPECT_EQ(access_->Establish({.token = token})->proof, Caller::Proof::kToken);
  std::ofstream(options_.token_file) << "bob " << token.substr(1) << "\n";
  EXPECT_THAT(std::string(AccessControl::Create(options_, "").status().message()), HasSubstr("line 1"));
  // A line that was copied for another user must not give one the rights of the other.
  const std::string hash = Tokens::Hash(token);
  std::ofstream(options_.token_file) << "bob " << hash << "\nbob " << hash << "\nroot1 " << hash << "\n";
  EXPECT_THAT(std::string(AccessControl::Create(options_, "").status().message()),
              HasSubstr("line 3: its token is bob's already"));
}

TEST_F(AccessTest, GroupsAreNotSuperusers) {
  options_.superusers = "root1,@admins";
  EXPECT_THAT(std::string(AccessControl::Create(options_, "").status().message()), HasSubstr("@admins"));
}

TEST_F(AccessTest, AChangedFileOfTokensIsReadAgain) {
  testing::TemporaryFolder folder;
  options_.token_file = folder.path() + "/tokens";
  const std::string bobs = RandomToken();
  const std::string adas = RandomToken();
  const auto write = [&](const std::string& text) {
    std::ofstream(options_.token_file) << text;
    chmod(options_.token_file.c_str(), S_IRUSR | S_IWUSR);
  };
  write("bob " + Tokens::Hash(bobs) + "\n");
  access_ = *AccessControl::Create(options_, "process secret");
  EXPECT_EQ(access_->Establish({.token = bobs})->name, "bob");
  EXPECT_FALSE(access_->Establish({.token = adas}).ok());
  write("# Bob has gone, but for a comment that makes the file longer\nada " + Tokens::Hash(adas) + "\n");
  EXPECT_EQ(access_->Establish({.token = adas})->name, "ada");
  EXPECT_FALSE(access_->Establish({.token = bobs}).ok());
  // An error changes nothing.
  write("nonsense\n");
  EXPECT_EQ(access_->Establish({.token = adas})->name, "ada");
  EXPECT_TRUE(access_->Establish({.token = "process secret"}).ok());
  write("");
  EXPECT_FALSE(access_->Establish({.token = adas}).ok());
}

// A new file often has the wrong mode at first.
TEST_F(AccessTest, AFileOfTokensWhoseModeIsMendedIsReadAgain) {
  testing::TemporaryFolder folder;
  options_.token_file = folder.path() + "/tokens";
  const std::string bobs = RandomToken();
  const auto write = [&](const std::string& text, mode_t mode) {
    std::ofstream(options_.token_file) << text;
    chmod(options_.token_file.c_str(), mode);
  };
  write("bob " + Tokens::Hash(bobs) + "\n", 0600);
  Make();
  write("# nobody\n", 0644);
  EXPECT_EQ(access_->Establish({.token = bobs})->name, "bob") << "others may read the file, so it is not used";
  chmod(options_.token_file.c_str(), 0600);
  EXPECT_TRUE(IsError(access_->Establish({.token = bobs}).status(), ErrorKind::kAccessDenied));
}

// A file that cannot be opened at one moment has the same mark at the next.
TEST_F(AccessTest, AFileOfTokensIsTriedAgain) {
  testing::TemporaryFolder folder;
  const std::string path = folder.path() + "/tokens";
  const std::string hash = Tokens::Hash("Bob's");
  std::ofstream(path) << "bob " << hash << "\n";
  chmod(path.c_str(), 0600);
  const auto tokens = TokenFile::Open(path, /*try_again=*/std::chrono::milliseconds(0));
  ASSERT_TRUE(tokens.ok()) << tokens.status();
  // An error with descriptors first: UBSan needs some when it meets the classes of errors and of the log.
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  chmod(path.c_str(), 0700);
  EXPECT_EQ((*tokens)->UserOf(hash), "bob");
  std::filesystem::remove(path);
  std::ofstream(path) << "";
  chmod(path.c_str(), 0600);
  rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  const rlimit none = {0, files.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  EXPECT_EQ((*tokens)->UserOf(hash), "bob");
  setrlimit(RLIMIT_NOFILE, &files);
  EXPECT_EQ((*tokens)->UserOf(hash), "");
}

TEST_F(AccessTest, AFolderIsNoFileOfTokens) {
  testing::TemporaryFolder folder;
  chmod(folder.path().c_str(), 0700);
  EXPECT_THAT(std::string(Tokens::Read(folder.path()).status().message()), HasSubstr("Is a directory"));
}

TEST_F(AccessTest, HttpTakesATokenAsBearerOrAsAPassword) {
  EXPECT_EQ(HttpCallerOf(*access_, "Bearer process secret", "")->proof, Caller::Proof::kToken);
  EXPECT_EQ(HttpCallerOf(*access_, "Basic eDpwcm9jZXNzIHNlY3JldA==", "")->proof, Caller::Proof::kToken);  // x:...
  EXPECT_EQ(HttpCallerOf(*access_, "Basic Ym9iOg==", "")->name, "bob");                                   // bob:
  EXPECT_FALSE(HttpCallerOf(*access_, "Basic Ym9iOmd1ZXNz", "").ok());                                    // bob:guess
  EXPECT_FALSE(HttpCallerOf(*access_, "", "").ok());
  EXPECT_TRUE(CheckHttpSuperuser(*access_, "Bearer process secret", "").ok());
  EXPECT_TRUE(CheckHttpSuperuser(*access_, "", "root1").ok());
  EXPECT_FALSE(CheckHttpSuperuser(*access_, "", "bob").ok());
  EXPECT_FALSE(CheckHttpSuperuser(*access_, "Basic cm9vdDE6", "").ok()) << "root1 by its own word";
}

TEST_F(AccessTest, HttpRefusesAFieldThatItCannotRead) {
  EXPECT_EQ(HttpCallerOf(*access_, "bearer process secret", "carol")->name, access_->process().name);
  EXPECT_EQ(HttpCallerOf(*access_, "BASIC Ym9iOg==", "")->name, "bob");
  EXPECT_EQ(HttpCallerOf(*access_, "", "carol")->name, "carol");
  for (const char* field : {"Basic ?", "Basic", "Bearer", "Bearer ", "Negotiate YII=", "process secret", " "}) {
    EXPECT_TRUE(IsError(HttpCallerOf(*access_, field, "carol").status(), ErrorKind::kAccessDenied)) << field;
  }
}

TEST_F(AccessTest, WithKerberosATicketOrADelegationTokenIsNeeded) {
  options_.authentication = "kerberos";
  options_.region_server_principal = "hbase/_HOST@EXAMPLE.COM";
  Make();
  const auto ada = access_->Establish({.principal = "ada@EXAMPLE.COM", .acts_for = "ada@EXAMPLE.COM"});
  ASSERT_TRUE(ada.ok()) << ada.status();
  EXPECT_EQ(ada->name, "ada");
  EXPECT_EQ(ada->principal, "ada@EXAMPLE.COM");
  EXPECT_EQ(ada->proof, Caller::Proof::kKerberos);
  EXPECT_TRUE(access_->Establish({.principal = "root1/host@EXAMPLE.COM"})->superuser);
  EXPECT_EQ(access_->Establish({.principal = "root1@EXAMPLE.COM", .acts_for = "bob@EXAMPLE.COM"})->name, "bob");
  EXPECT_THAT(std::string(access_->Establish({.principal = "ada@OTHER.COM"}).status().message()),
              HasSubstr("No rules applied to ada@OTHER.COM"));
  EXPECT_THAT(std::string(access_->Establish({.said_name = "ada"}).status().message()),
              HasSubstr("Authentication is required"));
  EXPECT_TRUE(access_->Establish({.certificate_name = "ada"}).ok());

  options_.simple_beside_kerberos = true;
  Make();
  EXPECT_EQ(access_->Establish({.said_name = "ada@EXAMPLE.COM"})->name, "ada");
}

TEST_F(AccessTest, WithKerberosTheServersPrincipalHasItsRealm) {
  options_.authentication = "kerberos";
  options_.region_server_principal = "hbase/_HOST";
  EXPECT_THAT(std::string(AccessControl::Create(options_, "").status().message()),
              HasSubstr("hbase.regionserver.kerberos.principal is \"hbase/_HOST\" and needs its realm"));
  options_.region_server_principal = "";
  options_.master_principal = "hbase/_HOST@";
  EXPECT_THAT(std::string(AccessControl::Create(options_, "").status().message()),
              HasSubstr("hbase.master.kerberos.principal is \"hbase/_HOST@\""));
}

// Rules for principals would make another user of such a name.
TEST_F(AccessTest, WithKerberosAUserIsNotFoundTwice) {
  options_.authentication = "kerberos";
  options_.region_server_principal = "hbase/_HOST@EXAMPLE.COM";
  Make();
  // The query server calls so for a client that it knows.
  for (const char* user : {"root1@EXAMPLE.COM", "ada@other.com"}) {
    const auto known = access_->Establish({.certificate_name = user});
    ASSERT_TRUE(known.ok()) << known.status();
    EXPECT_EQ(known->name, user);
    const auto acts = access_->Establish({.token = "process secret", .acts_for = user});
    ASSERT_TRUE(acts.ok()) << acts.status();
    EXPECT_EQ(acts->name, user);
    EXPECT_FALSE(acts->superuser);
    const auto token = access_->delegation_tokens()->Make({.name = user, .is_principal = false}, /*now_ms=*/0);
    const auto holder = access_->Establish({.delegation = absl::Base64Escape(token.identifier), .acts_for = user});
    ASSERT_TRUE(holder.ok()) << holder.status();
    EXPECT_EQ(holder->name, user);
    EXPECT_EQ(holder->principal, "");
    EXPECT_FALSE(holder->superuser);
  }
}

TEST_F(AccessTest, ADelegationTokenIsOfItsUserForItsTime) {
  options_.authentication = "kerberos";
  options_.region_server_principal = "hbase/_HOST@EXAMPLE.COM";
  options_.delegation_token_ms = 1000;
  access_ = *AccessControl::Create(options_, "process secret");
  DelegationTokens& tokens = *access_->delegation_tokens();
  const DelegationTokens::Token token = tokens.Make({"ada@EXAMPLE.COM"}, /*now_ms=*/5000);
  const std::string name = absl::Base64Escape(token.identifier);
  EXPECT_EQ(*tokens.PasswordOf(name, 6000), absl::Base64Escape(token.password));
  EXPECT_THAT(std::string(tokens.PasswordOf(name, 6001).status().message()), HasSubstr("ada@EXAMPLE.COM has expired"));
  EXPECT_FALSE(tokens.PasswordOf("nonsense", 0).ok());
  EXPECT_FALSE(tokens.PasswordOf("", 0).ok());
  EXPECT_NE(tokens.Make({"ada@EXAMPLE.COM"}, 5000).identifier, token.identifier);

  const auto caller = access_->Establish({.delegation = name});
  EXPECT_EQ(caller->name, "ada");
  EXPECT_EQ(caller->proof, Caller::Proof::kDelegation);
  const DelegationTokens::Token roots = tokens.Make({"root1@EXAMPLE.COM"}, 5000);
  const std::string root = absl::Base64Escape(roots.identifier);
  EXPECT_FALSE(access_->Establish({.delegation = root, .acts_for = "bob"}).ok()) << "a token's holder acts for nobody";

  // Processes of the cluster share the secret, and others do not have it.
  const auto peer = *AccessControl::Create(options_, "process secret");
  EXPECT_EQ(*peer->delegation_tokens()->PasswordOf(name, 5000), absl::Base64Escape(token.password));
  const auto stranger = *AccessControl::Create(options_, "another secret");
  EXPECT_NE(*stranger->delegation_tokens()->PasswordOf(name, 5000), absl::Base64Escape(token.password));
}

// --- What

TEST_F(AccessTest, WithoutPermissionsOnlySuperusersMayAnything) {
  EXPECT_EQ(Readable("bob", {}), "denied");
  EXPECT_FALSE(MayWrite("bob", {{"f", "q"}}));
  const Caller root = *access_->Establish({.said_name = "root1"});
  std::optional<ColumnSelection> narrowed;
  EXPECT_TRUE(access_->CheckRead(&root, table_, {}, false, &narrowed).ok());
  EXPECT_TRUE(access_->RequireGlobally(&root, kAdmin).ok());
  EXPECT_FALSE(access_->CheckRead(nullptr, table_, {}, false, &narrowed).ok());
  EXPECT_FALSE(access_->RequireGlobally(nullptr, kAdmin).ok());
  EXPECT_FALSE(access_->MaySeeTable(nullptr, kTable));
}

TEST_F(AccessTest, AWiderRightIncludesTheNarrowerOnes) {
  for (const UserPermission& wide :
       {Global("bob", {kRead}), InNamespace("bob", "ns", {kRead}), On("bob", "", "", {kRead})}) {
    Know({wide});
    EXPECT_EQ(Readable("bob", {}), "all");
    EXPECT_EQ(Readable("bob", {{"f", {"q"}}}), "all");
    EXPECT_FALSE(MayWrite("bob", {{"f", "q"}}));
    EXPECT_EQ(Readable("carol", {}), "denied");
  }
  Know({InNamespace("bob", "other", {kRead})});
  EXPECT_EQ(Readable("bob", {}), "denied");
}

TEST_F(AccessTest, AReadIsNarrowedToWhatIsGranted) {
  Know({On("bob", "f", "", {kRead}), On("carol", "f", "q", {kRead}), On("carol", "f", "r", {kRead, kWrite}),
        On("carol", "g", "w", {kWrite})});
  EXPECT_EQ(Readable("bob", {}), "f:");
  EXPECT_EQ(Readable("bob", {{"f", {"x"}}}), "all");
  EXPECT_EQ(Readable("bob", {{"f", {}}, {"g", {"x"}}}), "f:");
  EXPECT_EQ(Readable("bob", {{"g", {}}}), "denied");
  EXPECT_EQ(Readable("carol", {}), "f:q,r,");
  EXPECT_EQ(Readable("carol", {{"f", {"q"}}}), "all");
  EXPECT_EQ(Readable("carol", {{"f", {"q", "x"}}}), "f:q,");
  EXPECT_EQ(Readable("carol", {{"f", {"x"}}}), "denied");
  EXPECT_EQ(Readable("carol", {}, /*exists=*/true), "denied");
  EXPECT_EQ(Readable("carol", {{"f", {"q"}}}, /*exists=*/true), "all");
}

TEST_F(AccessTest, AWriteNeedsEveryColumn) {
  Know({On("bob", "f", "q", {kWrite}), On("carol", "f", "", {kWrite})});
  EXPECT_TRUE(MayWrite("bob", {{"f", "q"}}));
  EXPECT_FALSE(MayWrite("bob", {{"f", "q"}, {"f", "r"}}));
  EXPECT_FALSE(MayWrite("bob", {{"f", "q"}, {"g", "q"}}));
  EXPECT_FALSE(MayWrite("bob", {{"f", ""}})) << "the delete of a family";
  EXPECT_FALSE(MayWrite("bob", {})) << "the delete of a row";
  EXPECT_TRUE(MayWrite("carol", {{"f", "q"}, {"f", ""}}));
  EXPECT_FALSE(MayWrite("carol", {})) << "the delete of a row, with family g";
}

TEST_F(AccessTest, AConditionNeedsToReadAndToWrite) {
  Know({On("bob", "f", "q", {kRead}), On("carol", "f", "q", {kRead, kWrite})});
  const CheckAndMutate check{.family = "f", .qualifier = "q"};
  const Caller bob = By("bob"), carol = By("carol");
  EXPECT_FALSE(access_->CheckCondition(&bob, table_, check).ok());
  EXPECT_TRUE(access_->CheckCondition(&carol, table_, check).ok());
  CheckAndMutate by_filter;
  by_filter.filter = FilterSpec{};
  EXPECT_FALSE(access_->CheckCondition(&carol, table_, by_filter).ok()) << "the filter may see every column";
}

TEST_F(AccessTest, NobodyWritesToTheTableOfRights) {
  table_.name = kAclTableName;
  const Caller root = *access_->Establish({.said_name = "root1"});
  EXPECT_FALSE(access_->CheckMutation(&root, table_, {}).ok());
}

TEST_F(AccessTest, EverybodyReadsMeta) {
  table_.name = kMetaTableName;
  EXPECT_EQ(Readable("bob", {}), "all");
  EXPECT_FALSE(MayWrite("bob", {{"info", "x"}}));
}

TEST_F(AccessTest, GrantingNeedsAdminOfTheSameScope) {
  Know({Global("global", {kAdmin}), InNamespace("of_ns", "ns", {kAdmin}), On("of_table", "", "", {kAdmin}),
        On("of_family", "f", "", {kAdmin}), On("creator", "", "", {kCreate, kRead, kWrite})});
  const auto may = [&](const std::string& user, const UserPermission& permission) {
    const Caller caller = By(user);
    return access_->RequireToGrant(&caller, permission).ok();
  };
  const UserPermission everywhere = Global("x", {kRead}), in_ns = InNamespace("x", "ns", {kRead}),
                       on_table = On("x", "", "", {kRead}), on_family = On("x", "f", "", {kRead}),
                       on_column = On("x", "f", "q", {kRead});
  EXPECT_TRUE(may("global", everywhere) && may("global", in_ns) && may("global", on_column));
  EXPECT_FALSE(may("of_ns", everywhere));
  EXPECT_TRUE(may("of_ns", in_ns) && may("of_ns", on_table));
  EXPECT_FALSE(may("of_table", in_ns));
  EXPECT_TRUE(may("of_table", on_table) && may("of_table", on_column));
  EXPECT_FALSE(may("of_family", on_table));
  EXPECT_TRUE(may("of_family", on_family) && may("of_family", on_column));
  EXPECT_FALSE(may("creator", on_column));
  EXPECT_FALSE(may("global", Global("root1", {kRead}))) << "a superuser's rights are nobody's to change";
}

TEST_F(AccessTest, OlderPermissionsDoNotReplaceNewerOnes) {
  access_->Update(std::make_shared<Permissions>(std::vector<UserPermission>(), 5));
  access_->Update(std::make_shared<Permissions>(std::vector<UserPermission>{Global("bob", {kRead})}, 4));
  EXPECT_EQ(Readable("bob", {}), "denied");
}

TEST_F(AccessTest, RefusalsSayWhatHBaseSays) {
  const Caller bob = By("bob");
  const auto text = [](const absl::Status& status) { return std::string(status.message()); };
  EXPECT_EQ(text(access_->RequireGlobally(&bob, kAdmin)),
            "Insufficient permissions for user 'bob' (global, action=ADMIN)");
  EXPECT_EQ(text(access_->RequireOnTable(&bob, kTable, {kAdmin, kCreate})),
            "Insufficient permissions (user=bob, scope=ns:t, params=[table=ns:t,],action=CREATE)");
  EXPECT_EQ(text(access_->RequireOnTable(&bob, kTable, {kAdmin}, "", "", "eve")),
            "Insufficient permissions (user=bob, scope=ns:t, params=[table=ns:t,filterUser=eve],action=ADMIN)");
  EXPECT_EQ(text(access_->RequireInNamespace(&bob, "ns", {kAdmin, kCreate}, &table_)),
            "Insufficient permissions (user=bob, scope=ns, params=[namespace=ns,table=ns:t,family=f|g],action=CREATE)");
  EXPECT_EQ(text(access_->RequireInNamespace(&bob, "ns", {kAdmin})),
            "Insufficient permissions (user=bob, scope=ns, params=[namespace=ns,],action=ADMIN)");
}

// --- As cells

TEST(PermissionCellsTest, CellsAreHBases) {
  const UserPermission all[] = {Global("bob", {kRead, kAdmin}), InNamespace("bob", "ns", {kCreate}),
                                On("bob", "", "", UserActions::All()), On("bob", "f", "", {kWrite}),
                                On("bob", "f", "q,with,commas", {kExec})};
  const char* const cells[][3] = {{"hbase:acl", "bob", "RA"},
                                  {"@ns", "bob", "C"},
                                  {"ns:t", "bob", "RWXCA"},
                                  {"ns:t", "bob,f", "W"},
                                  {"ns:t", "bob,f,q,with,commas", "X"}};
  for (size_t i = 0; i < std::size(all); ++i) {
    EXPECT_EQ(AclRow(all[i].permission), cells[i][0]);
    EXPECT_EQ(AclQualifier(all[i]), cells[i][1]);
    EXPECT_EQ(all[i].permission.actions.Letters(), cells[i][2]);
    const auto read = ReadAclCell(cells[i][0], cells[i][1], cells[i][2]);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, all[i]);
  }
}

TEST(PermissionCellsTest, NonsenseIsNoPermission) {
  EXPECT_FALSE(ReadAclCell("t", "bob", "RQ").ok());
  EXPECT_FALSE(ReadAclCell("t", "", "R").ok());
  EXPECT_FALSE(ReadAclCell("no table!", "bob", "R").ok());
  EXPECT_FALSE(ReadAclCell("@no namespace", "bob", "R").ok());
  // One that a region server could not read would end the cluster.
  EXPECT_FALSE(ReadAclCell("t", "\xff,f", "R").ok());
  EXPECT_FALSE(CheckStorable(Global("\xff", {kRead})).ok());
  EXPECT_TRUE(CheckStorable(Global("caf\xC3\xA9", {kRead})).ok());
  EXPECT_FALSE(CheckStorable(Global("@group", {kRead})).ok());
  EXPECT_FALSE(CheckStorable(Global("a,b", {kRead})).ok());
  EXPECT_FALSE(CheckStorable(Global("", {kRead})).ok());
  EXPECT_FALSE(CheckStorable(On("bob", "", "q", {kRead})).ok());
  // It would be read back as a right that holds everywhere.
  for (const char* family : {"", "l"}) {
    UserPermission on_rights = On("bob", family, "", {kRead});
    on_rights.permission.table = kAclTableName;
    EXPECT_THAT(std::string(CheckStorable(on_rights).message()), ::testing::HasSubstr("would be one to all tables"));
  }
  EXPECT_THAT(std::string(CheckStorable(On("bob", "a,b", "", {kRead})).message()),
              ::testing::HasSubstr("the family a,b has a comma"));
}

}  // namespace
}  // namespace vaquita
