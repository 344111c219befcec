package profiler

import "slices"

// The words that names use for what a column means. They are weighed against the values; a name alone decides only what
// values cannot show (that 501 is an identifier, that 12.50 is money).
var (
	idWords = set("id", "ids", "uuid", "guid", "sku", "isbn", "issn", "ean", "upc", "iban", "bic", "vin", "ssn",
		"ein", "key", "hash", "fingerprint", "geoid", "fips", "handle")
	numberWords   = set("number", "#", "№") // "account number", but "number of accounts"
	numberedThing = set("account", "invoice", "order", "phone", "serial", "policy", "ticket", "case", "customer",
		"client", "employee", "contract", "reference", "room", "flight", "card", "id", "part", "item", "document",
		"license", "passport", "tracking", "lot", "batch", "permit", "house", "building")
	countWords = set("count", "counts", "quantity", "orders", "units", "clicks", "visits", "sessions", "users",
		"customers", "clients", "employees", "headcount", "population", "tickets", "contracts", "items", "impressions",
		"views", "downloads", "votes", "passengers", "students", "households", "rows", "pieces", "stock", "inventory",
		"volume", "installs", "signups", "leads", "cases", "deaths", "births", "goals", "wins", "losses", "shipments",
		"transactions")
	moneyWords = set("revenue", "sales", "price", "cost", "costs", "amount", "salary", "salaries", "wage", "wages",
		"income", "profit", "spend", "spending", "budget", "balance", "fee", "fees", "tax", "taxes", "payment",
		"payments", "expense", "expenses", "earnings", "turnover", "debt", "loan", "mrr", "arr", "arpu", "ltv", "cac",
		"cpc", "cpm", "ebitda", "ebit", "gdp", "capex", "opex", "cash", "fare", "rent", "premium", "subtotal",
		"discount_amount", "refund", "bonus", "tuition", "msrp", "expenditure", "expenditures", "liability",
		"liabilities", "asset", "assets", "equity", "receivable", "payable", "gmv", "fine", "fines", "penalty",
		"penalties", "surcharge", "commission", "commissions", "royalty", "royalties", "toll", "tolls", "invoiced",
		"bookings", "billings", "compensation", "deposit", "donation", "grant", "funding", "cogs", "eps")
	percentWords = set("percent", "percentage", "pct", "%")
	rateWords    = set("rate", "ratio", "margin", "share", "growth", "probability", "utilization", "utilisation",
		"conversion", "churn", "ctr", "cvr", "retention", "yield", "proportion", "fraction", "occupancy", "discount",
		"markup", "change", "apr", "apy", "roi", "roe", "roa", "uptime", "availability", "penetration", "attrition",
		"accuracy", "precision", "recall")
	shareWords  = set("share", "proportion", "fraction")
	changeWords = set("change", "delta", "growth", "difference", "variance", "yoy", "qoq", "mom", "wow", "dod",
		"gain", "net")
	meanWords = set("average", "mean", "median", "score", "rating", "stars", "age", "temperature", "index", "rank",
		"ranking", "price", "latency", "speed", "velocity", "density", "per", "satisfaction", "grade", "gpa", "bmi",
		"height", "pressure", "humidity", "elevation", "altitude", "depth", "level", "intensity", "p50", "p75", "p90",
		"p95", "p99", "percentile", "quantile", "ratio", "factor", "coefficient", "slope", "correlation", "r2",
		"stddev", "deviation", "std", "nps", "csat", "arpu", "aov", "resolution", "wage", "response", "concentration",
		"frequency", "ph", "likelihood")
	additiveWords = set("precipitation", "rainfall", "rain", "snowfall", "generation", "production", "consumption",
		"output", "distance", "duration", "hours", "energy", "area", "weight", "tonnage", "emissions", "total", "sum",
		"trade", "exports", "imports", "traffic", "usage")
	additiveUnits = set("kg", "t", "lb", "oz", "km", "mi", "s", "min", "h", "days", "weeks", "months", "years", "B",
		"kB", "MB", "GB", "TB", "kWh", "MWh", "ha", "km²", "m²", "sq ft", "L", "gal", "kcal")
	extremeWords = set("min", "max", "minimum", "maximum", "lowest", "highest", "cumulative", "running", "bound",
		"rank", "ranking", "position", "order_number")
	eventWords = set("born", "founded", "established", "built", "published", "released", "inaugurated", "birth",
		"geboren", "gegründet", "gebaut", "veröffentlicht")
	yearWords   = set("year", "yr", "jahr", "année", "annee", "año", "season", "vintage", "fy", "decade")
	periodWords = set("month", "quarter", "week", "weekday", "day", "hour", "minute", "dow", "doy",
		"semester", "trimester")
	timeWords = set("date", "datetime", "timestamp", "epoch", "time", "at", "created", "updated", "modified",
		"opened", "closed")
	categoryWords = set("type", "class", "category", "status", "code", "group", "segment", "gender", "sex", "kind",
		"stage", "tier", "grade", "flag", "mode", "priority", "severity", "department", "method", "channel", "label",
		"state", "bucket", "cluster", "level", "zone", "district", "ward", "borough", "precinct")
	textWords = set("name", "title", "description", "comment", "comments", "note", "notes", "text", "message",
		"subject", "summary", "review", "body", "address", "remarks", "content")
	placeWords = map[string]string{"country": Country, "nation": Country, "region": Region, "state": Region,
		"province": Region, "territory": Region, "continent": Region, "county": Region, "prefecture": Region,
		"city": City, "town": City, "municipality": City, "village": City}
	geoWords = map[string]string{"latitude": Latitude, "lat": Latitude, "longitude": Longitude, "lon": Longitude,
		"lng": Longitude}
)

// has reports whether the name has one of the words.
func (n Name) has(words map[string]bool) bool {
	return slices.ContainsFunc(n.Words, func(w string) bool { return words[w] })
}

// last is the last word; "" for a name without words.
func (n Name) last() string {
	if len(n.Words) == 0 {
		return ""
	}
	return n.Words[len(n.Words)-1]
}

// first is the first word; "" for a name without words.
func (n Name) first() string {
	if len(n.Words) == 0 {
		return ""
	}
	return n.Words[0]
}

// ends reports whether the last word is in the set.
func (n Name) ends(words map[string]bool) bool { return words[n.last()] }

// identifies reports whether the name is that of an identifier: client id, account number, zip; not number of accounts.
func (n Name) identifies() bool {
	if n.ends(idWords) {
		return true
	}
	if !n.ends(numberWords) || len(n.Words) < 2 {
		return false
	}
	return numberedThing[n.Words[len(n.Words)-2]]
}

// numbers reports whether the name says that rows or things are numbered: no, pick #, match number; not number of
// matches.
func (n Name) numbers() bool {
	if !n.ends(numberWords) || n.any("phone", "mobile", "fax", "telephone", "of") {
		return false
	}
	return len(n.Words) < 2 || !periodWords[n.Words[len(n.Words)-2]]
}

// postal reports whether the name is that of a postal code.
func (n Name) postal() bool {
	return n.any("zip", "postal", "postcode", "plz", "zipcode", "eircode") && !n.has(countWords)
}

// counts reports whether the name is that of a count: order count, number of orders, orders.
func (n Name) counts() bool {
	return n.ends(countWords) || n.first() == "number" && len(n.Words) > 1 && n.Words[1] == "of" ||
		len(n.Words) > 1 && (n.first() == "#" || n.first() == "num") || n.first() == "count"
}

// labels reports whether whole numbers of the name are labels where they are few: class 2, region 7.
func (n Name) labels() bool {
	place := placeWords[n.last()] != "" && !n.any("per")
	return n.ends(categoryWords) || place && !n.counts()
}

// labelWords end names of what classes or numbers amounts rather than holds them: cost method code, tax map.
var labelWords = set("code", "codes", "method", "map", "ref", "reference", "type", "class", "category", "status",
	"flag", "name", "required", "group", "tier", "bracket", "band", "basis", "frequency", "lot", "block", "district",
	"center", "centre", "account", "description")

// recentWords stand before a period that is one of several: revenue last period.
var recentWords = set("last", "prior", "previous", "this", "current", "same", "next", "per", "to")

// labelsMoney reports whether a name with a word for money is that of a label: tax map, cost center, smoothing period
// of assets.
func (n Name) labelsMoney() bool {
	for i, w := range n.Words {
		if i > 0 && w == "period" && !recentWords[n.Words[i-1]] {
			return true
		}
	}
	return n.ends(labelWords) || n.any("code", "method")
}

// measures reports whether the name speaks of a quantity of any kind.
func (n Name) measures() bool {
	return n.counts() || n.has(countWords) || n.has(moneyWords) || n.has(rateWords) || n.has(meanWords) ||
		n.has(additiveWords) || n.has(extremeWords) || n.has(percentWords)
}

// shares reports whether the name is that of parts of one whole.
func (n Name) shares() bool {
	if n.has(shareWords) {
		return true
	}
	for i, w := range n.Words {
		if w == "of" && i+1 < len(n.Words) && n.Words[i+1] == "total" {
			return true
		}
	}
	return false
}

// parts reports whether the name begins or ends with a word for a part of something: revenue_usd_share,
// share_of_revenue_usd.
func (n Name) parts() bool {
	return shareWords[n.first()] || n.ends(shareWords) || percentWords[n.first()] || n.ends(percentWords) ||
		n.endsWith("margin", "growth")
}

// any reports whether the name has one of the words.
func (n Name) any(words ...string) bool {
	return slices.ContainsFunc(n.Words, func(w string) bool { return slices.Contains(words, w) })
}

// endsWith reports whether the last word is one of the words.
func (n Name) endsWith(words ...string) bool { return slices.Contains(words, n.last()) }
