package calls

import (
	"strings"

	"catena/planner/plan"
)

// namePairs are the names of the message for the argument that takes one.
func (l *linking) namePairs(of *thing) []pair {
	p := of.nameParam()
	if p == nil {
		return nil
	}
	var out []pair
	for _, v := range l.t.values {
		if v.named() && l.k.listed[plan.FoldKey(v.text)] == 0 {
			out = append(out, pair{p: p, i: v.i, j: v.j, value: v.text, score: nameScore + 0.3*float64(v.j-v.i-1), how: "a name"})
		}
	}
	return append(out, l.phrases(p)...)
}

// phrases are plain words that may be a name, by what stands before them: the stock of pressure sensors.
func (l *linking) phrases(p *param) []pair {
	var out []pair
	for i := 1; i < len(l.t.toks); i++ {
		j := i
		for j < len(l.t.toks) && j < i+maxName && l.t.toks[j].kind == word && !stopWords[l.t.toks[j].low] && l.t.at[j] < 0 {
			j++
		}
		if j > i && j < len(l.t.toks) && l.t.mark(j) {
			j++
		}
		pr := pair{p: p, i: i, j: j, score: nameScore + 0.3*float64(j-i), how: "words that may be a name", loose: true}
		if j > i && l.phrase(pr) {
			pr.value = l.t.s[l.t.toks[i].start:l.t.toks[j-1].end]
			out = append(out, pr)
			i = j
		}
	}
	return out
}

// maxName is how many plain words a name has at most.
const maxName = 4

// named reports whether a value is a name: it is written as one, or in quotes, and is neither a place nor a code.
func (v value) named() bool {
	switch v.kind {
	case quotedValue:
		return true
	case properValue, coinedValue:
		return plan.CountryCode(v.text) == "" && !place(v.text) && !currencyCodes[v.text]
	}
	return false
}

// placePairs are the countries of the message, as an argument takes them.
func (l *linking) placePairs(of *thing) []pair {
	var out []pair
	for _, p := range of.f.params {
		if p.means != country || len(p.enum) > 0 {
			continue
		}
		for _, v := range l.t.values {
			code := plan.CountryCode(v.text)
			if v.kind != properValue || code == "" || currencyCodes[v.text] {
				continue
			}
			pr := pair{p: p, i: v.i, j: v.j, value: v.text, score: nameScore + 0.5, how: byCode}
			if wantsCode.MatchString(p.desc) {
				pr.value = code
			}
			out = append(out, pr)
		}
	}
	return out
}

// nameScore is what a name fits for an argument that takes one.
const nameScore = 1.6

// listPairs are the values of lists in any form: prospects, for prospect.
func (l *linking) listPairs(of *thing) []pair {
	var out []pair
	for _, p := range of.f.params {
		if len(p.enum) == 0 || p.typ == "array" {
			continue
		}
		for _, pr := range l.t.options(of.f, p, p.enum) {
			pr.p = p
			pr.score += behindTo * b2f(l.led(pr.i))
			out = append(out, pr)
		}
	}
	return out
}

// sameWord reports whether a word is another, or several of it: closed is not meant by close.
func sameWord(w, value string) bool {
	value = strings.ToLower(value)
	return strings.Trim(w, "-_") == value || plan.Singular(w) == plan.Singular(value) || strings.ContainsAny(value, " -_")
}

// behindTo is how much more a value fits where something is to become it.
const behindTo = 0.8

// led reports whether a word that says what something is to become stands before a token.
func (l *linking) led(i int) bool { return i > 0 && nouns().becomes[l.t.toks[i-1].low] }

// labelPairs are words beside the one that an argument is called by: the finance department.
func (l *linking) labelPairs(of *thing) []pair {
	var out []pair
	for _, p := range of.f.params {
		words := plan.NameWords(p.name)
		if len(words) == 0 || of.ids[p] != "" || len(p.enum) > 0 || p == of.nameParam() || p.typ != "string" {
			continue
		}
		for i, tok := range l.t.toks {
			if i == 0 || tok.kind != word || !alike(plan.Singular(tok.low), words[len(words)-1]) {
				continue
			}
			at, ok := l.labelled(i)
			if !ok {
				continue
			}
			l.labels[i] = true
			out = append(out, pair{p: p, i: at, j: at + 1, value: l.t.toks[at].text, score: nameScore + 0.5, how: byLabel})
		}
	}
	return out
}

// byLabel is how an argument is filled by the word beside what it is called by.
const byLabel = "the word beside its name"

// labelled is the token that stands beside a label: before it, or behind it where it is written as a name.
func (l *linking) labelled(i int) (int, bool) {
	if v := l.t.toks[i-1]; v.kind == word && (v.capital() && i > 1 || l.t.unknown(l.k, i-1)) {
		return i - 1, true
	}
	at := i + 1
	for at < len(l.t.toks) && stopWords[l.t.toks[at].low] && at < i+3 {
		at++
	}
	return at, at < len(l.t.toks) && l.t.toks[at].capital() && (at == i+1 || nouns().of[l.t.toks[i+1].low])
}

// isID reports whether a word is an id of a kind; of any kind whose ids are known where that is "".
func (l *linking) isID(kind, word string) bool {
	switch prefix := l.k.shapes[kind]; {
	case prefix != "":
		return shaped(word, prefix)
	case kind == "":
		return l.k.id(word)
	}
	digits := strings.ContainsAny(word, "0123456789") && !strings.Contains(word, " ")
	return digits && idLike.MatchString(word) && !l.k.id(word)
}

// nameRuns makes one value of a name and the words beside it that no tool speaks of: pump P80, 24V power supply.
func (t *text) nameRuns(k *kinds) {
	for n := range t.values {
		v := &t.values[n]
		if v.kind != properValue && v.kind != coinedValue || k.id(v.text) || plan.CountryCode(v.text) != "" {
			continue
		}
		i, j := v.i, v.j
		for i > 0 && (t.unknown(k, i-1) || t.toks[i-1].kind == number && t.toks[i-1].end == t.toks[i].start) {
			i--
		}
		spec := t.toks[i].kind == coined || t.toks[i].kind == number // 24V, and what it is of
		for j < len(t.toks) && spec && t.unknown(k, j) {
			j++
		}
		if j+1 < len(t.toks) && t.toks[j].kind == word && t.at[j] < 0 && !stopWords[t.toks[j].low] && t.mark(j+1) {
			j += 2
		}
		if i == v.i && j == v.j {
			continue
		}
		v.i, v.j, v.kind = i, j, properValue
		v.text = strings.TrimSuffix(t.s[t.toks[i].start:t.toks[j-1].end], "'s")
		for x := i; x < j; x++ {
			t.at[x] = n
		}
	}
	for n := range t.values {
		v := &t.values[n]
		cut := strings.TrimSuffix(v.text, "s")
		if (v.kind == properValue || v.kind == coinedValue) && cut != v.text && digitEnd(cut) {
			v.text = cut // several P80s
		}
	}
}

// mark reports whether a token is what tells things of one name apart: Optical sensor A, model 2.
func (t *text) mark(i int) bool {
	tok := t.toks[i]
	return tok.kind == word && len(tok.text) == 1 && tok.capital() || tok.kind == number && t.at[i] < 0
}

func digitEnd(s string) bool { return s != "" && s[len(s)-1] >= '0' && s[len(s)-1] <= '9' }

// unknown reports whether a word belongs to no value, and no tool and no order speaks of it.
func (t *text) unknown(k *kinds, i int) bool {
	tok := t.toks[i]
	return tok.kind == word && t.at[i] < 0 && !stopWords[tok.low] && !verbs[tok.low] && !common[tok.low] && !k.words[tok.stem] &&
		len(nouns().alike[plan.Singular(tok.low)]) == 0
}

// id reports whether a word has the shape of ids.
func (k *kinds) id(word string) bool {
	for _, prefix := range k.shapes {
		if shaped(word, prefix) {
			return true
		}
	}
	return false
}

func shaped(word, prefix string) bool {
	digits, ok := strings.CutPrefix(word, prefix)
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}
