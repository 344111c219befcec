package profiler

import (
	"math"
	"slices"
)

// percentRates are what rates in percent are rates of: bounce rate, interest rate. Others have units of their own: a
// heart rate, an exchange rate, a birth rate.
var percentRates = set("bounce", "interest", "discount", "conversion", "churn", "retention", "tax", "vat",
	"unemployment", "employment", "inflation", "open", "click", "click-through", "response", "completion",
	"success", "failure",
	"error", "defect", "attrition", "turnover", "occupancy", "vacancy", "utilization", "utilisation", "approval",
	"rejection", "acceptance", "attendance", "graduation", "dropout", "literacy", "poverty", "win", "default",
	"delinquency",
	"savings", "coupon", "mortgage", "lending", "refund", "cancellation", "cancel", "renewal", "adoption",
	"penetration", "participation", "fill", "hit", "unsubscribe", "engagement", "absence", "absenteeism", "scrap",
	"pass", "fail",
	"readmission", "vaccination", "growth", "margin", "commission", "repeat", "deposit", "recovery", "abandonment",
	"yield", "delivery")

// percentNames are rates in percent that have a name of their own.
var percentNames = set("ctr", "cvr", "apr", "apy", "churn", "attrition", "occupancy", "uptime", "inflation",
	"unemployment")

// mayExceed are the rates of percentRates of which a ratio may be more than 1: growth of 150 %.
var mayExceed = set("growth", "utilization", "utilisation", "occupancy", "recovery", "turnover", "yield", "margin")

// ratesInPercent reports whether the name is that of a rate in percent, not of money or of a multiple.
func (n Name) ratesInPercent() bool {
	if n.factor() || n.counts() || n.any("exchange", "fx", "per", "multiple", "p/e") || n.ends(idWords) {
		return false
	}
	return percentNames[n.last()] || len(n.Words) > 1 && n.last() == "rate" && percentRates[n.Words[len(n.Words)-2]] ||
		n.last() == "growth" && len(n.Words) > 1
}

// factor reports whether the name is that of what something was multiplied by: a return of 1.2 times what was spent.
func (n Name) factor() bool {
	return n.any("roi", "roas", "moic", "multiple", "multiplier", "turns") || n.any("return") && n.any("spend")
}

// isFactor reports whether the numbers are such factors: ROI of 0.15 is read as 15 %, one of 1.2 as 1.2 times.
func (s *scan) isFactor(n Name) bool {
	lo, hi := s.span()
	return n.factor() && math.Max(math.Abs(lo), math.Abs(hi)) > 1
}

// inPercent reports whether the numbers of a rate in percent are percentages already, 45.2 being 45.2 %: they leave the
// range of ratios, stay within that of percentages, and differ.
func (s *scan) inPercent(n Name) bool {
	lo, hi := s.span()
	top := math.Max(math.Abs(lo), math.Abs(hi))
	if ratio, _ := s.looksLikeRatio(); ratio && (top <= 1 || n.has(mayExceed)) {
		return false
	}
	if n.last() == "growth" {
		return top <= 1000
	}
	return top <= 100 && (lo >= 0 || n.any("inflation", "interest")) && s.kinds > 1
}

// numberedAlone are things whose numbers go by the name of the thing.
var numberedAlone = set("account", "card", "imei", "imsi", "msisdn", "passport", "policy", "contract", "invoice")

// numbersThings reports whether whole numbers tell things apart: accounts and cards, however they are called.
func (s *scan) numbersThings(n Name, lo float64) bool {
	const least = 10_000 // fewer are counts of accounts
	if s.kinds*10 < 9*len(s.numbers) || n.has(moneyWords) || n.counts() {
		return false
	}
	return lo >= least && numberedAlone[n.last()] ||
		lo >= 1e12 && len(s.numbers) > 1 && !slices.ContainsFunc(s.numbers, func(x float64) bool {
			return !luhn(x)
		})
}

// talliesFromZero reports whether whole numbers say how many there are of something: what is numbered begins at one, so
// those that come again and begin at zero are counts, however short their name is: citation_num.
func (s *scan) talliesFromZero(lo float64) bool { return lo == 0 && s.kinds < len(s.numbers) }

// luhn reports whether a number has the check digit of payment cards (ISO/IEC 7812-1) and 13 to 16 digits, which a
// double holds.
func luhn(x float64) bool {
	if x < 1e12 || x >= 9e15 || x != math.Trunc(x) {
		return false
	}
	sum := 0
	for i, rest := 0, int64(x); rest > 0; i, rest = i+1, rest/10 {
		d := int(rest % 10)
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// percentage decides whether a column is a percentage, and its scale for the whole column: 15.2 as written with a
// percent sign are points; 0.152 is a ratio. The name must speak of percent or of a rate.
func (v *verdict) percentage(n Name, s *scan) bool {
	switch {
	case v.unitSource == UnitFromMetadata && v.unit == "%":
		v.percent(n, s, false, 1)
	case v.unitSource == UnitFromMetadata && v.unit == "ratio":
		v.percent(n, s, true, 1)
	case currencyCodes[n.Unit] && v.unit == n.Unit && n.parts():
		ratio, sure := s.looksLikeRatio()
		if !ratio || s.whole {
			return false
		}
		v.unit = "" // the currency is that of what is shared
		v.percent(n, s, true, sure)
	case v.unit != "" && v.unit != "%" && v.unit != "ratio", v.unit == "" && s.isFactor(n):
		return false
	case (v.unit == "%" || n.has(percentWords)) && !s.countsThings():
		ratio, sure := s.looksLikeRatio()
		v.percent(n, s, ratio, sure)
		if sure < 0.7 {
			v.warnings = append(v.warnings, "the scale of the percentages is not certain: read as "+scaleName(ratio))
		}
	case v.unit == "" && n.ratesInPercent() && s.inPercent(n):
		v.percent(n, s, false, 0.8)
		v.format.Digits = min(digitsOf(s), 2) // 4.25 %
	case n.has(rateWords) && !n.has(moneyWords) && !n.counts() &&
		!n.any("exchange", "fx", "hourly", "pe", "p/e", "d/e") && (!n.any("per") || n.any("growth", "change")) &&
		!n.ends(idWords):
		ratio, sure := s.looksLikeRatio()
		if lo, _ := s.span(); !ratio || s.whole || lo < 0 && !n.has(signedRates) {
			return false
		}
		v.percent(n, s, true, sure*0.9)
	case n.has(moneyWords) && n.any("margin", "growth", "share") && !s.whole && !n.ends(moneyWords):
		ratio, sure := s.looksLikeRatio()
		if !ratio {
			return false
		}
		v.percent(n, s, true, sure*0.8)
	default:
		return false
	}
	return true
}

// signedRates are the rates that may be below zero. Signed fractions under another word (change, share, conversion)
// show by their values alone neither what they are of nor that they are of anything: a name must say percent.
var signedRates = set("growth", "margin", "yield", "roi", "roe", "roa", "yoy", "qoq", "mom", "wow", "dod")

func scaleName(ratio bool) string {
	if ratio {
		return "ratios, 0.15 being 15%"
	}
	return "points, 15 being 15%"
}

// looksLikeRatio reports whether percentages are stored as ratios, with how sure that is: ratios stay within about one,
// points do not. Points below one throughout are possible (growth of 0.3 %), hence never quite sure.
func (s *scan) looksLikeRatio() (bool, float64) {
	lo, hi := s.span()
	top := math.Max(math.Abs(lo), math.Abs(hi))
	inside := 0
	for _, x := range s.numbers {
		if math.Abs(x) <= 1 {
			inside++
		}
	}
	part := float64(inside) / float64(len(s.numbers))
	switch {
	case top <= 1 && s.whole:
		return true, 0.6
	case top <= 1:
		return true, 0.9
	case part >= 0.9 && top <= 20 && !s.whole:
		return true, 0.7
	case part >= 0.5 && top <= 3 && !s.whole:
		return true, 0.65
	}
	return false, 0.9
}

func (v *verdict) percent(n Name, s *scan, ratio bool, confidence float64) {
	v.is(Percentage, RoleMeasure, confidence)
	if v.unit != "%" {
		v.unit = "%"
		if v.unitSource == "" || v.unitSource == UnitFromName && n.Unit == "" {
			v.unitSource = UnitFromName
		}
	}
	v.aggregate = AggregateMean
	if n.shares() && !n.signed() && !n.has(meanWords) {
		v.aggregate = AggregateSum
	}
	if n.any("running", "cumulative") {
		v.aggregate = AggregateNone // each holds those before it
	}
	digits := 1
	if s.whole && !ratio && s.col.Scale == 0 {
		digits = 0
	}
	v.format = Suggestion{Kind: "percent", Ratio: ratio, Digits: digits, Plus: n.signed()}
}
