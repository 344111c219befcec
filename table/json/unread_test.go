package json_test

import (
	"fmt"
	"strings"
	"testing"

	"catena/table"
	"catena/table/load"
	"catena/table/tabletest"
)

// cellsAndNotes are the cells of a table, row by row, and what its report notes.
func cellsAndNotes(t *testing.T, data []byte, source string) (cells string, notes string) {
	t.Helper()
	named, err := load.Tables(data, source, table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	tab := named[0].Table
	for r := range tab.NumRows() {
		for c := range tab.NumCols() {
			cells += fmt.Sprint(tab.Value(r, c)) + "|"
		}
	}
	return cells, strings.Join(named[0].Report.Notes, "; ")
}

// TestUnreadHTML: what is hidden or struck out in a cell joins nothing beside it, and is noted.
func TestUnreadHTML(t *testing.T) {
	for _, tt := range []struct{ cell, want, note string }{
		{"12<del>34</del>56", "1256", "struck out in 1 cell"}, {"<del>100</del>80", "80", "struck out"}, {"<s>gone</s>", "gone", ""},
		{`1<span style="display: none">9</span>2`, "12", "1 hidden part"}, {"1<span hidden>9<span>8</span>7</span>2", "12", "1 hidden part"},
		{`1<span style="VISIBILITY:hidden;">9<br>8`, "1", "1 hidden part"}, {`<b style="color:red">5</b>`, "5", ""}, {"a<input hidden>b", "ab", ""},
		{"<del>1<del>2</del>3</del>4", "4", "struck out"}, {"</del>7</s>", "7", ""},
	} {
		page := "<table><tr><th>a</th><th>b</th></tr><tr><td>" + tt.cell + "</td><td>1</td></tr><tr><td>x</td><td>2</td></tr></table>"
		cells, notes := cellsAndNotes(t, []byte(page), "t.html")
		if want := tt.want + "|1|x|2|"; cells != want || !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" {
			t.Errorf("%s: %s, %q", tt.cell, cells, notes)
		}
	}
}

// TestHiddenColumns: hidden columns of a workbook are read and noted, as hidden rows are.
func TestHiddenColumns(t *testing.T) {
	rows := tabletest.RowsXML("a;b;c", "|1;|2;|3", "|4;|5;|6")
	for cols, want := range map[string]string{
		`<cols><col min="2" max="3" hidden="1"/><col min="9" max="16384" hidden="1"/></cols>`: "2 columns of the sheet are hidden", `<cols><col min="1" max="1" hidden="true"/></cols>`: "1 column of the sheet is hidden",
		`<cols><col min="-9" max="99999999999" hidden="1"/></cols>`: "3 columns of the sheet are hidden", `<cols><col min="1" max="3"/></cols>`: "",
	} {
		_, notes := cellsAndNotes(t, tabletest.Book("", cols+rows), "b.xlsx")
		if !strings.Contains(notes, want) || want == "" && strings.Contains(notes, "hidden") {
			t.Errorf("%s: %q", cols, notes)
		}
	}
}

// TestLoneSurrogates: an escape of half a character is noted.
func TestLoneSurrogates(t *testing.T) {
	if _, notes := cellsAndNotes(t, []byte(`[{"a":"x\ud800","b":1},{"a":"y","b":2}]`), "t.json"); !strings.Contains(notes, "1 escape was half a character") {
		t.Error(notes)
	}
}

// TestNotedCodes: a column of nothing but 1E5 whose name does not say that they are codes says how it was read.
func TestNotedCodes(t *testing.T) {
	if _, notes := cellsAndNotes(t, []byte("name,size\nx,1E5\ny,2E3\n"), "t.csv"); !strings.Contains(notes, `column "size": 1E5 was read as a number`) {
		t.Error(notes)
	}
	for _, text := range []string{"name,size\nx,1.5E5\ny,2E3\n", "name,size\nx,1e5\ny,2e3\n", "name,size\nx,1E+5\ny,2E3\n", "name,code\nx,1E5\ny,2E3\n"} {
		if _, notes := cellsAndNotes(t, []byte(text), "t.csv"); strings.Contains(notes, "exponent") {
			t.Errorf("%s: %s", text, notes)
		}
	}
}
