package data

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"catena/internal/text"
	"catena/profiler"
	"catena/table"
	tablecsv "catena/table/csv"
	"catena/tools"
	"catena/tools/data/pipeline"
)

func (k *Toolkit) cleanTool() tools.Tool {
	return define(cleanName, "Clean a table",
		"Cleans a table for analysis: trims texts, reads numbers, dates and amounts that were kept as text, joins spellings that differ in case only, drops empty rows, empty columns and repeated rows. Says everything it changed.",
		object{"properties": object{"data": tools.DataSchema("What to clean.")}, "required": []string{"data"}},
		tools.TableSchema(), k.clean)
}

// cleaning is a table on its way, with what was done to it.
type cleaning struct {
	ctx   context.Context
	t     *table.Table
	notes []string
}

func (c *cleaning) note(n int, one, many string, args ...any) {
	if n > 0 {
		c.notes = append(c.notes, fmt.Sprintf(text.CountOf(n, one, many), args...))
	}
}

func (k *Toolkit) clean(ctx context.Context, call tools.Call) (tools.Result, error) {
	src, err := k.source(ctx, call)
	if err != nil {
		return tools.Result{}, err
	}
	c := &cleaning{ctx: ctx, t: src.Table}
	for _, step := range []func() error{c.names, c.columns, c.stayedText, c.emptyColumns, c.emptyRows, c.repeats, c.lookAlikes} {
		if err := ctx.Err(); err != nil {
			return tools.Result{}, err
		}
		if err := step(); err != nil {
			return tools.Result{}, err
		}
	}
	switch loaded := src.LoadNotes(cmp.Or(map[string]string{inlineSource: inlineAll}[src.Source], "describe_table tells all")); {
	case len(c.notes) == 0 && len(loaded) == 0:
		c.notes = []string{"Nothing had to be cleaned."}
	case len(c.notes) == 0:
		c.notes = append(loaded, "Nothing else had to be cleaned.")
	default:
		c.notes = append(loaded, c.notes...)
	}
	return tools.Result{Table: c.t, Name: src.Name + "_clean", Title: profiler.TableLabel(src.Name) + ", cleaned", Notes: c.notes, AsOf: src.AsOf,
		Hide: stillThere(nil, src.Hide, c.t), Signed: stillThere(nil, src.Signed, c.t), Untrusted: src.Source == sourceUpload}, nil
}

// names trims the columns' names.
func (c *cleaning) names() error {
	changed := 0
	for i, col := range c.t.Columns() {
		name := tidy(col.Name)
		if name == "" {
			name = fmt.Sprintf("column_%d", i+1)
		}
		if name == col.Name {
			continue
		}
		name = pipeline.FreeName(name, func(n string) bool { return c.t.Index(n) >= 0 && c.t.Index(n) != i })
		t, err := c.t.Rename(col.Name, name)
		if err != nil {
			return err
		}
		c.t, changed = t, changed+1
	}
	c.note(changed, "column name was trimmed.", "column names were trimmed.")
	return nil
}

// tidy trims a text, joins runs of white space to one space and drops control and zero-width characters.
func tidy(s string) string {
	plain := true
	for i := range len(s) {
		if b := s[i]; b < ' ' || b >= 0x7f || b == ' ' && (i == 0 || i == len(s)-1 || s[i-1] == ' ') {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r == '\u200b', r == '\ufeff', r == '\u200e', r == '\u200f', r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, s)), " ")
}

// columns tidies the cells of each text column and reads it again.
func (c *cleaning) columns() error {
	for i, col := range c.t.Columns() {
		if col.Type != table.Text {
			continue
		}
		cells, changed := c.tidyCells(i)
		joined := joinSpellings(cells)
		col2, values, notes, err := reread(col, cells)
		if err != nil {
			return err
		}
		if changed == 0 && joined == 0 && col2.Type == table.Text {
			continue
		}
		t, err := c.t.WithColumn(col2, values)
		if err != nil {
			return err
		}
		c.t = t
		c.note(changed, "cell of %s was trimmed.", "cells of %s were trimmed.", col.Name)
		c.note(joined, "cell of %s was spelled like the others.", "cells of %s were spelled like the others.", col.Name)
		if col2.Type != table.Text {
			c.notes = append(c.notes, fmt.Sprintf("%s is read as %s.", col.Name, col2.Type))
		}
		c.notes = append(c.notes, notes...)
	}
	return nil
}

func (c *cleaning) tidyCells(col int) (cells []string, changed int) {
	cells = make([]string, c.t.NumRows())
	for row := range cells {
		if c.t.IsNull(row, col) {
			continue
		}
		was := c.t.Value(row, col).Text()
		if cells[row] = tidy(was); cells[row] != was {
			changed++
		}
	}
	return cells, changed
}

// joinSpellings gives texts that differ in case only the spelling that most of them have, where a column has few values. It
// returns how many cells changed.
func joinSpellings(cells []string) int {
	const most = 1000
	count := map[string]int{}
	for _, s := range cells {
		if count[s]++; len(count) > most {
			return 0
		}
	}
	best := map[string]string{}
	for s, n := range count {
		key := strings.ToLower(s)
		if b, ok := best[key]; !ok || n > count[b] || n == count[b] && better(s, b) {
			best[key] = s
		}
	}
	if len(best) == len(count) {
		return 0
	}
	changed := 0
	for i, s := range cells {
		if b := best[strings.ToLower(s)]; b != s {
			cells[i] = b
			changed++
		}
	}
	return changed
}

// better reports whether a spelling comes before another one that as many cells have: codes of up to three letters in capitals, words with
// the first letter raised, anything else in small letters.
func better(a, b string) bool {
	const code = 3 // letters
	rank := func(s string) int {
		first, size := utf8.DecodeRuneInString(s)
		switch upper := s == strings.ToUpper(s); {
		case upper == (len(s) <= code) && (upper || unicode.IsUpper(first) && s[size:] == strings.ToLower(s[size:])):
			return 0
		case unicode.IsUpper(first):
			return 1
		}
		return 2
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b)) < 0
}

// reread lets the loader find the type of a column of texts, as if it came from a file.
func reread(col table.Column, cells []string) (table.Column, []table.Value, []string, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write([]string{"row", "cell"}) // a buffer takes everything; Error below tells of anything else
	for i, s := range cells {
		_ = w.Write([]string{strconv.Itoa(i), s})
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return col, nil, nil, err
	}
	named, err := tablecsv.Read(&b, col.Name, table.Limits{})
	if err != nil {
		return col, nil, nil, err
	}
	at := named.Table.Index("cell")
	if at < 0 || named.Table.NumRows() != len(cells) {
		return col, asTexts(cells), nil, nil // read in another way than it was written: the texts stay
	}
	out := named.Table.Column(at)
	out.Name = col.Name
	if out.Unit == "" {
		out.Unit = col.Unit
	}
	values := make([]table.Value, len(cells))
	for i := range values {
		values[i] = named.Table.Value(i, at)
	}
	return out, values, nil, nil
}

func asTexts(cells []string) []table.Value {
	values := make([]table.Value, len(cells))
	for i, s := range cells {
		values[i] = orNull(s)
	}
	return values
}

func (c *cleaning) emptyColumns() error {
	var keep, gone []string
	for i, name := range c.t.Names() {
		if c.t.NumRows() > 0 && allNull(c.t, i) {
			gone = append(gone, name)
		} else {
			keep = append(keep, name)
		}
	}
	if len(gone) == 0 || len(keep) == 0 {
		return nil
	}
	t, err := c.t.Select(keep...)
	if err != nil {
		return err
	}
	c.t = t
	c.note(len(gone), "empty column was dropped: %s.", "empty columns were dropped: %s.", strings.Join(gone, ", "))
	return nil
}

func allNull(t *table.Table, col int) bool {
	for row := range t.Rows() {
		if !t.IsNull(row, col) {
			return false
		}
	}
	return true
}

func (c *cleaning) emptyRows() error {
	was := c.t.NumRows()
	t, err := c.t.Filter(func(row int) bool {
		for col := range c.t.NumCols() {
			if !c.t.IsNull(row, col) {
				return true
			}
		}
		return false
	})
	if err != nil {
		return err
	}
	c.t = t
	c.note(was-c.t.NumRows(), "empty row was dropped.", "empty rows were dropped.")
	return nil
}

func (c *cleaning) repeats() error {
	was := c.t.NumRows()
	t, err := c.t.Distinct()
	if err != nil {
		return err
	}
	c.t = t
	c.note(was-c.t.NumRows(), "repeated row was dropped.", "repeated rows were dropped.")
	return nil
}
