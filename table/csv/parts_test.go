package csv_test

import (
	"strings"
	"testing"

	"catena/table"
	"catena/table/load"
	"catena/table/loadtest"
)

// Tables of one row each below headers of their own are tables of their own.
func TestTablesOfOneRow(t *testing.T) {
	for name, tt := range map[string]loadCase{
		"three":            {text: "t0,u0\n1,2\n\nt1,u1\n1,2\n\nt2,u2\n3,4\n", tables: []string{"x t0:integer u0:integer 1", "x_2 t1:integer u1:integer 1", "x_3 t2:integer u2:integer 1"}},
		"four, one longer": {text: "t0,u0\n1,2\n\nt1,u1\n1,2\n5,6\n\nt2,u2\n3,4\n\nt3,u3\n7,8\n", tables: []string{"x t0:integer u0:integer 1", "x_2 t1:integer u1:integer 2", "x_3 t2:integer u2:integer 1", "x_4 t3:integer u3:integer 1"}},
		"texts beside":     {text: "name,age\nAnn,41\n\ncity,size\nUlm,9\n\nsku,count\nA-1,3\n", tables: []string{"x name:text age:integer 1", "x_2 city:text size:integer 1", "x_3 sku:text count:integer 1"}},
		"same names":       {text: "t,u\n1,2\n\nt,u\n1,2\n\nt,u\n3,4\n", tables: []string{"x t:integer u:integer 3"}},
		"groups of rows":   {text: "name,age\nAnn,41\nBob,42\n\nCid,43\nDan,44\n", tables: []string{"x name:text age:integer 4"}},
	} {
		t.Run(name, func(t *testing.T) { tt.check(t, "x.csv") })
	}
}

// A cell that spans everything below it makes one table, not one for each row; rows that are all alike are no repeated headers.
func TestCellOverAllRows(t *testing.T) {
	for name, text := range map[string]string{
		"a cell over all": `<table><tr><td rowspan=65534 colspan=1000>x</td></tr>` + strings.Repeat("<tr><td>abc</td></tr>", 3000) + "</table>",
		"names and cells": `<table><tr><td>name</td><td>city</td></tr>` + strings.Repeat("<tr><td>name</td><td>city</td></tr>", 3000) + "</table>",
	} {
		found, err := load.Tables([]byte(text), "x.html", table.Limits{})
		if err != nil || len(found) != 1 || found[0].Table.NumRows() != 3000 {
			t.Errorf("%s: %v, error %v", name, loadtest.Summaries(found), err)
		}
	}
}
