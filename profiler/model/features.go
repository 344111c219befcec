package model

import (
	"math"
	"strings"
	"unicode"
)

// NumFeatures is how many numbers describe a column to the trees.
const NumFeatures = 132

// Base is how many of them Describe computes; the rest are the logits of the n-gram models, name before values.
const Base = NumFeatures - 2*NumKinds

// Describe puts the features of a column that need no learnt weights into out.
func (c *Column) Describe(out *[NumFeatures]float32) {
	r := row{out: out}
	var s cells
	s.read(c.Samples)
	c.counts(&r)
	s.shares(&r)
	s.forms(&r)
	c.name(&r)
	if r.at > Base {
		panic("model: more features than Base")
	}
	for r.at < Base {
		r.add(0)
	}
}

// counts describes the whole column.
func (c *Column) counts(r *row) {
	rows, nulls, kinds := float64(c.Rows), float64(c.Nulls), float64(c.Distinct)
	full := rows - nulls
	span := c.Max - c.Min
	numeric := c.Mean != 0 || c.Std != 0 || c.Min != 0 || c.Max != 0
	r.add(rows)
	r.add(nulls)
	r.add(ratio(nulls, rows))
	r.add(full)
	r.add(kinds)
	r.add(ratio(kinds, rows))
	r.add(ratio(kinds, full))
	r.add(full - kinds)
	r.flag(numeric)
	r.add(c.Mean)
	r.add(c.Std)
	r.add(c.Min)
	r.add(c.Max)
	r.add(span)
	r.add(ratio(span+1, kinds))
	r.add(ratio(c.Std, math.Abs(c.Mean)))
	r.add(ratio(c.Mean-c.Min, span))
	r.add(ratio(c.Std, span))
	r.flag(numeric && c.Min == math.Trunc(c.Min))
	r.flag(numeric && c.Max == math.Trunc(c.Max))
	r.add(math.Floor(math.Log10(max(1, math.Abs(c.Max)))))
	r.add(math.Floor(math.Log10(max(1, math.Abs(c.Max)))) - math.Floor(math.Log10(max(1, math.Abs(c.Min)))))
	r.add(ratio(c.Max, rows))
	r.add(ratio(c.Max, kinds))
	r.add(math.Abs(c.Mean - math.Round(c.Mean)))
}

// shares gives the parts of the samples that are something.
func (s *cells) shares(r *row) {
	for _, n := range [...]float64{s.numbers, s.whole, s.grouped, s.padded, s.exponent, s.united, s.money, s.percent,
		s.dates, s.instants, s.clocks, s.partial, s.years, s.small, s.sentinels,
		s.urls, s.http, s.emails + s.ips, s.uuids, s.geos, s.brackets, s.commas, s.semicolons, s.bars, s.slashes,
		s.quotes, s.codes, s.upper, s.sentences, s.capital, s.hashes, s.nulls,
		s.outlines, s.lengths, s.repeats} {
		r.add(ratio(n, s.n))
	}
	r.add(s.empty)
	r.add(s.n)
}

// forms describes lengths, characters and numbers of the samples.
func (s *cells) forms(r *row) {
	r.add(s.words.mean())
	r.add(s.words.std())
	r.add(s.words.max)
	r.add(s.words.min)
	r.add(s.chars.mean())
	r.add(s.chars.std())
	r.add(s.chars.max)
	r.add(s.chars.min)
	r.add(ratio(s.stops, s.n))
	r.add(ratio(s.wordLength, s.n))
	r.add(ratio(s.letters, s.bytes))
	r.add(ratio(s.digits, s.bytes))
	r.add(ratio(s.uppers, s.letters))
	r.add(ratio(s.puncts, s.bytes))
	r.add(ratio(s.spaces, s.bytes))
	r.add(s.values.mean())
	r.add(s.values.std())
	r.add(s.values.min)
	r.add(s.values.max)
	r.add(ratio(s.steps, s.values.n-1))
	r.add(s.first)
	r.add(s.last)
}

// nameMarks are texts whose place in a name is a feature.
var nameMarks = [...]string{"id", "date", "year", "time", "code", "name", "type", "num", "no", "unnamed", "is", "desc",
	"url", "rate", "total", "key", "zip", "lat", "age", "avg"}

// name describes the name by its letters and a few words.
func (c *Column) name(r *row) {
	var digits, letters, uppers, vowels, others float64
	for _, x := range c.Name {
		switch {
		case x >= '0' && x <= '9':
			digits++
		case unicode.IsLetter(x):
			letters++
			if unicode.IsUpper(x) {
				uppers++
			}
			if strings.ContainsRune("aeiouAEIOU", x) {
				vowels++
			}
		default:
			others++
		}
	}
	r.add(float64(len(c.Name)))
	r.add(digits)
	r.add(ratio(uppers, letters))
	r.add(ratio(vowels, letters))
	r.add(others)
	r.flag(strings.Contains(c.Name, " "))
	r.flag(strings.Contains(c.Name, "."))
	r.flag(c.Name != "" && c.Name[len(c.Name)-1]-'0' < 10)
	r.flag(c.Name != "" && c.Name[0]-'0' < 10)
	var buf [maxName]byte
	plain := folded(buf[:0], c.Name)
	for _, mark := range nameMarks {
		r.flag(hasWord(plain, mark))
	}
}

// hasWord reports whether a folded name has a word.
func hasWord(name []byte, word string) bool {
	for i := 0; i+len(word)+2 <= len(name); i++ {
		if name[i] == ' ' && string(name[i+1:i+1+len(word)]) == word && name[i+1+len(word)] == ' ' {
			return true
		}
	}
	return false
}
