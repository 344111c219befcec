package main

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// world is a database being made: rows of text, by tables.
type world struct {
	*schema
	*maker
	rows map[string][]map[string]string
	last int // number of a key
}

// beginRows are rows of chance that each table has.
const beginRows = 5

// begin makes rows of chance: first of the tables that others refer to.
func (w *world) begin() {
	for range beginRows {
		for _, t := range w.names() {
			w.add(t, map[string]string{})
		}
	}
}

// add makes a row of a table that has some values.
func (w *world) add(t string, has map[string]string) map[string]string {
	row := map[string]string{}
	for _, c := range w.tables[t] {
		v, ok := has[c.Name]
		switch {
		case ok:
		case c.key:
			v = w.newKey(c)
		case c.of != nil:
			v = w.reference(c.of)
		default:
			v = w.some(c.pooled(), c.numeric)
		}
		row[c.Name] = v
	}
	w.rows[t] = append(w.rows[t], row)
	return row
}

func (w *world) newKey(c *schemaColumn) string {
	w.last++
	if c.numeric {
		return strconv.Itoa(w.last)
	}
	return strings.ToUpper(w.maker.name()[:3]) + strconv.Itoa(w.last)
}

// reference is the key of some row.
func (w *world) reference(key *schemaColumn) string {
	list := w.rows[key.table]
	if len(list) == 0 {
		return w.add(key.table, map[string]string{})[key.Name]
	}
	return list[w.rand.IntN(len(list))][key.Name]
}

// joined are columns of a query that must be equal, and what they must be.
type joined struct {
	parent map[string]string
	value  map[string]string
}

func (j *joined) root(c string) string {
	for j.parent[c] != "" {
		c = j.parent[c]
	}
	return c
}

func (j *joined) join(a, b string) {
	if a, b = j.root(a), j.root(b); a != b {
		j.parent[a] = b
	}
}

// witness adds rows that a query finds. Where it compares a column with several values, the variant says which.
func (w *world) witness(query string, variant int) {
	j := &joined{parent: map[string]string{}, value: map[string]string{}}
	list := comparisons(query)
	for _, c := range list {
		if c.right != "" && c.op == "=" {
			j.join(c.left, c.right)
		}
	}
	wants := map[string][]string{}
	for _, c := range list {
		if c.right == "" {
			at := j.root(c.left)
			for _, v := range c.value {
				wants[at] = append(wants[at], w.meets(c.op, v))
			}
		}
	}
	for at, values := range wants {
		j.value[at] = values[variant%len(values)]
	}
	for _, alias := range aliases(query, j, wants) {
		w.row(alias, query, j)
	}
}

// aliases are those of a query, first those of which most is said.
func aliases(query string, j *joined, wants map[string][]string) []string {
	said := map[string]int{}
	for _, t := range sqlToken.FindAllString(query, -1) {
		if m := sqlColumn.FindStringSubmatch(t); m != nil {
			alias := m[1] + "alias" + m[2]
			if len(wants[j.root(t)]) > 0 && j.root(t) == t {
				said[alias]++
			} else {
				said[alias] += 0
			}
		}
	}
	var out []string
	for a := range said {
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b string) int {
		if said[a] != said[b] {
			return said[b] - said[a]
		}
		return strings.Compare(a, b)
	})
	return out
}

// row takes a row for an alias that has what is said of it, or makes one.
func (w *world) row(alias, query string, j *joined) {
	t := alias[:strings.LastIndex(alias, "alias")]
	if w.tables[t] == nil {
		return
	}
	has, at := map[string]string{}, map[string]string{}
	for _, name := range sqlToken.FindAllString(query, -1) {
		column, ok := strings.CutPrefix(name, alias+".")
		c := w.column(t, column)
		if !ok || c == nil {
			continue
		}
		at[c.Name] = j.root(name)
		if v, ok := j.value[at[c.Name]]; ok {
			has[c.Name] = v
		}
	}
	row := w.like(t, has)
	if row == nil {
		row = w.add(t, has)
	}
	for column, root := range at {
		if _, ok := j.value[root]; !ok && (len(j.parent) > 0) {
			j.value[root] = row[column]
		}
	}
}

// like is a row that has some values, where at least one is said.
func (w *world) like(t string, has map[string]string) map[string]string {
	texts := 0
	for _, c := range w.tables[t] {
		if has[c.Name] != "" && (c.key || !c.numeric && c.of == nil) {
			texts++
		}
	}
	if texts == 0 {
		return nil
	}
	for _, r := range w.rows[t] {
		fits := true
		for k, v := range has {
			fits = fits && r[k] == v
		}
		if fits {
			return r
		}
	}
	return nil
}

// write puts the rows into a database, with what refers to what.
func (w *world) write(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	for _, t := range w.names() {
		if err := w.writeTable(ctx, tx, t); err != nil {
			return fmt.Errorf("table %s: %w", t, err)
		}
	}
	return tx.Commit()
}

func (w *world) writeTable(ctx context.Context, tx *sql.Tx, t string) error {
	var defs, keys, marks, names []string
	for _, c := range w.tables[t] {
		kind := "TEXT"
		if c.numeric {
			kind = "NUMERIC"
		}
		if c.numeric && (c.key || c.of != nil || strings.Contains(c.Type, "int")) {
			kind = "INT"
		}
		if c.key {
			kind += " PRIMARY KEY"
		}
		defs, names, marks = append(defs, fmt.Sprintf("%q %s", c.Name, kind)), append(names, c.Name), append(marks, "?")
		if c.of != nil {
			keys = append(keys, fmt.Sprintf("FOREIGN KEY (%q) REFERENCES %q (%q)", c.Name, c.of.table, c.of.Name))
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("CREATE TABLE %q (%s)", t, strings.Join(append(defs, keys...), ", "))); err != nil {
		return err
	}
	insert := fmt.Sprintf("INSERT OR IGNORE INTO %q VALUES (%s)", t, strings.Join(marks, ", "))
	for _, r := range w.rows[t] {
		args := make([]any, len(names))
		for i, n := range names {
			args[i] = r[n]
		}
		if _, err := tx.ExecContext(ctx, insert, args...); err != nil {
			return err
		}
	}
	return nil
}
