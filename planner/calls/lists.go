package calls

import (
	"strings"
	"unicode"
)

// lists finds what may be a whole list: in brackets, or values one behind the other.
func (t *text) lists(f *facts, p *param, order int) []pair {
	if p.item == nil {
		p.item = &param{name: p.name, typ: "string", words: p.words, own: p.own, desc: p.desc, low: p.low}
	}
	var out []pair
	for index, v := range t.values {
		if v.kind != listValue {
			continue
		}
		if list, ok := p.item.list(v.items); ok {
			head := t.values[t.heads[index]]
			score := 1.6 + max(t.evidence(p, v.i, v.j, false), 0.95*t.evidence(p, head.i, head.j, false)) - 0.03*float64(order)
			out = append(out, pair{i: v.i, j: v.j, value: list, score: score, how: "a list in the message"})
		}
	}
	if len(p.item.enum) > 0 || len(p.item.choices) > 1 {
		options := p.item.enum
		if len(options) == 0 {
			options = anyOf(p.item.choices)
		}
		return append(out, t.optionLists(f, p, options)...)
	}
	return append(out, t.runs(f, p)...)
}

// list gives the items as the schema has them.
func (p *param) list(items []any) ([]any, bool) {
	var out []any
	for _, e := range items {
		switch e := e.(type) {
		case string:
			if p.typ == "integer" || p.typ == "number" || p.typ == "array" || p.typ == "object" {
				return nil, false
			}
			out = append(out, e)
		case []any:
			if p.typ != "array" || p.item == nil {
				return nil, false
			}
			inner, ok := p.item.list(e)
			if !ok {
				return nil, false
			}
			out = append(out, inner)
		default:
			if p.typ == "string" || p.typ == "array" {
				return nil, false
			}
			out = append(out, e)
		}
	}
	return out, len(out) > 0
}

// optionLists joins the options that are named one after the other.
func (t *text) optionLists(f *facts, p *param, options []any) []pair {
	single := *p.item
	single.required = true
	found := t.options(f, &single, options)
	var out []pair
	for a := range found {
		first := found[a]
		if first.score < 0.9 {
			continue
		}
		list, j := []any{first.value}, first.j
		score := first.score
		for k := j; k < len(t.toks) && k < j+6; k++ {
			if strings.Contains(".?!;\n", t.toks[k].text) {
				break
			}
			for _, next := range found {
				if next.i == k && next.score >= 0.9 && !containsAny(list, next.value) {
					list, j = append(list, next.value), next.j
					score += 0.2
					break
				}
			}
		}
		out = append(out, pair{i: first.i, j: j, value: list, score: score, how: "values that the schema lists"})
	}
	return out
}

func containsAny(list []any, v any) bool {
	for _, e := range list {
		if e == v {
			return true
		}
	}
	return false
}

// runs finds values one behind the other, with commas and "and" between them: all that an array may take. A single one is a list, too.
func (t *text) runs(f *facts, p *param) []pair {
	var out []pair
	for a, first := range t.values {
		made, base, ok := p.item.make(first)
		if !ok {
			continue
		}
		list, j := []any{made}, first.j
		score := base + t.evidence(p, first.i, first.j, first.kind == numberValue) + t.standing(f, p.item, first)
		out = append(out, pair{i: first.i, j: j, value: list, score: score - 0.3, how: "a value"})
		for _, next := range t.values[a+1:] {
			made, _, ok := p.item.make(next)
			if !ok || !t.coordinated(j, next.i) {
				break
			}
			list, j = append(append([]any{}, list...), made), next.j
			score += 0.4
			out = append(out, pair{i: first.i, j: j, value: list, score: score + t.evidenceBehind(p, j), how: "values one after the other"})
		}
	}
	if p.item.typ == "string" || p.item.typ == "" {
		out = append(out, t.wordRuns(f, p)...)
	}
	return out
}

func (t *text) evidenceBehind(p *param, j int) float64 {
	if j < len(t.toks) && t.toks[j].kind == word {
		return 0.6 * p.words[t.toks[j].stem]
	}
	return 0
}

// coordinated reports whether only commas and conjunctions stand between two tokens.
func (t *text) coordinated(i, j int) bool {
	if j <= i || j-i > 3 {
		return false
	}
	for _, tok := range t.toks[i:j] {
		if tok.text != "," && tok.low != "and" && tok.low != "or" && tok.text != "&" {
			return false
		}
	}
	return true
}

// wordRuns finds plain words with commas and "and" between them: eggs, milk and bread.
func (t *text) wordRuns(f *facts, p *param) []pair {
	var out []pair
	for i := 0; i < len(t.toks); i++ {
		var list []any
		k := i
		for {
			from := k
			for k < len(t.toks) && k < from+3 && t.plain(f, k) {
				k++
			}
			if k == from {
				break
			}
			list = append(list, t.s[t.toks[from].start:t.toks[k-1].end])
			next := k
			for next < len(t.toks) && (t.toks[next].text == "," || t.toks[next].low == "and") && next < k+2 {
				next++
			}
			if next == k {
				break
			}
			k = next
		}
		for k > i && (t.toks[k-1].text == "," || t.toks[k-1].low == "and") {
			k--
		}
		if len(list) > 1 {
			out = append(out, pair{i: i, j: k, value: list, score: 0.9 + 0.1*float64(len(list)) + t.evidence(p, i, k, false), how: "words one after the other"})
			i = k
		}
	}
	return out
}

// plain reports whether a token is a word that may be a value by itself: no value, none of the tool's and none without meaning.
func (t *text) plain(f *facts, k int) bool {
	tok := t.toks[k]
	if head, _, ok := strings.Cut(tok.low, "-"); ok && f.args[stem(head)] {
		return false
	}
	return tok.kind == word && t.at[k] < 0 && !stopWords[tok.low] && !f.about[tok.stem] && !f.args[tok.stem] && !commonStems[tok.stem] && !verbs[tok.low]
}

// phrases finds stretches of plain words, which may be what a text argument takes where no name or quote is.
func (t *text) phrases(f *facts, p *param) []pair {
	switch p.means {
	case dateText, timeText, currency, identifier, country, state, stock:
		return nil
	}
	var out []pair
	for i := 0; i < len(t.toks); i++ {
		if !t.plain(f, i) {
			continue
		}
		j := i
		for j < len(t.toks) && t.plain(f, j) && j < i+4 {
			j++
		}
		from, to := i, j
		i = j
		for from < to && f.words[t.toks[from].stem] > 0.45 && p.words[t.toks[from].stem] == 0 && to-from > 1 {
			from++
		}
		for to-1 > from && (p.words[t.toks[to-1].stem] > 0 || f.words[t.toks[to-1].stem] > 0.55) {
			to--
		}
		if to <= from || to-from == 1 && (p.words[t.toks[from].stem] > 1.5) {
			continue
		}
		out = append(out, t.cuts(f, p, from, to)...)
		score := 0.35 + 0.8*t.evidence(p, from, to, true) + t.standing(f, p, value{kind: quotedValue, i: from, j: to})
		if f.words[t.toks[from].stem] > 0.45 {
			score -= 0.3
		}
		if p.means == location || p.means == person {
			score -= 0.8
		}
		text := t.s[t.toks[from].start:t.toks[to-1].end]
		if strings.IndexFunc(text, unicode.IsLetter) < 0 {
			continue
		}
		if to < len(t.toks) && (f.about[t.toks[to].stem] || p.words[t.toks[to].stem] > 1) {
			score += 0.4
		}
		if !p.required {
			score -= 0.6
		}
		out = append(out, pair{i: from, j: to, value: text, score: score, how: "words that nothing else takes", loose: true})
	}
	return out
}

// cuts are the parts of a stretch of plain words, for where another argument takes some of them, and the stretch with what it is of.
func (t *text) cuts(f *facts, p *param, from, to int) []pair {
	var out []pair
	if !p.required {
		return nil
	}
	score := 0.2 + 0.8*t.evidence(p, from, to, true)
	for k := from + 1; k < to; k++ {
		out = append(out, pair{i: k, j: to, value: t.s[t.toks[k].start:t.toks[to-1].end], score: score, how: "words that nothing else takes", loose: true},
			pair{i: from, j: k, value: t.s[t.toks[from].start:t.toks[k-1].end], score: score - 0.1, how: "words that nothing else takes", loose: true})
	}
	if from >= 2 && t.toks[from-1].low == "of" && t.toks[from-2].kind == word && !stopWords[t.toks[from-2].low] && p.words[t.toks[from-2].stem] < 1 && !f.about[t.toks[from-2].stem] && !verbs[t.toks[from-2].low] {
		out = append(out, pair{i: from - 2, j: to, value: t.s[t.toks[from-2].start:t.toks[to-1].end], score: score + 0.4, how: "words that nothing else takes", loose: true})
	}
	return out
}
