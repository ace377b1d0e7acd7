#include "sql/catalog/catalog.h"

#include "client/testing/test_cluster.h"
#include "sql/catalog/system_tables.h"
#include "sql/catalog/table_rows.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"

namespace vaquita::sql {
namespace {

ColumnDef Key(std::string name, SqlType type, int32_t position, bool descending = false) {
  ColumnDef column;
  column.name = std::move(name);
  column.type = type;
  column.nullable = false;
  column.key_position = position;
  column.descending = descending;
  return column;
}

ColumnDef Plain(std::string name, SqlType type, std::string qualifier) {
  ColumnDef column;
  column.name = std::move(name);
  column.family = "0";
  column.type = type;
  column.qualifier = std::move(qualifier);
  return column;
}

// CREATE TABLE K4 (A VARCHAR NOT NULL, B BIGINT NOT NULL, V DECIMAL, CONSTRAINT PK PRIMARY KEY (A, B DESC))
// SALT_BUCKETS=4
TableDef K4() {
  TableDef table;
  table.ident.name = "K4";
  table.key_name = "PK";
  table.salt_buckets = 4;
  table.next_number["0"] = 12;
  table.columns = {Key("A", TypeId::kVarchar, 1), Key("B", TypeId::kBigint, 2, true),
                   Plain("V", TypeId::kDecimal, "\x80\x0b")};
  return table;
}

// "row cell type value" of every cell, sorted, in the words of Phoenix's dump.
std::vector<std::string> CellTexts(const std::vector<RowMutations>& rows) {
  std::vector<std::string> texts;
  for (const RowMutations& row : rows) {
    for (const Mutation& mutation : row.mutations) {
      for (const Cell& cell : mutation.cells) {
        texts.push_back(Concat(Hex(row.row), " ", cell.qualifier, " ",
                               cell.type == CellType::kPut ? "x" + Hex(cell.value) : "deleted"));
      }
    }
  }
  return texts;
}

// The cells are those that Apache Phoenix 5.2.1 wrote for K4.
TEST(CatalogRowsTest, CellsArePhoenixs) {
  const std::vector<std::string> texts = CellTexts(CatalogRows(K4()));
  const std::string table = Hex(std::string("\0\0K4", 4));
  for (const std::string_view cell :
       {"COLUMN_COUNT x80000004", "ENCODING_SCHEME x82", "IMMUTABLE_STORAGE_SCHEME x81", "SALT_BUCKETS x80000004",
        "PK_NAME x504b", "TABLE_TYPE x75", "BASE_COLUMN_COUNT x7fffffff", "TABLE_SEQ_NUM x8000000000000000", "_0 x78",
        "VIEW_TYPE deleted", "DEFAULT_COLUMN_FAMILY deleted"}) {
    EXPECT_THAT(texts, testing::Contains(Concat(table, " ", cell)));
  }
  const std::string counter = table + "000030";
  EXPECT_THAT(texts, testing::Contains(counter + " QUALIFIER_COUNTER x8000000c"));
  const std::string b = table + "0042";
  for (const std::string_view cell :
       {"DATA_TYPE x7ffffffb", "KEY_SEQ x8002", "NULLABLE x80000000", "ORDINAL_POSITION x80000002",
        "SORT_ORDER x80000001", "COLUMN_QUALIFIER deleted"}) {
    EXPECT_THAT(texts, testing::Contains(Concat(b, " ", cell)));
  }
  const std::string v = table + "00560030";
  for (const std::string_view cell : {"DATA_TYPE x80000003", "KEY_SEQ deleted", "NULLABLE x80000001",
                                      "COLUMN_QUALIFIER x800b", "SORT_ORDER x80000002", "PK_NAME x504b"}) {
    EXPECT_THAT(texts, testing::Contains(Concat(v, " ", cell)));
  }
  EXPECT_EQ(texts.size(), 36U - 1U + 2U + 3U * 16U);  // as many as Phoenix's
}

class CatalogTest : public client::testing::TestCluster {};

TEST_F(CatalogTest, TablesAreFoundAsTheyWereMade) {
  Catalog catalog(connection_);
  EXPECT_TRUE(IsSqlError(catalog.Find({"", "K4"}).status(), ErrorCode::kUndefinedTable));
  TableDescriptor descriptor = client::testing::TableOf("K4", {"0"});
  ASSERT_OK(catalog.Create(K4(), descriptor, {}).status());
  const auto found = catalog.Find({"", "K4"});
  ASSERT_OK(found.status());
  EXPECT_EQ((*found)->salt_buckets, 4);
  ASSERT_EQ((*found)->columns.size(), 3U);
  EXPECT_EQ((*found)->columns[1].name, "B");
  EXPECT_TRUE((*found)->columns[1].descending);
  EXPECT_EQ((*found)->columns[2].qualifier, "\x80\x0b");
  EXPECT_EQ((*found)->columns[2].family, "0");
  EXPECT_EQ(CellTexts(CatalogRows(**found)), CellTexts(CatalogRows(K4())));
  EXPECT_EQ(catalog.Create(K4(), descriptor, {}).status().message(),
            "ERROR 1013 (42M04): Table already exists. tableName=K4");
  EXPECT_EQ(catalog.All()->size(), 1U + SystemTables().size());

  ASSERT_OK(catalog.Drop({"", "K4"}));
  EXPECT_EQ(catalog.Drop({"", "K4"}).message(), "ERROR 1012 (42M03): Table undefined. tableName=K4");
  EXPECT_FALSE(*admin()->TableExists(*TableName::Parse("K4")));
}

TEST_F(CatalogTest, OfTwoChangesAtOnceOneIsRefused) {
  Catalog catalog(connection_);
  ASSERT_OK(catalog.Create(K4(), client::testing::TableOf("K4", {"0"}), {}).status());
  const auto before = catalog.Find({"", "K4"});
  ASSERT_OK(before.status());
  const auto add = [&](std::string name) {
    TableDef after = **before;
    ++after.changes;
    ColumnDef column = Plain(std::move(name), TypeId::kVarchar, "");
    EXPECT_TRUE(after.GiveQualifier(&column).ok());
    after.columns.push_back(std::move(column));
    return catalog.Alter(**before, RowsOfAddedColumns(after, 1));
  };
  ASSERT_OK(add("W"));
  EXPECT_TRUE(IsSqlError(add("X"), ErrorCode::kConcurrentChange));
  const auto after = catalog.Find({"", "K4"});
  ASSERT_OK(after.status());
  EXPECT_EQ((*after)->changes, 1);
  ASSERT_EQ((*after)->columns.size(), 4U);
  EXPECT_EQ((*after)->columns[3].name, "W");
  EXPECT_EQ((*after)->columns[3].qualifier, "\x80\x0c");
  EXPECT_EQ((*after)->next_number.at("0"), 13);
}

TEST_F(CatalogTest, ATableWithALocalIndexIsNotWritable) {
  Catalog catalog(connection_);
  ASSERT_OK(catalog.Create(K4(), client::testing::TableOf("K4", {"0"}), {}).status());
  const auto put = [this](const std::string& row, const std::string& qualifier, const std::string& value) {
    ASSERT_OK(Open(kCatalogTable)->Mutate(client::testing::Put(row, qualifier, value, "0")).status());
  };
  put(LinkKey({"", "K4"}, "I"), "LINK_TYPE", "\1");
  EXPECT_EQ((*catalog.Find({"", "K4"}))->not_writable, "");  // the index itself is not there
  put(CatalogKey({"", "I"}), "TABLE_TYPE", "i");
  put(CatalogKey({"", "I"}), "DATA_TABLE_NAME", "K4");
  put(CatalogKey({"", "I"}), "INDEX_TYPE", "\2");
  EXPECT_EQ((*catalog.Find({"", "K4"}))->not_writable, "its index I is of a kind that Vaquita does not keep");
}

// A writer asks so whether the list of indexes that it knows is still right.
TEST_F(CatalogTest, ADefinitionIsReadAgainWhenItsRowWasWritten) {
  Catalog catalog(connection_);
  ASSERT_OK(catalog.Create(K4(), client::testing::TableOf("K4", {"0"}), {}).status());
  const auto table = *catalog.Find({"", "K4"});
  EXPECT_EQ(*catalog.Refreshed(table), table);
  TableDef index;
  index.ident.name = "I";
  index.type = 'i';
  index.data_table = "K4";
  index.index_state = IndexState::kBuilding;
  ASSERT_OK(catalog.CreateIndex(index, *table, client::testing::TableOf("I", {"0"}), {}));
  const auto later = *catalog.Refreshed(table);
  ASSERT_NE(later, table);
  ASSERT_EQ(later->indexes.size(), 1U);
  EXPECT_EQ(later->indexes[0]->index_state, IndexState::kBuilding);
}

// Anyone may write to the catalog by HBase's API.
TEST_F(CatalogTest, RowsThatNoStatementWritesAreRefused) {
  Catalog catalog(connection_);
  ASSERT_OK(catalog.Create(K4(), client::testing::TableOf("K4", {"0"}), {}).status());
  const auto write = [&](const char* table, const std::string& row, const char* qualifier, const std::string& value) {
    Mutation put;
    put.row = row;
    Cell& cell = put.cells.emplace_back();
    cell.family = "0";
    cell.qualifier = qualifier;
    cell.value = value;
    EXPECT_TRUE(connection_->GetTable({"default", table})->Mutate(put).ok());
  };
  const auto found = [&](const char* name) { return std::string(catalog.Find({"", name}).status().message()); };
  const auto number = [](int64_t value) { return EncodeValue(TypeId::kInteger, value); };
  const std::string loop = CatalogKey({"", "LOOP"});
  write(kCatalogTable, loop, "TABLE_TYPE", "v");
  write(kCatalogTable, loop, "VIEW_TYPE", "\x02");
  write(kCatalogTable, LinkKey({"", "LOOP"}, "LOOP"), "LINK_TYPE", "\x03");
  EXPECT_THAT(found("LOOP"), testing::HasSubstr("The view LOOP is made after itself"));
  EXPECT_FALSE(catalog.All().ok());
  ASSERT_OK(CreateSystemTable(connection_.get(), {"default", kChildLinkTable}));
  write(kChildLinkTable, LinkKey({"", "LOOP"}, "LOOP"), "LINK_TYPE", "\x04");
  ASSERT_OK(catalog.Drop({"", "LOOP"}, true, true));
  write(kCatalogTable, CatalogKey({"", "K4"}), "SALT_BUCKETS", number(257));
  EXPECT_THAT(found("K4"), testing::HasSubstr("SALT_BUCKETS of K4 is 257"));
  write(kCatalogTable, CatalogKey({"", "K4"}), "SALT_BUCKETS", number(4));
  const std::string column = CatalogKey({"", "K4"}) + std::string(1, '\0') + "A";
  write(kCatalogTable, column, "DATA_TYPE", number(1));
  write(kCatalogTable, column, "COLUMN_SIZE", number(2'000'000'000));
  EXPECT_THAT(found("K4"), testing::HasSubstr("COLUMN_SIZE of K4.A is 2000000000, and CHAR has at most 10485760"));
}

// It could not be found, and nobody could list the tables.
TEST_F(CatalogTest, AViewAboveTooManyViewsIsNotMade) {
  Catalog catalog(connection_);
  ASSERT_OK(catalog.Create(K4(), client::testing::TableOf("K4", {"0"}), {}).status());
  std::vector<Action> puts;
  const auto write = [&](std::string row, std::string qualifier, std::string value) {
    Mutation put;
    put.row = std::move(row);
    Cell& cell = put.cells.emplace_back();
    cell.family = "0";
    cell.qualifier = std::move(qualifier);
    cell.value = std::move(value);
    puts.emplace_back(std::move(put));
  };
  const auto name = [](int i) { return i == 0 ? std::string("K4") : Concat("V", i); };
  for (int i = 1; i < 100; ++i) {
    write(CatalogKey({"", name(i)}), "TABLE_TYPE", "v");
    write(CatalogKey({"", name(i)}), "VIEW_TYPE", "\x02");
    write(LinkKey({"", name(i)}, name(i - 1)), "LINK_TYPE", "\x03");
  }
  for (const auto& put : connection_->GetTable({"default", kCatalogTable})->Batch(puts)) ASSERT_OK(put.status);
  const auto create = [&](int i) {
    const auto parent = catalog.Find({"", name(i - 1)});
    EXPECT_TRUE(parent.ok()) << parent.status();
    TableDef view = **parent;
    view.ident.name = name(i);
    view.parent.name = name(i - 1);
    view.base.name = "K4";
    view.inherited = view.columns.size();
    view.type = 'v';
    view.view = ViewType::kUpdatable;
    return catalog.CreateView(view);
  };
  ASSERT_OK(create(100));
  EXPECT_THAT(create(101).message(), testing::HasSubstr("after more than 100 views of each other"));
  EXPECT_TRUE(IsSqlError(catalog.Find({"", "V101"}).status(), ErrorCode::kUndefinedTable));
}

}  // namespace
}  // namespace vaquita::sql
