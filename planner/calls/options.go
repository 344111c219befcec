package calls

import (
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/planner/retrieval"
)

func anyOf(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// options finds the values of a list in the message.
func (t *text) options(f *facts, p *param, list []any) []pair {
	var out []pair
	for _, e := range list {
		s, ok := e.(string)
		if !ok || s == "" {
			continue
		}
		spaced := strings.ReplaceAll(strings.ReplaceAll(s, "&", " and "), "-", " ")
		words := plan.FoldWords(strings.ReplaceAll(spaced, "_", " "))
		if !strings.ContainsAny(spaced, " _") && len(s) > 6 {
			words = plan.NameWords(spaced)
		}
		if len(words) == 0 {
			continue
		}
		for i := range t.toks {
			j, exact := t.matchesOption(words, i)
			if j == 0 {
				continue
			}
			score := 1.5 + 0.2*float64(len(words)) + 0.5*t.evidence(p, i, j, true)
			if !exact {
				score -= 0.5
			}
			if len(words) == 1 && (stopWords[words[0]] || len(words[0]) < 2) || f.about[stem(words[0])] && len(words) == 1 && t.toks[i].kind == word {
				score -= 1.2
			}
			out = append(out, pair{i: i, j: j, value: e, score: score, how: byList})
		}
	}
	return out
}

// matchesOption gives the token behind the words of an option that begins at a token, 0 where it does not.
func (t *text) matchesOption(words []string, i int) (j int, exact bool) {
	if t.toks[i].kind == quoted || t.toks[i].kind == coined {
		if plan.FoldKey(t.toks[i].text) == plan.FoldKey(strings.Join(words, " ")) {
			return i + 1, true
		}
		return 0, false
	}
	exact = true
	j = i
	for n, w := range words {
		for n > 0 && j < len(t.toks) && (t.toks[j].text == "-" || t.toks[j].low == "and" && w != "and") {
			j++
		}
		if j >= len(t.toks) {
			return 0, false
		}
		low := t.toks[j].low
		switch {
		case len(w) == 1 && len(words) == 1 && t.toks[j].text != strings.ToUpper(w):
			return 0, false
		case low == w:
		case t.toks[j].kind == word && len(w) > 2 && t.toks[j].stem == stem(w):
			exact = false
		case n == 0 && t.toks[j].kind == word && strings.ReplaceAll(low, "-", "") == strings.Join(words, ""):
			return j + 1, true
		default:
			return 0, false
		}
		j++
	}
	return j, exact
}

const byList = "one of the values that the schema lists"

const byCode = "the code of a currency"

// measures are units as people write them out.
var measures = wordsOf("measures")

// units finds units by name.
func (t *text) units(p *param) []pair {
	var out []pair
	for i, tok := range t.toks {
		if tok.kind == word && measures[tok.low] && tok.low != "second" && (p.required || i > 0 && t.toks[i-1].low == "in" || strings.Contains(p.low, tok.low)) {
			score := 1.4 + 0.5*t.evidence(p, i, i+1, false) + t.standing(&facts{}, p, value{kind: wordValue, i: i, j: i + 1})
			out = append(out, pair{i: i, j: i + 1, value: tok.low, score: score, how: "a unit"})
		}
	}
	return out
}

// currencies finds currencies by name and gives their codes.
func (t *text) currencies(p *param) []pair {
	var out []pair
	for i := range t.toks {
		for n := min(4, len(t.toks)-i); n > 0; n-- {
			text := strings.ToLower(t.s[t.toks[i].start:t.toks[i+n-1].end])
			code := currencies[text]
			if code == "" {
				continue
			}
			v := value{kind: properValue, i: i, j: i + n}
			score := 1.2 + t.evidence(p, i, i+n, false) + t.standing(&facts{}, p, v)
			if i > 0 && t.toks[i-1].kind == number && p.side < 0 {
				score += 0.8
			}
			out = append(out, pair{i: i, j: i + n, value: code, score: score, how: byCode})
			break
		}
	}
	return out
}

var flagWords = wordsOf("flagWords")

// flags says yes to an argument whose words the message has, and no where it excludes them.
func (t *text) flags(f *facts, p *param) []pair {
	var want []string
	for _, w := range plan.NameWords(p.name) {
		if !flagWords[w] && !stopWords[w] {
			want = append(want, stem(w))
		}
	}
	if len(want) == 0 {
		return nil
	}
	var out []pair
	for i, tok := range t.toks {
		if tok.kind != word || !slices.ContainsFunc(want, func(w string) bool { return w == tok.stem || len(w) > 3 && strings.HasPrefix(tok.low, w) }) && !(len(want) == 1 && tok.stem != "" && retrieval.Near(tok.stem, want[0]) > 0.85) {
			continue
		}
		near := true
		for _, w := range want[1:] {
			found := false
			for k := max(0, i-4); k < min(len(t.toks), i+5); k++ {
				found = found || t.toks[k].stem == w
			}
			near = near && found
		}
		if !near && f.about[want[0]] {
			continue
		}
		yes := true
		for k := max(0, i-4); k < i; k++ {
			switch t.toks[k].low {
			case "not", "without", "no", "don't", "exclude", "excluding", "non", "doesn't":
				yes = false
			}
		}
		out = append(out, pair{i: i, j: i + 1, value: yes, score: 1.6, how: "the message names it", free: true})
	}
	return out
}
