package main

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	_ "modernc.org/sqlite" // computes the queries

	"catena/bench/answers"
)

// schema is the tables of a database, as its queries join them.
type schema struct {
	name   string
	tables map[string][]*schemaColumn // by names in upper case
}

type schemaColumn struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Primary bool   `json:"primary"`
	Foreign bool   `json:"foreign"`

	table   string
	key     bool          // its values tell the rows apart
	of      *schemaColumn // the key that it refers to
	joined  map[*schemaColumn]int
	numeric bool
}

func (s *schema) column(table, name string) *schemaColumn {
	for _, c := range s.tables[strings.ToUpper(table)] {
		if strings.EqualFold(c.Name, name) {
			return c
		}
	}
	return nil
}

func (s *schema) names() []string {
	var out []string
	for t := range s.tables {
		out = append(out, t)
	}
	slices.Sort(out)
	return out
}

var (
	sqlToken  = regexp.MustCompile(`"[^"]*"|\w+alias\d+\.\w+|[<>=!]+|-?\d+(?:\.\d+)?|\w+|[^\s\w]`)
	sqlColumn = regexp.MustCompile(`^(\w+?)alias(\d+)\.(\w+)$`)
)

// compared is a column of a query beside another, or beside constants.
type compared struct {
	left  string // table, alias and column, as the query has it
	op    string
	right string   // a column; "" for constants
	value []string // constants
}

// comparisons are those of a query, wherever they stand.
func comparisons(query string) []compared {
	toks := sqlToken.FindAllString(query, -1)
	at := func(i int) string {
		if i < len(toks) {
			return toks[i]
		}
		return ""
	}
	var out []compared
	for i, t := range toks {
		if !sqlColumn.MatchString(t) {
			continue
		}
		c := compared{left: t, op: strings.ToUpper(at(i + 1))}
		switch v := at(i + 2); {
		case strings.Trim(c.op, "<>=!") == "" && sqlColumn.MatchString(v):
			c.right = v
		case strings.Trim(c.op, "<>=!") == "" || c.op == "LIKE" || c.op == "BETWEEN":
			c.value = []string{v}
		case c.op == "IN" && v == "(":
			for j := i + 3; at(j) != "" && at(j) != ")"; j++ {
				c.value = append(c.value, at(j))
			}
		}
		c.value = slices.DeleteFunc(c.value, func(v string) bool { return v[0] != '"' && !isNumber(v) })
		for j, v := range c.value {
			c.value[j] = strings.Trim(v, `"%`)
		}
		if c.right != "" || len(c.value) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// find is the column of a schema that a query names.
func (s *schema) find(name string) *schemaColumn {
	m := sqlColumn.FindStringSubmatch(name)
	if m == nil {
		return nil
	}
	return s.column(m[1], m[3])
}

// seldom is how few times columns are joined that are joined by mistake.
const seldom = 2

// learn finds from queries which columns refer to which, what is a number, and what values there are.
func (s *schema) learn(m *maker, queries []string) {
	texts := map[*schemaColumn]bool{}
	for _, q := range queries {
		for _, c := range comparisons(q) {
			left, right := s.find(c.left), s.find(c.right)
			if left == nil {
				continue
			}
			if right != nil && c.op == "=" && left != right {
				left.joined[right]++
				right.joined[left]++
			}
			for _, v := range c.value {
				m.know(left.pooled(), v)
				texts[left] = texts[left] || !isNumber(v)
			}
		}
	}
	for _, t := range s.names() {
		for _, c := range s.tables[t] {
			c.numeric = !texts[c] && (len(m.pool[c.pooled()]) > 0 || strings.Contains(c.Type, "int") || strings.Contains(c.Type, "float"))
		}
	}
	s.references()
}

func (c *schemaColumn) pooled() string { return strings.ToLower(c.table + "." + c.Name) }

// references decides which columns are keys, and which refer to them: of columns that are joined, the first of its table
// is the key where it is marked or named so.
func (s *schema) references() {
	for _, t := range s.names() {
		cols := s.tables[t]
		primary := 0
		for _, c := range cols {
			if c.Primary {
				primary++
			}
		}
		for i, c := range cols {
			named := i == 0 && strings.HasPrefix(strings.ToUpper(c.Name), t)
			c.key = named
			if primary > 0 {
				c.key = c.Primary && !c.Foreign && primary == 1
			}
		}
		if other := joinedInstead(t, cols); other != nil {
			for _, c := range cols {
				c.key = c == other
			}
		}
	}
	for _, t := range s.names() {
		for _, c := range s.tables[t] {
			if !c.key {
				c.of = cmp.Or(c.refersTo(), s.keyCalled(c))
			}
			if c.of != nil {
				c.numeric = c.of.numeric
			}
		}
	}
}

// joinedInstead is the column, called after its table, that queries join in place of the table's marked key.
func joinedInstead(table string, cols []*schemaColumn) *schemaColumn {
	var found *schemaColumn
	for _, c := range cols {
		if c.key && len(c.joined) > 0 {
			return nil
		}
		after := strings.HasPrefix(strings.ToUpper(c.Name), table)
		if after && (found == nil || len(c.joined) > len(found.joined)) {
			found = c
		}
	}
	if found == nil || len(found.joined) == 0 {
		return nil
	}
	return found
}

// keyCalled is the only key of another table that is called as a column is, which no query joins.
func (s *schema) keyCalled(c *schemaColumn) *schemaColumn {
	var found *schemaColumn
	for _, t := range s.names() {
		for _, k := range s.tables[t] {
			if !k.key || k.table == c.table || !strings.EqualFold(k.Name, c.Name) {
				continue
			}
			if found != nil {
				return nil
			}
			found = k
		}
	}
	return found
}

// refersTo is the key that a column is joined with, or is joined with by way of another.
func (c *schemaColumn) refersTo() *schemaColumn {
	if c.key {
		return nil
	}
	best, times := (*schemaColumn)(nil), 0
	consider := func(k *schemaColumn, n int) {
		if k.key && k.table != c.table && (n > times || n == times && best != nil && k.pooled() < best.pooled()) {
			best, times = k, n
		}
	}
	for k, n := range c.joined {
		if n >= seldom {
			consider(k, 1000*n)
		}
		for far, m := range k.joined {
			if n >= seldom && m >= seldom {
				consider(far, min(n, m))
			}
		}
	}
	return best
}

// loadSchemas reads the schemas of all databases.
func loadSchemas(path string) (map[string]*schema, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all map[string]map[string][]*schemaColumn
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	out := map[string]*schema{}
	for name, tables := range all {
		s := &schema{name: name, tables: map[string][]*schemaColumn{}}
		for t, cols := range tables {
			for _, c := range cols {
				c.table, c.joined = strings.ToUpper(t), map[*schemaColumn]int{}
			}
			s.tables[strings.ToUpper(t)] = cols
		}
		out[name] = s
	}
	return out, nil
}

// Bounds of what is made of a database.
const (
	questionsOfOne = 25               // questions that are asked of one copy of a database
	mostOfSet      = 800              // questions of a set
	mostRows       = 60               // of a gold answer
	longest        = 10 * time.Second // that a query may run
	mostAliases    = 6                // of a query: more take too long
)

// databases are those whose questions are learnt from.
var databases = []string{"academic", "advising", "atis", "imdb", "scholar", "yelp"}

// loadSQL reads questions over several tables with their queries.
func loadSQL(ctx context.Context, o options) ([]*question, error) {
	schemas, err := loadSchemas(o.Path("train", "sql", "schemas.json"))
	if err != nil {
		return nil, err
	}
	var out []*question
	for _, name := range databases {
		records, err := zipped(o.Path("train", "sql", name+".jsonl.gz"))
		if err != nil {
			return nil, err
		}
		records = slices.DeleteFunc(records, func(r sqlRecord) bool { return strings.Contains(r.SQL[0], `""`) || tablesOf(r.SQL[0]) > mostAliases })
		m, s := newMaker(2), schemas[name]
		var queries []string
		for _, r := range records {
			queries = append(queries, r.SQL[0])
		}
		s.learn(m, queries)
		m.rand.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
		records = records[:min(len(records), mostOfSet)]
		for part := range slices.Chunk(records, questionsOfOne) {
			list, err := s.ask(ctx, m, part, filepath.Join(o.made, fmt.Sprintf("%s%d.sqlite", name, len(out))))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			out = append(out, list...)
		}
	}
	return out, nil
}

// ask makes a database for questions, and computes their answers.
func (s *schema) ask(ctx context.Context, m *maker, part []sqlRecord, file string) ([]*question, error) {
	w := &world{schema: s, maker: m, rows: map[string][]map[string]string{}}
	w.begin()
	for _, r := range part {
		for variant := range 2 {
			w.witness(r.SQL[0], variant)
		}
	}
	_ = os.Remove(file)
	db, err := sql.Open("sqlite", file+"?_pragma=synchronous(off)&_pragma=journal_mode(off)")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	if err := w.write(ctx, db); err != nil {
		return nil, err
	}
	var out []*question
	for i, r := range part {
		golds := w.golds(ctx, db, r)
		if len(golds) == 0 {
			continue
		}
		out = append(out, &question{
			must: texts(r.SQL[0]),
			id:   fmt.Sprintf("%s-%s-%d", s.name, strings.TrimSuffix(filepath.Base(file), ".sqlite"), i), set: s.name,
			text: untokenized(r.Question, i%2 == 0), files: []string{file}, now: asOf, golds: golds,
		})
	}
	return out, nil
}

// texts are the constants of a query that are no numbers, in lower case.
func texts(query string) []string {
	var out []string
	for _, c := range comparisons(query) {
		for _, v := range c.value {
			if !isNumber(v) {
				out = append(out, quotedText(v))
			}
		}
	}
	return out
}

// golds are the answers of a question's queries, and the same with keys as the names of what they are keys of.
func (w *world) golds(ctx context.Context, db *sql.DB, r sqlRecord) []answers.Gold {
	var out []answers.Gold
	for _, q := range r.SQL {
		if tablesOf(q) > mostAliases {
			continue
		}
		g, ok := compute(ctx, db, q)
		if !ok {
			continue
		}
		out = append(out, g)
		if named, ok := w.named(q, g); ok {
			out = append(out, named)
		}
		if rows, ok := compute(ctx, db, w.countingRows(q)); ok {
			out = append(out, rows)
		}
	}
	return out
}

// tablesOf is how many tables a query puts together.
func tablesOf(query string) int {
	seen := map[string]bool{}
	for _, t := range sqlToken.FindAllString(query, -1) {
		if m := sqlColumn.FindStringSubmatch(t); m != nil {
			seen[m[1]+m[2]] = true
		}
	}
	return len(seen)
}

// compute runs a query. What gives nothing tells nothing.
func compute(ctx context.Context, db *sql.DB, query string) (answers.Gold, bool) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return answers.Gold{}, false
	}
	defer rows.Close()
	g := answers.Gold{Set: true}
	if g.Columns, err = rows.Columns(); err != nil || len(g.Columns) > 2 {
		return g, false
	}
	for rows.Next() {
		row, into := make([]any, len(g.Columns)), make([]any, len(g.Columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return g, false
		}
		if row[0] == nil || row[0] == int64(0) {
			return g, false
		}
		g.Rows = append(g.Rows, row)
	}
	return g, rows.Err() == nil && len(g.Rows) > 0 && len(g.Rows) <= mostRows
}

var countedColumn = regexp.MustCompile(`(COUNT\s?\( DISTINCT (?:\( )?)(\w+?)(alias\d+)\.(\w+)`)

// countingRows is a query that counts rows where it counts their names: in tables that are made two may have one.
func (w *world) countingRows(query string) string {
	return countedColumn.ReplaceAllStringFunc(query, func(counted string) string {
		m := countedColumn.FindStringSubmatch(counted)
		cols := w.tables[strings.ToUpper(m[2])]
		key := slices.IndexFunc(cols, func(c *schemaColumn) bool { return c.key })
		of := w.column(m[2], m[4])
		names := of != nil && !of.numeric && of.of == nil
		if key < 0 || !names {
			return counted
		}
		return m[1] + m[2] + m[3] + "." + cols[key].Name
	})
}

// named is a gold answer of one key with the names of its rows in place of it.
func (w *world) named(query string, g answers.Gold) (answers.Gold, bool) {
	toks := sqlToken.FindAllString(query, 3)
	c := w.find(toks[min(1, len(toks)-1)])
	if c == nil {
		c = w.find(toks[len(toks)-1])
	}
	if c != nil && c.of != nil {
		c = c.of
	}
	if c == nil || !c.key || len(g.Columns) != 1 {
		return g, false
	}
	cols := w.tables[c.table]
	at := slices.IndexFunc(cols, func(n *schemaColumn) bool { return !n.numeric && !n.key && n.of == nil })
	if at < 0 {
		return g, false
	}
	out := g
	out.Columns, out.Rows = []string{cols[at].Name}, nil
	for _, row := range g.Rows {
		for _, r := range w.rows[c.table] {
			if r[c.Name] == fmt.Sprint(row[0]) {
				out.Rows = append(out.Rows, []any{r[cols[at].Name]})
				break
			}
		}
	}
	slices.SortFunc(out.Rows, func(a, b []any) int { return cmp.Compare(fmt.Sprint(a[0]), fmt.Sprint(b[0])) })
	return out, len(out.Rows) == len(g.Rows)
}
