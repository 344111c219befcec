package form

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"catena/planner/loosejson"
	"catena/planner/plan"
	"catena/profiler"
)

// Bounds of what a model is told and may answer.
const (
	maxFields  = 200 // of a schema, or a mapping
	maxDepth   = 8   // of objects in objects
	maxColumns = 120 // of a table
)

// System is the model's instruction. It has no tools, and gives no values: what it answers is checked and applied by
// Fill.
const System = `You say which part of an answer fills which field of the JSON Schema that a program asks for. You see no values and write none.
Answer with JSON alone: {"fields":[{"path":"$.clients","table":1},{"path":"$.clients[].name","column":2},{"path":"$.total","table":1,"column":3,"fact":"sum"}]}
- A list takes "table": one element for each row. Fields of its elements take "column", of that table. A list of single values takes "table" and "column".
- A field outside of lists takes "table" and "column" where the table has one row. Of several rows it takes that whose column "by" is the largest or smallest:
  {"path":"$.best","table":1,"column":1,"row":"largest","by":3}.
- "fact" is one of those that are listed for the table or the column.
- "const" is for a value that the schema itself fixes, for a word or number that stands in the question, or null where the schema allows null.
Map each required field. Leave out optional fields that the answer has nothing for. Never map a field to something else than what its name and description say.
If a required field has nothing in the answer, answer {"fields":[]}.`

// Prompt is what the model is told: the question, the schema, and of the answer's tables the names, types, units and
// facts, no cells.
func (s *Schema) Prompt(a Answer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Question: %s\n\nSchema: %s\n\nFields:\n", a.Message, compact(s.raw))
	s.paths(&b, s.root, rootPath, true, 0, new(int))
	for i := range a.Tables {
		t := &a.Tables[i]
		fmt.Fprintf(&b, "\nTable %d, %d rows; facts: %s\n", i+1, t.RowCount, factRows)
		for c := range t.Columns[:min(len(t.Columns), maxColumns)] {
			fmt.Fprintf(&b, "  column %d: %s\n", c+1, columnFacts(t, &t.Columns[c]))
		}
	}
	return b.String()
}

func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

// paths lists the fields of a schema.
func (s *Schema) paths(b *strings.Builder, n *node, path string, required bool, depth int, count *int) {
	n, err := s.resolved(n)
	if *count++; err != nil || depth > maxDepth || *count > maxFields {
		return
	}
	kind := strings.Join(n.Type, " or ")
	if f, err := s.field(n, 0); err == nil {
		kind = strings.Join(f.types, " or ")
	}
	fmt.Fprintf(b, "  %s: %s", path, kind)
	if required {
		b.WriteString(", required")
	}
	b.WriteByte('\n')
	if n.Items != nil {
		s.paths(b, n.Items, elementOf(path), true, depth+1, count)
		return
	}
	for _, name := range n.Properties.names {
		s.paths(b, n.Properties.of[name], fieldOf(path, name), slices.Contains(n.Required, name), depth+1, count)
	}
}

// columnFacts says what a column is. A name that somebody else may have written to be read by a model is not told.
func columnFacts(t *Table, c *profiler.ColumnMetadata) string {
	name := "(its name is not shown)"
	if plan.SafeName(c.OriginalName) {
		name = c.OriginalName
	}
	facts := []string{c.DType, c.SemanticType, c.Role}
	if plan.SafeName(c.Units) {
		facts = append(facts, "in "+c.Units)
	}
	return name + ": " + strings.Join(facts, ", ") + "; facts: " + strings.Join(factsOf(t, c), " ")
}

// factsOf are the facts of a column that mean something.
func factsOf(t *Table, c *profiler.ColumnMetadata) []string {
	facts := []string{factDistinct}
	adds := c.Aggregation == profiler.AggregateSum && !t.Totals
	for _, f := range []struct {
		name string
		has  bool
	}{
		{factSum, adds && c.Sum != nil},
		{factMean, c.Aggregation != profiler.AggregateNone && !t.Totals && c.Mean != nil},
		{factMin, !t.Totals && c.Min != nil}, {factMax, !t.Totals && c.Max != nil},
		{factUnit, c.Units != ""},
	} {
		if f.has {
			facts = append(facts, f.name)
		}
	}
	return facts
}

// FromModel reads the mapping that a model wrote, and checks that it names only what the answer has, and no value of
// its own. The error says what is wrong, for the model to mend.
func (s *Schema) FromModel(ctx context.Context, a Answer, text string) (Mapping, error) {
	read, err := loosejson.Read(text, loosejson.Limits{})
	if err != nil || read.Guess {
		return nil, errors.New("it is no JSON object")
	}
	raw, err := json.Marshal(read.Value)
	if err != nil {
		return nil, errors.New("it is no JSON object")
	}
	var in struct {
		Fields Mapping `json:"fields"`
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return nil, errors.New(`it must be {"fields":[{"path": text, "table": number, "column": number, "fact": text, "row": text, "by": number, "const": value}]}`)
	}
	if len(in.Fields) == 0 {
		return nil, errors.New("it maps no field")
	}
	if len(in.Fields) > maxFields {
		return nil, fmt.Errorf("it maps more than %d fields", maxFields)
	}
	lists := map[string]int{}
	for _, b := range in.Fields {
		lists[b.Path] = b.Table
	}
	for i := range in.Fields {
		if err := s.check(a, &in.Fields[i], lists); err != nil {
			return nil, fmt.Errorf("%.200s: %w", in.Fields[i].Path, err)
		}
	}
	_, err = s.Fill(ctx, a, in.Fields)
	return in.Fields, err
}

// check refuses constants that nobody gave, and facts that mean nothing.
func (s *Schema) check(a Answer, b *Binding, lists map[string]int) error {
	if b.Const != nil {
		n := s.at(b.Path)
		if n == nil {
			return errors.New("the schema has no such field")
		}
		return s.given(n, bytes.TrimSpace(b.Const), a.Message)
	}
	table := b.Table
	if at := strings.LastIndex(b.Path, "[]"); table == 0 && at >= 0 {
		table = lists[b.Path[:at]]
	}
	if b.Fact == "" || b.Fact == factRows {
		return nil
	}
	if known := table >= 1 && table <= len(a.Tables); !known || b.Column < 1 ||
		b.Column > len(a.Tables[table-1].Columns) {
		return errors.New("the fact is of no column")
	}
	t := &a.Tables[table-1]
	if c := &t.Columns[b.Column-1]; !slices.Contains(factsOf(t, c), b.Fact) {
		return fmt.Errorf("column %d of table %d has no fact %.20q", b.Column, table, b.Fact)
	}
	return nil
}

// at is the part of the schema at a path; nil where there is none.
func (s *Schema) at(path string) *node {
	n, err := s.resolved(s.root)
	rest := strings.TrimPrefix(path, rootPath)
	for err == nil && rest != "" {
		var next *node
		if tail, ok := strings.CutPrefix(rest, "[]"); ok {
			next, rest = n.Items, tail
		} else {
			for name, p := range n.Properties.of {
				tail, ok := strings.CutPrefix(rest, fieldOf("", name))
				if ok && (tail == "" || strings.ContainsRune(".[", rune(tail[0]))) {
					next, rest = p, tail
					break
				}
			}
		}
		if next == nil {
			return nil
		}
		n, err = s.resolved(next)
	}
	return n
}

// given reports whether a constant is one that the schema fixes, null, or one of the user's own words or numbers. Of
// several values that a schema lists, which one is true is for the data to say, and for the user: one who says several
// of them has not said which.
func (s *Schema) given(n *node, value json.RawMessage, message string) error {
	f, err := s.field(n, 0)
	if err != nil {
		return err
	}
	word := wordOf(value)
	listed := slices.DeleteFunc(slices.Clone(f.allowed), func(one json.RawMessage) bool {
		return wordOf(one) == "null"
	})
	said := slices.DeleteFunc(slices.Clone(listed), func(one json.RawMessage) bool {
		return !isWord(message, wordOf(one))
	})
	switch {
	case word == "null", len(listed) == 1 && sameValue(listed[0], value):
		return nil
	case len(said) > 1:
		return errors.New("several of the values that the schema lists are in the question")
	case isWord(message, word) && word != "true" && word != "false":
		return nil
	}
	return errors.New("the value is neither the schema's only one nor in the question")
}

// wordOf is a value as it stands in a sentence.
func wordOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil && string(value) != "null" {
		return text
	}
	return string(bytes.TrimSpace(value))
}

// isWord reports whether words stand in a message, as whole ones, in any case.
func isWord(message, words string) bool {
	words = strings.ToLower(strings.TrimSpace(words))
	message = strings.ToLower(message)
	for from := 0; words != ""; {
		i := strings.Index(message[from:], words)
		if i < 0 {
			return false
		}
		before, after := message[:from+i], message[from+i+len(words):]
		if !endsInWord(before) && !beginsWithWord(after) {
			return true
		}
		from += i + 1
	}
	return false
}

func endsInWord(s string) bool {
	r := []rune(s[max(len(s)-4, 0):])
	return len(r) > 0 && inWord(r[len(r)-1])
}

func beginsWithWord(s string) bool {
	for i, r := range s {
		switch {
		case i == 0 && inWord(r) && !strings.ContainsRune(".,", r):
			return true
		case i == 0 && (r == '.' || r == ','):
			continue // a sentence ends, or a number goes on
		case i == 1 && unicode.IsDigit(r):
			return true
		}
		return false
	}
	return false
}

// inWord reports whether a character belongs to the word or number beside it.
func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-.,", r)
}
