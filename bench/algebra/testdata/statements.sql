SELECT COUNT(*) FROM shop NATURAL JOIN (SELECT id, shop_id FROM sale)
SELECT id, COUNT(*) FROM shop JOIN sale USING (id) GROUP BY id ORDER BY id
SELECT id, s.id, a.id FROM shop a LEFT JOIN sale s USING (id) WHERE id > 20 ORDER BY 1
SELECT id FROM shop a RIGHT JOIN sale s USING (id) ORDER BY id LIMIT 30
SELECT * FROM shop a JOIN sale s USING (id) ORDER BY id LIMIT 3
SELECT a.*, b.id FROM shop a, sale b WHERE a.id = b.shop_id ORDER BY a.id, b.id LIMIT 7
SELECT COUNT(*) FROM shop, sale
SELECT COUNT(*) FROM shop a, sale b, shop c WHERE a.id = b.shop_id AND b.pieces = c.zone
SELECT CASE zone WHEN 0 THEN 'none' WHEN 1 THEN 'one' ELSE 'many' END AS k, COUNT(*) FROM shop GROUP BY k ORDER BY k
SELECT CASE WHEN zone THEN 'yes' ELSE 'no' END, id FROM shop ORDER BY id
SELECT town, (SELECT COUNT(*) FROM sale WHERE shop_id = shop.id) AS n FROM shop ORDER BY n DESC, shop.id
SELECT town, (SELECT MAX(price) FROM sale b WHERE b.shop_id = a.id AND b.day > a.opened) FROM shop a ORDER BY a.id
SELECT a.id FROM shop a WHERE EXISTS (SELECT 1 FROM sale b WHERE b.shop_id = a.id AND EXISTS (SELECT 1 FROM sale c WHERE c.id = b.id + 1 AND c.shop_id < a.size)) ORDER BY 1
SELECT id FROM shop WHERE (id, zone) IN (SELECT shop_id, pieces FROM sale) ORDER BY id
SELECT id FROM shop WHERE (id, zone) = (3, 2) OR id = 4 ORDER BY id
SELECT GROUP_CONCAT(town, '|' ORDER BY id) FROM shop
SELECT zone, GROUP_CONCAT(kind ORDER BY id DESC) FROM shop GROUP BY zone ORDER BY zone
SELECT zone, STRING_AGG(kind, '; ' ORDER BY id) FROM shop GROUP BY zone ORDER BY zone NULLS LAST
VALUES (1, 'a'), (2, 'b') UNION ALL VALUES (3, 'c')
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) ORDER BY column1 DESC
WITH v(n, t) AS (VALUES (1, 'x'), (5, 'y')) SELECT t, town FROM v JOIN shop ON shop.id = v.n ORDER BY n
WITH a AS (SELECT zone, COUNT(*) AS n FROM shop GROUP BY zone), b AS (SELECT MAX(n) AS top FROM a) SELECT zone FROM a, b WHERE n = top ORDER BY zone
WITH a AS (SELECT shop_id, SUM(pieces) AS p FROM sale GROUP BY shop_id) SELECT x.shop_id, y.shop_id FROM a x JOIN a y ON x.p = y.p AND x.shop_id < y.shop_id ORDER BY 1, 2
SELECT zone, MAX(rent), town FROM shop WHERE rent IN (SELECT MAX(rent) FROM shop GROUP BY zone) GROUP BY zone ORDER BY zone
SELECT town, MAX(size) FROM shop WHERE size = (SELECT MAX(size) FROM shop)
SELECT MIN(rent), town, kind FROM shop WHERE id IN (3, 5, 9)
SELECT id, town FROM shop GROUP BY id ORDER BY id
SELECT COUNT(*), SUM(zone), MIN(town), GROUP_CONCAT(town), TOTAL(zone), AVG(zone) FROM shop WHERE id > 1000
SELECT zone, COUNT(*) FROM shop WHERE id > 1000 GROUP BY zone
SELECT COUNT(*) FROM shop HAVING COUNT(*) > 1000
SELECT COUNT(*) FROM shop HAVING COUNT(*) > 1
SELECT zone FROM shop GROUP BY zone HAVING COUNT(*) > (SELECT AVG(n) FROM (SELECT COUNT(*) AS n FROM shop GROUP BY zone)) ORDER BY zone
SELECT DISTINCT zone FROM shop ORDER BY zone DESC
SELECT DISTINCT zone, kind FROM shop ORDER BY kind, zone LIMIT 4
SELECT COUNT(DISTINCT town), COUNT(DISTINCT UPPER(town)) FROM shop
SELECT town FROM shop ORDER BY town COLLATE NOCASE, id
SELECT COUNT(*) FROM shop WHERE town = 'ULM' COLLATE NOCASE
SELECT COUNT(*) FROM shop WHERE town LIKE 'ulm'
SELECT COUNT(*) FROM shop WHERE town GLOB 'U*' OR town GLOB '[ab]??[a-n]*'
SELECT COUNT(*) FROM shop WHERE town LIKE '!_%' ESCAPE '!'
SELECT id, town FROM shop ORDER BY LENGTH(town) DESC, town, id LIMIT 5
SELECT id AS n, -id AS n2 FROM shop ORDER BY n2 LIMIT 3
SELECT id + 1 AS id FROM shop ORDER BY id DESC LIMIT 2
SELECT zone AS size, size AS zone FROM shop ORDER BY size, zone, id
SELECT id FROM shop LIMIT 3 OFFSET 2
SELECT id FROM shop ORDER BY id LIMIT 2, 3
SELECT id FROM shop ORDER BY id LIMIT 0
SELECT id FROM shop ORDER BY id LIMIT -1 OFFSET 20
SELECT 1 UNION SELECT 2 UNION ALL SELECT 2 ORDER BY 1
SELECT 1 UNION ALL SELECT 1 INTERSECT SELECT 1
SELECT zone FROM shop EXCEPT SELECT pieces FROM sale ORDER BY 1
SELECT zone FROM shop INTERSECT SELECT pieces FROM sale ORDER BY 1 DESC
SELECT zone AS z, 'shop' AS k FROM shop UNION SELECT pieces, 'sale' FROM sale ORDER BY k, z
SELECT id, ROW_NUMBER() OVER (ORDER BY id DESC), RANK() OVER (ORDER BY kind), DENSE_RANK() OVER (ORDER BY kind) FROM shop ORDER BY id
SELECT id, PERCENT_RANK() OVER (ORDER BY zone), CUME_DIST() OVER (ORDER BY zone) FROM shop ORDER BY id
SELECT id, NTILE(5) OVER (ORDER BY id), LAG(id) OVER (ORDER BY id), LAG(id, 2, -1) OVER (ORDER BY id), LEAD(town) OVER (PARTITION BY zone ORDER BY id) FROM shop ORDER BY id
SELECT id, SUM(id) OVER (ORDER BY zone), SUM(id) OVER (ORDER BY zone RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING), SUM(id) OVER (ORDER BY zone GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM shop ORDER BY id
SELECT id, FIRST_VALUE(town) OVER w, LAST_VALUE(town) OVER w, NTH_VALUE(town, 2) OVER w FROM shop WINDOW w AS (PARTITION BY zone ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) ORDER BY id
SELECT id, COUNT(*) OVER (), SUM(size) OVER (PARTITION BY kind), SUM(size) FILTER (WHERE zone > 0) OVER (ORDER BY id ROWS 2 PRECEDING) FROM shop ORDER BY id
SELECT zone, SUM(size), SUM(SUM(size)) OVER (ORDER BY zone), RANK() OVER (ORDER BY SUM(size) DESC) FROM shop GROUP BY zone ORDER BY zone
SELECT * FROM (SELECT id, zone, ROW_NUMBER() OVER (PARTITION BY zone ORDER BY rent DESC, id) AS n FROM shop) WHERE n <= 2 ORDER BY zone, n
SELECT id, ROUND(rent), ROUND(rent, 1), ABS(rent), CAST(rent AS INTEGER), -rent FROM shop ORDER BY id
SELECT id, size / 3, size % 3, -size / 3, -size % 3, size / 3.0, size * 1.0 / zone, size / 0, size % 0 FROM shop ORDER BY id
SELECT id, MIN(size, zone), MAX(size, zone, 3), COALESCE(size, zone, 0), IFNULL(town, 'none'), NULLIF(zone, 1), IIF(zone > 1, 'a', 'b') FROM shop ORDER BY id
SELECT id, SUBSTR(town, 2), SUBSTR(town, -2), SUBSTR(town, 2, 1), SUBSTR(town, 0, 2), INSTR(town, 'l'), LENGTH(town), REPLACE(town, 'l', 'LL') FROM shop ORDER BY id
SELECT id, TRIM('  x '), LTRIM('xxa', 'x'), RTRIM('axx', 'x'), UPPER(town) || LOWER(kind), town || NULL FROM shop ORDER BY id
SELECT id, printf('%.2f EUR', rent), printf('%d of %s: 5 %%', size, kind) FROM shop WHERE rent IS NOT NULL AND size IS NOT NULL AND kind IS NOT NULL ORDER BY id
SELECT id, date(opened, '+1 month', 'start of month', '-1 day'), date(opened, 'weekday 1'), date(opened, 'weekday 0', '-7 days') FROM shop WHERE CAST(strftime('%d', opened) AS INTEGER) < 28 ORDER BY id
SELECT id, strftime('%Y-%m-%d %H:%M:%S', opened), strftime('%Y/%m', opened), strftime('%j', opened), strftime('%w', opened), strftime('%W', opened), strftime('%s', opened) FROM shop ORDER BY id
SELECT id, julianday(opened), julianday(opened) - julianday('2024-01-01'), CAST(julianday('2024-06-01') - julianday(opened) AS INTEGER) FROM shop ORDER BY id
SELECT id, datetime(opened), datetime(opened, '+36 hours'), datetime(opened, '-90 minutes'), time(opened, '+90 seconds'), unixepoch(opened) FROM shop ORDER BY id
SELECT date('2024-03-31', '-1 day'), date('2024-01-15', '+1 year'), datetime(1700000000, 'unixepoch'), strftime('%Y', 'now') > '2000'
SELECT strftime('%Y-%m', opened) AS month, COUNT(*) FROM shop WHERE opened BETWEEN '2024-01-01' AND '2024-12-31' GROUP BY month ORDER BY month
SELECT id FROM shop WHERE opened >= date('2024-06-15', '-30 days') AND opened < '2024-07-01' ORDER BY id
SELECT id FROM shop WHERE strftime('%Y', opened) = '2024' AND strftime('%m', opened) IN ('01', '02', '03') ORDER BY id
SELECT id FROM shop WHERE size IN (1, 2, NULL) ORDER BY id
SELECT id FROM shop WHERE size NOT IN (SELECT pieces FROM sale WHERE pieces IS NOT NULL) ORDER BY id
SELECT id FROM shop WHERE size NOT IN (SELECT pieces FROM sale) ORDER BY id
SELECT id FROM shop WHERE NOT (size > 3 OR zone = 1) ORDER BY id
SELECT id FROM shop WHERE (size > 3) IS NULL ORDER BY id
SELECT id FROM shop WHERE size IS DISTINCT FROM zone AND size IS NOT NULL ORDER BY id
SELECT id FROM shop WHERE size IS zone ORDER BY id
SELECT id FROM shop WHERE size BETWEEN zone AND 10 ORDER BY id
SELECT id FROM shop WHERE zone = '2' OR size > '20' ORDER BY id
SELECT id FROM shop WHERE kind = "a" ORDER BY id
SELECT id, zone = 1, zone > 1 AND size > 1, NOT zone FROM shop ORDER BY id
SELECT SUM(zone = 1), SUM(kind = 'a' AND zone > 0), COUNT(CASE WHEN zone > 1 THEN 1 END), AVG(zone > 0) FROM shop
SELECT kind, SUM(CASE WHEN zone = 1 THEN size ELSE 0 END), 100.0 * SUM(zone > 0) / COUNT(*) FROM shop GROUP BY kind ORDER BY kind
SELECT kind, COUNT(*) FILTER (WHERE zone > 0), SUM(DISTINCT zone), AVG(DISTINCT zone) FROM shop GROUP BY kind ORDER BY kind
SELECT a.kind, b.kind FROM (SELECT DISTINCT kind FROM shop) a JOIN (SELECT DISTINCT kind FROM shop) b ON a.kind < b.kind ORDER BY 1, 2
SELECT s.id, t.n FROM shop s LEFT JOIN (SELECT shop_id, COUNT(*) AS n FROM sale GROUP BY shop_id) t ON t.shop_id = s.id ORDER BY s.id
SELECT s.id, t.id FROM shop s LEFT JOIN sale t ON t.shop_id = s.id AND t.pieces > 2 WHERE t.id IS NULL ORDER BY 1
SELECT s.id, t.id FROM shop s FULL JOIN sale t ON t.shop_id = s.id ORDER BY 1, 2
SELECT s.id, t.id, u.id FROM shop s LEFT JOIN sale t ON t.shop_id = s.id LEFT JOIN shop u ON u.id = t.pieces ORDER BY 1, 2, 3
SELECT s.id FROM shop s JOIN sale t ON s.id = t.shop_id LEFT JOIN shop u ON u.zone = t.pieces, sale v WHERE v.id = u.id ORDER BY 1
SELECT s.id FROM (shop s JOIN sale t ON s.id = t.shop_id) LEFT JOIN shop u ON u.id = t.pieces WHERE u.id > 1 ORDER BY 1
SELECT zone, kind, COUNT(*) FROM shop GROUP BY zone, kind ORDER BY COUNT(*) DESC, zone, kind
SELECT UPPER(kind), COUNT(*) FROM shop GROUP BY UPPER(kind) ORDER BY UPPER(kind)
SELECT zone + 1 AS z, zone + 1 FROM shop GROUP BY zone + 1 ORDER BY zone + 1
SELECT COUNT(*) * 2 + SUM(zone) FROM shop GROUP BY kind ORDER BY 1
SELECT kind FROM shop GROUP BY kind ORDER BY MAX(size) - MIN(size) DESC LIMIT 2
SELECT town FROM shop ORDER BY rent IS NULL, rent DESC, id LIMIT 5
SELECT town, rent FROM shop ORDER BY rent NULLS LAST, id
SELECT (SELECT town FROM shop WHERE id = -1), (SELECT 1 WHERE 0)
SELECT 7 / 2, 7.0 / 2, 7 % -3, -7 / 2, 1 + 2 * 3 - 4, (1 + 2) * 3, 2 || 3, NOT 0, NOT NULL, 5 BETWEEN 1 AND 9, NULL IS NULL, 1 = NULL
SELECT 9223372036854775807, -9223372036854775808, 1e3, .5, 1.50, 'it''s', '', "x"
SELECT CAST('12' AS INTEGER), CAST(3.9 AS INTEGER), CAST(-3.9 AS INTEGER), CAST(3 AS TEXT), CAST('1.5' AS REAL), CAST(NULL AS TEXT)
SELECT COUNT(*) FROM shop WHERE 1
SELECT COUNT(*) FROM shop WHERE 0
SELECT COUNT(*) FROM shop WHERE NULL
SELECT COUNT(*) FROM shop WHERE zone
