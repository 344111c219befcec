package csv

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"catena/table"
)

// cheapest are the costs of the readings of the rest of a line by the number of their cells, found by trying all.
func cheapest(p *csvParser, pos, end int) map[int]int {
	costs := map[int]int{}
	try := func(to, cost int) {
		if to >= end {
			costs[1] = min(cost, orMost(costs, 1))
			return
		}
		for n, c := range cheapest(p, to+len(p.comma), end) {
			costs[n+1] = min(c+cost, orMost(costs, n+1))
		}
	}
	line := p.text[:end]
	at := pos
	for at < end && line[at] == ' ' {
		at++
	}
	cost := 0
	if at < end && line[at] == p.quote {
		cost = 1
		inner := 0
		for i := at + 1; i < end; i++ {
			if line[i] != p.quote {
				continue
			}
			if to, closed := p.closes(i + 1); closed {
				try(min(to, end), 4*inner)
			}
			if i+1 < end && line[i+1] == p.quote {
				i++
				continue
			}
			inner++
		}
	}
	to := p.bareEnd(pos, end)
	if at >= to {
		cost = 0
	}
	try(to, cost+2*strings.Count(line[pos:to], string(rune(p.quote))))
	return costs
}

func orMost(costs map[int]int, n int) int {
	if c, ok := costs[n]; ok {
		return c
	}
	return 1 << 30
}

// Lines are read in the way that takes the fewest quotes for text, one after another by the same reader.
func TestLineReader(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, comma := range []string{",", "||"} {
		var text strings.Builder
		for range 400 {
			for range 1 + r.IntN(5) {
				text.WriteString([]string{"x", `"`, `""`, `"a`, `b"`, comma, comma, " ", `"1` + comma + `2"`, "|"}[r.IntN(10)])
			}
			text.WriteByte('\n')
		}
		p := newParser(text.String(), dialect{comma: comma, quote: '"'}, table.DefaultLimits, "x.csv")
		for start := 0; start < len(p.text); {
			end := p.lineAt(start)
			costs := cheapest(p, start, end)
			for want := range 12 {
				p.line.begin(p, start, end)
				cells, cost, ok := p.line.read(want)
				wanted, possible := costs[want]
				if want == 0 {
					wanted, possible = leastOf(costs), true
				}
				if ok != possible || ok && (cost != wanted || want > 0 && len(cells) != want) {
					t.Errorf("%q in %d cells: %q for %d, %v; want %d, %v", p.text[start:end], want, cells, cost, ok, wanted, possible)
				}
			}
			start = end + 1
		}
	}
}

func leastOf(costs map[int]int) int {
	least := 1 << 30
	for _, c := range costs {
		least = min(least, c)
	}
	return least
}

// A text of lines that are read anew is read in the memory of the first: what each takes are its cells.
func TestLineReaderUsesMemoryAgain(t *testing.T) {
	line := strings.Repeat(`"x,"1,`, 30) + `"y`
	p := newParser(line, dialect{comma: ",", quote: '"'}, table.DefaultLimits, "x.csv")
	var cells []string
	read := func() {
		p.line.begin(p, 0, len(line))
		cells, _, _ = p.line.read(0)
	}
	read()
	first := slices.Clone(cells)
	if n := testing.AllocsPerRun(20, read); n > 1 {
		t.Errorf("%v pieces of memory for a line; want 1, of its cells", n)
	}
	if !slices.Equal(cells, first) {
		t.Errorf("the second time %q, the first %q", cells, first)
	}
}
