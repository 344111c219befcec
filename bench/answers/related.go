package answers

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Table is a table of an answer.
type Table struct {
	Rows [][]any `json:"rows"`
	// Percent says of each column how its percentages are written: "points" (43 is shown as 43 %), "ratio" (.43 is),
	// or "". It may be shorter than the rows.
	Percent []string `json:"percent"`
}

// Right reports whether one of several golds is in an answer, by the rule of score_related.py. prose is the answer's
// text, which counts where no table has rows.
func Right(golds []Gold, tables []Table, prose string) bool {
	said := false
	for _, t := range tables {
		said = said || len(t.Rows) > 0
		for _, rows := range t.readings() {
			if len(rows) > 0 && slices.ContainsFunc(golds, func(g Gold) bool { return g.Match(rows) }) {
				return true
			}
		}
	}
	return !said && slices.ContainsFunc(golds, func(g Gold) bool {
		return len(g.Rows) == 1 && len(g.Rows[0]) == 1 && onlyValue(g.Rows[0][0], prose)
	})
}

// readings are the rows of a table, and where it has percentages the rows with those as the other of percent and ratio.
func (t Table) readings() [][][]any {
	out := [][][]any{t.Rows}
	marked := slices.ContainsFunc(t.Percent, func(s string) bool { return s != "" })
	other := make([][]any, len(t.Rows))
	for i, row := range t.Rows {
		other[i] = make([]any, len(row))
		for j, v := range row {
			kind := ""
			if j < len(t.Percent) {
				kind = t.Percent[j]
			}
			other[i][j] = otherPercent(v, kind)
			marked = marked || isPercent(v)
		}
	}
	if marked {
		out = append(out, other)
	}
	return out
}

func isPercent(v any) bool {
	s, ok := v.(string)
	return ok && strings.HasSuffix(strings.TrimSpace(s), "%")
}

// otherPercent is a percentage as a ratio, or a ratio that is shown as percent as that.
func otherPercent(v any, kind string) any {
	text, n := isPercent(v), normal(v)
	switch {
	case n.kind != "num" || kind == "" && !text:
		return v
	case kind == "ratio" && !text:
		return n.num * 100
	}
	return n.num / 100
}

var (
	afterColon = regexp.MustCompile(`:\s*\**([^:*\n]+?)\**\s*$`)
	inProse    = regexp.MustCompile(`-?\d[\d,]*(?:\.\d+)?(?:\s?%)?`)
)

// onlyValue reports whether a cell is the only value of a text: what is behind the colon of its first line, or that
// line's only number.
func onlyValue(v any, prose string) bool {
	line, _, _ := strings.Cut(strings.TrimSpace(prose), "\n")
	var said []string
	if m := afterColon.FindStringSubmatch(line); m != nil {
		said = m[1:]
	} else {
		said = numbersIn(line)
	}
	if len(said) != 1 {
		return false
	}
	gold := normal(v)
	for _, rows := range (Table{Rows: [][]any{{said[0]}}}).readings() {
		if equal(gold, normal(rows[0][0]), 1e-6) {
			return true
		}
	}
	return false
}

// numbersIn are the numbers of a line that stand apart from words and other numbers.
func numbersIn(line string) []string {
	const joins = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	var out []string
	for _, at := range inProse.FindAllStringIndex(line, -1) {
		before, after := "", ""
		if at[0] > 0 {
			before = line[at[0]-1 : at[0]]
		}
		if at[1] < len(line) {
			after = line[at[1] : at[1]+1]
		}
		if !strings.Contains(joins+".,", cmp.Or(before, " ")) && !strings.Contains(joins, cmp.Or(after, " ")) {
			out = append(out, line[at[0]:at[1]])
		}
	}
	return out
}

// Verdict is how sure an answer was, and whether it was wrong.
type Verdict struct {
	Confidence float64
	Wrong      bool
}

// AURC is the area under the risk-coverage curve of answers, taken from the surest on, and the least that it could be
// with as many wrong ones. Equal confidences count together. Without answers both are 0.
func AURC(list []Verdict) (area, best float64) {
	if len(list) == 0 {
		return 0, 0
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Verdict) int { return cmp.Compare(b.Confidence, a.Confidence) })
	taken, wrong := 0.0, 0.0
	for from, to := 0, 0; from < len(list); from = to {
		bad := 0.0
		for ; to < len(list) && list[to].Confidence == list[from].Confidence; to++ {
			if list[to].Wrong {
				bad++
			}
		}
		n := float64(to - from)
		for j := 1.0; j <= n; j++ {
			area += (wrong + bad*j/n) / (taken + j)
		}
		taken, wrong = taken+n, wrong+bad
	}
	for i := 1.0; i <= taken; i++ {
		best += max(0, i-taken+wrong) / i
	}
	return area / taken, best / taken
}
