package profiler

import "strings"

// KindFromName is the semantic type that a name alone suggests, with the unit that goes with it, where there are no
// values to look at: a schema, an empty table. A name that says nothing is Text; money that the name says is local has
// the unit "local". With values, Profile knows better.
func KindFromName(name string) (semantic, unit string) {
	n := ReadName(name)
	semantic, unit = Text, n.Unit
	for _, rule := range nameRules {
		if kind := rule(n); kind != "" {
			semantic = kind
			break
		}
	}
	switch {
	case semantic == Percentage && unit == "":
		unit = "%"
	case semantic == Currency && unit == "" && n.any("local") && n.any("currency"):
		unit = "local"
	}
	return semantic, unit
}

// nameRules are asked in turn; "" passes on to the next.
var nameRules = []func(Name) string{typeByWord, typeByUnit, typeByTime, typeByPlace, typeByNumber, typeByLabel}

func typeByWord(n Name) string {
	switch {
	case questionWords[n.first()] && len(n.Words) > 1, n.endsWith("yn", "flag", "indicator"):
		return Boolean
	case n.any("email"):
		return Email
	case n.any("phone", "telephone", "mobile", "fax") && !n.ends(countWords):
		return Phone
	case n.any("url", "uri", "website", "link", "href"):
		return URL
	case n.any("ip", "ipv4", "ipv6"):
		return IP
	case n.postal():
		return PostalCode
	case n.first() == "index" && len(n.Words) == 1:
		return ID
	}
	if kind := geoWords[n.last()]; kind != "" {
		return kind
	}
	return ""
}

func typeByUnit(n Name) string {
	code, _ := splitUnit(n.Unit)
	switch {
	case currencyCodes[code]:
		return Currency
	case n.Unit == "%":
		return Percentage
	case n.has(moneyWords) && strings.HasSuffix(n.Unit, "ions"), n.has(moneyWords) && n.Unit == "thousands":
		return Currency
	case n.Unit == "":
		return ""
	case wholeUnits[n.Unit] && !n.has(meanWords) && !n.any("sales", "payable", "outstanding", "inventory"):
		return Integer // days past due; days sales outstanding is computed
	}
	return Decimal
}

// wholeUnits are counted in whole numbers.
var wholeUnits = set("days", "weeks", "months", "years")

func typeByTime(n Name) string {
	switch {
	case n.endsWith("timestamp", "datetime", "at") && len(n.Words) > 1, n.endsWith("timestamp", "datetime"),
		n.any("date") && n.any("time"):
		return DateTime
	case n.ends(dayWords), n.any("date") && n.any("of") && n.endsWith("birth", "hire", "death", "service"):
		return Date
	case n.endsWith("date", "day") && !n.any("of", "number", "count"):
		return Date
	case n.endsWith("month", "quarter", "weekday") && !n.any("per"):
		return Category
	case n.endsWith("year", "week") && !n.any("per"):
		return Integer
	}
	return ""
}

// dayWords are days by themselves.
var dayWords = set("birthday", "deadline", "anniversary")

func typeByPlace(n Name) string {
	word := n.last()
	if (word == "name" || word == "code") && len(n.Words) > 1 {
		word = n.Words[len(n.Words)-2]
	}
	if kind := placeWords[word]; kind != "" && !n.ends(countWords) && !n.ends(idWords) && !n.any("per") {
		return kind
	}
	return ""
}

func typeByNumber(n Name) string {
	switch {
	case n.any("cost", "profit") && n.endsWith("center"), n.any("zone") && n.any("time"):
		return Category
	case n.any("per") && n.endsWith("second", "minute"):
		return Decimal
	case n.any("line", "row", "sequence", "step", "page", "rank") && n.ends(numberWords),
		n.ends(numberWords) && len(n.Words) > 1 && (periodWords[n.Words[len(n.Words)-2]] || n.any("week", "day")):
		return Integer
	case n.any("return") && n.any("spend"):
		return Decimal
	case n.any("percentile", "wacc", "irr"):
		return Percentage
	case n.first() == "count" && len(n.Words) > 1,
		n.any("population", "headcount", "bytes") && !n.any("density", "per", "average", "growth"):
		return Integer
	case n.identifies(), n.ends(numberWords) && len(n.Words) > 1, n.any("gl") && n.endsWith("account"):
		return ID
	case n.any("deviation", "skewness", "kurtosis", "coefficient", "correlation", "score", "index", "delta"):
		return Decimal
	case n.counts() && !n.any("average", "mean", "per"):
		return Integer
	case n.endsWith("headcount", "rank", "age", "population", "inventory", "hand", "eom"):
		return Integer
	case n.any("mttr", "roas", "nps", "exchange", "fx", "p/e", "pe", "multiple", "turnover") && !n.any("rate"):
		return Decimal
	case n.percents():
		return Percentage
	case n.endsWith("ratio", "factor"):
		return Decimal
	case n.endsWith("terms", "method", "type", "status", "mode", "name", "term"):
		return ""
	case n.has(chargeWords) || n.has(moneyWords) || n.any("limit") && n.any("credit") ||
		n.any("expenditure", "value", "forward") && n.any("order", "lifetime", "contract", "balance"):
		return Currency
	case n.any("quantity", "units", "days", "clicks", "impressions"):
		return Integer
	case n.has(decimalWords), n.any("duration", "weight", "height", "width", "distance", "speed", "temperature",
		"latency", "average", "mean", "median", "hours", "volume"):
		return Decimal
	}
	return ""
}

// chargeWords are money beside the words that profiles go by: with values they may count things too.
var chargeWords = set("charge", "charges", "merchandise", "msrp", "npv", "noi", "aum", "gmv", "tcv", "acv",
	"capitalization", "subsidy", "overhead")

// decimalWords are measured, not counted.
var decimalWords = set("csat", "nps", "fte", "gpa", "bmi", "mpg", "r2", "rmse", "mae", "mape", "beta", "density",
	"humidity", "pressure", "elevation", "altitude", "depth", "area", "time", "tenure", "size", "throughput",
	"turns", "usage",
	"energy", "pm2.5", "rating", "temperature", "std", "variance", "interval", "length", "percentile", "p50", "p90",
	"p95", "p99", "elapsed", "wait", "multiple", "confidence", "bound")

// percents reports whether a name is that of a rate of one thing to another that people give in percent. Prices of
// time, rates in nature and money that is called a rate are none.
func (n Name) percents() bool {
	switch {
	case !n.has(rateWords), n.has(plainRates), n.any("count", "amount", "per", "number"):
		return false
	case n.endsWith("ratio"):
		return n.any("conversion", "churn", "retention", "utilization", "expense", "loss", "payout") ||
			n.any("dau") && n.any("mau")
	case n.endsWith("rate", "margin", "growth", "share", "yield", "change", "roi", "roe", "roa"):
		return true
	}
	return !n.has(moneyWords)
}

// plainRates are words beside which a rate is no percentage.
var plainRates = set("exchange", "fx", "hourly", "daily", "day", "pay", "billing", "wage", "heart", "pulse", "flow",
	"frame", "bit", "sampling", "run", "burn", "crude", "fertility", "birth", "death",
	"mortality", "incidence", "respiratory", "room", "spot", "freight", "fire", "data", "refresh")

func typeByLabel(n Name) string {
	word := n.last()
	if word == "name" && len(n.Words) > 1 {
		if n.any("department", "unit", "region", "segment", "category", "group", "division", "branch", "store", "channel", "team") {
			return Category
		}
		return Text
	}
	if categoryWords[word] || n.has(categoryWords) && !n.has(textWords) {
		return Category
	}
	return ""
}
