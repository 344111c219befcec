INSERT INTO shop.store (id) VALUES (99)
UPDATE shop.store SET town = 'x'
DELETE FROM shop.sold
REPLACE INTO shop.store (id) VALUES (99)
TRUNCATE shop.sold
DROP TABLE shop.sold
DROP DATABASE shop
CREATE TABLE shop.evil (id INT)
CREATE TEMPORARY TABLE shop.evil (id INT)
CREATE VIEW shop.evil AS SELECT 1
CREATE INDEX evil ON shop.sold (price)
CREATE TRIGGER shop.evil BEFORE INSERT ON shop.store FOR EACH ROW DELETE FROM shop.sold
CREATE PROCEDURE shop.evil() SELECT 1
CREATE FUNCTION shop.evil() RETURNS INT RETURN 1
CREATE EVENT shop.evil ON SCHEDULE EVERY 1 DAY DO DELETE FROM shop.sold
CREATE USER evil
CREATE DATABASE evil
CREATE SEQUENCE shop.evil
ALTER TABLE shop.store ADD COLUMN evil INT
RENAME TABLE shop.store TO shop.evil
GRANT ALL ON *.* TO reader
REVOKE ALL ON shop.* FROM reader
LOAD DATA INFILE '/etc/passwd' INTO TABLE shop.store
LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE shop.store
LOCK TABLES shop.sold WRITE
UNLOCK TABLES
FLUSH TABLES
OPTIMIZE TABLE shop.sold
ANALYZE TABLE shop.sold
REPAIR TABLE shop.sold
CALL shop.evil()
DO SLEEP(1)
HANDLER shop.sold OPEN
PREPARE evil FROM 'DELETE FROM shop.sold'
EXECUTE evil
SET SESSION TRANSACTION READ WRITE
SET tx_read_only = 0
SET @evil = 1
SET GLOBAL general_log = 1
SET PASSWORD = ''
START TRANSACTION READ WRITE
BEGIN
COMMIT
ROLLBACK
KILL 1
SHUTDOWN
INSTALL SONAME 'evil'
XA START 'evil'
USE mysql
SHOW GRANTS
EXPLAIN DELETE FROM shop.sold
TABLE shop.store
VALUES ('1')
WITH x AS (SELECT 1) SELECT '1' FROM x
 SELECT '1'
/* */ SELECT '1'
/*! DELETE FROM shop.sold */
SELECT '1'; DELETE FROM shop.sold
SELECT '1'; COMMIT; DROP TABLE shop.sold
SELECT id FROM shop.store INTO OUTFILE '/tmp/catena-evil'
SELECT 'x' INTO DUMPFILE '/tmp/catena-evil'
SELECT id FROM shop.store LIMIT 1 INTO @evil
SELECT NEXTVAL(shop.counter)
SELECT SETVAL(shop.counter, 9)
SELECT user FROM mysql.user
SELECT authentication_string FROM mysql.global_priv
SELECT x FROM (DELETE FROM shop.sold RETURNING id AS x) AS q
SELECT sys_exec('id')
SELECT shop.writes()
