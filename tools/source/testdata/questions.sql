SELECT id, town, rent, paid, opened FROM store ORDER BY id
SELECT town, COUNT(*) AS n FROM store GROUP BY town ORDER BY town
SELECT town FROM store WHERE town = 'ulm' ORDER BY id
SELECT id FROM store WHERE town IN ('ULM', 'ulm', 'Ulm') ORDER BY id
SELECT id FROM store WHERE town <> 'ulm' ORDER BY id
SELECT id FROM store WHERE town > 'a' ORDER BY town, id
SELECT id FROM store WHERE town LIKE '%lm' ORDER BY id
SELECT id FROM store WHERE town LIKE 'a_b%' ORDER BY id
SELECT id, town FROM store ORDER BY town DESC NULLS FIRST, id
SELECT DISTINCT town FROM store WHERE rent >= 0 ORDER BY town
SELECT COUNT(DISTINCT town) AS n, MIN(town) AS first, MAX(town) AS last FROM store
SELECT SUM(paid) AS paid, MIN(paid) AS least, MAX(paid) AS most FROM store
SELECT SUM(id) AS ids, AVG(rent) AS rent, COUNT(rent) AS n FROM store WHERE rent < 100
SELECT id, id / 0 AS zero, rent / 2 AS half FROM store ORDER BY id
SELECT id, id % 3 AS rest, -id AS less, ABS(rent) AS rent FROM store ORDER BY id
SELECT id, paid + 1 AS more, paid * 3 AS thrice, paid - rent AS left FROM store ORDER BY id
SELECT id, ROUND(paid, 1) AS paid, FLOOR(rent) AS down, CEIL(rent) AS up FROM store ORDER BY id
SELECT id, COALESCE(town, 'none') AS town, NULLIF(id, 3) AS three FROM store ORDER BY id
SELECT id, town || '!' AS loud, LENGTH(town) AS n, SUBSTRING(town, 2, 2) AS part, UPPER(town) AS up FROM store ORDER BY id
SELECT id, TRIM(town) AS town, REPLACE(town, 'lm', 'LM') AS other, POSITION('m' IN town) AS at FROM store ORDER BY id
SELECT id, EXTRACT(YEAR FROM opened) AS y, EXTRACT(MONTH FROM opened) AS m, EXTRACT(DOW FROM opened) AS w FROM store ORDER BY id
SELECT id, EXTRACT(ISODOW FROM opened) AS w, EXTRACT(DOY FROM opened) AS d, EXTRACT(QUARTER FROM opened) AS q FROM store ORDER BY id
SELECT DATE_TRUNC('month', day) AS month, SUM(price) AS price, COUNT(*) AS n FROM sold GROUP BY 1 ORDER BY 1
SELECT DATE_TRUNC('quarter', day) AS q, COUNT(*) AS n FROM sold GROUP BY 1 ORDER BY 1
SELECT DATE_TRUNC('week', day) AS w, COUNT(*) AS n FROM sold WHERE day < '2024-02-01' GROUP BY 1 ORDER BY 1
SELECT id, opened + 30 AS later, DATE '2024-03-01' - opened AS days FROM store ORDER BY id
SELECT id FROM store WHERE opened BETWEEN '2024-01-01' AND '2024-12-31' ORDER BY id
SELECT id, CASE WHEN rent > 2 THEN 'high' WHEN rent IS NULL THEN 'none' ELSE 'low' END AS kind FROM store ORDER BY id
SELECT id, CAST(id AS TEXT) AS t, CAST(rent AS INTEGER) AS r, CAST(paid AS INTEGER) AS p FROM store ORDER BY id
SELECT s.town, COUNT(*) AS n, SUM(o.price) AS price FROM sold o JOIN store s ON s.id = o.store_id GROUP BY s.town ORDER BY s.town
SELECT s.id, COUNT(o.id) AS n FROM store s LEFT JOIN sold o ON o.store_id = s.id GROUP BY s.id ORDER BY s.id
SELECT s.id FROM store s WHERE NOT EXISTS (SELECT 1 FROM sold o WHERE o.store_id = s.id) ORDER BY s.id
SELECT id FROM store WHERE id IN (SELECT store_id FROM sold WHERE price > 1400) ORDER BY id
SELECT a.id, b.id AS other FROM store a JOIN store b ON a.town = b.town AND a.id < b.id ORDER BY a.id, b.id
SELECT COUNT(*) FILTER (WHERE rent > 2) AS high, SUM(paid) FILTER (WHERE rent > 2) AS paid FROM store
SELECT store_id, COUNT(*) AS n FROM sold GROUP BY store_id HAVING COUNT(*) > 124 ORDER BY store_id NULLS FIRST
SELECT id, RANK() OVER (ORDER BY town) AS r, ROW_NUMBER() OVER (ORDER BY id DESC) AS n FROM store ORDER BY id
SELECT id, SUM(price) OVER (PARTITION BY store_id ORDER BY id) AS running FROM sold WHERE id < 20 ORDER BY id
SELECT id, LAG(price) OVER (ORDER BY id) AS before FROM sold WHERE id < 12 ORDER BY id
SELECT id, AVG(rent) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS a FROM store WHERE rent < 100 AND id <> 6 ORDER BY id
SELECT town FROM store WHERE id < 4 UNION SELECT town FROM store WHERE id > 2 ORDER BY town
SELECT town FROM store EXCEPT SELECT town FROM store WHERE rent > 5 ORDER BY town
SELECT id, price FROM sold ORDER BY price DESC, id LIMIT 3 OFFSET 2
SELECT MAX(n) AS n FROM (SELECT store_id, COUNT(*) AS n FROM sold GROUP BY store_id) AS x
SELECT id FROM sold WHERE price = (SELECT MAX(price) FROM sold)
SELECT s.id, (SELECT MAX(o.price) FROM sold o WHERE o.store_id = s.id) AS most FROM store s ORDER BY s.id
SELECT id, TO_CHAR(opened, 'YYYY-MM') AS month FROM store ORDER BY id
SELECT id FROM store WHERE NOT (rent > 2) ORDER BY id
SELECT id FROM store WHERE rent > 2 AND town IS NOT NULL OR paid IS NULL ORDER BY id
SELECT s.id FROM store s WHERE EXISTS (SELECT 1 FROM store t WHERE t.town > s.town AND t.id < 5) ORDER BY s.id
