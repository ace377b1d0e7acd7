#!/usr/bin/env python3
"""phoenixdb 1.2.2 against a query server: check.py --address HOST:PORT.

Its last line has the number of checks that passed.
"""
import datetime
import decimal
import sys

import phoenixdb
import phoenixdb.cursor

passed = failed = 0


def equal(what, expected, got):
    global passed, failed
    if expected == got:
        passed += 1
        return
    failed += 1
    print(f"FAILED: {what}\n  expected: {expected!r}\n  got:      {got!r}")


def fails(kind, code, state, body):
    try:
        body()
        equal("an error", (kind.__name__, code, state), "none")
    except phoenixdb.Error as error:
        equal(str(error), (kind.__name__, code, state), (type(error).__name__, error.code, error.sqlstate))


def statements(connection):
    cursor = connection.cursor()
    cursor.execute("DROP TABLE IF EXISTS PY")
    cursor.execute(
        "CREATE TABLE PY (ID INTEGER PRIMARY KEY, NAME VARCHAR, D DECIMAL(10,2), F DOUBLE, B BOOLEAN, DT DATE,"
        " TM TIME, TS TIMESTAMP, VB VARBINARY)")
    when = datetime.datetime(2014, 6, 24, 12, 34, 56, 789000)
    row = [1, "text \u00e4\u20ac", decimal.Decimal("12.5"), -2.25, True, when.date(), when.time().replace(microsecond=0), when, b"\0\1\xff"]
    cursor.execute("UPSERT INTO PY VALUES (?,?,?,?,?,?,?,?,?)", row)
    equal("a row's count", 1, cursor.rowcount)
    cursor.execute("UPSERT INTO PY (ID) VALUES (2)")
    cursor.executemany("UPSERT INTO PY (ID, NAME) VALUES (?, ?)", [[i, f"name{i}"] for i in range(10, 510)])
    cursor.execute("SELECT * FROM PY WHERE ID < ? ORDER BY ID", [5])
    equal("the columns", ["ID", "NAME", "D", "F", "B", "DT", "TM", "TS", "VB"], [c.name for c in cursor.description])
    equal("a row", row, cursor.fetchone())
    equal("a row of nulls", [2] + [None] * 8, cursor.fetchone())
    equal("no more", None, cursor.fetchone())
    cursor.itersize = 70
    cursor.execute("SELECT ID FROM PY WHERE ID >= 10 ORDER BY ID")
    equal("more rows than a frame has", [[i] for i in range(10, 510)], cursor.fetchall())
    cursor.execute("SELECT COUNT(*), MIN(NAME) FROM PY")
    equal("aggregates", [502, "name10"], cursor.fetchone())
    with connection.cursor(cursor_factory=phoenixdb.cursor.DictCursor) as rows:
        rows.execute("SELECT ID, NAME FROM PY WHERE ID = 10")
        equal("a row by names", {"ID": 10, "NAME": "name10"}, rows.fetchone())


def transactions(address):
    with phoenixdb.connect(f"http://{address}/", autocommit=False) as connection:
        cursor = connection.cursor()
        cursor.execute("UPSERT INTO PY (ID) VALUES (1001)")
        cursor.execute("SELECT COUNT(*) FROM PY WHERE ID = 1001")
        equal("before the commit", [0], cursor.fetchone())
        connection.rollback()
        cursor.execute("UPSERT INTO PY (ID) VALUES (1002)")
        connection.commit()
        cursor.execute("SELECT ID FROM PY WHERE ID > 1000")
        equal("after the commit", [[1002]], cursor.fetchall())


def metadata(connection):
    cursor = connection.cursor()
    cursor.execute("DROP TABLE IF EXISTS PYMETA")
    cursor.execute("CREATE TABLE PYMETA (A VARCHAR NOT NULL, B INTEGER NOT NULL, C BIGINT, CONSTRAINT PK PRIMARY KEY (A, B DESC))")
    meta = connection.meta()
    tables = [t["TABLE_NAME"] for t in meta.get_tables(tableNamePattern="PYMETA", typeList=("TABLE",))]
    equal("tables", ["PYMETA"], tables)
    columns = [(c["COLUMN_NAME"], c["TYPE_NAME"], c["NULLABLE"] or 0) for c in meta.get_columns(tableNamePattern="PYMETA")]
    equal("columns", [("A", "VARCHAR", 0), ("B", "INTEGER", 0), ("C", "BIGINT", 1)], columns)
    keys = [(k["COLUMN_NAME"], k["KEY_SEQ"], k["PK_NAME"]) for k in meta.get_primary_keys(table="PYMETA")]
    equal("the key", [("A", 1, "PK"), ("B", 2, "PK")], keys)
    equal("indexes", [], meta.get_index_info(table="PYMETA"))
    equal("kinds of tables", ["INDEX", "SEQUENCE", "SYSTEM TABLE", "TABLE", "VIEW"],
          [t["TABLE_TYPE"] for t in meta.get_table_types()])
    cursor.execute("DROP TABLE PYMETA")


def errors(connection):
    cursor = connection.cursor()
    programming = phoenixdb.ProgrammingError
    fails(programming, 601, "42P00", lambda: cursor.execute("SELECT FROM PY"))
    fails(programming, 1012, "42M03", lambda: cursor.execute("SELECT * FROM NOPE"))
    fails(programming, 504, "42703", lambda: cursor.execute("SELECT NOPE FROM PY"))
    fails(phoenixdb.DataError, 202, "22012", lambda: cursor.execute("SELECT 1/0 FROM PY"))
    fails(phoenixdb.DataError, 203, "22005", lambda: cursor.execute("UPSERT INTO PY (ID) VALUES ('a')"))
    cursor.execute("SELECT COUNT(*) FROM PY WHERE ID = 10")
    equal("the cursor goes on", [1], cursor.fetchone())


def main():
    if len(sys.argv) != 3 or sys.argv[1] != "--address":
        sys.exit("usage: check.py --address HOST:PORT")
    address = sys.argv[2]
    with phoenixdb.connect(f"http://{address}/", autocommit=True) as connection:
        statements(connection)
        transactions(address)
        metadata(connection)
        errors(connection)
        connection.cursor().execute("DROP TABLE PY")
    print(f"{passed} checks passed, {failed} failed")
    sys.exit(failed > 0)


main()
