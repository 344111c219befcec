package offline

import (
	"fmt"
	"slices"
	"strings"
)

// conversion reads "in EUR" behind a question about amounts. Columns in that currency are meant; without one the user is
// told which currencies there are: amounts are not converted, and "in EUR" is no condition on a column of currencies.
func (r *reader) conversion(a *ask) {
	for i, t := range r.toks {
		code := currencyCode(t)
		if code == "" || t.kind != wordToken {
			continue
		}
		if w := r.low(i - 1); w != "in" && w != "into" && w != "to" && w != "as" {
			continue
		}
		k := r.mentionAt(i, i+1)
		if k >= 0 && r.mentions[k].j-r.mentions[k].i > 1 {
			continue // a longer name: "in Euro Zone"
		}
		var money []int
		for k, m := range r.mentions {
			if c := r.senseOf(k); m.i != i && c >= 0 && r.v.cols[c].money() && !slices.Contains(money, c) {
				money = append(money, c)
			}
		}
		if len(money) == 0 {
			continue
		}
		r.use(i, i+1)
		if k >= 0 {
			r.mentions[k].used = true
		}
		if slices.ContainsFunc(money, func(c int) bool { return strings.EqualFold(r.v.cols[c].info.Unit, code) }) {
			continue
		}
		a.unclear = fmt.Sprintf("There are no amounts in %s here: %s. Amounts are not converted. Shall the answer be in one of those?", code, r.moneyUnits())
	}
}

// money reports whether a column holds amounts of money.
func (c *viewColumn) money() bool {
	return c.numeric && !c.time && (c.info.Semantic == "Currency" || currencyCodes[strings.ToLower(c.info.Unit)] || units[c.unit].kind == "money")
}

// moneyUnits says in which currencies the table's amounts are.
func (r *reader) moneyUnits() string {
	var parts []string
	for i := range r.v.cols {
		c := &r.v.cols[i]
		if !c.money() {
			continue
		}
		unit := strings.ToUpper(c.info.Unit)
		if _, mixed := r.v.common[i]; mixed || unit == "" {
			unit = "the currency of each row"
		}
		parts = append(parts, fmt.Sprintf("%s is in %s", c.info.Name, unit))
	}
	return strings.Join(parts, ", ")
}
