package csv

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"catena/internal/text"
	"catena/table/infer"
)

// summaryKind is what a row below the others says of them.
type summaryKind uint8

const (
	noSummary summaryKind = iota
	ofTotal
	ofMean
	ofLeast
	ofMost
	ofMedian
	ofCount
	ofDeviation
)

// summaryNames are the names of rows that hold one figure of each column, in lower case.
var summaryNames = func() map[string]summaryKind {
	out := map[string]summaryKind{}
	for kind, names := range map[summaryKind]map[string]bool{
		ofTotal: totals, ofMean: averages,
		ofLeast: text.Set("min|min.|minimum|lowest|smallest"), ofMost: text.Set("max|max.|maximum|highest|largest"),
		ofMedian:    text.Set("median|médiane|mediana"),
		ofCount:     text.Set("count|n|number|anzahl|nombre"),
		ofDeviation: text.Set("std|sd|std dev|std. dev.|stdev|stddev|standard deviation|standardabweichung|écart-type"),
	} {
		for name := range names {
			out[name] = kind
		}
	}
	return out
}()

func (l *layout) summaryOf(r csvRow) summaryKind {
	const longest = 30
	cells := l.g.of(r)
	if len(cells) == 0 || len(cells[0]) > longest {
		return noSummary
	}
	return summaryNames[strings.ToLower(strings.TrimRight(cells[0], ": "))]
}

// why says why a row of the kind is left out.
func (k summaryKind) why() string {
	switch k {
	case ofTotal:
		return DropTotal
	case ofMean:
		return DropMean
	case ofLeast, ofMost:
		return DropExtreme
	}
	return DropFigure
}

// cutSummaries leaves out the last rows that hold the least, the most, the median, the number of all columns and the
// like. Max is also a person, so rows of two kinds have to prove it together, or a total that was left out at or beside
// them, whose line is cut; -1 for none.
func (l *layout) cutSummaries(body []csvRow, width, cut int) []csvRow {
	const most, cells = 8, mostWork / 10
	from, own := len(body), false
	for from > 0 && len(body)-from < most {
		kind := l.summaryOf(body[from-1])
		if kind == noSummary {
			break
		}
		own = own || kind > ofMean
		from--
	}
	if !own || from < 2 || from*width > cells {
		return body
	}
	if l.middle > 0 { // the rows between are needed
		l.needsAll = true
		return body
	}
	s := &summarizer{l: l, body: body[:from], columns: map[int]*columnFigures{}}
	kinds := map[summaryKind]bool{}
	var proved []csvRow
	for _, r := range body[from:] {
		if kind := l.summaryOf(r); s.fits(r, kind, width) {
			kinds[kind] = true
			proved = append(proved, r)
		}
	}
	beside := cut > body[from-1].line && cut <= body[len(body)-1].line+1
	if few := len(kinds) < 2 || len(proved)*2 <= len(body)-from; few && (len(proved) == 0 || !beside) {
		if cut < 0 && len(proved) == 1 && l.summaryOf(proved[0]) > ofMean {
			l.notes = append(l.notes,
				fmt.Sprintf("line %d, %q, may sum the rows above it up, but no other row proves it; it was kept as a "+
					"row", proved[0].line, text.Clip(l.g.of(proved[0])[0], 40)))
		}
		return body
	}
	out := slices.Clone(body[:from])
	for _, r := range body[from:] {
		if slices.ContainsFunc(proved, func(p csvRow) bool { return p.line == r.line }) {
			l.drop(r, l.summaryOf(r).why())
			continue
		}
		if out = append(out, r); l.summaryOf(r) <= ofMean { // what is called a total is held against the rows once more
			continue
		}
		l.notes = append(l.notes, fmt.Sprintf("line %d is called %q, "+noteNoTotal, r.line,
			text.Clip(l.g.of(r)[0], 40)))
	}
	return out
}

// summarizer holds the figures of the rows above those that may sum them up.
type summarizer struct {
	l       *layout
	body    []csvRow
	columns map[int]*columnFigures
}

// columnFigures are the numbers of one column.
type columnFigures struct {
	point   byte
	numeric bool
	filled  int
	sorted  []float64
	places  int // the most digits behind the point
	sum     float64
}

func (s *summarizer) column(c int) *columnFigures {
	if f := s.columns[c]; f != nil {
		return f
	}
	f := &columnFigures{}
	f.point, f.numeric = s.l.pointOf(s.body, c)
	for _, r := range s.body {
		cells := s.l.g.of(r)
		if c >= len(cells) || cells[c] == "" || infer.IsNullWord(cells[c]) {
			continue
		}
		f.filled++
		if n, places, ok := sumNumber(cells[c], f.point); ok && f.numeric {
			f.sorted = append(f.sorted, n)
			f.places = max(f.places, places)
			f.sum += n
		}
	}
	slices.Sort(f.sorted)
	s.columns[c] = f
	return f
}

// fits holds each cell of a row against the figure of its column.
func (s *summarizer) fits(r csvRow, kind summaryKind, width int) bool {
	cells := s.l.g.of(r)
	proved := 0
	for c := 1; c < min(width, len(cells)); c++ {
		if cells[c] == "" || infer.IsNullWord(cells[c]) {
			continue
		}
		f := s.column(c)
		if kind == ofCount {
			if cells[c] != strconv.Itoa(f.filled) {
				return false
			}
		} else if !f.numeric || !f.is(cells[c], kind) {
			return false
		}
		proved++
	}
	return proved > 0
}

// is reports whether a cell holds a figure of the column.
func (f *columnFigures) is(cell string, kind summaryKind) bool {
	n, places, ok := sumNumber(cell, f.point)
	count := len(f.sorted)
	if !ok || count == 0 {
		return false
	}
	switch kind {
	case ofTotal:
		_, ok = SumDigits(n, f.sum, math.Pow10(-max(places, f.places)), count)
		return ok
	case ofMean:
		return isMean(n, places, f.sum, count)
	case ofLeast:
		return n == f.sorted[0]
	case ofMost:
		return n == f.sorted[count-1]
	case ofMedian:
		return isMean(n, places, f.sorted[(count-1)/2]+f.sorted[count/2], 2)
	case ofDeviation:
		return f.deviates(n, places)
	}
	return false
}

// deviates reports whether a number is the standard deviation of the column, of a sample or of all, as far as its
// digits go.
func (f *columnFigures) deviates(n float64, places int) bool {
	count := float64(len(f.sorted))
	mean, squares := f.sum/count, 0.0
	for _, v := range f.sorted {
		squares += (v - mean) * (v - mean)
	}
	of := func(by float64) bool { return isMean(n, places, math.Sqrt(squares/by), 1) }
	return squares > 0 && (of(count) || of(count-1))
}
