package main

import (
	"path/filepath"
	"testing"
)

// The rows that are made tell the answer to a question apart: some meet its conditions, and its gold is computed of them.
func TestWikiTable(t *testing.T) {
	r := sqlRecord{Question: "which river is longer than 500 ?", SQL: []string{
		`SELECT MAX TABLEalias0.LENGTH_FIELD FROM TABLE AS TABLEalias0 WHERE TABLEalias0.LENGTH_FIELD > 500 AND TABLEalias0.STATE_NAME_FIELD = "new york" ;`,
	}}
	q, ok := readWiki(r)
	if !ok || q.aggregate != "max" || q.column != "Length" || len(q.where) != 2 || q.where[1] != (wikiCondition{"State name", "=", "new york"}) {
		t.Fatalf("%+v", q)
	}
	table := newMaker(1).wikiTable([]wikiQuery{q})
	table.fill(q)
	g, ok := table.gold(q)
	if !ok || len(g.Rows) != 1 || g.Rows[0][0].(float64) <= 500 || q.question != "which river is longer than 500?" {
		t.Errorf("%v %v %q", g.Rows, table.rows, q.question)
	}
}

// Rows are made that a query over several tables finds, and what is joined often is a reference.
func TestWorld(t *testing.T) {
	column := func(table, name, kind string, primary bool) *schemaColumn {
		return &schemaColumn{Name: name, Type: kind, Primary: primary, table: table, joined: map[*schemaColumn]int{}}
	}
	s := &schema{name: "x", tables: map[string][]*schemaColumn{
		"RIVER": {column("RIVER", "ID", "int(11)", true), column("RIVER", "NAME", "text", false)},
		"LAKE":  {column("LAKE", "ID", "int(11)", true), column("LAKE", "RIVER_ID", "int(11)", false), column("LAKE", "DEPTH", "int(11)", false)},
	}}
	query := `SELECT LAKEalias0.ID FROM LAKE AS LAKEalias0 , RIVER AS RIVERalias0 WHERE LAKEalias0.RIVER_ID = RIVERalias0.ID ` +
		`AND RIVERalias0.NAME = "Po" AND LAKEalias0.DEPTH > 100 ;`
	m := newMaker(2)
	s.learn(m, []string{query, query})
	if of := s.column("LAKE", "RIVER_ID").of; of != s.column("RIVER", "ID") {
		t.Fatalf("refers to %v", of)
	}
	list, err := s.ask(t.Context(), m, []sqlRecord{{Question: "deep lakes of the po", SQL: []string{query}}}, filepath.Join(t.TempDir(), "x.sqlite"))
	if err != nil || len(list) != 1 || len(list[0].golds[0].Rows) < 2 || len(list[0].must) != 1 || list[0].must[0] != "po" {
		t.Fatalf("%v %+v", err, list)
	}
}
