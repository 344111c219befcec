INSERT INTO public.shop (id) VALUES (9)
UPDATE public.shop SET town = 'x'
DELETE FROM public.sale
TRUNCATE public.sale
MERGE INTO public.shop USING public.sale ON shop.id = sale.id WHEN MATCHED THEN DELETE
DROP TABLE public.sale
DROP SCHEMA public CASCADE
CREATE TABLE public.evil (id int)
CREATE TEMP TABLE evil (id int)
CREATE VIEW public.evil AS SELECT 1
CREATE MATERIALIZED VIEW public.evil AS SELECT 1
CREATE INDEX evil ON public.sale (price)
CREATE FUNCTION public.evil() RETURNS int LANGUAGE sql AS 'SELECT 1'
CREATE ROLE evil
CREATE DATABASE evil
CREATE EXTENSION dblink
ALTER TABLE public.shop ADD COLUMN evil int
ALTER TABLE public.shop RENAME TO evil
ALTER ROLE reader SUPERUSER
ALTER SYSTEM SET fsync = off
GRANT ALL ON public.shop TO PUBLIC
REVOKE ALL ON public.shop FROM reader
COMMENT ON TABLE public.shop IS 'evil'
COPY public.shop TO '/tmp/evil'
COPY public.shop FROM '/etc/passwd'
COPY (SELECT 1) TO PROGRAM 'id'
COPY public.shop TO STDOUT
VACUUM
ANALYZE public.shop
REINDEX TABLE public.shop
CLUSTER public.shop
CHECKPOINT
LOCK TABLE public.shop IN ACCESS EXCLUSIVE MODE
LISTEN evil
NOTIFY evil
LOAD 'evil'
DO 'BEGIN DELETE FROM public.sale; END'
CALL public.evil()
EXECUTE evil
PREPARE evil AS DELETE FROM public.sale
DECLARE evil CURSOR FOR SELECT 1
SET transaction_read_only = off
SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE
SET ROLE owner
RESET ALL
DISCARD ALL
COMMIT
ROLLBACK
BEGIN
WITH gone AS (DELETE FROM public.sale RETURNING id) SELECT id::text FROM gone
EXPLAIN ANALYZE DELETE FROM public.sale
TABLE public.shop
VALUES ('1')
 SELECT '1'
/* */ SELECT '1'
SELECT '1'; DELETE FROM public.sale
SELECT '1'; COMMIT; DROP TABLE public.sale
SELECT id::text INTO public.evil FROM public.shop
SELECT id::text FROM public.shop FOR UPDATE
SELECT id::text FROM public.shop FOR SHARE
SELECT nextval('public.counter')::text
SELECT setval('public.counter', 9)::text
SELECT set_config('transaction_read_only', 'off', false)
SELECT x::text FROM (WITH gone AS (DELETE FROM public.sale RETURNING id) SELECT id AS x FROM gone) AS q
SELECT pg_read_file('/etc/passwd')
SELECT pg_ls_dir('/')::text
SELECT lo_import('/etc/passwd')::text
SELECT pg_reload_conf()::text
SELECT pg_rotate_logfile()::text
SELECT query_to_xml('DELETE FROM public.sale', true, true, '')::text
SELECT passwd::text FROM pg_shadow
