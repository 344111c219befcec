package sql

import (
	"strings"
	"testing"
)

// What both dialects read must be read, in all the forms that models write.
func TestParseReads(t *testing.T) {
	for _, text := range []string{
		"SELECT 1", "select * from t;", "SELECT t.*, a b, c AS \"d e\" FROM t", "SELECT DISTINCT a FROM s.t AS x -- end",
		"SELECT COUNT(*), COUNT(DISTINCT a) FILTER (WHERE b > 1) FROM t",
		"SELECT a FROM t, u JOIN v USING (id) LEFT OUTER JOIN w ON w.a = v.a",
		"SELECT a FROM (SELECT 1 AS a) AS x NATURAL JOIN y", "SELECT a FROM (t JOIN u ON t.a = u.a) CROSS JOIN v",
		"SELECT * FROM ((SELECT 1)) x",
		"SELECT a FROM t WHERE a BETWEEN 1 AND 2 AND b NOT BETWEEN SYMMETRIC 3 AND 4",
		"SELECT a FROM t WHERE a NOT IN (1, 2) OR b IN (SELECT b FROM u)",
		"SELECT CASE WHEN a THEN 1 ELSE 2 END, CASE a WHEN 1 THEN 'x' END FROM t",
		"SELECT CAST(a AS DOUBLE PRECISION), a::numeric(10, 2) FROM t",
		"SELECT SUM(a) OVER (PARTITION BY b ORDER BY c ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM t",
		"SELECT RANK() OVER w FROM t WINDOW w AS (ORDER BY a DESC NULLS LAST)",
		"SELECT a FROM t UNION ALL (SELECT b FROM u ORDER BY b LIMIT 1) ORDER BY 1 LIMIT 2 OFFSET 3",
		"SELECT a FROM t LIMIT 2, 3", "SELECT a FROM t ORDER BY a FETCH FIRST 3 ROWS WITH TIES",
		"SELECT DISTINCT ON (a, b) a FROM t",
		"WITH x AS (SELECT 1), y(a, b) AS (VALUES (1, 2), (3, 4)) SELECT * FROM x, y",
		"SELECT EXISTS (SELECT 1), NOT EXISTS (SELECT 2)",
		"SELECT a FROM t WHERE a > ALL (SELECT b FROM u) AND c = ANY (SELECT d FROM v)",
		"SELECT a FROM t WHERE a LIKE 'x!%' ESCAPE '!' AND b NOT ILIKE 'y'",
		"SELECT a FROM t WHERE a IS NOT NULL AND b ISNULL AND c IS NOT DISTINCT FROM d AND e IS TRUE AND f IS NOT 3",
		"SELECT DATE '2024-01-01' + INTERVAL '1 year 2 months', INTERVAL '70' DAY, INTERVAL '1.5 hours', INTERVAL '01:30:00', INTERVAL '2 days ago'",
		"SELECT EXTRACT(YEAR FROM a), POSITION('x' IN b), SUBSTRING(b FROM 2 FOR 3), TRIM(LEADING 'x' FROM b), TRIM(b) FROM t",
		"SELECT year, month, date, CAST.a, [odd name], `other`, \"x\"\"y\" FROM CAST",
		"SELECT MAX(year) AS MONTH FROM t GROUP BY MONTH",
		"SELECT LEFT(a, 2), RIGHT(a, 2), REPLACE(a, 'b', 'c') FROM t LEFT JOIN u ON t.a = u.a",
		"SELECT 'it''s', E'a\\nb', .5, 1e3, 1_000, -2 FROM t /* c */",
		"SELECT a FROM t WHERE ((SELECT 1) UNION (SELECT 2)) IS NULL",
		"SELECT a FROM t WHERE a = 'x' COLLATE NOCASE",
		"SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY a) FROM t",
		"SELECT CURRENT_DATE, CURRENT_TIMESTAMP AT TIME ZONE 'UTC'",
		"SELECT STRING_AGG(a, ', ' ORDER BY b DESC) FROM t", "SELECT (a) FROM t WHERE (a, b) IN (SELECT 1, 2)",
		"SELECT a || ' ' || b FROM t",
	} {
		if _, _, err := parse(text); err != nil {
			t.Errorf("%s\n\t%v", text, err)
		}
	}
}

// What is not read has its place and, where there is one, what to write instead.
func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "line 1, column 1: There is no statement. Write a SELECT.",
		"DELETE FROM t":                          "line 1, column 1: DELETE is not allowed. Only SELECT can be asked here: nothing is written.",
		"  PRAGMA x":                             "line 1, column 3: PRAGMA is not allowed.",
		"ATTACH 'x' AS y":                        "ATTACH is not allowed.",
		"SELECT 1; SELECT 2":                     "line 1, column 11: A second statement begins here. Ask one SELECT at a time.",
		"WITH x AS (DELETE FROM t) ...":          "line 1, column 12: DELETE is not allowed.",
		"SELECT 1 INTO t":                        "INTO is not allowed.",
		"SELECT a FROM t FOR UPDATE":             "FOR locks rows",
		"SELECT a\nFROM t\nWHERE a = ;":          `line 3, column 11: ";" stands where a value should.`,
		"SELECT 'x":                              "A text does not end.",
		"SELECT /* x":                            "A comment does not end.",
		"SELECT a FROM t WHERE a = ?":            "A parameter (?) has no value here. Write the value itself.",
		"SELECT * FROM read_csv('x')":            "read_csv(...) makes a table or reads a file",
		"SELECT * FROM 'x.csv'":                  "files are not read by name",
		"SELECT * FROM t, LATERAL f":             "LATERAL is not read here.",
		"SELECT a FROM t GROUP BY ROLLUP(a)":     "GROUP BY ROLLUP is not read here.",
		"SELECT a[1] FROM t":                     "Arrays are not read here.",
		"SELECT x'00'":                           "Bytes and bits",
		"SELECT a FROM":                          "The statement ends where a table should stand.",
		"SELECT INTERVAL 'soon'":                 "cannot be read. Write it like INTERVAL '30 days'.",
		"SELECT a FROM t WHERE a SIMILAR TO 'x'": "SIMILAR TO is not read here.",
		"SELECT äö FROM t WHERE":                 "line 1, column 23: The statement ends where a value should stand.",
		"SELECT \xff":                            "The text is not UTF-8.",
	} {
		_, _, err := parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n\tgave %v\n\twant %s", text, err, want)
		}
	}
}

// Large and deep texts end early.
func TestParseIsBounded(t *testing.T) {
	for name, text := range map[string]string{
		"brackets":   "SELECT " + strings.Repeat("(", 30000) + "1",
		"subqueries": strings.Repeat("SELECT * FROM (", 4000) + "SELECT 1" + strings.Repeat(")", 4000),
		"signs":      "SELECT " + strings.Repeat("- ", 16000) + "1",
		"nots":       "SELECT " + strings.Repeat("NOT ", 16000) + "1",
		"chain":      "SELECT 1" + strings.Repeat("+1", 8000),
		"casts":      "SELECT 1" + strings.Repeat("::int", 6000),
		"joins":      "SELECT 1 FROM a" + strings.Repeat(" JOIN a", 6000),
		"long":       "SELECT 1" + strings.Repeat(" AND 1=1", 10000),
		"comments":   "SELECT " + strings.Repeat("/**/", 15000),
	} {
		if _, _, err := parse(text); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, _, err := parse("SELECT 1 FROM t WHERE 1=1" + strings.Repeat(" AND 1=1", 3000)); err != nil {
		t.Errorf("a chain of AND: %v", err)
	}
}
