-- DatabaseMetaData as DBeaver, sqlline and other tools ask it.
CREATE TABLE META_T (ID BIGINT NOT NULL, K VARCHAR(20) NOT NULL, N DECIMAL(10,2), C CHAR(3) DEFAULT 'abc', F.V VARBINARY, A INTEGER ARRAY, U UNSIGNED_INT, TS TIMESTAMP, CONSTRAINT META_PK PRIMARY KEY (ID, K DESC));
CREATE TABLE MS.META_S (ID VARCHAR PRIMARY KEY, V DOUBLE) SALT_BUCKETS=3, IMMUTABLE_ROWS=true;
CREATE VIEW META_V AS SELECT * FROM META_T WHERE U = 1;
CREATE VIEW META_R (X VARCHAR) AS SELECT * FROM META_T WHERE U > 1;
CREATE INDEX META_I ON META_T (N, C DESC) INCLUDE (U);
CREATE SEQUENCE META_Q START WITH 5;
CREATE SEQUENCE MS.META_Q2;
!meta tables null META%
!meta tables null null TABLE
!meta tables '' null TABLE,VIEW
!meta tables MS null
!meta tables null null VIEW
!meta tables null null INDEX
!meta tables null null SEQUENCE
!meta tables null null SYSTEM_TABLE
!meta tables null null NOSUCH
!meta tables SYSTEM null
!meta tables null null
!meta tables null %META\_T%
!meta tables null meta_t
!meta columns null META%
!meta columns MS null
!meta columns '' META_T N
!meta columns null META_T %
!meta columns '' META_V
!meta columns SYSTEM SEQUENCE
!meta columns SYSTEM FUNCTION
!meta columns NOSUCH NOSUCH
!meta keys '' META_T
!meta keys null META_T
!meta keys MS META_S
!meta indexes '' META_T
!meta indexes null META_T
!meta schemas
!meta schemas M%
!meta schemas NO
!meta catalogs
!meta table_types
!meta types
!meta imported '' META_T
!meta exported '' META_T
!meta procedures null null
!meta functions null null
!meta user_types null null
!meta super_tables null null
!meta best_row '' META_T
!meta version_columns '' META_T
!meta table_privileges null null
!meta column_privileges '' META_T
!meta properties
SELECT TABLE_SCHEM, TABLE_NAME, TABLE_TYPE FROM SYSTEM.CATALOG WHERE TABLE_NAME LIKE 'META%' AND COLUMN_NAME IS NULL AND COLUMN_FAMILY IS NULL ORDER BY TABLE_SCHEM, TABLE_NAME;
SELECT COLUMN_NAME, COLUMN_FAMILY, DATA_TYPE, ORDINAL_POSITION FROM SYSTEM.CATALOG WHERE TABLE_NAME = 'META_T' AND COLUMN_NAME IS NOT NULL ORDER BY ORDINAL_POSITION, COLUMN_FAMILY;
SELECT SEQUENCE_SCHEMA, SEQUENCE_NAME, START_WITH, CURRENT_VALUE, INCREMENT_BY, CACHE_SIZE FROM SYSTEM.SEQUENCE ORDER BY SEQUENCE_NAME;
SELECT DISTINCT TABLE_SCHEM FROM SYSTEM.CATALOG WHERE TABLE_NAME LIKE 'META%' ORDER BY TABLE_SCHEM;
SELECT * FROM SYSTEM.FUNCTION;
SELECT COUNT(*) FROM SYSTEM.STATS WHERE PHYSICAL_NAME = 'NOSUCH';
