//go:build !duckdb

package main

import "errors"

const duckLinked = false

func duckStage(string, string) (func() (int, error), error) {
	return nil, errors.New("this program was built without DuckDB: build with -tags duckdb and a C compiler")
}
