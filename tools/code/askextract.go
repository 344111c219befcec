package code

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/tools/code/redact"
)

// An answer is found when its best passage holds this share of the question's words, or a symbol is called as the question
// calls it. Below, the nearest place is named and the answer says that it is none.
//
// With most of the words the best passage is sure to be about the same thing.
const (
	enough = 0.5
	most   = 0.8
)

// extract answers a question by quoting what was read: for each passage, best first, what its comment says it does, its
// signature, and the lines of code that hold most of the question's words.
func extract(question string, read []passage) answer {
	words := keyWords(question)
	if len(read) == 0 || len(words) == 0 {
		return notFound(read, words)
	}
	ranked := make([]rated, len(read))
	weights := rareness(words, read)
	for i := range read {
		p := read[i]
		ranked[i] = rated{p, share(words, weights, p.words())}
	}
	best := slices.MaxFunc(ranked, func(a, b rated) int { return cmp.Compare(a.cover, b.cover) })
	if best.cover < enough && !(read[0].confidence == confidenceHigh && ranked[0].cover > 0) {
		return notFound(read, words)
	}
	tests := slices.Contains(words, "test")
	slices.SortStableFunc(ranked, func(a, b rated) int { return cmp.Compare(b.worth(tests), a.worth(tests)) })
	ans := answer{found: true, confidence: confidenceLow}
	var out strings.Builder
	for _, p := range ranked {
		if len(ans.quotes) >= askQuotes || p.cover < enough/2 && len(ans.quotes) > 0 {
			continue
		}
		ans.quotes = append(ans.quotes, p.tell(&out, words, weights)...)
	}
	ans.quotes = append(ans.quotes, chain(&out, ranked)...)
	ans.text = strings.TrimRight(out.String(), "\n")
	first := ans.quotes[0]
	ans.lead = fmt.Sprintf("The best place is %s at %s: %s", cmp.Or(first.Symbol, first.Path), first.Cite, text.Clip(first.Text, 200))
	switch top := ranked[0]; {
	case top.cover >= most && top.confidence == confidenceHigh:
		ans.confidence = confidenceHigh
	case top.cover >= most && len(words) > 1, top.cover >= enough && top.confidence != confidenceLow:
		ans.confidence = confidenceMedium
	}
	return ans
}

// rated is a passage with the share of the question's words that it holds, the rare ones weighing more.
type rated struct {
	passage
	cover float64
}

// worth orders passages: by what they hold, by how the search rated them, and the later a hop the lower. Tests tell how something
// is used, not how it works, so they come after the rest unless they are asked about.
func (p rated) worth(tests bool) float64 {
	w := p.cover + 0.5*p.score - 0.1*float64(p.hop)
	if p.test && !tests {
		w -= 0.25
	}
	return w
}

// chain tells what the best passage calls, and what that calls in turn: how it works goes on there, in other words than the
// question's.
func chain(out *strings.Builder, ranked []rated) []quote {
	var quotes []quote
	reached := map[string]bool{ranked[0].symbol: ranked[0].symbol != ""}
	for range askHops {
		for _, p := range ranked {
			if !reached[p.via] || reached[p.symbol] || p.cover >= enough/2 || len(quotes) >= askBranch {
				continue
			}
			reached[p.symbol] = true
			said, c := redact.Text(cmp.Or(firstSentences(p.doc, 1, 200), p.signature)), cite(p.path, p.docLine)
			fmt.Fprintf(out, "- it goes on in `%s`: %s %s\n", p.symbol, inline(said), inBrackets(c))
			quotes = append(quotes, quote{Path: p.path, Line: p.docLine, EndLine: p.line, Cite: c, Symbol: p.symbol, Text: said, Hop: p.hop})
		}
	}
	return quotes
}

// tell writes what a passage says and returns the quotes.
func (p rated) tell(out *strings.Builder, words []string, weights map[string]float64) []quote {
	var quotes []quote
	put := func(line, end int, text string) string {
		c := cite(p.path, line)
		quotes = append(quotes, quote{Path: p.path, Line: line, EndLine: end, Cite: c, Symbol: p.symbol, Text: redact.Text(text), Hop: p.hop})
		return c
	}
	name := p.symbol
	if name == "" {
		name = p.path
	}
	switch said := firstSentences(p.doc, 2, 300); {
	case said != "":
		fmt.Fprintf(out, "- `%s`: %s %s\n", name, inline(redact.Text(said)), inBrackets(put(p.docLine, p.line, said)))
	case p.signature != "":
		fmt.Fprintf(out, "- `%s`: `%s` %s\n", name, code(redact.Text(p.signature)), inBrackets(put(p.line, p.line, p.signature)))
	default:
		fmt.Fprintf(out, "- `%s`:\n", name)
	}
	for _, l := range p.tellingLines(words, weights, 2) {
		fmt.Fprintf(out, "  - `%s` %s\n", code(redact.Text(l.text)), inBrackets(put(l.number, l.number, l.text)))
	}
	if len(quotes) == 0 {
		first := firstLine(p.text)
		fmt.Fprintf(out, "  - `%s` %s\n", code(redact.Text(first)), inBrackets(put(p.start, p.start, first)))
	}
	return quotes
}

// numbered is a line of a file.
type numbered struct {
	number int
	text   string
	cover  float64
}

// tellingLines are the lines of a passage that hold most of the words, in their order. The declaration itself and its comment
// have been told already.
func (p passage) tellingLines(words []string, weights map[string]float64, limit int) []numbered {
	var lines []numbered
	for i, text := range strings.Split(p.text, "\n") {
		n := p.start + i
		text = strings.TrimSpace(text)
		if n == p.line && p.signature != "" || p.docLine > 0 && n >= p.docLine && n < p.line || len(text) < 4 || len(text) > 300 {
			continue
		}
		if c := covered(words, weights, text); c >= 0.3 {
			lines = append(lines, numbered{n, text, c})
		}
	}
	slices.SortStableFunc(lines, func(a, b numbered) int { return cmp.Compare(b.cover, a.cover) })
	lines = lines[:min(len(lines), limit)]
	slices.SortFunc(lines, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
	return lines
}

// covered is the share of the words' weight that a text holds, 0..1.
func covered(words []string, weights map[string]float64, text string) float64 {
	have := map[string]bool{}
	for _, w := range keyWords(text) {
		have[w] = true
	}
	return share(words, weights, have)
}

// share is the part of the words' weight that is there.
func share(words []string, weights map[string]float64, have map[string]bool) float64 {
	var got, all float64
	for _, w := range words {
		all += weights[w]
		if have[w] {
			got += weights[w]
		}
	}
	if all == 0 {
		return 0
	}
	return got / all
}

// rareness weighs words: one that every passage holds tells less than others, one that none holds is most likely what the index
// knows nothing of.
func rareness(words []string, read []passage) map[string]float64 {
	weights := make(map[string]float64, len(words))
	for _, w := range words {
		weights[w] = 1
	}
	for _, w := range words {
		n := 0
		for i := range read {
			if read[i].words()[w] {
				n++
			}
		}
		switch {
		case n == len(read) && n > 2:
			weights[w] = 0.5
		case n == 0:
			weights[w] = 1.5
		}
	}
	return weights
}

// notFound says honestly that nothing answers, and what came nearest.
func notFound(read []passage, words []string) answer {
	ans := answer{confidence: confidenceLow, lead: "Not found in this index: nothing in it answers this."}
	if len(read) == 0 {
		return ans
	}
	p := read[0]
	line := max(p.line, p.start)
	name := p.symbol
	if name == "" {
		name = p.path
	}
	ans.lead += fmt.Sprintf(" The nearest is `%s` %s.", name, inBrackets(cite(p.path, line)))
	ans.quotes = []quote{{Path: p.path, Line: line, EndLine: p.end, Cite: cite(p.path, line), Symbol: p.symbol, Text: redact.Text(cmp.Or(p.signature, firstLine(p.text)))}}
	if len(words) > 0 {
		ans.notes = []string{"Words that the code itself uses, such as names of functions and types, find more."}
	}
	return ans
}

// firstSentences gives the first sentences of a comment on one line.
func firstSentences(doc string, sentences, bytes int) string {
	doc = strings.Join(strings.Fields(doc), " ")
	end := 0
	for range sentences {
		i := sentenceEnd(doc[end:])
		end += i
		if end >= len(doc) || end > bytes {
			break
		}
	}
	if end > bytes {
		return strings.ToValidUTF8(doc[:bytes], "") + "..."
	}
	return strings.TrimSpace(doc[:end])
}

// sentenceEnd is where the first sentence ends, behind its stop.
func sentenceEnd(s string) int {
	for i := 0; i+1 < len(s); i++ {
		if strings.IndexByte(".!?", s[i]) >= 0 && s[i+1] == ' ' && !strings.HasSuffix(s[:i+1], "e.g.") && !strings.HasSuffix(s[:i+1], "i.e.") {
			return i + 2
		}
	}
	return len(s)
}

func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if t := strings.TrimSpace(line); t != "" {
			return t
		}
	}
	return ""
}

// code makes a text fit for a code span of Markdown on one line.
func code(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "`", "'")
}

// inline makes words of a file harmless in a line of Markdown: no links, images or HTML.
func inline(s string) string {
	return strings.NewReplacer("<", "&lt;", "[", "\\[", "]", "\\]", "\n", " ").Replace(s)
}
