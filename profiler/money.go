package profiler

import (
	"slices"
	"strings"
)

// money decides whether a column is money. Its currency comes from unit or name; words such as revenue alone make it
// money of unknown currency.
func (v *verdict) money(n Name, s *scan) bool {
	code, multiple := splitUnit(v.unit)
	lo, hi := s.span()
	switch {
	case s.whole && lo >= 0 && hi <= 5 && v.unitSource != UnitFromMetadata && !commonCodes[strings.ToLower(code)]:
		return false // answers and grades: job_criterion_salary, lang_PHP
	case currencyCodes[code], openSigns[v.unit] != nil:
	case v.unit != "" || n.factor() || n.counts() || n.labelsMoney() || !n.has(moneyWords) && !n.endsWith("gross") ||
		n.any("rate", "ratio", "per", "days", "index", "score", "number", "rank"):
		return false
	}
	v.is(Currency, RoleMeasure, 0.95)
	digits := currencyDigits(code)
	v.format = Suggestion{Kind: "currency", Code: code, Group: true, Digits: digits, Plus: n.signed()}
	switch {
	case code == "":
		v.confidence = 0.7
		v.format.Kind, v.format.Digits = "decimal", min(digitsOf(s), 2)
	case multiple != "":
		v.format.Kind, v.format.Digits = "decimal", min(digitsOf(s), 2) // a symbol before millions would mislead
	case unitPrice(n) && digitsOf(s) > digits:
		typical, _ := magnitudes(s.numbers)
		v.format.Digits = min(digitsOf(s), max(4, tinyDigits(typical)))
	}
	v.aggregate = AggregateSum
	if n.ofOne() && !n.any("total") {
		v.aggregate = AggregateMean
	}
	if n.has(extremeWords) {
		v.aggregate = AggregateNone
	}
	return true
}

// ofOne reports whether the name is that of an amount for one thing or one person, which does not add up.
func (n Name) ofOne() bool {
	rate := n.has(rateWords) && n.any("rate", "ratio")
	return rate || n.has(meanWords) || n.ofUnit() || n.any("cac", "cpc", "cpm", "ltv", "eps", "salary", "each")
}

// ofUnit reports whether the name says that an amount is for one unit: unit cost. A business unit is another.
func (n Name) ofUnit() bool {
	at := slices.Index(n.Words, "unit")
	return at == 0 || at > 0 && at < len(n.Words)-1 && moneyWords[n.Words[at+1]] && n.Words[at-1] != "business"
}

// unitPrice reports whether the name is that of a price of one thing, where fractions of a cent matter.
func unitPrice(n Name) bool { return n.any("price", "rate", "cpc", "per", "unit") }
