INSERT INTO store (id) VALUES (99)
UPDATE store SET town = 'x'
DELETE FROM sold
REPLACE INTO store (id) VALUES (99)
DROP TABLE sold
DROP TABLE IF EXISTS sold
CREATE TABLE evil (id INTEGER)
CREATE TEMP TABLE evil (id INTEGER)
CREATE VIEW evil AS SELECT 1
CREATE INDEX evil ON sold (price)
CREATE TRIGGER evil AFTER INSERT ON store BEGIN DELETE FROM sold; END
CREATE VIRTUAL TABLE evil USING fts5(x)
ALTER TABLE store ADD COLUMN evil INTEGER
ALTER TABLE store RENAME TO evil
ALTER TABLE store DROP COLUMN town
ATTACH '/tmp/catena-evil.db' AS evil
DETACH main
VACUUM
VACUUM INTO '/tmp/catena-evil.db'
ANALYZE
REINDEX
PRAGMA query_only = 0
PRAGMA writable_schema = 1
PRAGMA journal_mode = WAL
PRAGMA user_version = 7
BEGIN
BEGIN IMMEDIATE
COMMIT
ROLLBACK
SAVEPOINT evil
RELEASE evil
EXPLAIN DELETE FROM sold
EXPLAIN QUERY PLAN SELECT 1
VALUES ('1')
WITH x AS (SELECT 1) SELECT '1' FROM x
WITH x AS (SELECT 1) DELETE FROM sold
WITH x AS (SELECT 1) INSERT INTO store (id) SELECT 99
 SELECT '1'
/* */ SELECT '1'
-- x
select '1'
SELECT'1'
SELECT '1'; DELETE FROM sold
SELECT '1'; DROP TABLE sold
SELECT '1'; SELECT '2'
SELECT '1';
SELECT '1'; PRAGMA query_only = 0; DELETE FROM sold
SELECT '1'; ATTACH '/tmp/catena-evil.db' AS evil
SELECT '1'; VACUUM INTO '/tmp/catena-evil.db'
SELECT "x;" FROM store; DELETE FROM sold
SELECT '''' ; DELETE FROM sold; SELECT ''
SELECT load_extension('/tmp/evil.so')
SELECT readfile('/etc/passwd')
SELECT writefile('/tmp/catena-evil', 'x')
SELECT edit('x')
SELECT fts3_tokenizer('simple')
SELECT * FROM pragma_database_list
SELECT file FROM pragma_database_list
SELECT CAST(user_version AS TEXT) FROM pragma_user_version
SELECT query_only FROM pragma_query_only
SELECT journal_mode FROM pragma_journal_mode('WAL')
SELECT * FROM pragma_writable_schema(1)
SELECT id INTO evil FROM store
SELECT id FROM store FOR UPDATE
SELECT x FROM (DELETE FROM sold RETURNING id AS x)
SELECT x FROM (UPDATE store SET id = 5 RETURNING id AS x)
SELECT (DELETE FROM sold)
SELECT * FROM generate_series(1, 1000000000)
SELECT * FROM csv('/etc/passwd')
SELECT * FROM '/etc/passwd'
SELECT data FROM fsdir('/')
