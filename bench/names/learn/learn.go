// Package learn counts what a model of column names is made of, from names with their labels of many public sources.
package learn

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"catena/profiler/names"
)

// Example is a column's name with what it stands for.
type Example struct {
	Name, Gold string
	Source     string
	Weight     float32 // how often it counts
}

// mostOfSource is how many examples one source counts as at most.
const mostOfSource = 1500

// Read reads the files that bench/names/pairs wrote, but those of left-out sources. A source is the owner of
// repositories, or a package of the archive of R, where one owner stands for all.
func Read(dir string, leftOut func(source string) bool) ([]Example, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.tsv"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("names: no pairs in %s (go -C bench run ./names/pairs writes them): %w", dir, err)
	}
	var out []Example
	sizes := map[string]int{}
	for _, f := range files {
		source := Source(f)
		if leftOut != nil && leftOut(source) {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, fmt.Errorf("names: pairs: %w", err)
		}
		for line := range strings.Lines(string(text)) {
			name, label, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			out = append(out, Example{Name: name, Gold: label, Source: source})
			sizes[source]++
		}
	}
	for i := range out {
		out[i].Weight = min(1, mostOfSource/float32(sizes[out[i].Source]))
	}
	return out, nil
}

// Source is the source of a file of pairs.
func Source(path string) string {
	owner, name, _ := strings.Cut(strings.TrimSuffix(filepath.Base(path), ".tsv"), "+")
	if owner == "cran" {
		return name
	}
	return owner
}

// leastSources is in how many sources a word, a pair of words and a short form must stand to be learnt.
const leastSources = 2

// leastPhrase is in how many sources a short form must stand for several words.
const leastPhrase = 3

// leastStrange is in how many sources a word must stand that no list of English words has.
const leastStrange = 4

// Counts are the counts of examples: of what at least two sources have.
func Counts(examples []Example, lists string) (*names.Counts, error) {
	aligned := alignAll(examples)
	shortForms := shortened(aligned)
	aligned = slices.DeleteFunc(aligned, func(x alignedExample) bool {
		return slices.ContainsFunc(x.words, shortForms.has)
	})
	c := count(aligned, func(a alignedExample) float32 { return a.Weight })
	c.Channel = channel(aligned)
	support := names.NewCounts()
	for _, of := range bySource(aligned) {
		one := count(of, func(alignedExample) float32 { return 1 })
		addSupport(support, one)
	}
	addLabels(c, support, examples, shortForms)
	english := names.NewCounts()
	if err := addLists(english, lists); err != nil {
		return nil, err
	}
	prune(c, support)
	for w := range c.Words { // a word of no dictionary is a name run together, unless many say it
		if support.Words[w] < leastStrange && english.Words[w] == 0 {
			delete(c.Words, w)
		}
	}
	for w, n := range english.Words {
		c.Words[w] += n
	}
	for w := range c.Words {
		if shortForms.has(w) && english.Words[w] < commonWord { // ship is a word, and short for shipment
			delete(c.Words, w)
		}
	}
	dropUnknown(c)
	return c, nil
}

// dropUnknown takes out what has words that are not in the vocabulary.
func dropUnknown(c *names.Counts) {
	known := func(words ...string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { _, ok := c.Words[w]; return w != "" && !ok })
	}
	maps.DeleteFunc(c.Pairs, func(k [2]string, _ float32) bool { return !known(k[:]...) })
	maps.DeleteFunc(c.Triples, func(k [3]string, _ float32) bool { return !known(k[:]...) })
	maps.DeleteFunc(c.Skips, func(w string, _ float32) bool { return !known(w) })
	for piece, senses := range c.Pieces {
		maps.DeleteFunc(senses, func(words string, _ float32) bool { return !known(strings.Fields(words)...) })
		if len(senses) == 0 {
			delete(c.Pieces, piece)
		}
	}
}

// labelShare is how much a label counts as words one behind the other that does not say what its name says.
const labelShare = 0.3

// addLabels counts the words of all labels that are written out.
func addLabels(c, support *names.Counts, examples []Example, shortForms senseCounts) {
	bySource := map[string]*names.Counts{}
	for _, x := range examples {
		words := strings.Fields(names.Norm(x.Gold))
		if slices.ContainsFunc(words, shortForms.has) {
			continue
		}
		c.AddExpansion(words, labelShare*x.Weight)
		if bySource[x.Source] == nil {
			bySource[x.Source] = names.NewCounts()
		}
		bySource[x.Source].AddExpansion(words, 1)
	}
	for _, one := range bySource {
		addSupport(support, one)
	}
}

// senseCounts says in how many sources a token stands for itself and for a longer word.
type senseCounts map[string]*struct{ itself, longer int }

// shortened counts the tokens of names: what a source writes out elsewhere is a short form, and a label that has it is
// not written out.
func shortened(list []alignedExample) senseCounts {
	out := senseCounts{}
	for _, of := range bySource(list) {
		seen := map[string][2]bool{}
		for _, x := range of {
			for _, p := range x.pieces {
				if !p.Whole || p.Piece == "" {
					continue
				}
				s := seen[p.Piece]
				s[0] = s[0] || p.Piece == p.Word
				s[1] = s[1] || p.Piece != p.Word && !inflected(p.Piece, p.Word)
				seen[p.Piece] = s
			}
		}
		for token, s := range seen {
			if out[token] == nil {
				out[token] = &struct{ itself, longer int }{}
			}
			if s[0] {
				out[token].itself++
			}
			if s[1] {
				out[token].longer++
			}
		}
	}
	return out
}

// inflected reports whether a word is another with an ending.
func inflected(short, long string) bool {
	return len(long)-len(short) <= 3 && len(short) >= 4 && strings.HasPrefix(long, short[:len(short)-1])
}

// has reports whether a word is a short form.
func (s senseCounts) has(word string) bool {
	n := s[word]
	return n != nil && n.longer >= leastSources && 2*n.longer >= n.itself
}

// alignedExample is an example with which piece of the name was written for which word.
type alignedExample struct {
	Example
	words  []string
	pieces []names.Aligned
}

// alignAll aligns the examples whose labels say what the names say, word by word; the others are left out.
func alignAll(examples []Example) []alignedExample {
	first := names.FirstChannel()
	aligner := names.NewAligner(&first)
	var out []alignedExample
	for _, x := range examples {
		words := strings.Fields(names.Norm(x.Gold))
		pieces, ok := aligner.Align(x.Name, words)
		switch {
		case ok && explains(pieces):
			out = append(out, alignedExample{x, words, pieces})
		case len(words) > 0:
			out = append(out, alignedExample{x, nil, inAnyOrder(x.Name, words)})
		}
	}
	return out
}

// explains reports whether an alignment is believable: no word of the label is left out but small ones, and pieces
// that are single letters begin their words.
func explains(pieces []names.Aligned) bool {
	for _, p := range pieces {
		switch {
		case p.Piece == "" && !names.Small(p.Word):
			return false
		case p.Piece != "" && p.Piece[0] != p.Word[0]:
			return false
		}
	}
	return true
}

// inAnyOrder finds the words of a label that tokens of the name are short for, where the label orders or adds words:
// one word alone of the label may be what a token stands for. When one token and one word with the same first letter
// are left over, they belong together, as no and number do.
func inAnyOrder(name string, words []string) []names.Aligned {
	var out []names.Aligned
	var left []string
	rest := slices.Clone(words)
	tokens := names.Tokens(name)
	for _, token := range tokens {
		w := onlyLong(token, words)
		if w == "" {
			left = append(left, token)
			continue
		}
		out = append(out, names.Aligned{Word: w, Piece: token, Whole: true})
		rest = slices.DeleteFunc(rest, func(x string) bool { return x == w })
	}
	oneEach := len(tokens) > 1 && len(left) == 1 && len(rest) == 1
	if oneEach && len(left[0]) > 1 && left[0][0] == rest[0][0] {
		out = append(out, names.Aligned{Word: rest[0], Piece: left[0], Whole: true})
	}
	return out
}

// onlyLong is the one of the words that a token may stand for; "" when there are several, or none.
func onlyLong(token string, words []string) string {
	found := ""
	for _, w := range words {
		if len(token) < 2 || token[0] != w[0] || token != w && !names.Subsequence(token, w) {
			continue
		}
		if found != "" && found != w {
			return ""
		}
		found = w
	}
	return found
}

func bySource(list []alignedExample) map[string][]alignedExample {
	out := map[string][]alignedExample{}
	for _, x := range list {
		out[x.Source] = append(out[x.Source], x)
	}
	return out
}

func count(list []alignedExample, weight func(alignedExample) float32) *names.Counts {
	c := names.NewCounts()
	for _, x := range list {
		w := weight(x)
		if len(x.words) > 0 {
			c.AddExpansion(x.words, w)
		}
		addPieces(c, x.Name, x.pieces, w)
	}
	return c
}

// addPieces counts the pieces of one name, and each token that stands for several words.
func addPieces(c *names.Counts, name string, aligned []names.Aligned, weight float32) {
	ends := map[int]bool{0: true}
	at := 0
	for _, t := range names.Tokens(name) {
		at += len(t)
		ends[at] = true
	}
	for i, a := range aligned {
		if a.Piece == "" {
			c.Skips[a.Word] += weight
			continue
		}
		c.AddPiece(a.Piece, a.Word, weight)
		if a.Whole || !ends[a.From] {
			continue
		}
		words := []string{a.Word}
		for _, b := range aligned[i+1:] {
			words = append(words, b.Word)
			if len(words) > mostPhrase {
				break
			}
			if b.Piece != "" && ends[b.To] {
				c.AddPiece(strings.ToLower(squashed(aligned[i:i+len(words)])), strings.Join(words, " "), weight)
				break
			}
		}
	}
}

// mostPhrase is how many words a token stands for at most.
const mostPhrase = 6

// squashed are pieces one behind the other.
func squashed(list []names.Aligned) string {
	var b strings.Builder
	for _, a := range list {
		b.WriteString(a.Piece)
	}
	return b.String()
}

// addSupport counts one source for everything that it has.
func addSupport(support, one *names.Counts) {
	for k := range one.Words {
		support.Words[k]++
	}
	for k := range one.Pairs {
		support.Pairs[k]++
	}
	for k := range one.Triples {
		support.Triples[k]++
	}
	for k := range one.Skips {
		support.Skips[k]++
	}
	for piece, senses := range one.Pieces {
		for words := range senses {
			support.AddPiece(piece, words, 1)
		}
	}
}

// prune takes out what too few sources have.
func prune(c, support *names.Counts) {
	few(c.Words, support.Words)
	few(c.Pairs, support.Pairs)
	few(c.Triples, support.Triples)
	few(c.Skips, support.Skips)
	for piece, senses := range c.Pieces {
		few(senses, support.Pieces[piece])
		maps.DeleteFunc(senses, func(words string, _ float32) bool { // a phrase is easily read into a name
			return strings.Contains(words, " ") && support.Pieces[piece][words] < leastPhrase
		})
		if len(senses) == 0 {
			delete(c.Pieces, piece)
		}
	}
}

func few[K comparable](counts, support map[K]float32) {
	for k := range counts {
		if support[k] < leastSources {
			delete(counts, k)
		}
	}
}

// channel learns how words are shortened, each short form of a word once.
func channel(list []alignedExample) names.Channel {
	first := names.FirstChannel()
	aligner := names.NewAligner(&first)
	var counts names.ChannelCounts
	seen := map[string]bool{}
	for _, x := range list {
		for _, a := range x.pieces {
			if k := a.Piece + " " + a.Word; a.Piece != "" && !seen[k] {
				seen[k] = true
				counts.Add(aligner, a.Piece, a.Word, 1)
			}
		}
	}
	return counts.Channel(&first)
}
