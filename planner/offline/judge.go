package offline

import (
	"slices"
	"strings"

	"catena/planner/plan"
)

// judge scores a reading: what it explains of the message against what it leaves unexplained.
func (g *reading) judge() {
	g.unknown = g.r.unknown()
	for _, t := range g.r.untaken() {
		if !slices.ContainsFunc(g.unknown, func(o token) bool { return o.start == t.start }) {
			g.unknown = append(g.unknown, t)
		}
	}
	known := 0.0
	for _, m := range g.r.mentions {
		known += m.score * float64(m.j-m.i)
	}
	for _, t := range g.r.toks {
		if g.r.v.rows(t.lemma) || rowWords[t.lemma] {
			known += 0.3
		}
		if g.r.v.source[t.lemma] {
			known += 0.7
		}
		if g.r.v.info.Live && g.r.v.rows(t.lemma) && !g.r.v.source[t.lemma] {
			known += 0.6 // another word for its rows says as much as one that names a column
		}
		if (t.lemma == "amount" || t.lemma == "value") && len(g.r.v.measure) == 1 && !g.r.v.info.Live {
			known += 0.3 // there is one only
		}
		if r := g.r; r.v.info.Live && t.low == r.v.info.Name {
			known += 0.3 // its rows are named rather than a count of them in another table
		}
	}
	if a := g.ask; known == 0 && len(g.r.dates) == 0 && a.super == nil && !a.count && a.countPer == "" && a.edge == "" && a.target < 0 && len(a.groups) == 0 && a.derive == nil && !(a.change && a.every != "") {
		g.ok = false // nothing in the message speaks of this table
	}
	if g.r.onlyNames() || g.pretends() {
		g.ok = false // nothing but a name, which any table may have
	}
	g.score = known / (1 + known + 2*float64(len(g.unknown)))
	if len(g.unknown) > 0 {
		g.ok = false
	}
	if g.ok || g.ask.cannot != "" && len(g.unknown) == 0 { // why it cannot be answered is an answer, and no other table's turn
		g.score += 0.25
	}
}

// unknown gives the words that carry meaning and that nothing used.
func (r *reader) unknown() []token {
	var out []token
	for i, t := range r.toks {
		if (t.kind == numberToken || t.kind == dateToken) && !r.used[i] {
			out = append(out, t)
			continue
		}
		if !r.used[i] && r.others[t.lemma] && t.content() {
			out = append(out, t) // another table is about this
			continue
		}
		if r.used[i] || !t.content() || benignWords[t.low] || benignWords[t.lemma] || r.v.rows(t.lemma) || rowWords[t.lemma] || monthNames[t.low] > 0 {
			continue
		}
		if r.harmless(i) {
			continue
		}
		out = append(out, t)
	}
	return out
}

// harmless reports whether an unused word only describes what has been used: a unit, an adverb, a general verb.
func (r *reader) harmless(i int) bool {
	t := r.toks[i]
	if units[t.low].kind != "" || units[t.lemma].kind != "" {
		return i > 0 && (r.low(i-1) == "in" || r.low(i-1) == "per" || r.used[i-1])
	}
	if strings.HasSuffix(t.low, "ly") && len(t.low) > 4 || verbForms[t.low] && !aggregateNouns[r.tokenAt(i-1).lemma] && !r.noun(i) {
		return true
	}
	if _, degree, ok := degreeOf(t.low); ok && degree > 0 {
		return true
	}
	if sexWords[t.low] && (r.low(i-1) == "per" || r.low(i+1) == "per") { // children per woman: a unit
		return true
	}
	if r.explainedBehind(i) {
		return true
	}
	if r.v.info.Live && (wholeWords[t.lemma] && (thisWords[r.low(i-1)] || r.low(i-1) == "of") && r.v.column("path") >= 0 || r.talks() && (meetingWords[t.low] || toldWords[t.low])) {
		return true
	}
	if plainWords[t.low] || t.spelled != "" && (benignWords[t.spelled] || verbForms[t.spelled]) {
		return true
	}
	for _, c := range r.v.cols { // a word of a column that was meant by another stretch
		for _, w := range c.names[0] {
			if w.lemma == t.lemma && len(c.names[0]) > 1 {
				return true
			}
		}
	}
	return false
}

// noun reports whether a verb of money stands where only a noun can: "spend by country", "the pay per team".
func (r *reader) noun(i int) bool {
	switch r.low(i) {
	case "spend", "pay", "purchase":
		return i == 0 || r.low(i-1) == "the" || r.low(i-1) == "of" || r.low(i-1) == "show"
	}
	return false
}

// sexWords are people of a kind, of whom a table may know nothing.
var sexWords = plan.WordSet("woman women man men child children")

// verbForms are verbs that connect a question's parts without adding a condition.
var verbForms = plan.WordSet(`released release made produced published issued built sold born held won played ran died killed caused registered reported logged measured
served flew arrived arriving arrive departed leaving worked lived founded opened closed created written directed starring featuring rated listed placed served
came went took gave got received achieved earned grossed scored posted showed shown saw seen peaked averaged totaled totalled numbered ranked rated consist consists involve involved involving
cover covers covering covered span spans spanning describe describes count counts counting counted name names named title titled entitled beat beats won lost
remain remained stay stayed lie lies stand stands stood sit sits include included represent represents represented make makes come comes originate originates originated belong belongs
use uses uses using used get gets getting drive drives driving lead leads leading led contribute contributes contributed fall falls falling feature features offer offers offered
pay pays paid buy buys bought purchase purchased visit visited join joined hire hired spend spent travel travelled traveled move moved keep kept lay occur
observe observed sighted spotted caught found discovered discover taken brought carried sent delivered ordered shipped`)
