#!/usr/bin/env python3
"""SQLAlchemy with phoenixdb's dialect against a query server: check_sqlalchemy.py --address HOST:PORT.

Its last line has the number of checks that passed.
"""
import sys
import warnings

import sqlalchemy

passed = failed = 0


def equal(what, expected, got):
    global passed, failed
    if expected == got:
        passed += 1
        return
    failed += 1
    print(f"FAILED: {what}\n  expected: {expected!r}\n  got:      {got!r}")


def statements(connection):
    def run(text, **values):
        return connection.execute(sqlalchemy.text(text), values)

    run("CREATE TABLE ALCHEMY (ID BIGINT NOT NULL, CITY VARCHAR NOT NULL, N INTEGER, D DECIMAL(10,2), TS TIMESTAMP,"
        " CONSTRAINT ALCHEMY_PK PRIMARY KEY (ID, CITY))")
    run("CREATE VIEW ALCHEMY_V AS SELECT * FROM ALCHEMY WHERE N > 3")
    run("CREATE INDEX ALCHEMY_I ON ALCHEMY (N) INCLUDE (D)")
    for i in range(10):
        equal("a row's count", 1, run("UPSERT INTO ALCHEMY (ID, CITY, N, D) VALUES (:id, :city, :n, :d)",
                                      id=i, city=f"city{i % 3}", n=i, d=i / 4).rowcount)
    rows = run("SELECT CITY, COUNT(*) AS HOW_MANY, SUM(N) FROM ALCHEMY GROUP BY CITY ORDER BY CITY").fetchall()
    equal("groups", [("city0", 4, 18), ("city1", 3, 12), ("city2", 3, 15)], [tuple(row) for row in rows])
    equal("a row by names", 4, run("SELECT COUNT(*) AS HOW_MANY FROM ALCHEMY WHERE CITY = :c", c="city0").mappings().one()["HOW_MANY"])
    equal("by a parameter", ["city1"], [row.CITY for row in run("SELECT CITY FROM ALCHEMY WHERE ID = :id", id=7)])
    try:
        run("SELECT NOPE FROM ALCHEMY")
        equal("an error", "504", "none")
    except sqlalchemy.exc.ProgrammingError as error:
        equal("an error", 504, error.orig.code)


def reflection(engine):
    inspector = sqlalchemy.inspect(engine)
    equal("tables", True, "ALCHEMY" in inspector.get_table_names())
    equal("views", True, "ALCHEMY_V" in inspector.get_view_names())
    equal("has_table", [True, False], [inspector.has_table(name) for name in ("ALCHEMY", "NOPE")])
    equal("schemas", True, "" in inspector.get_schema_names())
    equal("columns", [("ID", "BIGINT"), ("CITY", "VARCHAR"), ("N", "INTEGER"), ("D", "DECIMAL"), ("TS", "TIMESTAMP")],
          [(column["name"], column["type"].__visit_name__) for column in inspector.get_columns("ALCHEMY")])
    equal("the key", {"name": "ALCHEMY_PK", "constrained_columns": ["ID", "CITY"]}, dict(inspector.get_pk_constraint("ALCHEMY")))
    equal("indexes", ["ALCHEMY_I"], [index["name"] for index in inspector.get_indexes("ALCHEMY")])
    table = sqlalchemy.Table("ALCHEMY", sqlalchemy.MetaData(), autoload_with=engine)
    equal("a reflected table's key", ["ID", "CITY"], [column.name for column in table.primary_key])


def main():
    if len(sys.argv) != 3 or sys.argv[1] != "--address":
        sys.exit("usage: check_sqlalchemy.py --address HOST:PORT")
    warnings.simplefilter("ignore")  # the dialect is for SQLAlchemy 1.4
    engine = sqlalchemy.create_engine(f"phoenix://{sys.argv[2]}", connect_args={"autocommit": True})
    with engine.connect() as connection:
        statements(connection)
        reflection(engine)
        connection.execute(sqlalchemy.text("DROP TABLE ALCHEMY CASCADE"))
    print(f"{passed} checks passed, {failed} failed")
    sys.exit(failed > 0)


main()
