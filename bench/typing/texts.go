package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"catena/table"
)

// sample is a table whose contents are known. Cells are string, int, float64, bool or nil.
type sample struct {
	names []string
	rows  [][]any
}

var (
	nameWords = strings.Fields("id name path size status owner city amount price created_at is_open count language " +
		"author priority label score")
	textWords = strings.Fields("Oslo Harbour main.go README release Garcia widgets Kyoto lemon-tree north_2 draft " +
		"O'Brien violin")
)

func newSample(r *rand.Rand) sample {
	var s sample
	kinds := []int{}
	for i, at := range r.Perm(len(nameWords))[:2+r.IntN(5)] {
		s.names = append(s.names, nameWords[at])
		kind := r.IntN(5)
		if i == 0 {
			kind = 0 // a text, so that rows differ from names
		}
		kinds = append(kinds, kind)
	}
	for range 2 + r.IntN(8) {
		var row []any
		for _, k := range kinds {
			row = append(row, cell(r, k))
		}
		s.rows = append(s.rows, row)
	}
	return s
}

func cell(r *rand.Rand, kind int) any {
	switch kind {
	case 1:
		return r.IntN(100000)
	case 2:
		return float64(r.IntN(100000))/100 + 0.01
	case 3:
		return r.IntN(2) == 0
	case 4:
		return fmt.Sprintf("2025-%02d-%02d", 1+r.IntN(12), 1+r.IntN(28))
	}
	return textWords[r.IntN(len(textWords))] + " " + textWords[r.IntN(len(textWords))]
}

// rightCells counts the cells that a table has where the sample has them.
func (s sample) rightCells(t *table.Table) int {
	n := 0
	for c, name := range s.names {
		at := -1
		for i, other := range t.Names() {
			if other == name {
				at = i
			}
		}
		if at < 0 {
			continue
		}
		for i, row := range s.rows {
			if i < t.NumRows() && alike(row[c], t.Value(i, at).String()) {
				n++
			}
		}
	}
	return n
}

// alike compares a cell with the text of what was read; numbers by value.
func alike(want any, got string) bool {
	switch x := want.(type) {
	case string:
		return got == x || strings.HasPrefix(got, x+"T00:00") || strings.HasPrefix(got, x+" 00:00")
	case bool:
		return strings.EqualFold(got, strconv.FormatBool(x))
	case int:
		v, err := strconv.ParseFloat(got, 64)
		return err == nil && v == float64(x)
	case float64:
		v, err := strconv.ParseFloat(got, 64)
		return err == nil && v == x
	}
	return false
}

type form struct {
	name  string
	write func(r *rand.Rand, s sample) string
}

var forms = []form{
	{"JSON", func(_ *rand.Rand, s sample) string { return s.json("", ", ") }},
	{"JSON over lines", func(_ *rand.Rand, s sample) string { return s.json("\n  ", ",\n  ") }},
	{"results and a count", func(_ *rand.Rand, s sample) string {
		return fmt.Sprintf(`{"count": %d, "results": %s, "next": null}`, len(s.rows), s.json("", ","))
	}},
	{"below an unusual key", func(r *rand.Rand, s sample) string {
		return fmt.Sprintf(`{"ok": true, "%s_list": %s}`, nameWords[r.IntN(len(nameWords))], s.json("", ","))
	}},
	{"two keys deep", func(_ *rand.Rand, s sample) string {
		return fmt.Sprintf(`{"status": "success", "data": {"page": 1, "entries": %s}}`, s.json("", ","))
	}},
	{"JSON in a text", func(_ *rand.Rand, s sample) string { return `{"result": ` + quoted(s.json("", ", ")) + `}` }},
	{"object in a text", func(_ *rand.Rand, s sample) string {
		return `{"content": ` + quoted(`{"total": 9, "items": `+s.json("", ",")+`}`) + `, "type": "text"}`
	}},
	{"CSV in a text", func(_ *rand.Rand, s sample) string { return `{"result": ` + quoted(s.csv(',')) + `}` }},
	{"Markdown in a text", func(_ *rand.Rand, s sample) string { return `{"result": ` + quoted(s.markdown()) + `}` }},
	{"JSON Lines", func(_ *rand.Rand, s sample) string {
		var b strings.Builder
		for i := range s.rows {
			b.WriteString(s.object(i) + "\n")
		}
		return b.String()
	}},
	{"CSV", func(_ *rand.Rand, s sample) string { return s.csv(',') }},
	{"semicolons", func(_ *rand.Rand, s sample) string { return s.csv(';') }},
	{"tabs", func(_ *rand.Rand, s sample) string { return s.csv('\t') }},
	{"Markdown", func(_ *rand.Rand, s sample) string { return s.markdown() }},
	{"Markdown in prose", func(_ *rand.Rand, s sample) string {
		return "Here is what was found:\n\n" + s.markdown() + "\nThat is all.\n"
	}},
	{"Python", func(_ *rand.Rand, s sample) string { return s.python("", ", ") }},
	{"Python in an object", func(_ *rand.Rand, s sample) string {
		return "{'rows': " + s.python("", ", ") + ", 'truncated': False}"
	}},
	{"Python in a text", func(_ *rand.Rand, s sample) string { return `{"result": ` + quoted(s.python("", ", ")) + `}` }},
	{"blocks", func(_ *rand.Rand, s sample) string { return s.blocks("\n") }},
	{"blocks with rules", func(_ *rand.Rand, s sample) string { return s.blocks("---\n") }},
	{"JSON behind a sentence", func(_ *rand.Rand, s sample) string {
		return fmt.Sprintf("Found %d matches:\n\n%s", len(s.rows), s.json("\n  ", ",\n  "))
	}},
	{"JSON in a fence", func(_ *rand.Rand, s sample) string { return "```json\n" + s.json("", ", ") + "\n```" }},
	{"columns and rows", func(_ *rand.Rand, s sample) string {
		var rows []string
		for _, row := range s.rows {
			raw, _ := json.Marshal(row)
			rows = append(rows, string(raw))
		}
		names, _ := json.Marshal(s.names)
		return fmt.Sprintf(`{"columns": %s, "rows": [%s], "elapsed": 0.2}`, names, strings.Join(rows, ","))
	}},
	{"tuples", func(_ *rand.Rand, s sample) string { return "(" + strings.Trim(s.python("", ", "), "[]") + ",)" }},
}

func quoted(s string) string {
	raw, _ := json.Marshal(s)
	return string(raw)
}

func (s sample) object(i int) string {
	var parts []string
	for c, name := range s.names {
		raw, _ := json.Marshal(s.rows[i][c])
		parts = append(parts, fmt.Sprintf("%q: %s", name, raw))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (s sample) json(lead, sep string) string {
	var rows []string
	for i := range s.rows {
		rows = append(rows, s.object(i))
	}
	return "[" + lead + strings.Join(rows, sep) + strings.TrimRight(lead, " ") + "]"
}

func (s sample) python(lead, sep string) string {
	var rows []string
	for _, row := range s.rows {
		var parts []string
		for c, name := range s.names {
			parts = append(parts, "'"+name+"': "+repr(row[c]))
		}
		rows = append(rows, "{"+strings.Join(parts, ", ")+"}")
	}
	return "[" + lead + strings.Join(rows, sep) + "]"
}

func repr(v any) string {
	switch x := v.(type) {
	case string:
		if strings.Contains(x, "'") {
			return `"` + x + `"`
		}
		return "'" + x + "'"
	case bool:
		return map[bool]string{true: "True", false: "False"}[x]
	}
	return fmt.Sprint(v)
}

func (s sample) csv(comma rune) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Comma = comma
	_ = w.Write(s.names)
	for _, row := range s.rows {
		var cells []string
		for _, v := range row {
			cells = append(cells, fmt.Sprint(v))
		}
		_ = w.Write(cells)
	}
	w.Flush()
	return b.String()
}

func (s sample) markdown() string {
	var b strings.Builder
	b.WriteString("| " + strings.Join(s.names, " | ") + " |\n|" + strings.Repeat(" --- |", len(s.names)) + "\n")
	for _, row := range s.rows {
		b.WriteString("|")
		for _, v := range row {
			fmt.Fprintf(&b, " %v |", v)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (s sample) blocks(rule string) string {
	var b strings.Builder
	for i, row := range s.rows {
		if i > 0 {
			b.WriteString(rule)
		}
		for c, name := range s.names {
			fmt.Fprintf(&b, "%s: %v\n", name, row[c])
		}
	}
	return b.String()
}

// nothing are texts that list nothing.
var nothing = []string{
	"The file was written.", "Hello, world.\nThis is a letter, as you see.",
	"Dear Ann,\n\nthank you, it went well.\nBest, Bob", `{"ok": true}`, `[1, 2, 3]`, `"done"`, `{"a": {"b": 1}}`,
	`{"left": [{"a": 1}], "right": [{"b": 2}]}`, "Error: no such file\nHint: look again",
	"# Title\n\n- one\n- two, three\n- four", "key: value", "func main() {\n\tfmt.Println(\"a, b\")\n}\n",
	"a = [1, 2]\nb = {'x': 1}\n",
	"2025-01-02 10:00:00 INFO started, port 80\n2025-01-02 10:00:01 INFO ready, port 80",
	"Name: Ann\nAge: 3\n\nShe lives in Oslo.\n\nName: Bob\nAge: 4", "import os, sys\nimport re, json\n",
	"To: a@b.co\nSubject: hi\n\nHello there: this is it.", "", "[]", "{}", "null",
	"SELECT a, b\nFROM t, u\nWHERE a = 1, b", "one, two\nthree, four",
}
