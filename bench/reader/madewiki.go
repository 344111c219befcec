package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"catena/bench/answers"
)

// sqlRecord is a question with its query, and other queries that answer it.
type sqlRecord struct {
	Set      string   `json:"set"`
	Question string   `json:"question"`
	SQL      []string `json:"sql"`
}

// zipped reads a packed file of JSON lines.
func zipped(path string) ([]sqlRecord, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	in := bufio.NewScanner(unpacked)
	in.Buffer(nil, 1<<20)
	var out []sqlRecord
	for in.Scan() {
		var r sqlRecord
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, in.Err()
}

var (
	wikiForm = regexp.MustCompile(`^SELECT (?:(COUNT|MAX|MIN|SUM|AVG) )?TABLEalias0\.(\S+)_FIELD FROM TABLE AS TABLEalias0(?: WHERE (.*?))? ;$`)
	wikiCond = regexp.MustCompile(`^TABLEalias0\.(\S+)_FIELD (=|<|>) (.+)$`)
)

// wikiQuery is a query over one table.
type wikiQuery struct {
	question  string
	aggregate string
	column    string
	where     []wikiCondition
}

type wikiCondition struct{ column, op, value string }

// holds reports whether a value meets a condition.
func (c wikiCondition) holds(v string) bool {
	if c.op == "=" {
		return strings.EqualFold(v, c.value)
	}
	a, ok := number(v)
	b, also := number(c.value)
	return ok && also && (a > b) == (c.op == ">") && a != b
}

func readWiki(r sqlRecord) (wikiQuery, bool) {
	m := wikiForm.FindStringSubmatch(r.SQL[0])
	if m == nil {
		return wikiQuery{}, false
	}
	q := wikiQuery{question: untokenized(r.Question, true), aggregate: strings.ToLower(m[1]), column: heading(m[2])}
	if m[3] == "" {
		return q, true
	}
	for _, part := range strings.Split(m[3], " AND TABLEalias0.") {
		c := wikiCond.FindStringSubmatch("TABLEalias0." + strings.TrimPrefix(part, "TABLEalias0."))
		if c == nil {
			return q, false
		}
		q.where = append(q.where, wikiCondition{heading(c[1]), c[2], strings.Trim(c[3], `"`)})
	}
	return q, true
}

func heading(field string) string {
	s := strings.ToLower(strings.ReplaceAll(field, "_", " "))
	return strings.ToUpper(s[:1]) + s[1:]
}

func (q wikiQuery) columns() []string {
	out := []string{q.column}
	for _, c := range q.where {
		out = append(out, c.column)
	}
	return out
}

// texts are the values that are no numbers, in lower case.
func (q wikiQuery) texts() []string {
	var out []string
	for _, c := range q.where {
		if !isNumber(c.value) {
			out = append(out, quotedText(c.value))
		}
	}
	return out
}

// quotedText is a text as JSON has it, in lower case.
func quotedText(s string) string { return strings.Trim(keyOf(strings.ToLower(s)), `"`) }

// together is how many questions are asked of one table at most.
const together = 8

// groups puts questions that follow each other and share columns over one table.
func groups(list []wikiQuery) [][]wikiQuery {
	var out [][]wikiQuery
	var columns []string
	for _, q := range list {
		shares := slices.ContainsFunc(q.columns(), func(c string) bool { return slices.Contains(columns, c) })
		if last := len(out) - 1; shares && len(out[last]) < together {
			out[last] = append(out[last], q)
		} else {
			out, columns = append(out, []wikiQuery{q}), nil
		}
		columns = append(columns, q.columns()...)
	}
	return out
}

// wikiTable is a table being made.
type wikiTable struct {
	*maker
	columns []string
	numeric map[string]bool
	rows    [][]string
}

func (m *maker) wikiTable(list []wikiQuery) *wikiTable {
	t := &wikiTable{maker: m, numeric: map[string]bool{}}
	values := map[string][]string{}
	for _, q := range list {
		for _, c := range q.columns() {
			if !slices.Contains(t.columns, c) {
				t.columns = append(t.columns, c)
			}
		}
		for _, c := range q.where {
			values[c.column] = append(values[c.column], c.value)
		}
	}
	for _, c := range t.columns {
		known := values[c]
		if len(known) == 0 {
			known = m.pool[c][:min(len(m.pool[c]), 5)]
		}
		t.numeric[c] = allNumbers(known) || len(known) == 0 && slices.ContainsFunc(list, func(q wikiQuery) bool { return q.column == c && computes(q.aggregate) })
	}
	slices.Sort(t.columns)
	return t
}

func computes(aggregate string) bool { return aggregate != "" && aggregate != "count" }

// add makes a row for which conditions hold.
func (t *wikiTable) add(where []wikiCondition) {
	row := make([]string, len(t.columns))
	for i, c := range t.columns {
		row[i] = t.some(c, t.numeric[c])
	}
	for _, c := range where {
		at := slices.Index(t.columns, c.column)
		switch c.op {
		case "!":
			row[at] = t.apartFrom(c.value, c.column, t.numeric[c.column])
		default:
			row[at] = t.meets(c.op, c.value)
		}
	}
	t.rows = append(t.rows, row)
}

// fill makes rows that tell the answers to a question from others.
func (t *wikiTable) fill(q wikiQuery) {
	few := 1
	if q.aggregate != "" || t.rand.IntN(4) == 0 {
		few += 1 + t.rand.IntN(3)
	}
	for range few {
		t.add(q.where)
	}
	for i := range q.where {
		if t.rand.IntN(2) == 0 {
			but := slices.Clone(q.where)
			but[i].op = "!"
			t.add(but)
		}
	}
	t.add(nil)
}

// gold computes a query.
func (t *wikiTable) gold(q wikiQuery) (answers.Gold, bool) {
	at := slices.Index(t.columns, q.column)
	if computes(q.aggregate) && !t.numeric[q.column] {
		return answers.Gold{}, false
	}
	var found []any
	var numbers []float64
	for _, row := range t.rows {
		if slices.ContainsFunc(q.where, func(c wikiCondition) bool { return !c.holds(row[slices.Index(t.columns, c.column)]) }) {
			continue
		}
		n, _ := number(row[at])
		found, numbers = append(found, row[at]), append(numbers, n)
	}
	if len(found) == 0 {
		return answers.Gold{}, false
	}
	sum := 0.0
	for _, n := range numbers {
		sum += n
	}
	switch q.aggregate {
	case "count":
		found = []any{float64(len(found))}
	case "max":
		found = []any{slices.Max(numbers)}
	case "min":
		found = []any{slices.Min(numbers)}
	case "sum":
		found = []any{sum}
	case "avg":
		found = []any{sum / float64(len(numbers))}
	}
	g := answers.Gold{Columns: []string{q.column}, Set: true}
	for _, v := range found {
		g.Rows = append(g.Rows, []any{v})
	}
	return g, true
}

// wikiStride is which part of the tables is taken: there are more than are needed.
const wikiStride = 14

// loadWiki reads questions over one table with their queries.
func loadWiki(o options) ([]*question, error) {
	records, err := zipped(o.Path("train", "wikisql", "wikisql.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	m := newMaker(1)
	var list []wikiQuery
	for _, r := range records {
		if q, ok := readWiki(r); ok {
			list = append(list, q)
			for _, c := range q.where {
				m.know(c.column, c.value)
			}
		}
	}
	var out []*question
	for i, group := range groups(list) {
		if i%wikiStride != 0 {
			continue
		}
		t := m.wikiTable(group)
		for _, q := range group {
			t.fill(q)
		}
		m.rand.Shuffle(len(t.rows), func(i, j int) { t.rows[i], t.rows[j] = t.rows[j], t.rows[i] })
		file, err := writeCSV(o.made, "wiki"+strconv.Itoa(i), append([][]string{t.columns}, t.rows...))
		if err != nil {
			return nil, err
		}
		for at, q := range group {
			if g, ok := t.gold(q); ok {
				out = append(out, &question{
					must: q.texts(),
					id:   fmt.Sprintf("wikisql-%d-%d", i, at), set: "wikisql", text: q.question, files: []string{file}, now: asOf, golds: []answers.Gold{g},
				})
			}
		}
	}
	return out, nil
}
