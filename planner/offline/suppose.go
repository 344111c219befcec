package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"catena/planner/plan"
)

// moneyNouns are what money that came in or went out is called. Costs and prices are not among them: they are of a kind of their own.
var moneyNouns = plan.WordSet("revenue sale turnover takings proceeds income spend spending expenditure expense")

// plainAmounts are the words of names that say that there is an amount, but not of what.
var plainAmounts = plan.WordSet("amount amt value sum total betrag montant importe importo bedrag")

// suppose takes a noun for money that no column goes by for the one amount of the table whose name does not say of what it is: "spend by
// country" where there is nothing but an amount. What was supposed is told.
func (r *reader) suppose() {
	col := r.v.plainAmount()
	if col < 0 || r.v.info.Live {
		return
	}
	for i, t := range r.toks {
		if !moneyNouns[t.lemma] || r.used[i] || r.mentionAt(i, i+1) >= 0 || r.v.rows(t.lemma) || r.others[t.lemma] || r.counted(i) || r.mentionAt(i+1, i+2) >= 0 {
			continue
		}
		r.mentions = append(r.mentions, mention{i: i, j: i + 1, col: col, score: 0.5, asCol: -1})
		r.supposed = fmt.Sprintf("“%s” is taken to be %s, the only amount here.", t.text, strings.Join(plan.NameWords(r.v.cols[col].info.Name), " "))
	}
	slices.SortFunc(r.mentions, func(a, b mention) int { return cmp.Compare(a.i, b.i) })
}

// counted reports whether the noun at i is counted rather than added up: "number of sales", "how many sales", "per sale".
func (r *reader) counted(i int) bool {
	for _, words := range [][]string{{"number", "of"}, {"count", "of"}, {"how", "many"}, {"per"}, {"each"}, {"every"}, {"fewest"}} {
		if r.says(i-len(words), words...) {
			return true
		}
	}
	return false
}

// plainAmount is the only column of numbers that is called an amount and no more than that, but for a currency; -1 without a single one.
func (v *view) plainAmount() int {
	found := -1
	for _, c := range v.measure {
		col := &v.cols[c]
		named := false
		for _, w := range col.names[0] {
			named = named || plainAmounts[w.lemma]
		}
		if !named || !col.sums() || col.unit != "" && !col.money() || slices.ContainsFunc(col.names[0], func(w nameWord) bool { return !plainAmounts[w.lemma] && !currencyCodes[w.lemma] }) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = c
	}
	return found
}
