package data_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/internal/access"
	"catena/planner/plan"
	"catena/table"
	"catena/table/load"
	"catena/tools"
	"catena/tools/data"
	"catena/tools/handle"
)

// notebook is a live table of each caller's own lines.
type notebook struct {
	lines  map[string][]string // by caller
	opened atomic.Int64
	broken error
}

var noteColumns = []table.Column{{Name: "note_id", Type: table.Int}, {Name: "owner", Type: table.Text}, {Name: "text", Type: table.Text}}

func (n *notebook) live(name string) tools.Live {
	return tools.Live{
		Toolset: "notes", Name: name, Title: "Notes", Columns: noteColumns,
		Version: func(_ context.Context, c access.Caller) (string, error) {
			if len(n.lines[c.ID]) == 0 {
				return "", n.broken
			}
			return fmt.Sprint(len(n.lines[c.ID])), n.broken
		},
		Open: func(_ context.Context, c access.Caller) (tools.Result, error) {
			n.opened.Add(1)
			b := table.NewBuilder(noteColumns...)
			for i, line := range n.lines[c.ID] {
				if err := b.Append(table.IntValue(int64(i+1)), table.TextValue(c.ID), table.TextValue(line)); err != nil {
					return tools.Result{}, err
				}
			}
			return tools.Result{Table: b.Table(), Untrusted: true, Notes: []string{"The index is stale since noon."}}, nil
		},
	}
}

// notesIn makes a toolkit with a source called people and a notebook under each of the names.
func notesIn(t testing.TB, n *notebook, names ...string) (*tools.Registry, *data.Toolkit) {
	t.Helper()
	kept := handle.New(handle.Options{})
	t.Cleanup(kept.Close)
	reg := tools.NewRegistry(tools.Options{Policy: access.AllowAll{}, Tables: kept, Render: data.Render})
	sources := data.NewSources(kept, tableLimits)
	people, err := load.Any([]any{map[string]any{"owner": "ann", "city": "Kiel"}, map[string]any{"owner": "bob", "city": "Lyon"}}, tableLimits)
	if err != nil {
		t.Fatal(err)
	}
	sources.Add(data.SourceTable{Name: "people", Table: people, Source: "people.json"})
	for _, name := range names {
		if err := reg.RegisterLive(n.live(name)); err != nil {
			t.Fatal(err)
		}
	}
	kit := data.New(data.Options{Sources: sources, Tables: kept, Live: reg})
	if err := reg.Register(kit.Tools()...); err != nil {
		t.Fatal(err)
	}
	return reg, kit
}

func describe(t testing.TB, kit *data.Toolkit, c access.Caller) map[string]plan.TableInfo {
	t.Helper()
	list, err := kit.Describe(t.Context(), c, "s")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]plan.TableInfo{}
	for _, info := range list {
		out[info.Name] = info
	}
	return out
}

// A live table is there for who has rows in it, by names and types alone, and is made when it is asked about.
func TestLiveTables(t *testing.T) {
	n := &notebook{lines: map[string][]string{ann.ID: {"call Globex", "pay the rent"}}}
	reg, kit := notesIn(t, n, "notes")
	info, there := describe(t, kit, ann)["notes"]
	if !there || !info.Live || info.Rows != 0 || info.Source != "live" || n.opened.Load() != 0 {
		t.Fatalf("described as %+v after %d openings", info, n.opened.Load())
	}
	want := []plan.ColumnInfo{{Name: "note_id", Label: "Note ID", Type: "integer", Role: "identifier"}, {Name: "owner", Label: "Owner", Type: "text", Role: "dimension"}, {Name: "text", Label: "Text", Type: "text", Role: "dimension"}}
	if d := cmp.Diff(want, info.Columns); d != "" {
		t.Error(d)
	}
	res := call(t, reg, "query_table", `{"table":"Notes","filter":[{"column":"text","op":"contains","value":"Globex"}],"select":["note_id","text"]}`)
	if d := cmp.Diff([][]string{{"1", "call Globex"}}, rows(res.Table)); d != "" {
		t.Error(d)
	}
	if !res.Untrusted || !slices.Contains(res.Notes, "The index is stale since noon.") {
		t.Errorf("the result says untrusted %v and notes %q", res.Untrusted, res.Notes)
	}
	joined := call(t, reg, "query_table", `{"table":"people","join":[{"table":"notes","on":[["owner","owner"]]}],"select":["city","text"],"limit":1}`)
	if d := cmp.Diff([][]string{{"Kiel", "call Globex"}}, rows(joined.Table)); d != "" || !joined.Untrusted {
		t.Errorf("untrusted %v: %s", joined.Untrusted, d)
	}
	if info = describe(t, kit, ann)["notes"]; info.Rows != 2 {
		t.Errorf("after a query %d rows are told", info.Rows)
	}
	n.lines[ann.ID] = append(n.lines[ann.ID], "third")
	if info = describe(t, kit, ann)["notes"]; info.Rows != 0 {
		t.Errorf("%d rows of another version are told", info.Rows)
	}
	if cols := call(t, reg, "describe_table", `{"table":"notes"}`); cols.Table.NumRows() != 3 || !cols.Untrusted {
		t.Errorf("describe_table gives %v", cols.Table)
	}
	if list := rows(call(t, reg, "list_tables", `{}`).Table); len(list) != 2 || list[1][0] != "notes" || list[1][1] != "3" || list[1][4] != "live" {
		t.Errorf("listed: %v", list)
	}
	before := n.opened.Load()
	if again := call(t, reg, "list_tables", `{}`); again.Table.NumRows() != 2 || n.opened.Load() != before {
		t.Errorf("the list was made with %d openings more", n.opened.Load()-before)
	}
	if hits := kit.Values(t.Context(), ann, "s").Find(t.Context(), "call Globex"); len(hits) > 0 {
		t.Errorf("the words of a note are found as values: %v", hits)
	}
}

// Another caller sees nothing of it, and a name that is taken by a source stays the source's.
func TestLiveTablesOfOthers(t *testing.T) {
	bob := access.Caller{ID: "bob"}
	n := &notebook{lines: map[string][]string{ann.ID: {"a secret"}}}
	reg, kit := notesIn(t, n, "notes", "people")
	if infos := describe(t, kit, bob); len(infos) != 1 {
		t.Errorf("bob sees %v", infos)
	}
	if infos := describe(t, kit, ann); len(infos) != 3 || infos["people"].Live || !infos["notes_people"].Live {
		t.Errorf("ann sees %v", infos)
	}
	res, err := reg.Call(t.Context(), tools.Call{Caller: bob, Tool: "query_table", Args: map[string]any{"table": "notes"}, Session: "s"})
	if err != nil || !res.IsError || res.Code != tools.CodeNotFound || strings.Contains(res.Text, "secret") {
		t.Errorf("bob's query gives %v, %v", res, err)
	}
	if got := rows(call(t, reg, "query_table", `{"table":"notes_people","select":["text"]}`).Table); got[0][0] != "a secret" {
		t.Errorf("the live table under its other name holds %v", got)
	}
}

// A store that does not answer takes nothing else with it, and says what is wrong where it is asked about.
func TestLiveTableThatBreaks(t *testing.T) {
	n := &notebook{lines: map[string][]string{ann.ID: {"a"}}, broken: errors.New("the database is locked")}
	reg, kit := notesIn(t, n, "notes")
	if infos := describe(t, kit, ann); len(infos) != 2 || !infos["notes"].Live { // so that a question about it finds it, and is told why
		t.Errorf("described: %v", infos)
	}
	list := call(t, reg, "list_tables", `{}`)
	if list.Table.NumRows() != 1 || len(list.Notes) != 1 || !strings.Contains(list.Notes[0], "the database is locked") {
		t.Errorf("listed %v with notes %q", list.Table, list.Notes)
	}
	res := call(t, reg, "query_table", `{"table":"notes"}`)
	if !res.IsError || res.Code != tools.CodeUnavailable || !strings.Contains(res.Text, "again later") {
		t.Errorf("the query gives %+v", res)
	}
}

// Describe is asked in every turn.
func BenchmarkDescribeLive(b *testing.B) {
	n := &notebook{lines: map[string][]string{ann.ID: make([]string, 10_000)}}
	_, kit := notesIn(b, n, "memories", "personas", "relationships", "interactions", "code_files", "functions", "dependencies")
	for b.Loop() {
		if _, err := kit.Describe(b.Context(), ann, "s"); err != nil {
			b.Fatal(err)
		}
	}
}
