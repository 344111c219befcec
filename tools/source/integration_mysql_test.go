//go:build integration

package source_test

import (
	"strings"
	"testing"

	"catena/query"
	"catena/query/sql"
	"catena/tools/source"
	"catena/tools/source/sourcetest"
)

func TestIntegrationMySQL(t *testing.T) {
	m := sourcetest.StartMariaDB(t)
	m.Do("CREATE USER reader@'%' IDENTIFIED BY 'canary-password'", "GRANT ALL ON shop.* TO reader@'%'")
	options := source.Options{Name: "shop", Kind: "mysql", URL: m.As("reader", "canary-password")}
	s := server{
		options: options, do: func(statements ...string) { m.Do("USE shop"); m.Do(statements...) }, slow: "SELECT CAST(SLEEP(20) AS CHAR)",
		writes: "writes-mysql.sql", kept: "SELECT CONCAT(COUNT(*), ' ', SUM(id)) FROM store", stop: m.Stop, start: m.Start,
	}
	s.do("CREATE SEQUENCE counter", "CREATE TABLE log (id INT)", "SET GLOBAL log_bin_trust_function_creators = 1",
		"CREATE FUNCTION writes() RETURNS INT BEGIN INSERT INTO log VALUES (1); RETURN 1; END")
	suite(t, s)
	t.Run("values", func(t *testing.T) { mysqlValues(t, s) })
	t.Run("errors", func(t *testing.T) { mysqlErrors(t, m) })
}

// Values that no table here holds count as missing; unsigned numbers are whole.
func mysqlValues(t *testing.T, s server) {
	s.do("SET sql_mode = ''", "CREATE TABLE odd (id BIGINT UNSIGNED PRIMARY KEY, n INT UNSIGNED, f FLOAT, d DATE, t DATETIME(6), z TIMESTAMP NULL, c TIME, b BIT(8),"+
		" e ENUM('x', 'y'), raw VARBINARY(9), j JSON, y YEAR, latin VARCHAR(9) CHARACTER SET latin1)",
		"SET time_zone = '+01:00'",
		"INSERT INTO odd VALUES (1, 2, 0.5, '2024-02-29', '2024-02-29 10:00:00.25', '2024-02-29 23:30:00', '10:00:01', b'101', 'y', x'00ff', '{\"a\": 1}', 2024, 'Ü')",
		"INSERT INTO odd VALUES (18446744073709551615, 4294967295, NULL, '0000-00-00', '0000-00-00 00:00:00', '0000-00-00 00:00:00', '838:59:59', NULL, NULL, NULL, NULL, NULL, NULL)",
		"INSERT INTO odd (id, d) VALUES (3, '2024-00-10')")
	d := s.open(t, nil)
	stmt, err := sql.Print(query.From("odd").With(query.Sort{Keys: []query.SortKey{{Expr: query.Col("id")}}}), d, d.Dialect())
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := d.Query(t.Context(), stmt)
	if err != nil {
		t.Fatal(err)
	}
	want := `id,n,f,d,t,z,c,b,e,raw,j,y,latin
1,2,0.5,2024-02-29,2024-02-29T10:00:00.25,2024-02-29T22:30:00Z,10:00:01,5,y,00ff,"{""a"": 1}",2024,Ü
3,,,,,,,,,,,,
18446744073709551615,4294967295,,,,,,,,,,,`
	if got := csv(t, out); got != want {
		t.Errorf("got\n%s", got)
	}
}

func mysqlErrors(t *testing.T, m *sourcetest.MariaDB) {
	for url, code := range map[string]string{
		m.As("reader", "wrong"): source.CodeDenied, "mysql://reader:canary-password@127.0.0.1:1/shop": source.CodeUnavailable,
		"mysql://reader:canary-password@127.0.0.1:" + m.Port + "/none": source.CodeDenied,
		"reader:canary-password@tcp(127.0.0.1:1)/x":                    source.CodeFailed,
	} {
		_, err := source.Open(t.Context(), source.Options{Name: "shop", Kind: "mysql", URL: url})
		wantError(t, code, err)
		if err != nil && strings.Contains(err.Error(), "canary-password") {
			t.Error(err)
		}
	}
}
