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
WITH m AS (SELECT strftime('%Y-%m', day) AS month, SUM(pieces * price) AS revenue FROM sale GROUP BY 1) SELECT month, revenue, revenue - LAG(revenue) OVER (ORDER BY month) AS diff, 100.0 * (revenue - LAG(revenue) OVER (ORDER BY month)) / LAG(revenue) OVER (ORDER BY month) AS pct FROM m ORDER BY month
WITH t AS (SELECT s.kind, SUM(x.pieces) AS n FROM shop s JOIN sale x ON x.shop_id = s.id GROUP BY s.kind) SELECT kind, n, 100.0 * n / (SELECT SUM(n) FROM t) AS share FROM t ORDER BY n DESC, kind
WITH t AS (SELECT s.kind, SUM(x.pieces) AS n FROM shop s JOIN sale x ON x.shop_id = s.id GROUP BY s.kind) SELECT kind, n, ROUND(100.0 * n / SUM(n) OVER (), 2) AS share FROM t ORDER BY kind
SELECT s.town, COUNT(DISTINCT x.product) AS products FROM shop s JOIN sale x ON x.shop_id = s.id GROUP BY s.town HAVING COUNT(DISTINCT x.product) >= 2 ORDER BY products DESC, s.town
SELECT s.id FROM shop s WHERE NOT EXISTS (SELECT 1 FROM sale x WHERE x.shop_id = s.id) ORDER BY s.id
SELECT s.id FROM shop s LEFT JOIN sale x ON x.shop_id = s.id GROUP BY s.id HAVING COUNT(x.id) = 0 ORDER BY s.id
SELECT s.id, COUNT(x.id) AS n, COALESCE(SUM(x.price), 0) AS total FROM shop s LEFT JOIN sale x ON x.shop_id = s.id GROUP BY s.id ORDER BY n DESC, s.id
SELECT s.id, (SELECT x.product FROM sale x WHERE x.shop_id = s.id ORDER BY x.price DESC, x.id LIMIT 1) AS best FROM shop s ORDER BY s.id
SELECT s.id, (SELECT COUNT(*) FROM sale x WHERE x.shop_id = s.id AND x.price > (SELECT AVG(price) FROM sale)) AS dear FROM shop s ORDER BY s.id
SELECT s.id FROM shop s WHERE s.size > (SELECT AVG(t.size) FROM shop t WHERE t.kind = s.kind) ORDER BY s.id
SELECT kind, town, rent FROM (SELECT kind, town, rent, id, RANK() OVER (PARTITION BY kind ORDER BY rent DESC) AS r FROM shop WHERE rent IS NOT NULL) WHERE r = 1 ORDER BY kind, id
SELECT id, day, price, SUM(price) OVER (ORDER BY day, id ROWS UNBOUNDED PRECEDING) AS running FROM sale WHERE price IS NOT NULL AND day IS NOT NULL ORDER BY day, id
SELECT id, price, AVG(price) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS ma3 FROM sale ORDER BY id
SELECT id, pieces, pieces - AVG(pieces) OVER (PARTITION BY shop_id) AS d FROM sale ORDER BY id
SELECT shop_id, MIN(day), MAX(day), CAST(julianday(MAX(day)) - julianday(MIN(day)) AS INTEGER) AS span FROM sale GROUP BY shop_id ORDER BY shop_id
SELECT strftime('%w', day) AS wd, COUNT(*) FROM sale WHERE day IS NOT NULL GROUP BY wd ORDER BY wd
SELECT CAST(strftime('%Y', day) AS INTEGER) AS y, CAST((CAST(strftime('%m', day) AS INTEGER) + 2) / 3 AS INTEGER) AS q, COUNT(*) FROM sale WHERE day IS NOT NULL GROUP BY y, q ORDER BY y, q
SELECT product, COUNT(*) AS n FROM sale GROUP BY LOWER(product) HAVING product IS NOT NULL AND MIN(product) = product ORDER BY n DESC, 1
SELECT LOWER(product) AS p, SUM(pieces) AS n FROM sale WHERE product IS NOT NULL GROUP BY p ORDER BY n DESC, p LIMIT 3
SELECT a.id, b.id FROM shop a JOIN shop b ON a.town = b.town AND a.id < b.id ORDER BY 1, 2
SELECT a.town, COUNT(*) FROM shop a JOIN shop b ON a.kind = b.kind AND a.id <> b.id WHERE a.rent > b.rent GROUP BY a.town ORDER BY a.town
SELECT zone, kind, SUM(size) AS s FROM shop GROUP BY zone, kind HAVING s > 10 ORDER BY s DESC, zone, kind
SELECT kind, MAX(rent) - MIN(rent) AS spread, MAX(rent) / NULLIF(MIN(rent), 0) AS times FROM shop GROUP BY kind ORDER BY kind
SELECT CASE WHEN rent < 20 THEN 'low' WHEN rent < 60 THEN 'mid' WHEN rent IS NULL THEN 'none' ELSE 'high' END AS band, COUNT(*), AVG(size) FROM shop GROUP BY band ORDER BY band
SELECT (rent / 25) AS r, CAST(rent / 25 AS INTEGER) * 25 AS bin, id FROM shop ORDER BY id
SELECT CAST(price / 10 AS INTEGER) * 10 AS bin, COUNT(*) FROM sale WHERE price IS NOT NULL GROUP BY bin ORDER BY bin
SELECT id FROM shop WHERE town IN ('ulm', 'Ulm') AND (kind = 'a' OR zone > 0) AND NOT (size IS NULL) ORDER BY id
SELECT id FROM shop WHERE kind || town LIKE '%aulm%' ORDER BY id
SELECT id FROM shop WHERE LENGTH(TRIM(town)) > 0 AND town NOT LIKE 'u%' ORDER BY id
SELECT id FROM shop WHERE opened = (SELECT MIN(opened) FROM shop) ORDER BY id
SELECT id FROM shop WHERE opened BETWEEN '2023-10-01' AND '2024-02-29' ORDER BY opened, id
SELECT COUNT(*) FROM sale x JOIN shop s ON s.id = x.shop_id AND x.day >= s.opened
SELECT s.id, x.id FROM shop s JOIN sale x ON x.shop_id = s.id AND x.day > s.opened AND x.price < s.rent ORDER BY s.id, x.id
SELECT s.id, MAX(x.price) FROM shop s LEFT JOIN sale x ON x.shop_id = s.id AND x.product = 'tea' GROUP BY s.id ORDER BY s.id
SELECT x.id FROM sale x WHERE x.shop_id IN (SELECT id FROM shop WHERE zone = 2 UNION SELECT id FROM shop WHERE kind = 'b') ORDER BY x.id
SELECT id, 'shop' FROM shop WHERE zone = 1 UNION ALL SELECT id, 'sale' FROM sale WHERE pieces = 1 ORDER BY 2, 1
SELECT kind FROM shop UNION SELECT product FROM sale EXCEPT SELECT 'tea' ORDER BY 1
SELECT * FROM (SELECT id, size FROM shop ORDER BY size DESC, id LIMIT 5) ORDER BY id
SELECT AVG(n), MAX(n) FROM (SELECT COUNT(*) AS n FROM sale GROUP BY shop_id)
SELECT COUNT(*) FROM (SELECT DISTINCT shop_id, product FROM sale)
WITH a AS (SELECT shop_id, COUNT(*) AS n FROM sale GROUP BY shop_id), b AS (SELECT n, COUNT(*) AS shops FROM a GROUP BY n) SELECT n, shops, SUM(shops) OVER (ORDER BY n) FROM b ORDER BY n
WITH a AS (SELECT id, size FROM shop WHERE size IS NOT NULL), r AS (SELECT size, ROW_NUMBER() OVER (ORDER BY size) AS i, COUNT(*) OVER () AS c FROM a) SELECT AVG(size) FROM r WHERE i IN ((c + 1) / 2, (c + 2) / 2)
WITH f AS (SELECT shop_id, MIN(day) AS first FROM sale GROUP BY shop_id) SELECT strftime('%Y-%m', f.first) AS cohort, COUNT(*) FROM f WHERE f.first IS NOT NULL GROUP BY cohort ORDER BY cohort
WITH f AS (SELECT shop_id, MIN(day) AS first FROM sale GROUP BY shop_id) SELECT x.shop_id, CAST(julianday(x.day) - julianday(f.first) AS INTEGER) / 30 AS age, SUM(x.pieces) FROM sale x JOIN f ON f.shop_id = x.shop_id WHERE x.day IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2
SELECT shop_id, day, id, julianday(day) - julianday(LAG(day) OVER (PARTITION BY shop_id ORDER BY day, id)) AS gap FROM sale WHERE day IS NOT NULL ORDER BY shop_id, day, id
SELECT DISTINCT shop_id, FIRST_VALUE(product) OVER (PARTITION BY shop_id ORDER BY id) FROM sale ORDER BY shop_id
SELECT shop_id, SUM(CASE WHEN product = 'tea' THEN pieces END) AS tea, SUM(CASE WHEN product = 'nut' THEN pieces END) AS nut FROM sale GROUP BY shop_id ORDER BY shop_id
SELECT shop_id, COUNT(*) AS n, SUM(COUNT(*)) OVER () AS all_n, ROUND(COUNT(*) * 100.0 / SUM(COUNT(*)) OVER (), 1) AS pct FROM sale GROUP BY shop_id ORDER BY n DESC, shop_id
SELECT kind, COUNT(*) AS n, DENSE_RANK() OVER (ORDER BY COUNT(*) DESC) AS r FROM shop GROUP BY kind ORDER BY r, kind
SELECT a.shop_id FROM sale a WHERE a.product = 'tea' INTERSECT SELECT b.shop_id FROM sale b WHERE b.product = 'nut' ORDER BY 1
SELECT shop_id FROM sale WHERE product IN ('tea', 'nut') GROUP BY shop_id HAVING COUNT(DISTINCT product) = 2 ORDER BY shop_id
SELECT s.id FROM shop s WHERE NOT EXISTS (SELECT 1 FROM (SELECT DISTINCT product FROM sale WHERE product IS NOT NULL) p WHERE NOT EXISTS (SELECT 1 FROM sale x WHERE x.shop_id = s.id AND x.product = p.product)) ORDER BY s.id
SELECT p.product, (SELECT COUNT(DISTINCT shop_id) FROM sale x WHERE x.product = p.product) AS shops FROM (SELECT DISTINCT product FROM sale) p ORDER BY p.product
SELECT s.id, s.rent, (SELECT COUNT(*) FROM shop t WHERE t.rent > s.rent) + 1 AS place FROM shop s WHERE s.rent IS NOT NULL ORDER BY place, s.id
SELECT s.id, EXISTS (SELECT 1 FROM sale x WHERE x.shop_id = s.id AND x.pieces > 3) AS big FROM shop s ORDER BY s.id
SELECT s.id, s.id IN (SELECT shop_id FROM sale WHERE product = 'beer') AS beer FROM shop s ORDER BY s.id
SELECT id, COALESCE(CAST(size AS TEXT), '-') || '/' || COALESCE(kind, '?') FROM shop ORDER BY id
SELECT id, SUBSTR(town, 1, 1) || '.' AS initial, UPPER(SUBSTR(town, 1, 1)) || LOWER(SUBSTR(town, 2)) FROM shop ORDER BY id
SELECT UPPER(SUBSTR(town, 1, 1)) AS letter, COUNT(*) FROM shop WHERE town <> '' GROUP BY letter ORDER BY letter
SELECT MAX(LENGTH(product)), MIN(LENGTH(product)), SUM(LENGTH(product)) FROM sale
SELECT SUM(price * pieces) / SUM(pieces), SUM(price) / COUNT(*), SUM(price) / COUNT(price), AVG(price) FROM sale
SELECT COUNT(*), COUNT(price), COUNT(*) - COUNT(price), SUM(price IS NULL) FROM sale
SELECT ROUND(AVG(price), 2), ROUND(SUM(price * price) / COUNT(price) - AVG(price) * AVG(price), 4) FROM sale
SELECT shop_id, ROUND(AVG(price), 1) AS p FROM sale GROUP BY shop_id HAVING AVG(price) > (SELECT AVG(price) FROM sale) ORDER BY p DESC, shop_id
SELECT s.kind, x.product, SUM(x.pieces) FROM sale x JOIN shop s ON s.id = x.shop_id GROUP BY s.kind, x.product HAVING SUM(x.pieces) = (SELECT MAX(t) FROM (SELECT SUM(y.pieces) AS t FROM sale y JOIN shop z ON z.id = y.shop_id WHERE z.kind = s.kind GROUP BY y.product)) ORDER BY 1, 2
SELECT id FROM sale WHERE price = (SELECT MAX(price) FROM sale WHERE price < (SELECT MAX(price) FROM sale)) ORDER BY id
SELECT id, price FROM sale ORDER BY price DESC NULLS LAST, id LIMIT 5 OFFSET 5
SELECT price FROM sale WHERE price IS NOT NULL ORDER BY ABS(price - (SELECT AVG(price) FROM sale)), id LIMIT 3
SELECT day, COUNT(*) FROM sale GROUP BY day HAVING COUNT(*) > 1 ORDER BY day
SELECT date(day, 'start of month') AS m, SUM(pieces) FROM sale WHERE day IS NOT NULL GROUP BY m ORDER BY m
SELECT date(day, '-' || strftime('%w', day) || ' days') AS week, COUNT(*) FROM sale WHERE day IS NOT NULL GROUP BY week ORDER BY week LIMIT 5
SELECT (SELECT COUNT(*) FROM shop) AS shops, (SELECT COUNT(*) FROM sale) AS sales, (SELECT COUNT(*) FROM sale) * 1.0 / (SELECT COUNT(*) FROM shop) AS per
SELECT 'total' AS k, SUM(pieces) FROM sale UNION ALL SELECT product, SUM(pieces) FROM sale GROUP BY product ORDER BY k
SELECT t.kind, t.n FROM (SELECT kind, COUNT(*) AS n FROM shop GROUP BY kind) AS t WHERE t.n = (SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM shop GROUP BY kind)) ORDER BY 1
SELECT s.id, x.n FROM shop s, (SELECT shop_id, COUNT(*) AS n FROM sale GROUP BY shop_id HAVING COUNT(*) > 2) x WHERE x.shop_id = s.id ORDER BY s.id
SELECT s.id, x.id, y.id FROM shop s JOIN sale x ON x.shop_id = s.id JOIN sale y ON y.shop_id = s.id AND y.id > x.id WHERE x.product = y.product ORDER BY 1, 2, 3
SELECT s.town, t.town FROM shop s CROSS JOIN shop t WHERE s.id + t.id = 9 ORDER BY s.id
SELECT id, size, SUM(size) OVER (ORDER BY size DESC, id) * 100.0 / SUM(size) OVER () AS cumulative FROM shop WHERE size > 0 ORDER BY size DESC, id
SELECT id, MAX(price) OVER (PARTITION BY shop_id ORDER BY id) AS peak, MIN(price) OVER (PARTITION BY shop_id ORDER BY id ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS later FROM sale ORDER BY id
SELECT id, COUNT(*) OVER (PARTITION BY product ORDER BY price RANGE BETWEEN 10 PRECEDING AND 10 FOLLOWING) FROM sale WHERE price IS NOT NULL ORDER BY id
SELECT id, LAST_VALUE(price) OVER (PARTITION BY shop_id ORDER BY id RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM sale ORDER BY id
SELECT id, GROUP_CONCAT(product, '-') OVER (PARTITION BY shop_id ORDER BY id) FROM sale ORDER BY id
SELECT CASE WHEN COUNT(*) > 10 THEN 'many' ELSE 'few' END, zone FROM shop GROUP BY zone ORDER BY zone
SELECT zone FROM shop WHERE zone IS NOT NULL GROUP BY zone ORDER BY COUNT(*) DESC, SUM(size) LIMIT 1
SELECT DISTINCT CASE WHEN size > 10 THEN 'big' END AS b FROM shop ORDER BY b
SELECT SUM(a) FROM (SELECT 1 AS a UNION ALL SELECT 2 UNION ALL SELECT NULL)
SELECT * FROM (SELECT 1 AS a, 2 AS b) x JOIN (SELECT 1 AS a, 3 AS c) y ON x.a = y.a
SELECT x.a, y.c FROM (SELECT 1 AS a UNION SELECT 2) x LEFT JOIN (SELECT 2 AS a, 5 AS c) y USING (a) ORDER BY 1
SELECT id FROM shop WHERE (zone = 1 AND kind = 'a') OR (zone = 2 AND kind = 'b') OR (zone IS NULL AND kind IS NULL) ORDER BY id
SELECT id FROM shop WHERE zone <> 1 ORDER BY id
SELECT id FROM shop WHERE NOT zone = 1 ORDER BY id
SELECT id FROM shop WHERE COALESCE(zone, 0) <> 1 ORDER BY id
SELECT MIN(CASE WHEN kind = 'a' THEN rent END), MAX(CASE WHEN kind <> 'a' THEN rent END) FROM shop
SELECT kind, MIN(town), MAX(town), MIN(opened), MAX(opened) FROM shop GROUP BY kind ORDER BY kind
SELECT s.kind, strftime('%Y', x.day) AS y, COUNT(*), SUM(x.pieces), AVG(x.price), MIN(x.price), MAX(x.price) FROM sale x LEFT JOIN shop s ON s.id = x.shop_id GROUP BY s.kind, y ORDER BY s.kind, y
SELECT s.id AS "shop number", x.id AS [sale number], x.`day` FROM shop AS s INNER JOIN sale AS x ON (x.shop_id = s.id) WHERE ((x.pieces > 2)) ORDER BY "shop number", [sale number]
select Count(*) As N from SHOP where Kind='a' or KIND='b'
SELECT ALL kind FROM shop WHERE id < 3 ORDER BY id
SELECT id FROM shop WHERE id % 2 = 0 AND id / 2 % 2 = 1 ORDER BY id
SELECT SUM(0.1) FROM sale
SELECT MAX(a.day) FROM sale a WHERE a.day < (SELECT MAX(day) FROM sale)
SELECT COUNT(*) FROM sale WHERE day > '2024-01-15' AND day < '2024-02-15'
SELECT COUNT(*) FROM sale WHERE strftime('%Y-%m', day) = '2024-01'
SELECT COUNT(*) FROM sale WHERE day LIKE '2024-01%'
SELECT kind, zone, COUNT(*) AS n, RANK() OVER (PARTITION BY kind ORDER BY COUNT(*) DESC) AS place FROM shop GROUP BY kind, zone ORDER BY kind, place, zone
WITH RECURSIVE_FREE AS (SELECT 1 AS one) SELECT one + one FROM RECURSIVE_FREE
SELECT s.kind, AVG(x.price * x.pieces) FROM shop s JOIN sale x ON x.shop_id = s.id WHERE x.price IS NOT NULL AND x.pieces IS NOT NULL GROUP BY s.kind ORDER BY s.kind
SELECT product, SUM(CASE WHEN pieces > 2 THEN price ELSE 0 END) AS big, SUM(CASE WHEN pieces <= 2 THEN price END) AS small FROM sale GROUP BY product ORDER BY product
SELECT shop_id, day, LAG(day) OVER (PARTITION BY shop_id ORDER BY day, id) AS before FROM sale WHERE day IS NOT NULL ORDER BY shop_id, day, id
SELECT id, LEAD(price, 2, -1) OVER (ORDER BY id) FROM sale ORDER BY id
SELECT id, NTILE(4) OVER (ORDER BY price, id) AS quarter FROM sale WHERE price IS NOT NULL ORDER BY id
SELECT quarter, COUNT(*), MIN(price), MAX(price) FROM (SELECT price, NTILE(4) OVER (ORDER BY price, id) AS quarter FROM sale WHERE price IS NOT NULL) GROUP BY quarter ORDER BY quarter
SELECT id, PERCENT_RANK() OVER (ORDER BY size), CUME_DIST() OVER (ORDER BY size) FROM shop WHERE size IS NOT NULL ORDER BY id
SELECT id, DENSE_RANK() OVER (ORDER BY kind) AS k, RANK() OVER (ORDER BY kind) AS r FROM shop ORDER BY id
SELECT id, SUM(pieces) OVER (PARTITION BY product ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM sale ORDER BY id
SELECT id, MIN(price) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) FROM sale ORDER BY id
SELECT id, LAST_VALUE(town) OVER (PARTITION BY kind ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM shop ORDER BY id
SELECT id, NTH_VALUE(town, 2) OVER (PARTITION BY kind ORDER BY id) FROM shop ORDER BY id
SELECT id, COUNT(*) OVER w AS n, AVG(size) OVER w AS m FROM shop WINDOW w AS (PARTITION BY kind) ORDER BY id
SELECT id, size - LAG(size) OVER (ORDER BY opened, id) AS step FROM shop WHERE opened IS NOT NULL AND size IS NOT NULL ORDER BY opened, id
SELECT town FROM shop WHERE town IN (SELECT town FROM shop GROUP BY town HAVING COUNT(*) > 1) AND kind IS NOT NULL ORDER BY town, id
SELECT s.town FROM shop s WHERE (SELECT COUNT(*) FROM sale x WHERE x.shop_id = s.id AND x.pieces > 1) >= 2 ORDER BY s.id
SELECT s.id, COALESCE((SELECT SUM(x.pieces) FROM sale x WHERE x.shop_id = s.id), 0) AS sold FROM shop s ORDER BY sold DESC, s.id LIMIT 6
SELECT s.id FROM shop s WHERE NOT EXISTS (SELECT * FROM sale x WHERE x.shop_id = s.id AND x.price > s.rent) ORDER BY s.id
SELECT s.id FROM shop s WHERE s.rent >= (SELECT MAX(t.rent) FROM shop t WHERE t.zone = s.zone) ORDER BY s.id
SELECT x.id FROM sale x WHERE x.price > (SELECT AVG(y.price) FROM sale y WHERE y.product = x.product) ORDER BY x.id
SELECT s.kind, (SELECT COUNT(DISTINCT x.product) FROM sale x JOIN shop t ON t.id = x.shop_id WHERE t.kind = s.kind) AS products FROM shop s WHERE s.kind IS NOT NULL GROUP BY s.kind ORDER BY s.kind
SELECT product FROM sale GROUP BY product HAVING COUNT(DISTINCT shop_id) = (SELECT MAX(n) FROM (SELECT COUNT(DISTINCT shop_id) AS n FROM sale GROUP BY product)) ORDER BY product
SELECT a.product, b.product, COUNT(*) AS together FROM sale a JOIN sale b ON a.shop_id = b.shop_id AND a.product < b.product GROUP BY a.product, b.product ORDER BY together DESC, 1, 2 LIMIT 5
SELECT s.id, s.town, COUNT(x.id) AS n, SUM(x.price) AS total FROM shop s LEFT JOIN sale x ON s.id = x.shop_id AND x.pieces >= 3 GROUP BY s.id, s.town HAVING n > 0 ORDER BY total DESC, s.id
SELECT CASE WHEN x.id IS NULL THEN 'none' ELSE 'some' END AS sold, COUNT(DISTINCT s.id) FROM shop s LEFT JOIN sale x ON x.shop_id = s.id GROUP BY 1 ORDER BY 1
SELECT id, COALESCE(kind, town, 'neither') FROM shop ORDER BY id
SELECT id, NULLIF(kind, 'a'), IFNULL(zone, -1), IIF(size > 4, 'large', 'small') FROM shop ORDER BY id
SELECT MAX(zone, size), MIN(zone, size), id FROM shop WHERE zone IS NOT NULL AND size IS NOT NULL ORDER BY id
SELECT id, ROUND(rent), ROUND(rent, 1), CAST(rent AS INTEGER), ABS(rent - 50) FROM shop ORDER BY id
SELECT UPPER(TRIM('  ab ')), LTRIM('xxab', 'x'), RTRIM('abyy', 'y'), TRIM('--a--', '-')
SELECT LENGTH(''), '' = ' ', 'a' < 'B', 'a' < 'b' COLLATE NOCASE, 'ß' = 'SS'
SELECT town || ' (' || COALESCE(kind, '?') || ')' AS label FROM shop WHERE id <= 8 ORDER BY label
SELECT DISTINCT SUBSTR(town, 1, 1) AS letter FROM shop WHERE town IS NOT NULL ORDER BY letter
SELECT SUBSTR(town, 1, 1) AS letter, COUNT(*) AS n FROM shop GROUP BY letter HAVING letter IS NOT NULL ORDER BY n DESC, letter
SELECT id FROM shop WHERE LOWER(town) LIKE '%l%' AND town NOT LIKE 'u%' ORDER BY id
SELECT id FROM shop WHERE kind IN ('a', 'b') AND zone NOT IN (0, 2) ORDER BY id
SELECT id FROM shop WHERE NOT (kind = 'a' AND zone = 1) ORDER BY id
SELECT id FROM shop WHERE (kind = 'a') IS NOT TRUE ORDER BY id
SELECT COUNT(*) FROM shop WHERE (zone > 1) IS NULL
SELECT id FROM shop WHERE zone IS NULL OR size IS NULL OR rent IS NULL ORDER BY id
SELECT COUNT(*) AS rows, COUNT(zone) AS zones, COUNT(DISTINCT zone) AS different, SUM(zone) AS total, TOTAL(zone), AVG(zone) FROM shop
SELECT zone, SUM(rent) / COUNT(*) AS per_shop, AVG(rent) AS mean FROM shop GROUP BY zone ORDER BY zone
SELECT strftime('%Y', opened) AS year, COUNT(*), SUM(size), MIN(rent) FROM shop GROUP BY year ORDER BY year
SELECT strftime('%Y', x.day) || '-Q' || ((CAST(strftime('%m', x.day) AS INTEGER) + 2) / 3) AS quarter, SUM(x.pieces) FROM sale x WHERE x.day IS NOT NULL GROUP BY quarter ORDER BY quarter
SELECT date(day, '-1 day'), date(day, '+1 month'), date(day, 'start of year') FROM sale WHERE id < 12 ORDER BY id
SELECT id, CAST(julianday(day) - julianday('2024-01-01') AS INTEGER) AS days FROM sale WHERE day IS NOT NULL ORDER BY id
SELECT s.id, MIN(julianday(x.day) - julianday(s.opened)) FROM shop s JOIN sale x ON x.shop_id = s.id WHERE s.opened IS NOT NULL AND x.day IS NOT NULL GROUP BY s.id ORDER BY s.id
SELECT day, COUNT(*) FROM sale WHERE day BETWEEN date('2024-01-10') AND date('2024-03-10') GROUP BY day ORDER BY day
SELECT MIN(day), MAX(day), julianday(MAX(day)) - julianday(MIN(day)) FROM sale
SELECT id FROM sale WHERE strftime('%w', day) IN ('0', '6') ORDER BY id
WITH m AS (SELECT strftime('%Y-%m', day) AS month, SUM(pieces) AS n FROM sale WHERE day IS NOT NULL GROUP BY month) SELECT month, n, n - LAG(n) OVER (ORDER BY month) AS change FROM m ORDER BY month
WITH m AS (SELECT strftime('%Y-%m', day) AS month, SUM(price) AS n FROM sale WHERE day IS NOT NULL GROUP BY month) SELECT month, ROUND(SUM(n) OVER (ORDER BY month), 2) AS so_far FROM m ORDER BY month
WITH best AS (SELECT shop_id, product, SUM(pieces) AS n FROM sale GROUP BY shop_id, product) SELECT b.shop_id, b.product FROM best b WHERE b.n = (SELECT MAX(c.n) FROM best c WHERE c.shop_id = b.shop_id) ORDER BY b.shop_id, b.product
WITH a AS (SELECT id FROM shop WHERE zone = 1), b AS (SELECT id FROM a WHERE id > 5), c AS (SELECT COUNT(*) AS n FROM b) SELECT n, (SELECT COUNT(*) FROM a) FROM c
WITH t AS (SELECT kind, AVG(size) AS m FROM shop GROUP BY kind) SELECT s.id, s.size - t.m FROM shop s JOIN t ON t.kind = s.kind ORDER BY s.id
WITH t AS (SELECT kind, AVG(size) AS m FROM shop GROUP BY kind) SELECT s.id FROM shop s, t WHERE s.kind = t.kind AND s.size > t.m ORDER BY s.id
SELECT id FROM shop WHERE zone = 1 UNION SELECT shop_id FROM sale WHERE product = 'tea' ORDER BY 1
SELECT kind FROM shop EXCEPT SELECT product FROM sale ORDER BY 1
SELECT shop_id FROM sale WHERE pieces > 3 EXCEPT SELECT id FROM shop WHERE zone = 0 ORDER BY 1 DESC
SELECT zone FROM shop UNION ALL SELECT pieces FROM sale UNION SELECT size FROM shop ORDER BY 1
SELECT COUNT(*) FROM (SELECT zone AS v FROM shop INTERSECT SELECT pieces FROM sale)
SELECT v, COUNT(*) FROM (SELECT zone AS v FROM shop UNION ALL SELECT pieces FROM sale) GROUP BY v ORDER BY v
SELECT * FROM (SELECT kind AS name, COUNT(*) AS n FROM shop GROUP BY kind UNION ALL SELECT 'all', COUNT(*) FROM shop) ORDER BY n, name
SELECT 'shops' AS what, COUNT(*) AS n FROM shop UNION ALL SELECT 'sales', COUNT(*) FROM sale UNION ALL SELECT 'products', COUNT(DISTINCT product) FROM sale ORDER BY n
SELECT id, size FROM shop ORDER BY size IS NULL, size, id LIMIT 10
SELECT id, zone FROM shop ORDER BY CASE zone WHEN 2 THEN 0 WHEN 0 THEN 1 ELSE 2 END, id
SELECT id FROM shop ORDER BY -size, id LIMIT 7 OFFSET 3
SELECT kind, size FROM shop WHERE size IS NOT NULL ORDER BY 1 DESC NULLS LAST, 2, id LIMIT 9
SELECT town, LENGTH(town) AS n FROM shop WHERE town IS NOT NULL ORDER BY n DESC, town, id LIMIT 5
SELECT id FROM sale ORDER BY price * pieces DESC, id LIMIT 4
SELECT shop_id, COUNT(*) FROM sale GROUP BY shop_id HAVING COUNT(*) BETWEEN 2 AND 3 AND MIN(price) > 1 ORDER BY 2, 1
SELECT kind, COUNT(*) FROM shop WHERE size > 2 GROUP BY kind HAVING NOT COUNT(*) = 1 ORDER BY kind
SELECT zone, SUM(size) FROM shop GROUP BY zone HAVING SUM(size) = MAX(SUM(size), 0) ORDER BY zone
SELECT zone % 2 AS odd, COUNT(*), AVG(rent) FROM shop WHERE zone IS NOT NULL GROUP BY odd ORDER BY odd
SELECT size > 3 AS large, kind, COUNT(*) FROM shop GROUP BY large, kind ORDER BY large, kind
SELECT COUNT(*) FROM shop s JOIN sale x ON s.id = x.shop_id AND (x.pieces > 2 OR s.zone = 1)
SELECT s.id, x.id FROM shop s JOIN sale x ON x.shop_id BETWEEN s.id - 1 AND s.id + 1 WHERE s.id < 5 ORDER BY 1, 2
SELECT a.id, b.id FROM shop a LEFT JOIN shop b ON b.id = a.zone + a.size ORDER BY 1, 2
SELECT a.id FROM shop a LEFT JOIN shop b ON a.zone = b.size AND b.kind = 'a' WHERE b.id IS NULL ORDER BY 1
SELECT s.id, x.n, y.top FROM shop s LEFT JOIN (SELECT shop_id, COUNT(*) AS n FROM sale GROUP BY shop_id) x ON x.shop_id = s.id LEFT JOIN (SELECT shop_id, MAX(price) AS top FROM sale GROUP BY shop_id) y ON y.shop_id = s.id ORDER BY s.id
SELECT COUNT(*) FROM shop a CROSS JOIN shop b WHERE a.size < b.size
SELECT a.kind, COUNT(DISTINCT b.id) FROM shop a JOIN shop b ON a.zone = b.zone AND a.id <> b.id GROUP BY a.kind ORDER BY a.kind
SELECT s.town, x.product FROM (SELECT * FROM shop WHERE zone = 2) s JOIN (SELECT * FROM sale WHERE pieces = 2) x ON x.shop_id = s.id ORDER BY 1, 2, x.id
SELECT COUNT(*), COUNT(DISTINCT s.id), COUNT(DISTINCT x.product || x.pieces) FROM shop s JOIN sale x ON x.shop_id = s.id
SELECT product, MAX(price) - MIN(price) AS width, AVG(price * price) - AVG(price) * AVG(price) AS spread FROM sale WHERE price IS NOT NULL GROUP BY product ORDER BY product
SELECT ROUND(SUM(price * pieces) / SUM(pieces), 4) FROM sale WHERE price IS NOT NULL AND pieces IS NOT NULL
SELECT product, ROUND(100.0 * COUNT(*) / (SELECT COUNT(*) FROM sale), 2) AS percent FROM sale GROUP BY product ORDER BY percent DESC, product
SELECT product, 1.0 * SUM(pieces > 1) / COUNT(pieces) AS share FROM sale GROUP BY product ORDER BY product
SELECT AVG(n) FROM (SELECT COUNT(*) AS n FROM sale GROUP BY shop_id)
SELECT MAX(total) FROM (SELECT shop_id, SUM(price) AS total FROM sale GROUP BY shop_id HAVING COUNT(*) > 1)
SELECT id, (SELECT town FROM shop WHERE shop.id = sale.shop_id) AS town FROM sale ORDER BY id
SELECT id, EXISTS (SELECT 1 FROM sale WHERE shop_id = shop.id AND product = 'nut') AS nuts FROM shop ORDER BY id
SELECT id, zone IN (1, 2), zone NOT IN (1, NULL), zone IN (SELECT zone FROM shop WHERE id < 0) FROM shop ORDER BY id
SELECT (SELECT id FROM shop WHERE id < 0) AS nobody, (SELECT MAX(id) FROM shop) AS last
SELECT id FROM shop WHERE id = (SELECT shop_id FROM sale WHERE id = 3) OR id = (SELECT shop_id FROM sale WHERE id = 9) ORDER BY id
SELECT 1 WHERE EXISTS (SELECT 1 FROM shop WHERE zone = 2) AND NOT EXISTS (SELECT 1 FROM shop WHERE zone = 99)
SELECT DISTINCT kind, COUNT(*) OVER (PARTITION BY kind) AS n FROM shop ORDER BY kind
SELECT id, ROUND(rent * 100.0 / SUM(rent) OVER (PARTITION BY kind), 3) AS percent FROM shop WHERE rent IS NOT NULL ORDER BY id
SELECT kind, id FROM (SELECT kind, id, ROW_NUMBER() OVER (PARTITION BY kind ORDER BY size DESC NULLS LAST, id) AS n FROM shop) WHERE n = 1 ORDER BY kind
SELECT shop_id, day FROM (SELECT shop_id, day, MAX(day) OVER (PARTITION BY shop_id) AS last FROM sale) WHERE day = last ORDER BY shop_id, day
SELECT shop_id, SUM(first) FROM (SELECT shop_id, CASE WHEN LAG(product) OVER (PARTITION BY shop_id ORDER BY id) = product THEN 0 ELSE 1 END AS first FROM sale) GROUP BY shop_id ORDER BY shop_id
SELECT id, AVG(price) OVER (ORDER BY id ROWS 2 PRECEDING) AS smooth FROM sale ORDER BY id
SELECT id, SUM(CASE WHEN product = 'tea' THEN pieces END) OVER (ORDER BY id) AS tea FROM sale ORDER BY id
SELECT id, COUNT(pieces) FILTER (WHERE pieces > 1) OVER (PARTITION BY product) AS n FROM sale ORDER BY id
SELECT CAST(' 12 ' AS INTEGER), CAST('1.50' AS REAL), CAST(1e3 AS INTEGER), CAST(12345678901 AS TEXT)
SELECT 9007199254740993 + 0, 9007199254740993 * 1, 9007199254740993 % 10, -9223372036854775807
SELECT 1 / 3 * 3, 1.0 / 3 * 3, 10 % 4, -10 % 4, 10 % -4, 2.5 * 2
SELECT NULL + 1, NULL || 'a', NULL = NULL, NULL AND 0, NULL OR 1, NOT NULL, COALESCE(NULL, NULL, 3)
SELECT 'it''s', '"', 'a;b', '--not a comment', '/* nor this */'
SELECT id /* the key */, town FROM shop ORDER BY id
SELECT s.town, x.product, SUM(x.pieces) AS n FROM shop s JOIN sale x ON x.shop_id = s.id GROUP BY s.town, x.product HAVING SUM(x.pieces) > 2 ORDER BY n DESC, s.town, x.product
SELECT s.zone, AVG(t.n) FROM shop s JOIN (SELECT shop_id, COUNT(*) AS n FROM sale GROUP BY shop_id) t ON t.shop_id = s.id GROUP BY s.zone ORDER BY s.zone
SELECT s.id FROM shop s WHERE s.id NOT IN (SELECT x.shop_id FROM sale x WHERE x.shop_id IS NOT NULL AND x.product = 'beer') AND s.zone IS NOT NULL ORDER BY s.zone, s.id
SELECT s.kind, SUM(x.price) AS income, SUM(x.price) / COUNT(DISTINCT s.id) AS per_shop FROM shop s LEFT JOIN sale x ON x.shop_id = s.id GROUP BY s.kind ORDER BY s.kind
SELECT COUNT(*) FROM (SELECT s.id FROM shop s JOIN sale x ON x.shop_id = s.id GROUP BY s.id HAVING COUNT(DISTINCT x.product) > 1)
SELECT product, day, price FROM sale x WHERE day = (SELECT MAX(day) FROM sale y WHERE y.product = x.product) ORDER BY product, id
SELECT product, COUNT(*) FROM sale WHERE shop_id IN (SELECT id FROM shop WHERE kind = 'b' OR town IS NULL) GROUP BY product ORDER BY 2 DESC, 1
SELECT a.id, a.size, (SELECT COUNT(*) FROM shop b WHERE b.kind = a.kind AND b.size > a.size) AS above FROM shop a WHERE a.kind IS NOT NULL AND a.size IS NOT NULL ORDER BY a.kind, above, a.id
SELECT MIN(id) FROM shop GROUP BY kind, zone HAVING COUNT(*) > 1 ORDER BY 1
SELECT DISTINCT s.kind, x.product FROM shop s JOIN sale x ON x.shop_id = s.id WHERE s.kind IS NOT NULL AND x.product IS NOT NULL ORDER BY 2, 1
SELECT x.product, s.town FROM sale x LEFT JOIN shop s ON s.id = x.shop_id AND s.kind = 'a' ORDER BY x.id LIMIT 20 OFFSET 5
SELECT kind, GROUP_CONCAT(DISTINCT zone ORDER BY zone) FROM shop WHERE zone IS NOT NULL GROUP BY kind ORDER BY kind
SELECT strftime('%m', opened) AS month, COUNT(*) AS n FROM shop WHERE opened IS NOT NULL GROUP BY month HAVING n = (SELECT MAX(c) FROM (SELECT COUNT(*) AS c FROM shop WHERE opened IS NOT NULL GROUP BY strftime('%m', opened))) ORDER BY month
SELECT id, CASE kind WHEN 'a' THEN rent * 1.1 WHEN 'b' THEN rent * 0.9 ELSE rent END FROM shop ORDER BY id
SELECT SUM(CASE kind WHEN 'a' THEN 1 ELSE 0 END) AS a, SUM(CASE kind WHEN 'b' THEN 1 ELSE 0 END) AS b, SUM(CASE WHEN kind IS NULL THEN 1 ELSE 0 END) AS none FROM shop
SELECT zone, SUM(size) FILTER (WHERE kind = 'a') AS a, SUM(size) FILTER (WHERE kind = 'b') AS b FROM shop GROUP BY zone ORDER BY zone
SELECT zone, COUNT(*) * 1.0 / (SELECT COUNT(*) FROM shop WHERE zone IS NOT NULL) AS share FROM shop WHERE zone IS NOT NULL GROUP BY zone ORDER BY zone
SELECT id, rent, rent - (SELECT AVG(rent) FROM shop) AS off FROM shop WHERE rent IS NOT NULL ORDER BY ABS(off) DESC, id LIMIT 5
SELECT id, (rent - MIN(rent) OVER ()) / (MAX(rent) OVER () - MIN(rent) OVER ()) AS scaled FROM shop WHERE rent IS NOT NULL ORDER BY id
WITH r AS (SELECT price, ROW_NUMBER() OVER (ORDER BY price) AS i, COUNT(*) OVER () AS n FROM sale WHERE price IS NOT NULL) SELECT AVG(price) FROM r WHERE i IN ((n + 1) / 2, (n + 2) / 2)
WITH days AS (SELECT DISTINCT day FROM sale WHERE day IS NOT NULL), gaps AS (SELECT day, LAG(day) OVER (ORDER BY day) AS before FROM days) SELECT before, day, CAST(julianday(day) - julianday(before) AS INTEGER) AS gap FROM gaps WHERE before IS NOT NULL ORDER BY gap DESC, day LIMIT 3
WITH firsts AS (SELECT product, MIN(day) AS day FROM sale GROUP BY product) SELECT f.product, COUNT(x.id) FROM firsts f LEFT JOIN sale x ON x.product = f.product AND x.day = f.day GROUP BY f.product ORDER BY f.product
WITH n AS (SELECT shop_id, COUNT(*) AS c FROM sale GROUP BY shop_id) SELECT c, COUNT(*) FROM n GROUP BY c ORDER BY c
WITH p(product, total) AS (SELECT product, SUM(price) FROM sale GROUP BY product) SELECT a.product, b.product, a.total - b.total FROM p a, p b WHERE a.product > b.product ORDER BY 1, 2
WITH x AS (SELECT * FROM sale WHERE pieces > 1), y AS (SELECT * FROM x WHERE price > 5) SELECT s.town, COUNT(*) FROM y JOIN shop s ON s.id = y.shop_id GROUP BY s.town ORDER BY 2 DESC, 1
SELECT * FROM (SELECT zone, COUNT(*) AS n FROM shop GROUP BY zone) WHERE n > (SELECT COUNT(*) FROM shop) / 6 ORDER BY zone
SELECT t.* FROM (SELECT id, size * 2 AS twice FROM shop) t WHERE t.twice > 8 ORDER BY t.twice, t.id
SELECT id FROM shop WHERE size = zone OR (size IS NULL AND zone IS NULL) ORDER BY id
SELECT id FROM shop WHERE size IS NOT zone ORDER BY id
SELECT id FROM shop WHERE rent * 2 + 1 > 100 AND rent / 2 < 45 ORDER BY rent, id
SELECT id FROM shop WHERE town >= 'c' AND town < 'p' ORDER BY town, id
SELECT id FROM shop WHERE opened > '2024-06-30' OR opened IS NULL ORDER BY opened, id
SELECT id FROM sale WHERE date(day, '+10 days') > '2024-03-01' ORDER BY id
SELECT id FROM sale WHERE product LIKE '_e%' ORDER BY id
SELECT product, LENGTH(product), UPPER(product), REPLACE(product, 'e', '3') FROM sale WHERE product IS NOT NULL GROUP BY product ORDER BY product
SELECT COUNT(*) FROM sale WHERE product = 'tea' AND shop_id = 3 OR product = 'nut' AND NOT shop_id = 3
SELECT COUNT(DISTINCT strftime('%Y-%m', day)) FROM sale
SELECT shop_id, MIN(id), MAX(id), MAX(id) - MIN(id) FROM sale WHERE shop_id IS NOT NULL GROUP BY shop_id HAVING MAX(id) - MIN(id) > 20 ORDER BY shop_id
SELECT pieces, COUNT(*) AS n, SUM(COUNT(*)) OVER (ORDER BY pieces) AS cumulative FROM sale WHERE pieces IS NOT NULL GROUP BY pieces ORDER BY pieces
SELECT product, SUM(price) AS total, RANK() OVER (ORDER BY SUM(price) DESC) AS place FROM sale GROUP BY product ORDER BY place, product
SELECT shop_id, product, n FROM (SELECT shop_id, product, COUNT(*) AS n, MAX(COUNT(*)) OVER (PARTITION BY shop_id) AS most FROM sale GROUP BY shop_id, product) WHERE n = most ORDER BY shop_id, product
SELECT id, price, CASE WHEN price > LAG(price) OVER (ORDER BY id) THEN 'up' WHEN price < LAG(price) OVER (ORDER BY id) THEN 'down' ELSE '-' END AS way FROM sale ORDER BY id
SELECT id, FIRST_VALUE(price) OVER (PARTITION BY product ORDER BY day DESC, id DESC) AS latest FROM sale WHERE day IS NOT NULL ORDER BY id
SELECT id, COUNT(*) OVER (ORDER BY size GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM shop WHERE size IS NOT NULL ORDER BY id
SELECT id, SUM(size) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS rest FROM shop ORDER BY id
SELECT id, SUM(size) OVER (ORDER BY zone RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM shop WHERE zone IS NOT NULL ORDER BY id
SELECT a.kind AS k, b.kind FROM (SELECT DISTINCT kind FROM shop) a LEFT JOIN (SELECT DISTINCT kind FROM shop WHERE zone = 1) b ON b.kind = a.kind ORDER BY 1
SELECT s.id, x.id FROM sale x RIGHT JOIN shop s ON s.id = x.shop_id AND x.product = 'tea' ORDER BY 1, 2
SELECT COALESCE(s.id, -x.id) AS k FROM shop s FULL OUTER JOIN sale x ON x.shop_id = s.id AND x.price > 50 ORDER BY k
SELECT id FROM shop WHERE kind = 'a' UNION ALL SELECT id FROM shop WHERE zone = 1 UNION ALL SELECT id FROM shop WHERE size = 3 ORDER BY id LIMIT 12
SELECT product FROM sale INTERSECT SELECT LOWER(UPPER(product)) FROM sale ORDER BY 1
SELECT zone FROM shop EXCEPT SELECT zone FROM shop WHERE zone > 1 UNION SELECT 99 ORDER BY 1
SELECT SUM(n) FROM (SELECT COUNT(*) AS n FROM shop UNION ALL SELECT COUNT(*) FROM sale)
SELECT AVG(price) AS mean, SUM(price) / COUNT(price) AS same, SUM(price) / COUNT(*) AS other FROM sale
SELECT COUNT(*), SUM(pieces), AVG(pieces), MIN(pieces), GROUP_CONCAT(pieces) FROM sale WHERE product = 'no such'
SELECT product, MAX(day) < MIN(day), MAX(day) >= MIN(day) FROM sale GROUP BY product ORDER BY product
SELECT zone, kind FROM shop GROUP BY zone, kind HAVING MAX(size) IS NULL ORDER BY zone, kind
SELECT kind FROM shop WHERE kind IS NOT NULL GROUP BY kind ORDER BY SUM(rent) / COUNT(rent) DESC LIMIT 1 OFFSET 1
SELECT (SELECT SUM(price) FROM sale WHERE product = 'tea') - (SELECT SUM(price) FROM sale WHERE product = 'nut') AS more
SELECT ROUND(-2.5), ROUND(2.5), ROUND(2.25, 1), ROUND(NULL)
SELECT id, size * 1.0 / NULLIF(zone, 0) AS ratio FROM shop WHERE size IS NOT NULL ORDER BY ratio DESC, id LIMIT 8
SELECT ABS(-3), ABS(-3.5), SIGN(-2), CEIL(1.2), FLOOR(-1.2), POWER(2, 10), SQRT(16), MOD(7, 3)
SELECT id, SUM(pieces) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS s FROM sale ORDER BY id
SELECT id, COUNT(price) OVER (PARTITION BY product ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS n, MIN(pieces) OVER (PARTITION BY product ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS low FROM sale ORDER BY id
SELECT id, MAX(size) OVER (PARTITION BY zone ORDER BY id DESC ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS top FROM shop ORDER BY id
SELECT id, SUM(pieces) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING) AS s FROM sale ORDER BY id
SELECT id, COUNT(price) OVER (PARTITION BY product ORDER BY id ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING) AS n, MIN(pieces) OVER (PARTITION BY product ORDER BY id ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING) AS low FROM sale ORDER BY id
SELECT id, MAX(size) OVER (PARTITION BY zone ORDER BY id DESC ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING) AS top FROM shop ORDER BY id
SELECT id, SUM(pieces) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS s FROM sale ORDER BY id
SELECT id, COUNT(price) OVER (PARTITION BY product ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS n, MIN(pieces) OVER (PARTITION BY product ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS low FROM sale ORDER BY id
SELECT id, MAX(size) OVER (PARTITION BY zone ORDER BY id DESC ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS top FROM shop ORDER BY id
SELECT id, SUM(pieces) OVER (ORDER BY id ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING) AS s FROM sale ORDER BY id
SELECT id, COUNT(price) OVER (PARTITION BY product ORDER BY id ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING) AS n, MIN(pieces) OVER (PARTITION BY product ORDER BY id ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING) AS low FROM sale ORDER BY id
SELECT id, MAX(size) OVER (PARTITION BY zone ORDER BY id DESC ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING) AS top FROM shop ORDER BY id
SELECT id, SUM(pieces) OVER (ORDER BY id ROWS BETWEEN 1 FOLLOWING AND 3 FOLLOWING) AS s FROM sale ORDER BY id
SELECT id, COUNT(price) OVER (PARTITION BY product ORDER BY id ROWS BETWEEN 1 FOLLOWING AND 3 FOLLOWING) AS n, MIN(pieces) OVER (PARTITION BY product ORDER BY id ROWS BETWEEN 1 FOLLOWING AND 3 FOLLOWING) AS low FROM sale ORDER BY id
SELECT id, MAX(size) OVER (PARTITION BY zone ORDER BY id DESC ROWS BETWEEN 1 FOLLOWING AND 3 FOLLOWING) AS top FROM shop ORDER BY id
SELECT id, SUM(pieces) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS s FROM sale ORDER BY id
SELECT id, COUNT(price) OVER (PARTITION BY product ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS n, MIN(pieces) OVER (PARTITION BY product ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS low FROM sale ORDER BY id
SELECT id, MAX(size) OVER (PARTITION BY zone ORDER BY id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS top FROM shop ORDER BY id
SELECT id, SUM(pieces) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS s FROM sale ORDER BY id
SELECT id, COUNT(price) OVER (PARTITION BY product ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS n, MIN(pieces) OVER (PARTITION BY product ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS low FROM sale ORDER BY id
SELECT id, MAX(size) OVER (PARTITION BY zone ORDER BY id DESC ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS top FROM shop ORDER BY id
SELECT id, SUM(pieces) OVER (ORDER BY id RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS s FROM sale ORDER BY id
SELECT id, COUNT(price) OVER (PARTITION BY product ORDER BY id RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS n, MIN(pieces) OVER (PARTITION BY product ORDER BY id RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS low FROM sale ORDER BY id
SELECT id, MAX(size) OVER (PARTITION BY zone ORDER BY id DESC RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS top FROM shop ORDER BY id
SELECT id, SUM(pieces) OVER (ORDER BY id RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS s FROM sale ORDER BY id
SELECT id, COUNT(price) OVER (PARTITION BY product ORDER BY id RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS n, MIN(pieces) OVER (PARTITION BY product ORDER BY id RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS low FROM sale ORDER BY id
SELECT id, MAX(size) OVER (PARTITION BY zone ORDER BY id DESC RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS top FROM shop ORDER BY id
SELECT id, SUM(pieces) OVER (ORDER BY id ROWS 2 PRECEDING) AS s FROM sale ORDER BY id
SELECT id, COUNT(price) OVER (PARTITION BY product ORDER BY id ROWS 2 PRECEDING) AS n, MIN(pieces) OVER (PARTITION BY product ORDER BY id ROWS 2 PRECEDING) AS low FROM sale ORDER BY id
SELECT id, MAX(size) OVER (PARTITION BY zone ORDER BY id DESC ROWS 2 PRECEDING) AS top FROM shop ORDER BY id
SELECT id, FIRST_VALUE(pieces) OVER (PARTITION BY shop_id ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS v FROM sale ORDER BY id
SELECT id, FIRST_VALUE(pieces) OVER (ORDER BY id DESC ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS v FROM sale ORDER BY id
SELECT id, LAST_VALUE(pieces) OVER (PARTITION BY shop_id ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS v FROM sale ORDER BY id
SELECT id, LAST_VALUE(pieces) OVER (ORDER BY id DESC ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS v FROM sale ORDER BY id
SELECT id, NTH_VALUE(pieces, 2) OVER (PARTITION BY shop_id ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS v FROM sale ORDER BY id
SELECT id, NTH_VALUE(pieces, 2) OVER (ORDER BY id DESC ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS v FROM sale ORDER BY id
SELECT id, AVG(pieces) OVER (PARTITION BY shop_id ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS v FROM sale ORDER BY id
SELECT id, AVG(pieces) OVER (ORDER BY id DESC ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS v FROM sale ORDER BY id
SELECT id, ROW_NUMBER() OVER (PARTITION BY kind ORDER BY zone DESC, id) AS p FROM shop ORDER BY id
SELECT * FROM (SELECT id, zone, ROW_NUMBER() OVER (PARTITION BY zone ORDER BY size DESC, id) AS p FROM shop WHERE size IS NOT NULL) WHERE p <= 2 ORDER BY zone, p, id
SELECT product, ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC, product) AS p FROM sale GROUP BY product ORDER BY p, product
SELECT id, RANK() OVER (PARTITION BY kind ORDER BY zone DESC, id) AS p FROM shop ORDER BY id
SELECT * FROM (SELECT id, zone, RANK() OVER (PARTITION BY zone ORDER BY size DESC, id) AS p FROM shop WHERE size IS NOT NULL) WHERE p <= 2 ORDER BY zone, p, id
SELECT product, RANK() OVER (ORDER BY COUNT(*) DESC, product) AS p FROM sale GROUP BY product ORDER BY p, product
SELECT id, DENSE_RANK() OVER (PARTITION BY kind ORDER BY zone DESC, id) AS p FROM shop ORDER BY id
SELECT * FROM (SELECT id, zone, DENSE_RANK() OVER (PARTITION BY zone ORDER BY size DESC, id) AS p FROM shop WHERE size IS NOT NULL) WHERE p <= 2 ORDER BY zone, p, id
SELECT product, DENSE_RANK() OVER (ORDER BY COUNT(*) DESC, product) AS p FROM sale GROUP BY product ORDER BY p, product
SELECT id, SUM(pieces) FILTER (WHERE price > 5) OVER (ORDER BY id) AS s FROM sale ORDER BY id
SELECT id, COUNT(*) FILTER (WHERE kind = 'a') OVER (PARTITION BY zone) AS n FROM shop ORDER BY id
SELECT id, size - AVG(size) OVER (PARTITION BY kind) AS off FROM shop WHERE size IS NOT NULL ORDER BY id
SELECT id, pieces - LAG(pieces, 1, 0) OVER (PARTITION BY shop_id ORDER BY day, id) AS step FROM sale ORDER BY id
SELECT id, LEAD(day, 1) OVER (PARTITION BY shop_id ORDER BY day, id) AS next FROM sale WHERE day IS NOT NULL ORDER BY id
SELECT day, SUM(SUM(pieces)) OVER (ORDER BY day ROWS UNBOUNDED PRECEDING) AS running FROM sale WHERE day IS NOT NULL GROUP BY day ORDER BY day
SELECT id, SUM(pieces) OVER w AS s, COUNT(*) OVER w AS n FROM sale WINDOW w AS (PARTITION BY product ORDER BY id) ORDER BY id
SELECT id, SUM(size) OVER (PARTITION BY zone, kind) AS s FROM shop ORDER BY id
SELECT id, MAX(zone) OVER () - MIN(zone) OVER () AS spread FROM shop ORDER BY id
SELECT id, CASE WHEN ROW_NUMBER() OVER (PARTITION BY zone ORDER BY id) = 1 THEN 'first' ELSE 'later' END AS w FROM shop ORDER BY id
SELECT COUNT(*) FILTER (WHERE zone = 1) AS n, SUM(size) FILTER (WHERE zone = 1) AS s, MAX(rent) FILTER (WHERE zone = 1) AS m FROM shop
SELECT kind, COUNT(*) FILTER (WHERE zone = 1) AS n, SUM(size) FILTER (WHERE NOT (zone = 1)) AS s FROM shop GROUP BY kind ORDER BY kind
SELECT COUNT(*) FILTER (WHERE zone IS NULL) AS n, SUM(size) FILTER (WHERE zone IS NULL) AS s, MAX(rent) FILTER (WHERE zone IS NULL) AS m FROM shop
SELECT kind, COUNT(*) FILTER (WHERE zone IS NULL) AS n, SUM(size) FILTER (WHERE NOT (zone IS NULL)) AS s FROM shop GROUP BY kind ORDER BY kind
SELECT COUNT(*) FILTER (WHERE kind IN ('a', 'b')) AS n, SUM(size) FILTER (WHERE kind IN ('a', 'b')) AS s, MAX(rent) FILTER (WHERE kind IN ('a', 'b')) AS m FROM shop
SELECT kind, COUNT(*) FILTER (WHERE kind IN ('a', 'b')) AS n, SUM(size) FILTER (WHERE NOT (kind IN ('a', 'b'))) AS s FROM shop GROUP BY kind ORDER BY kind
SELECT COUNT(*) FILTER (WHERE size > 10 AND zone < 3) AS n, SUM(size) FILTER (WHERE size > 10 AND zone < 3) AS s, MAX(rent) FILTER (WHERE size > 10 AND zone < 3) AS m FROM shop
SELECT kind, COUNT(*) FILTER (WHERE size > 10 AND zone < 3) AS n, SUM(size) FILTER (WHERE NOT (size > 10 AND zone < 3)) AS s FROM shop GROUP BY kind ORDER BY kind
SELECT COUNT(*) FILTER (WHERE NOT kind = 'a') AS n, SUM(size) FILTER (WHERE NOT kind = 'a') AS s, MAX(rent) FILTER (WHERE NOT kind = 'a') AS m FROM shop
SELECT kind, COUNT(*) FILTER (WHERE NOT kind = 'a') AS n, SUM(size) FILTER (WHERE NOT (NOT kind = 'a')) AS s FROM shop GROUP BY kind ORDER BY kind
SELECT COUNT(*) FILTER (WHERE town LIKE 'b%') AS n, SUM(size) FILTER (WHERE town LIKE 'b%') AS s, MAX(rent) FILTER (WHERE town LIKE 'b%') AS m FROM shop
SELECT kind, COUNT(*) FILTER (WHERE town LIKE 'b%') AS n, SUM(size) FILTER (WHERE NOT (town LIKE 'b%')) AS s FROM shop GROUP BY kind ORDER BY kind
SELECT product, COUNT(DISTINCT shop_id) FILTER (WHERE pieces > 1) AS n FROM sale GROUP BY product ORDER BY product
SELECT shop_id, AVG(price) FILTER (WHERE pieces IS NOT NULL) AS p FROM sale GROUP BY shop_id HAVING COUNT(*) FILTER (WHERE pieces > 2) > 0 ORDER BY shop_id
SELECT 1.0 * COUNT(*) FILTER (WHERE price > 5) / COUNT(*) AS share FROM sale
SELECT id, strftime('%Y', day) AS d FROM sale ORDER BY id
SELECT strftime('%Y', opened) AS d, COUNT(*) AS n FROM shop GROUP BY d ORDER BY d
SELECT id, strftime('%m', day) AS d FROM sale ORDER BY id
SELECT strftime('%m', opened) AS d, COUNT(*) AS n FROM shop GROUP BY d ORDER BY d
SELECT id, strftime('%d', day) AS d FROM sale ORDER BY id
SELECT strftime('%d', opened) AS d, COUNT(*) AS n FROM shop GROUP BY d ORDER BY d
SELECT id, strftime('%Y-%m', day) AS d FROM sale ORDER BY id
SELECT strftime('%Y-%m', opened) AS d, COUNT(*) AS n FROM shop GROUP BY d ORDER BY d
SELECT id, strftime('%j', day) AS d FROM sale ORDER BY id
SELECT strftime('%j', opened) AS d, COUNT(*) AS n FROM shop GROUP BY d ORDER BY d
SELECT id, strftime('%w', day) AS d FROM sale ORDER BY id
SELECT strftime('%w', opened) AS d, COUNT(*) AS n FROM shop GROUP BY d ORDER BY d
SELECT id, strftime('%Y-%m-%d', day) AS d FROM sale ORDER BY id
SELECT strftime('%Y-%m-%d', opened) AS d, COUNT(*) AS n FROM shop GROUP BY d ORDER BY d
SELECT id, date(day, 'start of month') AS d FROM sale WHERE day IS NOT NULL ORDER BY id
SELECT id, date(day, 'start of year') AS d FROM sale WHERE day IS NOT NULL ORDER BY id
SELECT id, date(day, 'start of month', '+1 month', '-1 day') AS d FROM sale WHERE day IS NOT NULL ORDER BY id
SELECT id, date(day, '-7 days') AS d FROM sale WHERE day IS NOT NULL ORDER BY id
SELECT id, date(day, 'start of month', '+1 year') AS d FROM sale WHERE day IS NOT NULL ORDER BY id
SELECT id, date(day, 'weekday 1') AS d FROM sale WHERE day IS NOT NULL ORDER BY id
SELECT id, date(day, 'start of month', '+14 days') AS d FROM sale WHERE day IS NOT NULL ORDER BY id
SELECT id, date(day, 'start of month', '-3 months') AS d FROM sale WHERE day IS NOT NULL ORDER BY id
SELECT id FROM sale WHERE day >= date('2024-06-01', '-3 months') AND day < date('2024-06-01') ORDER BY id
SELECT id FROM sale WHERE strftime('%Y', day) = '2024' AND CAST(strftime('%m', day) AS INTEGER) BETWEEN 2 AND 5 ORDER BY id
SELECT strftime('%Y', day) || '-Q' || ((CAST(strftime('%m', day) AS INTEGER) + 2) / 3) AS quarter, SUM(pieces) AS n FROM sale WHERE day IS NOT NULL GROUP BY quarter ORDER BY quarter
SELECT id, julianday(day) - julianday(date(day, 'start of year')) AS days FROM sale WHERE day IS NOT NULL ORDER BY id
SELECT MAX(julianday(day)) - MIN(julianday(day)) AS days FROM sale
SELECT s.id, MIN(julianday(x.day) - julianday(s.opened)) AS days FROM shop s JOIN sale x ON x.shop_id = s.id WHERE x.day >= s.opened GROUP BY s.id ORDER BY s.id
SELECT date('2024-02-28', '+1 year'), date('2024-01-28', '+1 month'), date('2023-12-31', '+1 day'), date('2024-03-01', '-1 day')
SELECT strftime('%m', day) AS m, AVG(price) AS p FROM sale WHERE day IS NOT NULL GROUP BY 1 HAVING COUNT(price) > 1 ORDER BY 1
SELECT s.id, (SELECT MAX(x.price) FROM sale x WHERE x.shop_id = s.id) AS v FROM shop s ORDER BY s.id
SELECT s.id FROM shop s WHERE (SELECT MAX(x.price) FROM sale x WHERE x.shop_id = s.id AND x.product = 'tea') > 1 ORDER BY s.id
SELECT x.id FROM sale x WHERE x.price = (SELECT MAX(y.price) FROM sale y WHERE y.product = x.product) ORDER BY x.id
SELECT s.id, (SELECT MIN(x.price) FROM sale x WHERE x.shop_id = s.id) AS v FROM shop s ORDER BY s.id
SELECT s.id FROM shop s WHERE (SELECT MIN(x.price) FROM sale x WHERE x.shop_id = s.id AND x.product = 'tea') > 1 ORDER BY s.id
SELECT x.id FROM sale x WHERE x.price = (SELECT MIN(y.price) FROM sale y WHERE y.product = x.product) ORDER BY x.id
SELECT s.id, (SELECT SUM(x.pieces) FROM sale x WHERE x.shop_id = s.id) AS v FROM shop s ORDER BY s.id
SELECT s.id FROM shop s WHERE (SELECT SUM(x.pieces) FROM sale x WHERE x.shop_id = s.id AND x.product = 'tea') > 1 ORDER BY s.id
SELECT x.id FROM sale x WHERE x.pieces = (SELECT SUM(y.pieces) FROM sale y WHERE y.product = x.product) ORDER BY x.id
SELECT s.id, (SELECT COUNT(x.id) FROM sale x WHERE x.shop_id = s.id) AS v FROM shop s ORDER BY s.id
SELECT s.id FROM shop s WHERE (SELECT COUNT(x.id) FROM sale x WHERE x.shop_id = s.id AND x.product = 'tea') > 1 ORDER BY s.id
SELECT x.id FROM sale x WHERE x.id = (SELECT COUNT(y.id) FROM sale y WHERE y.product = x.product) ORDER BY x.id
SELECT s.id, (SELECT AVG(x.pieces) FROM sale x WHERE x.shop_id = s.id) AS v FROM shop s ORDER BY s.id
SELECT s.id FROM shop s WHERE (SELECT AVG(x.pieces) FROM sale x WHERE x.shop_id = s.id AND x.product = 'tea') > 1 ORDER BY s.id
SELECT x.id FROM sale x WHERE x.pieces = (SELECT AVG(y.pieces) FROM sale y WHERE y.product = x.product) ORDER BY x.id
SELECT s.id FROM shop s WHERE NOT EXISTS (SELECT 1 FROM sale x WHERE x.shop_id = s.id AND x.price IS NULL) ORDER BY s.id
SELECT s.id FROM shop s WHERE EXISTS (SELECT 1 FROM sale x WHERE x.shop_id = s.id AND EXISTS (SELECT 1 FROM sale y WHERE y.product = x.product AND y.shop_id <> s.id)) ORDER BY s.id
SELECT s.id FROM shop s WHERE s.zone NOT IN (SELECT x.pieces FROM sale x WHERE x.pieces IS NOT NULL AND x.shop_id = s.id) ORDER BY s.id
SELECT x.id FROM sale x WHERE x.price > (SELECT AVG(y.price) FROM sale y WHERE y.shop_id = x.shop_id) ORDER BY x.id
SELECT x.id, (SELECT COUNT(*) FROM sale y WHERE y.shop_id = x.shop_id AND y.id < x.id) AS before FROM sale x ORDER BY x.id
SELECT s.kind, COUNT(*) FROM shop s WHERE s.size >= (SELECT MAX(t.size) FROM shop t WHERE t.kind = s.kind) GROUP BY s.kind ORDER BY s.kind
SELECT s.id, COALESCE((SELECT x.product FROM sale x WHERE x.shop_id = s.id ORDER BY x.id DESC LIMIT 1), '-') AS last FROM shop s ORDER BY s.id
WITH a AS (SELECT * FROM sale WHERE price IS NOT NULL), b AS (SELECT shop_id, SUM(price) AS p FROM a GROUP BY shop_id), c AS (SELECT AVG(p) AS m FROM b) SELECT b.shop_id FROM b, c WHERE b.p > c.m ORDER BY b.shop_id
WITH a AS (SELECT shop_id, product, SUM(pieces) AS n FROM sale GROUP BY shop_id, product), b AS (SELECT *, RANK() OVER (PARTITION BY shop_id ORDER BY n DESC, product) AS p FROM a) SELECT shop_id, product FROM b WHERE p = 1 ORDER BY shop_id, product
WITH m AS (SELECT strftime('%Y-%m', day) AS month, SUM(pieces) AS n FROM sale WHERE day IS NOT NULL GROUP BY month), d AS (SELECT month, n, LAG(n) OVER (ORDER BY month) AS before FROM m) SELECT month, n - before AS change FROM d WHERE before IS NOT NULL ORDER BY month
WITH a(k, n) AS (SELECT kind, COUNT(*) FROM shop GROUP BY kind), b AS (SELECT MAX(n) AS most FROM a) SELECT k FROM a WHERE n = (SELECT most FROM b) ORDER BY k
WITH a AS (SELECT id FROM shop WHERE zone = 1), b AS (SELECT id FROM shop WHERE kind = 'a'), c AS (SELECT id FROM a UNION SELECT id FROM b) SELECT COUNT(*) FROM c
WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS x FROM a), c AS (SELECT x * 2 AS x FROM b) SELECT a.x, b.x AS y, c.x AS z FROM a, b, c
WITH t AS (SELECT SUM(pieces) AS all_n FROM sale) SELECT product, SUM(pieces) * 100.0 / (SELECT all_n FROM t) AS pct FROM sale GROUP BY product ORDER BY product
WITH a AS (SELECT shop_id, MIN(day) AS first FROM sale GROUP BY shop_id) SELECT x.id FROM sale x JOIN a ON a.shop_id = x.shop_id AND a.first = x.day ORDER BY x.id
WITH big AS (SELECT id FROM shop WHERE size > 10) SELECT x.product, COUNT(*) FROM sale x WHERE x.shop_id IN (SELECT id FROM big) GROUP BY x.product ORDER BY x.product
WITH a AS (WITH b AS (SELECT id, zone FROM shop) SELECT zone, COUNT(*) AS n FROM b GROUP BY zone) SELECT * FROM a ORDER BY zone
SELECT zone FROM shop UNION SELECT pieces FROM sale ORDER BY 1
SELECT id, kind FROM shop WHERE zone = 1 UNION SELECT id, kind FROM shop WHERE kind = 'a' ORDER BY 1, 2
SELECT COUNT(*) FROM (SELECT shop_id FROM sale WHERE product = 'tea' UNION SELECT shop_id FROM sale WHERE product = 'nut')
SELECT id FROM shop WHERE id IN (SELECT shop_id FROM sale WHERE pieces > 2 UNION SELECT shop_id FROM sale WHERE price > 5) ORDER BY id
SELECT NULL AS x UNION SELECT zone FROM shop ORDER BY x
SELECT kind, zone FROM shop UNION SELECT kind, zone FROM shop WHERE zone IS NULL ORDER BY kind, zone
WITH a AS (SELECT product FROM sale WHERE pieces = 1), b AS (SELECT product FROM sale WHERE pieces = 2) SELECT product FROM a UNION SELECT product FROM b ORDER BY product
SELECT zone FROM shop UNION ALL SELECT pieces FROM sale ORDER BY 1
SELECT id, kind FROM shop WHERE zone = 1 UNION ALL SELECT id, kind FROM shop WHERE kind = 'a' ORDER BY 1, 2
SELECT COUNT(*) FROM (SELECT shop_id FROM sale WHERE product = 'tea' UNION ALL SELECT shop_id FROM sale WHERE product = 'nut')
SELECT id FROM shop WHERE id IN (SELECT shop_id FROM sale WHERE pieces > 2 UNION ALL SELECT shop_id FROM sale WHERE price > 5) ORDER BY id
SELECT NULL AS x UNION ALL SELECT zone FROM shop ORDER BY x
SELECT kind, zone FROM shop UNION ALL SELECT kind, zone FROM shop WHERE zone IS NULL ORDER BY kind, zone
WITH a AS (SELECT product FROM sale WHERE pieces = 1), b AS (SELECT product FROM sale WHERE pieces = 2) SELECT product FROM a UNION ALL SELECT product FROM b ORDER BY product
SELECT zone FROM shop INTERSECT SELECT pieces FROM sale ORDER BY 1
SELECT id, kind FROM shop WHERE zone = 1 INTERSECT SELECT id, kind FROM shop WHERE kind = 'a' ORDER BY 1, 2
SELECT COUNT(*) FROM (SELECT shop_id FROM sale WHERE product = 'tea' INTERSECT SELECT shop_id FROM sale WHERE product = 'nut')
SELECT id FROM shop WHERE id IN (SELECT shop_id FROM sale WHERE pieces > 2 INTERSECT SELECT shop_id FROM sale WHERE price > 5) ORDER BY id
SELECT NULL AS x INTERSECT SELECT zone FROM shop ORDER BY x
SELECT kind, zone FROM shop INTERSECT SELECT kind, zone FROM shop WHERE zone IS NULL ORDER BY kind, zone
WITH a AS (SELECT product FROM sale WHERE pieces = 1), b AS (SELECT product FROM sale WHERE pieces = 2) SELECT product FROM a INTERSECT SELECT product FROM b ORDER BY product
SELECT id, kind FROM shop WHERE zone = 1 EXCEPT SELECT id, kind FROM shop WHERE kind = 'a' ORDER BY 1, 2
SELECT COUNT(*) FROM (SELECT shop_id FROM sale WHERE product = 'tea' EXCEPT SELECT shop_id FROM sale WHERE product = 'nut')
SELECT id FROM shop WHERE id IN (SELECT shop_id FROM sale WHERE pieces > 2 EXCEPT SELECT shop_id FROM sale WHERE price > 5) ORDER BY id
SELECT NULL AS x EXCEPT SELECT zone FROM shop ORDER BY x
SELECT kind, zone FROM shop EXCEPT SELECT kind, zone FROM shop WHERE zone IS NULL ORDER BY kind, zone
WITH a AS (SELECT product FROM sale WHERE pieces = 1), b AS (SELECT product FROM sale WHERE pieces = 2) SELECT product FROM a EXCEPT SELECT product FROM b ORDER BY product
SELECT id, zone FROM shop ORDER BY zone ASC NULLS FIRST, id LIMIT 9
SELECT id, zone FROM shop ORDER BY zone DESC NULLS FIRST, id LIMIT 9
SELECT id, zone FROM shop ORDER BY zone ASC NULLS LAST, id LIMIT 9
SELECT id, zone FROM shop ORDER BY zone DESC NULLS LAST, id LIMIT 9
SELECT id, zone FROM shop ORDER BY zone DESC, id LIMIT 9
SELECT id, kind FROM shop ORDER BY kind ASC NULLS FIRST, id LIMIT 9
SELECT id, kind FROM shop ORDER BY kind DESC NULLS FIRST, id LIMIT 9
SELECT id, kind FROM shop ORDER BY kind ASC NULLS LAST, id LIMIT 9
SELECT id, kind FROM shop ORDER BY kind DESC NULLS LAST, id LIMIT 9
SELECT id, kind FROM shop ORDER BY kind DESC, id LIMIT 9
SELECT id, opened FROM shop ORDER BY opened ASC NULLS FIRST, id LIMIT 9
SELECT id, opened FROM shop ORDER BY opened DESC NULLS FIRST, id LIMIT 9
SELECT id, opened FROM shop ORDER BY opened ASC NULLS LAST, id LIMIT 9
SELECT id, opened FROM shop ORDER BY opened DESC NULLS LAST, id LIMIT 9
SELECT id, opened FROM shop ORDER BY opened DESC, id LIMIT 9
SELECT id, rent FROM shop ORDER BY rent ASC NULLS FIRST, id LIMIT 9
SELECT id, rent FROM shop ORDER BY rent DESC NULLS FIRST, id LIMIT 9
SELECT id, rent FROM shop ORDER BY rent ASC NULLS LAST, id LIMIT 9
SELECT id, rent FROM shop ORDER BY rent DESC NULLS LAST, id LIMIT 9
SELECT id, rent FROM shop ORDER BY rent DESC, id LIMIT 9
SELECT s.id, x.id AS sale FROM shop s LEFT JOIN sale x ON x.shop_id = s.id AND x.product = 'tea' ORDER BY s.id, x.id
SELECT s.zone, COUNT(x.id) AS n FROM shop s LEFT JOIN sale x ON x.shop_id = s.id GROUP BY s.zone ORDER BY s.zone
SELECT s.id, x.n FROM shop s LEFT JOIN (SELECT shop_id, COUNT(*) AS n FROM sale GROUP BY shop_id) x ON x.shop_id = s.id ORDER BY s.id, x.n
SELECT s.id, x.id AS sale FROM shop s INNER JOIN sale x ON x.shop_id = s.id AND x.product = 'tea' ORDER BY s.id, x.id
SELECT s.zone, COUNT(x.id) AS n FROM shop s INNER JOIN sale x ON x.shop_id = s.id GROUP BY s.zone ORDER BY s.zone
SELECT s.id, x.n FROM shop s INNER JOIN (SELECT shop_id, COUNT(*) AS n FROM sale GROUP BY shop_id) x ON x.shop_id = s.id ORDER BY s.id, x.n
SELECT s.id, x.id AS sale FROM shop s RIGHT JOIN sale x ON x.shop_id = s.id AND x.product = 'tea' ORDER BY s.id, x.id
SELECT s.zone, COUNT(x.id) AS n FROM shop s RIGHT JOIN sale x ON x.shop_id = s.id GROUP BY s.zone ORDER BY s.zone
SELECT s.id, x.n FROM shop s RIGHT JOIN (SELECT shop_id, COUNT(*) AS n FROM sale GROUP BY shop_id) x ON x.shop_id = s.id ORDER BY s.id, x.n
SELECT s.id, x.id AS sale FROM shop s FULL JOIN sale x ON x.shop_id = s.id AND x.product = 'tea' ORDER BY s.id, x.id
SELECT s.zone, COUNT(x.id) AS n FROM shop s FULL JOIN sale x ON x.shop_id = s.id GROUP BY s.zone ORDER BY s.zone
SELECT s.id, x.n FROM shop s FULL JOIN (SELECT shop_id, COUNT(*) AS n FROM sale GROUP BY shop_id) x ON x.shop_id = s.id ORDER BY s.id, x.n
SELECT id, SUBSTR(town, -3) AS v FROM shop ORDER BY id
SELECT SUBSTR(town, -3) AS v, COUNT(*) AS n FROM shop GROUP BY v ORDER BY v
SELECT id, SUBSTR(town, 2) AS v FROM shop ORDER BY id
SELECT SUBSTR(town, 2) AS v, COUNT(*) AS n FROM shop GROUP BY v ORDER BY v
SELECT id, INSTR(town, 'a') AS v FROM shop ORDER BY id
SELECT INSTR(town, 'a') AS v, COUNT(*) AS n FROM shop GROUP BY v ORDER BY v
SELECT id, LTRIM(town, 'b') AS v FROM shop ORDER BY id
SELECT LTRIM(town, 'b') AS v, COUNT(*) AS n FROM shop GROUP BY v ORDER BY v
SELECT id, RTRIM(town, 'n') AS v FROM shop ORDER BY id
SELECT RTRIM(town, 'n') AS v, COUNT(*) AS n FROM shop GROUP BY v ORDER BY v
SELECT id, REPLACE(town, 'e', '') AS v FROM shop ORDER BY id
SELECT REPLACE(town, 'e', '') AS v, COUNT(*) AS n FROM shop GROUP BY v ORDER BY v
SELECT id, LENGTH(REPLACE(town, 'a', '')) AS v FROM shop ORDER BY id
SELECT LENGTH(REPLACE(town, 'a', '')) AS v, COUNT(*) AS n FROM shop GROUP BY v ORDER BY v
SELECT id, town || '/' || COALESCE(kind, '') AS v FROM shop ORDER BY id
SELECT town || '/' || COALESCE(kind, '') AS v, COUNT(*) AS n FROM shop GROUP BY v ORDER BY v
SELECT id, UPPER(SUBSTR(town, 1, 1)) || LOWER(SUBSTR(town, 2)) AS v FROM shop ORDER BY id
SELECT UPPER(SUBSTR(town, 1, 1)) || LOWER(SUBSTR(town, 2)) AS v, COUNT(*) AS n FROM shop GROUP BY v ORDER BY v
SELECT id, NULLIF(town, '') AS v FROM shop ORDER BY id
SELECT NULLIF(town, '') AS v, COUNT(*) AS n FROM shop GROUP BY v ORDER BY v
SELECT CASE WHEN size IS NULL THEN 'none' WHEN size < 10 THEN 'small' WHEN size < 50 THEN 'mid' ELSE 'large' END AS class, COUNT(*) AS n, SUM(rent) AS rent FROM shop GROUP BY class ORDER BY class
SELECT IIF(zone > 1, 'far', 'near') AS w, COUNT(*) FROM shop GROUP BY w ORDER BY w
SELECT SUM(CASE WHEN product = 'tea' THEN pieces END) AS tea, SUM(CASE WHEN product = 'nut' THEN pieces ELSE 0 END) AS nut, SUM(CASE product WHEN 'beer' THEN 1 ELSE 0 END) AS beers FROM sale
