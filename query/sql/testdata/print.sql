SELECT id, town FROM shop WHERE town = 'ulm' AND rent > 100 ORDER BY town DESC, id LIMIT 5 OFFSET 2
SELECT town, COUNT(*) AS n, SUM(rent) AS total, AVG(id) AS mean FROM shop GROUP BY town HAVING COUNT(*) > 2 ORDER BY total DESC NULLS LAST
SELECT s.town, SUM(x.price) AS sum FROM shop s JOIN sale x ON x.shop_id = s.id WHERE x.day >= '2026-01-01' GROUP BY s.town
SELECT town FROM shop s WHERE NOT EXISTS (SELECT 1 FROM sale x WHERE x.shop_id = s.id AND x.price > s.rent)
SELECT town FROM shop WHERE id IN (SELECT shop_id FROM sale WHERE day BETWEEN '2026-01-01' AND '2026-01-31')
SELECT strftime('%Y-%m', opened) AS month, COUNT(DISTINCT town) AS towns FROM shop GROUP BY 1 ORDER BY 1
SELECT town, rent, RANK() OVER (PARTITION BY town ORDER BY rent DESC) AS place FROM shop
SELECT id / 2 AS half, id % 2 AS rest, id * 1.0 / 3 AS third, rent / id AS each FROM shop
SELECT CASE WHEN rent > 5 THEN 'dear' WHEN open THEN 'cheap' ELSE town END AS kind FROM shop
SELECT town FROM shop WHERE town LIKE 'u%' UNION SELECT 'x' FROM sale ORDER BY 1
SELECT paid + 1 AS more, paid * paid AS square FROM shop WHERE paid > 2.50
SELECT UPPER(town) AS big, seen FROM shop
SELECT DISTINCT town FROM shop ORDER BY town LIMIT 3
SELECT date(opened, 'start of month') AS month, MAX(town) AS last FROM shop GROUP BY 1
SELECT date(opened, '+1 month') AS later, julianday(opened) AS days FROM shop
SELECT (SELECT MAX(price) FROM sale x WHERE x.shop_id = s.id) AS best, COALESCE(town, 'none') AS town FROM shop s
SELECT * FROM (SELECT town, rent FROM shop ORDER BY rent LIMIT 3) WHERE rent > 1
