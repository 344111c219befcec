package main

import (
	"encoding/csv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Questions of which only the query is known are asked of tables that are made for them: rows for which the query's
// conditions hold, rows for which one of them does not, and rows of chance. Whatever a wrong reading gives differs then
// from what the query gives.

// maker makes values. What it makes is the same each time.
type maker struct {
	rand *rand.Rand
	pool map[string][]string // values that are known, by columns
}

func newMaker(seed uint64) *maker {
	return &maker{rand: rand.New(rand.NewPCG(seed, 7)), pool: map[string][]string{}} //nolint:gosec // the same each time
}

// know keeps a value of a column, so that other rows may have it.
func (m *maker) know(column, value string) { m.pool[column] = append(m.pool[column], value) }

// some is one of the values that a column has somewhere, or one that means nothing.
func (m *maker) some(column string, numeric bool) string {
	known := m.pool[column]
	for range 4 {
		if len(known) == 0 || m.rand.IntN(8) == 0 {
			break
		}
		if v := known[m.rand.IntN(len(known))]; !numeric || isNumber(v) {
			return v
		}
	}
	if !numeric {
		return m.name()
	}
	if strings.Contains(strings.ToLower(column), "year") {
		return strconv.Itoa(1985 + m.rand.IntN(40))
	}
	return strconv.Itoa(1 + m.rand.IntN(600))
}

// name is a name that means nothing.
func (m *maker) name() string {
	const first, second = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for range 2 + m.rand.IntN(3) {
		b.WriteByte(first[m.rand.IntN(len(first))])
		b.WriteByte(second[m.rand.IntN(len(second))])
	}
	s := b.String()
	return strings.ToUpper(s[:1]) + s[1:]
}

// apartFrom is a value that differs from one.
func (m *maker) apartFrom(v, column string, numeric bool) string {
	for range 5 {
		if s := m.some(column, numeric); !strings.EqualFold(s, v) {
			return s
		}
	}
	return m.some("", numeric)
}

// meets is a value that compares with another as an operator says.
func (m *maker) meets(op, v string) string {
	n, ok := number(v)
	if !ok {
		return v
	}
	by := float64(1 + m.rand.IntN(9))
	switch op {
	case ">", ">=":
		return strconv.FormatFloat(n+by, 'f', -1, 64)
	case "<", "<=":
		return strconv.FormatFloat(n-by, 'f', -1, 64)
	}
	return v
}

func number(s string) (float64, bool) {
	n, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
	return n, err == nil
}

func isNumber(s string) bool {
	_, ok := number(s)
	return ok
}

func allNumbers(list []string) bool {
	for _, v := range list {
		if !isNumber(v) {
			return false
		}
	}
	return len(list) > 0
}

// untokenized is a question whose marks were set apart, as people write it.
func untokenized(s string, quotes bool) string {
	s = tokenQuotes.ReplaceAllString(s, `"$1"`)
	if !quotes {
		s = strings.ReplaceAll(s, `"`, "")
	}
	s = tokenMarks.ReplaceAllString(s, "$1")
	return tokenNot.ReplaceAllString(s, "n't")
}

var (
	tokenQuotes = regexp.MustCompile(`" ([^"]*?) "`)
	tokenMarks  = regexp.MustCompile(` ([.,?!;:]|'s\b|'re\b|'ve\b|'d\b|'ll\b)`)
	tokenNot    = regexp.MustCompile(` n't\b`)
)

// writeCSV puts a table into a file of its own.
func writeCSV(dir, name string, rows [][]string) (string, error) {
	path := filepath.Join(dir, name+".csv")
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	w := csv.NewWriter(f)
	if err := w.WriteAll(rows); err != nil {
		_ = f.Close()
		return "", err
	}
	return path, f.Close()
}
