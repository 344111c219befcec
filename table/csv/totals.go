package csv

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"catena/internal/text"
	"catena/table/infer"
)

// Rows that sum up others are no rows of data: counted with them, every sum is doubled. A label says what such a row
// claims to be, and the numbers have to prove it.

// totals are the names that total rows go by, subtotals those of a part of the table, averages those of means. All are
// in lower case.
var (
	totals = text.Set("total|totals|grand total|grand totals|sum|overall total|sum total|report " +
		"total|all|gesamt|gesamtsumme|gesamtergebnis|summe|total general|total " +
		"général|totale|totaal|eindtotaal|合計|总计|總計|overall|insgesamt|suma|razem|итого|всего|합계|toplam|totalt|yhteensä|المجموع")
	subtotals = text.Set("subtotal|subtotals|sub " +
		"total|sub-total|zwischensumme|teilsumme|sous-total|subtotale|subtotaal|小計|小计")
	averages = text.Set("average|avg|mean|grand average|overall " +
		"average|durchschnitt|mittelwert|moyenne|promedio|media|gemiddelde|平均")
)

// wholeWords say, beside a total's name, that it is one of everything: Sum of all, Total for all rows, Grand sum, Summe
// aller.
var wholeWords = text.Set("of|for|the|all|everything|together|above|overall|grand|rows|items|entries|lines|records|aller|alle|alles|über|von|de|du|tous|toutes|tout|todo|todos|todas|tutti|tutte|van")

// ofEverything reads a label, in lower case, that has the name of a total or an average and otherwise only says that it
// is one of everything.
func ofEverything(label string) (mean, ok bool) {
	for word := range strings.FieldsSeq(label) {
		switch {
		case averages[word]:
			mean, ok = true, true
		case totals[word] && !wholeWords[word]:
			ok = true
		case !wholeWords[word]:
			return false, false
		}
	}
	return mean, ok
}

// SaysTotal reports whether a text is a name that rows of totals go by. It proves nothing: their numbers do.
func SaysTotal(label string) bool {
	t, ok := totalLabel(strings.TrimSpace(label))
	return ok && t.of == "" && !t.mean
}

// totalWords stand before or behind the name of the group that they sum up: N Total, Total for N.
var totalWords = text.Set("total|totals|subtotal|summe|ergebnis|gesamt|average|totaal|totale")

// totalRow is a row that is called a total.
type totalRow struct {
	at    int    // in the body
	label int    // the cell; -1 for none
	name  string // in lower case
	of    string // the group it names; "" for none
	mean  bool   // an average
	part  bool   // a subtotal by its name

	why  string // it is left out; "" when it is not
	from int    // the first row that it sums up
	sums int    // columns that prove it
}

// totalSources is how many rows a total sums up at least, unless it is one of several.
const totalSources = 2

func (t *totalRow) unnamed() bool { return t.label < 0 }

// totalLabel reads a cell as the label of a total; ok is false for any other text.
func totalLabel(s string) (t totalRow, ok bool) {
	const longest = 80
	s = strings.TrimRight(s, ": ")
	if len(s) < 3 || len(s) > longest || s[0]-'0' <= 9 && s[len(s)-1]-'0' <= 9 {
		return t, false
	}
	first, rest, several := strings.Cut(s, " ")
	last := s[strings.LastIndexByte(s, ' ')+1:]
	if !mayBeTotal(first) && !mayBeTotal(last) {
		return t, false
	}
	whole := strings.ToLower(s)
	t.name = whole
	switch {
	case totals[whole]:
		return t, true
	case subtotals[whole]:
		t.part = true
		return t, true
	case averages[whole]:
		t.mean = true
		return t, true
	case !several:
		return t, false
	}
	if mean, ok := ofEverything(whole); ok {
		t.mean = mean
		return t, true
	}
	switch first, last = strings.ToLower(first), strings.ToLower(last); {
	case totalWords[last]:
		t.of, t.mean, t.part = strings.TrimRight(s[:len(s)-len(last)], " -–:"), averages[last], true
	case totalWords[first]:
		for _, of := range [...]string{"for ", "of ", "für ", "von ", "pour ", "de ", "- ", ": "} {
			rest = strings.TrimPrefix(rest, of)
		}
		t.of, t.mean, t.part = strings.TrimSpace(rest), averages[first], true
	}
	return t, t.of != ""
}

// mayBeTotal tells most words apart by their ends, before anything is allocated.
func mayBeTotal(word string) bool {
	if word == "" {
		return false
	}
	if word[0] >= 0x80 {
		return true
	}
	return strings.IndexByte("tgsoamdezriy", word[0]|0x20) >= 0 &&
		(word[len(word)-1] >= 0x80 || strings.IndexByte("lsmtegnoa", word[len(word)-1]|0x20) >= 0)
}

// calledTotals finds the rows that are called totals. One that names a group counts where the group is named above it,
// or it is a column's name. A period may stand above none of its rows: Q1 Total below January.
func (l *layout) calledTotals(body []csvRow) []totalRow {
	var found []totalRow
	named := map[string]int{} // the groups, with the first row that holds them
	for i, r := range body {
		for c, cell := range l.g.of(r) {
			if cell == "" {
				continue
			}
			if t, ok := totalLabel(cell); ok {
				if t.at, t.label = i, c; t.of != "" {
					named[t.of] = len(body)
				}
				found = append(found, t)
				break
			}
		}
	}
	if len(named) > 0 {
		l.findGroups(body, named)
	}
	found = slices.DeleteFunc(found, func(t totalRow) bool {
		return t.of != "" && named[t.of] >= t.at && !isPeriod(t.of)
	})
	if l.mayBeSums(body) {
		found = append(found, totalRow{at: len(body) - 1, label: -1})
	}
	return found
}

// periodWords are the words that name periods, with or without a number.
var periodWords = text.Set("quarter|half|year|month|week|q|fy|cy|h|jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december|" +
	"q1|q2|q3|q4|1q|2q|3q|4q|h1|h2|1h|2h|ytd|quartal|jahr|monat|woche|trimestre|semestre|januar|februar|märz|mai|juni|juli|oktober|dezember") //nolint:misspell // other languages

// isPeriod reports whether a label is a period and nothing else: Q1, Q1 2024, 2024, FY24, January.
func isPeriod(label string) bool {
	parts := strings.FieldsFunc(strings.ToLower(label), func(r rune) bool { return strings.ContainsRune(" -/.'", r) })
	sure := false
	for _, part := range parts {
		digits := strings.TrimPrefix(strings.TrimPrefix(part, "fy"), "cy")
		n, err := strconv.Atoi(digits)
		switch number := err == nil && n >= 0; {
		case periodWords[part], number && n >= 1800 && n < 2200, number && len(digits) < len(part):
			sure = true
		case !number || n > 99:
			return false
		}
	}
	return sure
}

// findGroups tells for each group in which row it is first named; -1 for the name of a column.
func (l *layout) findGroups(body []csvRow, named map[string]int) {
	for i, r := range body {
		for _, cell := range l.g.of(r) {
			if at, ok := named[cell]; ok && i < at {
				named[cell] = i
			}
		}
	}
	folded := make(map[string]bool, len(l.header))
	for _, name := range l.header {
		folded[foldCase(name)] = true
	}
	for of := range named {
		if folded[foldCase(of)] {
			named[of] = -1
		}
	}
}

// foldCase is the same for texts that differ in case alone, as strings.EqualFold has it.
func foldCase(s string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, s)
}

// mayBeSums reports whether the last row begins with an empty cell, unlike the others, and has nothing but numbers
// behind it.
func (l *layout) mayBeSums(body []csvRow) bool {
	if len(body) <= totalSources || l.g.Cells[body[len(body)-1].from] != "" {
		return false
	}
	if slices.ContainsFunc(l.g.of(body[len(body)-1]), func(c string) bool { return c != "" && !infer.IsTypedCell(c) }) {
		return false
	}
	return !slices.ContainsFunc(body[:len(body)-1], func(r csvRow) bool { return l.g.Cells[r.from] == "" })
}

// cutTotals leaves out the rows that are called totals, and a last row without a name, and prove to be: each number is
// the sum, or the mean, of the rows above, back to the beginning or to an earlier total. One that does not fit stays,
// and is noted. A text without such a row near its beginning or at its end is taken to have none.
func (l *layout) cutTotals(body []csvRow, width int) []csvRow {
	body = l.cutSummaries(body, width, -1)
	found := l.calledTotals(body)
	near := func(t totalRow) bool { return t.at < headReach || t.at >= len(body)-tailReach }
	if len(found)*2 > len(body) || !slices.ContainsFunc(found, near) {
		return body
	}
	if l.middle > 0 { // the rows between are needed
		l.needsAll = true
		return body
	}
	s := l.newSummer(body, width)
	if s.proveAll(body, found); len(s.strong) > 0 && slices.ContainsFunc(found, func(t totalRow) bool { return t.why == "" && s.strong[t.name] }) {
		strong := s.strong
		s = l.newSummer(body, width)
		s.strong = strong
		s.proveAll(body, found)
	}
	if many := len(found) > 3 && len(found)*4 > len(body); !many {
		l.notes = append(l.notes, s.notes...)
	}
	if s.work > mostWork {
		l.notes = append(l.notes,
			"there are more rows called totals than could be checked; the last ones were kept as rows")
	}
	l.keepTwins(body, found)
	left := l.without(body, found)
	for i := len(found) - 1; i >= 0; i-- {
		if found[i].why != "" {
			return l.cutSummaries(left, width, body[found[i].at].line)
		}
	}
	return left
}

// mostWork bounds the cells that are held against sums: about a second's work.
const mostWork = 5_000_000

// proveAll says of each row that is called a total what it is. What is none counts as an ordinary row.
func (s *summer) proveAll(body []csvRow, found []totalRow) {
	next := 0
	for i := range found {
		t := &found[i]
		s.add(body[next:t.at])
		next = t.at + 1
		if t.why = s.proves(body[t.at], t); t.why == "" {
			s.note(body[t.at], t)
			s.add(body[t.at:next])
		}
		if s.l.lim.Ended() != nil {
			return
		}
	}
}

// without leaves the proved totals out.
func (l *layout) without(body []csvRow, found []totalRow) []csvRow {
	found = slices.DeleteFunc(found, func(t totalRow) bool { return t.why == "" })
	if len(found) == 0 {
		return body
	}
	out := make([]csvRow, 0, len(body)-len(found))
	for i, r := range body {
		if len(found) > 0 && found[0].at == i {
			l.drop(r, found[0].why)
			found = found[1:]
			continue
		}
		out = append(out, r)
	}
	return out
}

// keepTwins keeps totals that are the same in several columns, of other rows each, with none of them all: the rows are
// one whole in two breakdowns, which the totals keep apart.
func (l *layout) keepTwins(body []csvRow, found []totalRow) {
	i := len(found) - 1
	for k := range max(i, 0) {
		a, b := &found[k], &found[i]
		if a.why == "" || b.why == "" || a.part || b.part || a.mean || b.mean || b.from < a.at || b.sums < 2 {
			continue
		}
		if slices.Equal(l.g.of(body[a.at])[a.label+1:], l.g.of(body[b.at])[b.label+1:]) {
			a.why, b.why = "", ""
			l.notes = append(l.notes,
				fmt.Sprintf("lines %d and %d are the same total of other rows each; they were kept, so sums over all "+
					"rows count twice", body[a.at].line, body[b.at].line))
		}
	}
}

// note warns of a row that is called a total and is none. A name that is not the row's first cell is a value like
// others.
func (s *summer) note(r csvRow, t *totalRow) {
	cells := s.l.g.of(r)
	if s.rows == 0 || t.unnamed() || !blankFrom(cells[:t.label], 0) {
		return
	}
	why := noteNoTotal
	if s.rows < totalSources {
		why = noteFewAbove
	}
	for _, c := range s.cols {
		if c > t.label && c < len(cells) && cells[c] != "" {
			s.notes = append(s.notes, fmt.Sprintf("line %d is called %q, %s", r.line,
				text.Clip(cells[t.label], 40), why))
			return
		}
	}
}

// What a report says of a row that is called a total.
const (
	noteNoTotal  = "but its numbers are not those of the rows above it together; it was kept as a row"
	noteFewAbove = "but there is one row above it; it was kept as a row"
)

// summer adds the numbers of rows up, column by column, so that each total can be held against the rows since any
// earlier one.
type summer struct {
	l      *layout
	cols   []int // those that hold numbers
	points []byte
	places []int // the most digits behind the point
	now    mark
	marks  []mark // where the rows of a total may begin; the first is the beginning
	rows   int
	last   csvRow          // the last row that was added
	strong map[string]bool // names of totals that several rows prove: others of the name may be those of single rows
	work   int             // cells held against sums
	notes  []string
}

// mark is a place between rows with the sums of the rows above it.
type mark struct {
	rows  int
	at    int // the row of the body behind it
	sums  []float64
	cells []int // numbers added
}

// pointOf is the decimal point of a column of numbers, by its first cells: a comma where more of them can be read so;
// false where few can.
func (l *layout) pointOf(body []csvRow, c int) (point byte, ok bool) {
	const few = 60
	filled, dots, commas := 0, 0, 0
	for _, r := range body[:min(len(body), few)] {
		cells := l.g.of(r)
		if c >= len(cells) || cells[c] == "" || infer.IsNullWord(cells[c]) {
			continue
		}
		filled++
		if _, _, ok := sumNumber(cells[c], '.'); ok {
			dots++
		}
		if _, _, ok := sumNumber(cells[c], ','); ok {
			commas++
		}
	}
	if commas > dots {
		return ',', commas*3 >= filled*2
	}
	return '.', dots > 0 && dots*3 >= filled*2
}
