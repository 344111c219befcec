package offline

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"catena/planner/plan"
)

// Words around the name of a table that the rest of the planner could not know by its words: two, t, t_2, sales.2.
var (
	beforeName = plan.WordSet("in of from does do table sheet summarize summarise describe profile chart plot")
	behindName = plan.WordSet("have has table sheet by where with is are contain contains and sorted ordered")
)

// byTableName plans a message that names a table by an odd name, or whose name is also the beginning of another's, as a question about
// that table alone. ok is false for all other messages.
func (o *Planner) byTableName(s *session, toks []token) (plan.Plan, bool) {
	info, from, to := s.tableNamed(toks)
	if from < 0 {
		return plan.Plan{}, false
	}
	left := func(t token) bool {
		return (t.start < from || t.end > to) && t.kind != markToken && !showWords[t.low] && !fileWords[t.low]
	}
	if !slices.ContainsFunc(toks, left) {
		return rowsOf(title(s.req.Message), []plan.TableInfo{info}), true
	}
	if !oddName(info.Name) && !strings.ContainsRune(s.req.Message[from:to], '.') {
		return plan.Plan{}, false
	}
	for _, t := range toks {
		if t.end <= from && filePlace[t.low] && strings.TrimSpace(s.req.Message[t.end:from]) == "" {
			from = t.start
		}
	}
	sub := *s
	sub.req.History, sub.notes = nil, nil
	sub.req.Message = s.req.Message[:from] + strings.Repeat(" ", to-from) + s.req.Message[to:]
	sub.req.Tables, sub.req.Tools = notAttached([]plan.TableInfo{info}), dataTools(s.req.Tools)
	p := o.plan(&sub)
	s.notes = append(s.notes, sub.notes...)
	return p, true
}

// tableNamed finds the table that the message names to the letter, and the bytes of the name; from is -1 without one. A name that a
// column has too, or that is an ordinary word, counts only where a table can stand.
func (s *session) tableNamed(toks []token) (info plan.TableInfo, from, to int) {
	low := strings.ToLower(s.req.Message)
	if len(low) != len(s.req.Message) || len(s.req.Tables) < 2 {
		return plan.TableInfo{}, -1, -1
	}
	for _, n := range namesOfTables(s.req.Tables, low) {
		for at := 0; ; at++ {
			i := strings.Index(low[at:], n.name)
			if i < 0 {
				break
			}
			at += i
			end := at + len(n.name)
			if at > 0 && nameByte(low[at-1]) || end < len(low) && nameByte(low[end]) || end+1 < len(low) && low[end] == '.' && nameByte(low[end+1]) {
				continue
			}
			if s.placeOfTable(toks, n, at, end) {
				return n.info, at, end
			}
		}
	}
	return plan.TableInfo{}, -1, -1
}

func nameByte(b byte) bool { return b == '_' || b != ')' && wordByte(b) }

// tableName is a way to name a table, in lower case.
type tableName struct {
	name string
	info plan.TableInfo
}

// namesOfTables are the odd names, those that another name begins with, and what a file's name and a number mean: sales.2 is the
// second table of the file that gave sales. Only those that a message in lower case may name are given, the longest first.
func namesOfTables(tables []plan.TableInfo, message string) []tableName {
	var out []tableName
	for _, t := range tables {
		if t.Live {
			continue
		}
		low := strings.ToLower(t.Name)
		if !strings.Contains(message, low) {
			continue
		}
		var file []plan.TableInfo
		for _, other := range tables {
			if o := strings.ToLower(other.Name); other.Source == t.Source && (o == low || strings.HasPrefix(o, low+"_")) {
				file = append(file, other)
			}
		}
		if oddName(t.Name) || len(file) > 1 {
			out = append(out, tableName{low, t})
		}
		if len(file) < 2 {
			continue
		}
		if t.Source == "upload" { // newest first
			slices.Reverse(file)
		}
		for n, other := range file {
			out = append(out, tableName{low + "." + strconv.Itoa(n+1), other})
		}
	}
	slices.SortStableFunc(out, func(a, b tableName) int { return cmp.Compare(len(b.name), len(a.name)) })
	return out
}

// oddName reports whether a name has a word that questions use otherwise, or that is too short to be known.
func oddName(name string) bool {
	return slices.ContainsFunc(plan.NameWords(name), func(w string) bool {
		return len(w) < 3 || w[0] >= '0' && w[0] <= '9' || numerals[w] != "" || stopWords[w] || benignWords[w]
	})
}

// placeOfTable reports whether a table can stand at these bytes: behind an order to show, or between words that go with one. Names of
// several parts can mean nothing else.
func (s *session) placeOfTable(toks []token, n tableName, from, to int) bool {
	before, behind := token{}, token{}
	orders := true
	for _, t := range toks {
		switch {
		case t.end <= from:
			before = t
			orders = orders && (showWords[t.low] || fileWords[t.low])
		case t.start >= to && behind.text == "":
			behind = t
		}
	}
	last := behind.text == "" || behind.kind == markToken && behind.end == len(strings.TrimSpace(s.req.Message))
	if orders && (last || behind.low == "table" || behind.low == "sheet") {
		return before.text != ""
	}
	if !oddName(n.info.Name) && !strings.Contains(n.name, ".") {
		return false
	}
	if strings.ContainsAny(n.name, "_.0123456789") && len(n.name) > 2 {
		return true
	}
	if before.low == "table" || before.low == "sheet" || behind.low == "table" || behind.low == "sheet" {
		return true
	}
	column := slices.ContainsFunc(s.req.Tables, func(t plan.TableInfo) bool {
		return slices.ContainsFunc(t.Columns, func(c plan.ColumnInfo) bool { return strings.EqualFold(c.Name, n.name) })
	})
	return !column && beforeName[before.low] && (last || behindName[behind.low])
}
