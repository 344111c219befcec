package calls

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"catena/planner/plan"
	"catena/planner/retrieval"
)

// pair is a stretch of the message that may fill an argument.
type pair struct {
	p     *param
	i, j  int // tokens
	value any
	score float64
	how   string
	loose bool // plain words that stand beside nothing that names the argument
	free  bool // it takes its words from nothing else: a yes for what is named
}

// rank is the score, less for an argument that need not be there.
func (c pair) rank() float64 {
	score := c.score
	if c.loose {
		score -= 0.5
	}
	if c.p.required {
		return score
	}
	return score - 0.4
}

// least is what a pair must score: less for an argument that must be there.
func (p *param) least() float64 {
	if p.required {
		return 0.3
	}
	return 1.4
}

// text is a message prepared for all tools.
type text struct {
	s      string
	toks   []token
	values []value
	heads  []int    // of each value: the first of the series that it stands in
	behind []bool   // of each token: it stands right behind a value, which it speaks of
	said   []string // of each token: the tool whose name it is
	at     []int    // of each token: the value that it is part of, -1 for none
}

// pairsOf gives the pairs of a tool's arguments with stretches of the message, best first.
func (t *text) pairsOf(f *facts) []pair {
	var out []pair
	numbers, others := 0, 0
	for _, p := range f.params {
		if p.typ == "integer" || p.typ == "number" {
			out = append(out, t.pairs(f, p, numbers)...)
			numbers++
		} else {
			out = append(out, t.pairs(f, p, others)...)
			others++
		}
	}
	slices.SortStableFunc(out, func(a, b pair) int { return cmp.Or(cmp.Compare(b.rank(), a.rank()), cmp.Compare(a.i, b.i)) })
	return out
}

func (t *text) pairs(f *facts, p *param, order int) []pair {
	var out []pair
	listed := false
	add := func(list ...pair) {
		for _, c := range list {
			if c.loose && listed {
				continue // the values of this argument are listed, and one was named
			}
			if c.score >= p.least() {
				listed = listed || c.how == byList
				c.p = p
				out = append(out, c)
			}
		}
	}
	switch {
	case p.typ == "boolean":
		add(t.flags(f, p)...)
	case p.typ == "array":
		add(t.lists(f, p, order)...)
	case p.typ == "object" && len(p.members) > 0:
		return nil // filled by its members
	case len(p.enum) > 0:
		add(t.options(f, p, p.enum)...)
	default:
		if len(p.choices) > 1 {
			add(t.options(f, p, anyOf(p.choices))...)
		}
		if p.means == unit {
			add(t.units(p)...)
		}
		if p.means == currency {
			add(t.currencies(p)...)
		}
		add(t.scalars(f, p, order)...)
		if p.typ == "string" || p.typ == "" {
			add(t.phrases(f, p)...)
		}
	}
	return out
}

func anyOf(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// scalars are the values of the message that may be one value of an argument.
func (t *text) scalars(f *facts, p *param, order int) []pair {
	var out []pair
	n := -1
	for index, v := range t.values {
		if (v.kind == numberValue) == (p.typ == "integer" || p.typ == "number") && !v.weak {
			n++
		}
		if f.divides {
			v = t.part(p, v)
		}
		made, base, ok := p.make(v)
		if !ok {
			continue
		}
		if k := v.i - 1; k > 0 && (t.toks[k].text == "=" || t.toks[k].text == ":" || t.toks[k].low == "is" || t.toks[k].low == "of") && strings.EqualFold(t.toks[k-1].text, p.name) {
			base += 1.5
		}
		if v.kind == wordValue && len(p.choices) > 1 || v.weak && !p.counts(t, v.j) {
			continue
		}
		if v.kind == numberValue && p.typ == "string" && (t.heads[index] != index || index+1 < len(t.heads) && t.heads[index+1] == index) {
			continue // one of several numbers is no name
		}
		if v.kind == properValue && v.j < len(t.toks) && f.about[t.toks[v.j].stem] && p.means == anything {
			base += 0.6
		}
		beside := t.evidence(p, v.i, v.j, v.kind == numberValue)
		if h := t.heads[index]; h != index { // what is said of the first of a series is said of all
			head := t.values[h]
			beside = max(beside, 0.95*t.evidence(p, head.i, head.j, v.kind == numberValue))
		}
		score := base + beside + t.standing(f, p, v) - 0.04*min(3, abs(float64(n)-float64(order)))
		shared := (v.kind == timeValue || v.kind == dateValue) && (p.typ == "integer" || p.typ == "number") // its hour and its minutes
		out = append(out, pair{i: v.i, j: v.j, value: made, score: score, how: "the value beside its words", free: shared})
	}
	return out
}

// part gives the city or the region of a place with both, for tools that take them apart.
func (t *text) part(p *param, v value) value {
	head, tail, two := strings.Cut(v.text, ", ")
	if v.kind != properValue || !two {
		return v
	}
	comma := v.i
	for comma < v.j && t.toks[comma].text != "," {
		comma++
	}
	switch p.means {
	case country, state:
		v.i, v.text = comma+1, tail
	case location:
		v.j, v.text = comma, head
	}
	return v
}

func abs(x float64) float64 { return max(x, -x) }

// make gives the value as the argument takes it, and how well its kind fits.
func (p *param) make(v value) (any, float64, bool) {
	switch p.typ {
	case "integer", "number":
		return p.makeNumber(v)
	case "string", "":
		return p.makeText(v)
	}
	return nil, 0, false
}

var hourText = regexp.MustCompile(`^\d+`)

var yearLike = regexp.MustCompile(`^(1[5-9]|20)\d\d$`)

func (p *param) makeNumber(v value) (any, float64, bool) {
	if v.kind == dateValue {
		for _, s := range p.own {
			switch s {
			case "year":
				return json.Number(fmt.Sprint(v.when.Year())), 0.6, !v.yearless
			case "month":
				return json.Number(fmt.Sprint(int(v.when.Month()))), 0.6, true
			case stem("day"):
				return json.Number(fmt.Sprint(v.when.Day())), 0.5, true
			}
		}
		return nil, 0, false
	}
	if v.kind == timeValue {
		for _, s := range p.own {
			switch s {
			case stem("hour"), stem("hours"):
				return json.Number(strings.TrimLeft(hourText.FindString(v.text), "0")), 1, true
			case stem("minutes"):
				return json.Number(fmt.Sprint(v.when.Minute())), 1, true
			}
		}
		return nil, 0, false
	}
	if v.kind != numberValue {
		return nil, 0, false
	}
	n, base := v.number, 0.6
	if v.weak {
		base = 0.2
		for _, s := range p.own {
			if s == stem("count") || s == "num" || s == stem("number") || s == "top" || s == "limit" {
				base = 0.8
			}
		}
	}
	whole := !strings.ContainsAny(string(n), ".eE")
	if p.typ == "integer" && !whole {
		f, err := n.Float64()
		if err != nil || f != float64(int64(f)) {
			return nil, 0, false
		}
		n = json.Number(fmt.Sprint(int64(f)))
	}
	year := slices.Contains(plan.NameWords(p.name), "year")
	if isYear := yearLike.MatchString(string(n)) && !v.percent; year != isYear && (year || isYear) {
		base -= 0.5
		if len(n) > 4 || !whole {
			return nil, 0, false
		}
	} else if year {
		base += 1
	}
	if v.percent && p.typ == "number" && !strings.Contains(p.low, "percent") && !strings.Contains(strings.ToLower(p.name), "percent") {
		n = shift(n)
		base += 0.4
	} else if v.percent && !p.rate() {
		base -= 1.5
	} else if v.percent {
		base += 0.4
	}
	return n, base, true
}

// rate reports whether an argument is a share of something.
func (p *param) rate() bool {
	for _, w := range []string{"rate", "percent", "probab", "ratio", "interest", "yield", "discount", "share"} {
		if strings.Contains(strings.ToLower(p.name), w) || w == "percent" && strings.Contains(p.low, w) {
			return true
		}
	}
	return false
}

// shift divides a decimal by a hundred exactly.
func shift(n json.Number) json.Number {
	s := string(n)
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	whole, frac, _ := strings.Cut(s, ".")
	for len(whole) < 3 {
		whole = "0" + whole
	}
	cut := len(whole) - 2
	out := strings.TrimRight(whole[:cut]+"."+whole[cut:]+frac, "0")
	return json.Number(sign + strings.TrimSuffix(out, "."))
}

var idLike = regexp.MustCompile(`\d|^[A-Z]{2,}$|[_@/\\]`)

func (p *param) makeText(v value) (any, float64, bool) {
	switch v.kind {
	case dateValue:
		if p.means == dateText || strings.Contains(p.low, "yyyy") || strings.Contains(p.low, "date") && p.means != timeText {
			return p.dateFor(v), 1.5, true
		}
		return nil, 0, false
	case timeValue:
		if p.means == timeText || strings.Contains(p.low, "hh:mm") {
			return p.timeFor(v), 1.5, true
		}
		return nil, 0, false
	case listValue:
		return nil, 0, false
	case numberValue:
		switch {
		case v.weak:
			return nil, 0, false
		case p.means == identifier:
			return v.text, 0.7, true
		case slices.Contains(p.own, "year") || strings.Contains(p.low, "year") || strings.Contains(p.low, "season"):
			return v.text, 0.7 + b2f(slices.Contains(p.own, "season") || slices.Contains(p.own, "year")), yearLike.MatchString(v.text)
		case slices.Contains(p.own, stem("number")) || slices.Contains(p.own, "zip") || slices.Contains(p.own, stem("amount")):
			return v.text, 0.3, true
		}
		return nil, 0, false
	case wordValue:
		base := 0.5
		if p.means != anything && p.means != title {
			base = -0.2
		}
		return v.text, base, true
	case quotedValue:
		base := 0.9
		if p.means == dateText || p.means == timeText {
			for _, d := range datesIn(v.text, tokenize(v.text), time.Time{}) {
				if len(d.text)+1 >= len(v.text) && d.when.Year() > 0 && !d.yearless {
					return p.makeText(d)
				}
			}
			base = -0.5
		}
		return v.text, base, true
	case coinedValue:
		base := 0.4
		if p.means == identifier || p.means == formula {
			base = 1
		}
		if p.means == location || p.means == dateText || p.means == currency || p.means == person {
			base = -0.6
		}
		return v.text, base, true
	}
	return p.makeName(v)
}

// makeName fits a name into a text argument.
func (p *param) makeName(v value) (any, float64, bool) {
	base, text := 0.6, v.text
	known := place(text)
	switch p.means {
	case location:
		base += 0.2
		if known {
			base += 0.8
		}
		text = p.located(text)
	case country:
		base += 0.2
		if _, after, ok := strings.Cut(text, ", "); ok && countries[strings.ToLower(after)] {
			return after, base + 0.8, true
		}
		if countries[strings.ToLower(text)] {
			base += 0.9
		}
	case state:
		if _, after, ok := strings.Cut(text, ", "); ok && region(after) {
			return after, base + 0.6, true
		}
		if states[strings.ToLower(text)] != "" || stateCodes[text] {
			base += 0.9
		}
	case dateText, timeText, currency, unit, formula:
		return nil, 0, false
	case identifier, stock:
		if !idLike.MatchString(text) {
			base -= 0.4
		}
	default:
		if known {
			base -= 0.3
		}
	}
	return text, base, true
}

// located writes a place as an argument wants it: with the state where it asks for city and state, without it where there is one for the city alone.
func (p *param) located(text string) string {
	head, tail, two := strings.Cut(text, ", ")
	wantsState := strings.Contains(p.low, "city, state") || strings.Contains(p.low, "city and state") || strings.Contains(p.low, "city and the state") || cityState.MatchString(p.desc)
	if two {
		if code := states[strings.ToLower(tail)]; code != "" && (wantsState || strings.Contains(p.low, "abbreviat")) {
			return head + ", " + code
		}
		return text
	}
	if code := cityStates[strings.ToLower(text)]; code != "" && wantsState {
		return text + ", " + code
	}
	return text
}

var cityState = regexp.MustCompile(`\b[A-Z][a-z]+(?: [A-Z][a-z]+)*, [A-Z]{2}\b`)

// evidence is how much the words beside a stretch speak for an argument: those right before it, and behind it.
func (t *text) evidence(p *param, i, j int, both bool) float64 {
	sum := 0.0
	weight := 1.0
	met := map[string]bool{}
	meet := func(tok token, share float64) {
		if tok.kind != word || met[tok.stem] {
			return
		}
		if head, tail, ok := strings.Cut(tok.low, "-"); ok && p.words[stem(head)] > 1 && p.words[stem(tail)] > 1 {
			met[tok.stem] = true
			sum += 3 * share
			return
		}
		if w := p.words[tok.stem]; w > 0 {
			met[tok.stem] = true
			sum += w * share
		}
	}
	for k := i - 1; k >= max(0, i-7); k-- {
		tok := t.toks[k]
		if strings.Contains(".?!;\n", tok.text) || weight < 0.1 {
			break
		}
		if tok.text == "," || tok.low == "and" || tok.low == "then" {
			weight *= 0.45
		} else if t.at[k] >= 0 {
			weight *= 0.5
		}
		share := weight
		if t.behind[k] {
			share *= 0.4
		}
		meet(tok, share)
		if !stopWords[tok.low] {
			weight *= 0.85
		}
	}
	weight = 0.95
	for k := j; k < min(len(t.toks), j+5); k++ {
		tok := t.toks[k]
		if strings.Contains(".?!;\n,", tok.text) || weight < 0.1 || tok.low == "and" || tok.low == "then" {
			break
		}
		if t.at[k] >= 0 {
			weight *= 0.3
		}
		if stopWords[tok.low] {
			weight *= 0.6
		}
		meet(tok, weight)
		weight *= 0.85
		if !both {
			weight *= 0.75
		}
	}
	return min(sum, 4)
}

// unitNames are units that are written with capitals after people.
var unitNames = plan.WordSet("kelvin celsius fahrenheit coulomb coulombs newton newtons joule joules watt watts volt volts hertz hz pascal pascals kpa ohm ohms ampere amperes kg km gb mb tb pm am farad farads henry henries tesla teslas")

// standing is how much the small word before a value speaks for an argument.
func (t *text) standing(f *facts, p *param, v value) float64 {
	k := v.i - 1
	for k >= 0 && (t.toks[k].low == "the" || t.toks[k].low == "a" || t.toks[k].low == "an" || t.toks[k].low == "my") {
		k--
	}
	score := 0.0
	if v.kind == properValue && unitNames[t.toks[v.i].low] && v.j == v.i+1 {
		score -= 2
	}
	if v.kind == properValue && f.names(t.toks[v.i:v.j]) {
		score -= 1.2
	}
	for _, tok := range t.toks[v.i:v.j] {
		if tok.kind == word && p.words[tok.stem] >= 1 && v.j-v.i > 1 && v.kind == properValue {
			score += 0.8
			break
		}
	}
	if k < 0 {
		return score
	}
	prep := t.toks[k].low
	if prep == "and" && p.side > 0 && k > 0 && t.betweenBefore(k) {
		return score + 1.3
	}
	switch {
	case p.side < 0 && (prep == "from" || prep == "between" || prep == "starting" || prep == "leaving" || prep == "departing"):
		score += 1.4
	case p.side > 0 && (prep == "to" || prep == "until" || prep == "till" || prep == "into" || prep == "through"):
		score += 1.4
	case p.side < 0 && (prep == "to" || prep == "until" || prep == "till") || p.side > 0 && prep == "from":
		score -= 1.2
	}
	switch p.means {
	case location, country, state:
		switch prep {
		case "in", "at", "near", "around", "within":
			score += 0.9
		case "for", "from", "to", "of", "between", "visit":
			score += 0.3
		case "by", "named", "called", "titled", "with":
			score -= 0.7
		}
	case person, title, anything:
		switch prep {
		case "by", "named", "called", "titled", "about":
			score += 0.6
		case "of", "for", "with", "on":
			score += 0.25
		case "in", "at", "near":
			if v.kind == properValue {
				score -= 0.25
			}
		}
	}
	return score
}

// counts reports whether an argument is how many there are of what stands behind a number: adults, trait_count.
func (p *param) counts(t *text, j int) bool {
	for _, s := range p.own {
		switch s {
		case stem("count"), stem("number"), "num", stem("quantity"), "limit", "top", stem("days"), stem("nights"), "n", stem("rounds"), stem("size"):
			return true
		}
	}
	for _, w := range plan.NameWords(p.name) {
		if j < len(t.toks) && strings.HasSuffix(w, "s") && t.toks[j].stem == stem(w) {
			return true
		}
	}
	return p.typ == "integer" && j < len(t.toks) && p.words[t.toks[j].stem] > 0 && strings.HasSuffix(p.name, "s")
}

// betweenBefore reports whether "between" or "from" stands before the value that ends at a token.
func (t *text) betweenBefore(k int) bool {
	for b := k - 1; b >= max(0, k-6); b-- {
		if t.toks[b].low == "between" || t.toks[b].low == "from" {
			return true
		}
	}
	return false
}

// names reports whether all words of a stretch are words of the tool's name.
func (f *facts) names(toks []token) bool {
	for _, tok := range toks {
		if tok.kind == word && !f.about[tok.stem] && !stopWords[tok.low] {
			return false
		}
	}
	return true
}

// options finds the values of a list in the message.
func (t *text) options(f *facts, p *param, list []any) []pair {
	var out []pair
	for _, e := range list {
		s, ok := e.(string)
		if !ok || s == "" {
			continue
		}
		words := plan.NameWords(strings.ReplaceAll(strings.ReplaceAll(s, "&", " and "), "-", " "))
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
var measures = plan.WordSet("meter meters metre metres kilometer kilometers km mile miles foot feet inch inches yard yards centimeter centimeters cm millimeter millimeters degree degrees radian radians celsius fahrenheit kelvin kilogram kilograms kg gram grams pound pounds ounce ounces liter liters gallon gallons cup cups tablespoon tablespoons teaspoon teaspoons hour hours minute minutes second seconds metric imperial")

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

var flagWords = plan.WordSet("consider allow accept accepts need needs require requires has have want include is has with show get enable enabled return use allow only exclude included output flag should")

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
