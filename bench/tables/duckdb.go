//go:build duckdb

package main

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/duckdb/duckdb-go/v2"
)

const duckLinked = true

// duckStage is stage for DuckDB in memory. Nothing is installed or loaded from outside; once the file is read, no other can be.
func duckStage(name, path string) (func() (int, error), error) {
	connector, err := duckdb.NewConnector("?autoinstall_known_extensions=false&autoload_known_extensions=false", nil)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1) // temporary tables belong to a connection
	ctx := context.Background()
	exec := func(queries ...string) error {
		for _, q := range queries {
			if _, err := db.ExecContext(ctx, q); err != nil {
				return fmt.Errorf("%s: %w", q, err)
			}
		}
		return nil
	}
	count := func(tab string) (n int, err error) {
		err = db.QueryRowContext(ctx, "SELECT count(*) FROM "+tab).Scan(&n)
		return n, err
	}
	read := "SELECT * FROM read_csv_auto('" + strings.ReplaceAll(path, "'", "''") + "')"
	if strings.HasSuffix(path, ".json") {
		read = strings.Replace(read, "read_csv_auto", "read_json_auto", 1)
	}
	queries := map[string]string{
		"load":      read,
		"profile":   "SUMMARIZE t",
		"sort":      "SELECT * FROM t ORDER BY score",
		"sort_text": "SELECT * FROM t ORDER BY client, price DESC",
		"group":     "SELECT client, sum(price), avg(score), count(*) FROM t GROUP BY client",
		"group_few": "SELECT region, sum(price), avg(score), count(*) FROM t GROUP BY region",
	}
	query, ok := queries[name]
	if !ok {
		return nil, fmt.Errorf("there is no stage %q", name)
	}
	if name != "load" {
		if err := exec("CREATE TABLE t AS "+read, "SET enable_external_access = false"); err != nil {
			return nil, err
		}
	}
	if name == "profile" {
		query = "SELECT * FROM (SUMMARIZE t)"
	}
	// What comes out is a table again, as in Catena, and no row crosses into Go.
	return func() (int, error) {
		if err := exec("CREATE OR REPLACE TEMP TABLE result AS " + query); err != nil {
			return 0, err
		}
		return count("result")
	}, nil
}
