package model

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"catena/profiler/shape"
)

// Column is what the model reads of a column.
type Column struct {
	Name    string
	Samples []string // a few cells as text, the first distinct ones; the empty ones count as null. Five are looked at
	Rows    int
	Nulls   int
	// Distinct cells, null apart.
	Distinct int
	// Mean, standard deviation and extremes of numbers; 0 for columns of anything else.
	Mean, Std, Min, Max float64
}

const (
	maxSamples = 5
	maxCell    = 400 // bytes of a cell that are looked at
)

// row collects features.
type row struct {
	at  int
	out *[NumFeatures]float32
}

func (r *row) add(x float64) {
	if math.IsNaN(x) {
		x = 0
	}
	r.out[r.at] = float32(min(max(x, -math.MaxFloat32), math.MaxFloat32))
	r.at++
}

func (r *row) flag(b bool) {
	if b {
		r.out[r.at] = 1
	} else {
		r.out[r.at] = 0
	}
	r.at++
}

// cells sums up what the sampled cells are.
type cells struct {
	n, empty                                                               float64 // cells with and without text
	numbers, whole, grouped, padded, exponent, united, money, percent      float64
	dates, instants, clocks, partial, years, small, sentinels              float64
	urls, emails, ips, uuids, geos, brackets, commas, semicolons, bars     float64
	slashes, quotes, codes, upper, sentences, capital, hashes, nulls, http float64
	letters, digits, uppers, puncts, spaces, bytes, stops                  float64
	words, chars                                                           moments
	values                                                                 moments
	first, last                                                            float64 // numbers
	// numbers that are one more than the one before
	steps                      float64
	outlines, lengths, repeats float64 // of the first cell
	wordLength                 float64
}

// moments of a few numbers.
type moments struct{ n, sum, squares, min, max float64 }

func (m *moments) add(x float64) {
	if m.n == 0 {
		m.min, m.max = x, x
	}
	m.n++
	m.sum += x
	m.squares += x * x
	m.min, m.max = min(m.min, x), max(m.max, x)
}

func (m *moments) mean() float64 { return ratio(m.sum, m.n) }

func (m *moments) std() float64 {
	mean := m.mean()
	return math.Sqrt(max(0, ratio(m.squares, m.n)-mean*mean))
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// read sums up the samples of a column.
func (s *cells) read(samples []string) {
	var first string
	var outline shape.Outline
	for i, x := range samples {
		if i == maxSamples {
			break
		}
		x = strings.TrimSpace(x)
		if len(x) > maxCell {
			x = x[:maxCell]
		}
		if x == "" {
			s.empty++
			continue
		}
		if s.n == 0 {
			first, outline = x, shape.OutlineOf(x)
		}
		s.n++
		if x == first {
			s.repeats++
		}
		if shape.OutlineOf(x) == outline {
			s.outlines++
		}
		if len(x) == len(first) {
			s.lengths++
		}
		s.cell(x)
		s.count(x)
	}
}

// tell counts what is so.
func tell(n *float64, is bool) {
	if is {
		*n++
	}
}

// cell says what one text is.
func (s *cells) cell(x string) {
	if n, ok := shape.ReadNumber(x); ok && (n.Before == "" || strings.ContainsAny(n.Before, "$€£¥₹")) {
		s.number(n)
	}
	switch shape.Date(x) {
	case shape.Day, shape.Month:
		s.dates++
	case shape.Instant:
		s.dates++
		s.instants++
	case shape.Clock:
		s.clocks++
	case shape.Partial:
		s.partial++
	}
	tell(&s.urls, shape.URL(x))
	tell(&s.http, strings.Contains(x, "http"))
	tell(&s.emails, strings.Contains(x, "@") && shape.Email(x))
	tell(&s.ips, shape.IP(x))
	tell(&s.uuids, shape.UUID(x))
	tell(&s.geos, shape.Geo(x))
	tell(&s.brackets, x[0] == '[' || x[0] == '{' || x[0] == '(')
	tell(&s.commas, strings.Contains(x, ","))
	tell(&s.semicolons, strings.Contains(x, ";"))
	tell(&s.bars, strings.Contains(x, "|"))
	tell(&s.slashes, strings.Contains(x, "/"))
	tell(&s.quotes, strings.ContainsAny(x, `"'`))
	tell(&s.codes, shape.Code(x))
	tell(&s.upper, x == strings.ToUpper(x) && strings.ContainsFunc(x, unicode.IsLetter))
	last := x[len(x)-1]
	tell(&s.sentences, strings.Contains(x, " ") &&
		(last == '.' || last == '!' || last == '?' || strings.Contains(x, ". ")))
	tell(&s.capital, x[0] >= 'A' && x[0] <= 'Z')
	tell(&s.hashes, x[0] == '#')
	tell(&s.nulls, strings.Contains(strings.ToLower(x), "null") || strings.EqualFold(x, "na") ||
		strings.EqualFold(x, "n/a") || strings.EqualFold(x, "none") || x == "-" || x == ".")
}

// number says what kind of number a cell is.
func (s *cells) number(n shape.Number) {
	switch {
	case n.Before != "":
		s.money++
	case n.After == "%":
		s.percent++
	case n.After != "":
		s.united++
	default:
		s.numbers++
		tell(&s.whole, n.Whole)
		tell(&s.years, n.Whole && !n.Grouped && n.Value >= 1900 && n.Value <= 2100)
		tell(&s.small, n.Whole && n.Value >= 0 && n.Value <= 10)
		tell(&s.sentinels, n.Value == -99 || n.Value == -1 || n.Value == 99 || n.Value == 999 || n.Value == 9999 ||
			n.Value == -9999)
		if s.values.n == 0 {
			s.first = n.Value
		} else {
			tell(&s.steps, n.Value == s.last+1)
		}
		s.last = n.Value
		s.values.add(n.Value)
	}
	tell(&s.grouped, n.Grouped)
	tell(&s.padded, n.Padded)
	tell(&s.exponent, n.Exponent)
}

// count counts characters and words.
func (s *cells) count(x string) {
	words, in, from := 0.0, false, 0
	for i, r := range x {
		s.bytes++
		switch {
		case r >= '0' && r <= '9':
			s.digits++
		case unicode.IsLetter(r):
			s.letters++
			if unicode.IsUpper(r) {
				s.uppers++
			}
		case r == ' ' || r == '\t' || r == '\n':
			s.spaces++
			if in {
				tell(&s.stops, stopWord(x[from:i]))
			}
			in = false
			continue
		default:
			s.puncts++
		}
		if !in {
			words++
			in, from = true, i
		}
	}
	tell(&s.stops, in && stopWord(x[from:]))
	s.words.add(words)
	chars := float64(utf8.RuneCountInString(x))
	s.chars.add(chars)
	s.wordLength += chars / max(words, 1)
}

// stopWord reports whether a word is one of the commonest of English.
func stopWord(w string) bool {
	switch w {
	case "the", "The", "a", "A", "an", "and", "of", "to", "in", "In", "for", "is", "on", "that", "by", "this", "This",
		"with", "i", "I", "you", "it", "not", "or", "be", "are", "from", "at", "as", "your", "all", "have", "was",
		"were", "has", "had", "but", "we", "We", "they", "he", "He", "she", "his", "her", "their", "its", "It", "which",
		"who", "will", "would", "can", "about", "than", "been", "if", "no", "so":
		return true
	}
	return false
}
