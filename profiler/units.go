package profiler

import (
	"strings"

	"golang.org/x/text/currency"
)

// Where a unit was read.
const (
	UnitFromName     = "name"
	UnitFromValues   = "values"
	UnitFromMetadata = "metadata"
)

// unitWords are the units that end names (or begin them, for counts of days and the like), by the words that stand for
// them.
var unitWords = units(`
%: pct percent percentage perc pctg %
bp: bps
ms: ms msec msecs millis milliseconds millisecond
µs: usec usecs micros microseconds
ns: ns nsec nanos nanoseconds
s: sec secs second seconds
min: mins minutes minute
h: hr hrs hour hours
days: days
weeks: wks weeks
months: mos months mths
years: yrs years
km: km kms kilometers kilometres
m: meters metres
cm: cm
mm: mm
mi: mi miles
ft: ft feet
in: inches
kg: kg kgs kilograms
g: grams
mg: mg
t: tonnes tons
lb: lb lbs
oz: oz
L: liters litres ltr
mL: ml
gal: gal gallons
B: bytes
kB: kb
MB: mb
GB: gb
TB: tb
°C: degc celsius
°F: degf fahrenheit
km/h: kmh kph
mph: mph
m/s: mps
W: watts
kW: kw
MW: mw
kWh: kwh
MWh: mwh
Hz: hz
kHz: khz
MHz: mhz
GHz: ghz
V: volts
hPa: hpa
psi: psi
ha: hectares
m²: sqm m2
km²: sqkm km2
sq ft: sqft
kcal: kcal
kJ: kj
kPa: kpa
mbar: mbar
Mbps: mbps
Gbps: gbps
kbps: kbps
bpm: bpm
rpm: rpm
ppm: ppm
ppb: ppb
m³: cbm m3
ft³: cbft cuft
mi²: sqmi
acres: acres
L/min: lpm
µm: microns
mmHg: mmhg
dB: db
dBm: dbm
GWh: gwh
mAh: mah
mmol/L: mmol
mg/dL: mgdl
mg/L: mgl
`)

func units(list string) map[string]string {
	m := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(list), "\n") {
		unit, words, _ := strings.Cut(line, ": ")
		for _, w := range strings.Fields(words) {
			m[w] = unit
		}
	}
	return m
}

// symbolUnits are units as brackets in names and cells write them, beside the words above.
var symbolUnits = map[string]string{
	"%": "%", "$": "USD", "us$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY", "₪": "ILS",
	"r$": "BRL", "zł": "PLN", "kč": "CZK", "a$": "AUD", "c$": "CAD", "m": "m", "s": "s", "h": "h", "g": "g", "t": "t", "l": "L", "w": "W", "v": "V",
	"d": "days", "min": "min", "in": "in", "°c": "°C", "c": "°C", "°f": "°F", "f": "°F", "km/h": "km/h", "m/s": "m/s", "µs": "µs", "us": "µs", "mb": "MB",
	"m²": "m²", "m^2": "m²", "sq ft": "sq ft", "sq. ft.": "sq ft", "sq m": "m²", "km²": "km²", "kg/m²": "kg/m²", "g/l": "g/L", "mg/l": "mg/L", "µg/m³": "µg/m³", "ug/m3": "µg/m³",
	"year": "years", "day": "days", "month": "months", "week": "weeks", "ppm": "ppm", "ppb": "ppb", "db": "dB", "ratio": "ratio",
}

// timeUnits are the units of durations.
var timeUnits = set("ns", "µs", "ms", "s", "min", "h", "days", "weeks", "months", "years")

// currencyCodes are the ISO 4217 codes in use. In names some of them are words: those count in capitals or in brackets
// only.
var currencyCodes = func() map[string]bool {
	m := map[string]bool{}
	for it := currency.Query(); it.Next(); {
		m[it.Unit().String()] = true
	}
	return m
}()

// openSigns are signs that several currencies share, with their codes: which one is meant, something else must tell.
var openSigns = map[string][]string{"kr": {"SEK", "NOK", "DKK", "ISK"}, "¥": {"JPY", "CNY"}}

// IsCurrency reports whether a unit is an ISO 4217 code, as in "USD"; "USD millions" is not.
func IsCurrency(unit string) bool { return currencyCodes[unit] }

// wordCodes are ISO 4217 codes that are words or abbreviations of English or of data.
var wordCodes = set("all", "cup", "gel", "lak", "mad", "pen", "ron", "sos", "top", "try", "bam", "bob", "dop", "mop", "nad", "php", "stn", "tnd", "xxx", "xts", "cop", "clf", "srd", "std", "ang",
	"ars", "bif", "bsd", "cve", "den", "far", "fim", "gip", "lit", "mur", "mro", "won", "mga", "mid", "kid", "pab", "shp", "sit", "sle", "sll", "svc", "yer", "tmt", "amd", "awg", "cdf", "che", "chw", "mxv", "usn", "uss", "xdr", "lbp", "btn", "vnd", "irr", "mdl", "scr", "crc", "ssp", "ern")

// currencyWords name one currency each; dollars, pesos and rupees do not.
var currencyWords = map[string]string{
	"euro": "EUR", "euros": "EUR", "yen": "JPY", "sterling": "GBP",
}

// multiples are the words for thousands and more that may stand by a currency.
var multiples = map[string]string{"k": "thousands", "thousand": "thousands", "thousands": "thousands", "m": "millions", "mm": "millions", "mn": "millions", "mio": "millions", "million": "millions",
	"millions": "millions", "tsd": "thousands", "mrd": "billions", "b": "billions", "bn": "billions", "billion": "billions", "billions": "billions"}

// currencyOf is the currency that a word of a name names; "" when it names none.
func currencyOf(token string) string {
	up, low := strings.ToUpper(token), strings.ToLower(token)
	switch {
	case currencyWords[low] != "":
		return currencyWords[low]
	case len(token) == 3 && currencyCodes[up] && (!wordCodes[low] || token == up):
		return up
	}
	return ""
}

// bracketUnit takes a unit in brackets off the end of a name: "Revenue (USD)", "Distance [km]", "Revenue (in $M)".
func bracketUnit(name string) (base, unit string) {
	if name == "" {
		return name, ""
	}
	open := strings.LastIndexAny(name, "([")
	last := name[len(name)-1]
	if open <= 0 || last != ')' && last != ']' {
		return name, ""
	}
	inner := strings.TrimSpace(name[open+1 : len(name)-1])
	inner = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(inner, "in "), "en "))
	if unit = unitOf(inner); unit == "" {
		return name, ""
	}
	return strings.TrimSpace(name[:open]), unit
}

// unitOf is the unit that a text in brackets or behind a number names; "" when it names none.
func unitOf(text string) string {
	low := strings.ToLower(strings.TrimSpace(text))
	if m := thousandsOf(low); m != "" {
		return m
	}
	if u := symbolUnits[low]; u != "" {
		return u
	}
	if u := unitWords[low]; u != "" {
		return u
	}
	if c := currencyOf(text); c != "" {
		return c
	}
	return scaledCurrency(low)
}

// thousandsOf reads a multiple without a word for what is multiplied: "thousands", "000s", "$000s", "usd '000".
func thousandsOf(low string) string {
	if m := multiples[low]; m != "" && len(low) > 2 {
		return m
	}
	rest, ok := strings.CutSuffix(strings.TrimSuffix(low, "s"), "000")
	if !ok {
		return ""
	}
	rest = strings.Trim(rest, " '’,")
	switch code := symbolUnits[rest]; {
	case rest == "":
		return "thousands"
	case currencyCodes[code]:
		return code + " thousands"
	}
	if c := currencyOf(rest); c != "" {
		return c + " thousands"
	}
	return ""
}

// scaledCurrency reads "$m", "usd thousands", "€ bn", "millions of eur", "mio. €", "t€", "teur".
func scaledCurrency(low string) string {
	low = strings.Join(strings.FieldsFunc(strings.ReplaceAll(low, " of ", " "), func(r rune) bool { return r == ' ' || r == '.' || r == ',' }), " ")
	for sign, code := range symbolUnits {
		if !currencyCodes[code] {
			continue
		}
		if rest, ok := strings.CutPrefix(low, sign); ok && multiples[strings.TrimSpace(rest)] != "" {
			return code + " " + multiples[strings.TrimSpace(rest)]
		}
		if rest, ok := strings.CutSuffix(low, sign); ok && multipleBefore(strings.TrimSpace(rest)) != "" {
			return code + " " + multipleBefore(strings.TrimSpace(rest))
		}
	}
	if n := len(low) - 3; n == 1 && commonCodes[low[n:]] && multipleBefore(low[:n]) != "" {
		return strings.ToUpper(low[n:]) + " " + multipleBefore(low[:n])
	}
	first, second, ok := strings.Cut(low, " ")
	if !ok {
		return ""
	}
	if c := currencyOf(first); c != "" && multiples[second] != "" {
		return c + " " + multiples[second]
	}
	if c := currencyOf(second); c != "" && multiples[first] != "" {
		return c + " " + multiples[first]
	}
	return ""
}

// multipleBefore is a multiple that stands before a currency, as in T€ and TEUR, where t is thousands.
func multipleBefore(low string) string {
	if low == "t" {
		return "thousands"
	}
	return multiples[low]
}

// takeUnit takes the unit out of the parts of a name. A name that is nothing but a unit keeps it as its label;
// "usd_per_unit" and other rates keep their words, since the unit is only a part of theirs.
func takeUnit(tokens []string) (rest []string, unit string) {
	last := len(tokens) - 1
	for i, tok := range tokens {
		if strings.EqualFold(tok, "per") && (i+1 >= last || currencyOf(tokens[last]) == "") {
			return tokens, ""
		}
	}
	for i := last; i >= 0; i-- {
		if unit = nameUnit(tokens, i); unit == "" {
			continue
		}
		rest = append(append([]string{}, tokens[:i]...), tokens[i+1:]...)
		if n := len(rest); n > 1 && i == n && strings.EqualFold(rest[n-1], "in") {
			rest = rest[:n-1] // weight in kg
		}
		if len(rest) > 1 && i == len(rest) && currencyCodes[unit] {
			if m := multiples[strings.ToLower(rest[i-1])]; m != "" {
				rest, unit = rest[:i-1], unit+" "+m
			}
		} else if len(rest) > 1 && i == len(rest)-1 && currencyCodes[unit] {
			if m := multiples[strings.ToLower(rest[i])]; m != "" {
				rest, unit = rest[:i], unit+" "+m
			}
		}
		if keepsUnit(tokens, i, unit) || len(rest) == 0 || strings.EqualFold(rest[len(rest)-1], "of") { // sum of liters
			rest = tokens
		}
		return rest, unit
	}
	return tokens, ""
}

// nameUnit is the unit that part i of a name stands for: currencies and percent anywhere, others at the end, counts of
// days and the like at the beginning.
func nameUnit(tokens []string, i int) string {
	low := strings.ToLower(tokens[i])
	last := len(tokens) - 1
	if c := currencyOf(tokens[i]); c != "" && (i == last || i == last-1 && multiples[strings.ToLower(tokens[last])] != "" || commonCodes[low]) {
		if exchanges(tokens, i) {
			return ""
		}
		return c
	}
	if u := symbolUnits[low]; currencyCodes[u] || low == "%" {
		return u
	}
	u := unitWords[low]
	if i == last && i > 0 {
		if v := afterWord(strings.ToLower(tokens[i-1]), low); v != "" {
			return v
		}
	}
	if low == "min" && i == last && i > 0 && lasts[strings.ToLower(tokens[i-1])] {
		u = "min"
	}
	switch {
	case u == "%":
		return u
	case u == "" || i != last && (i != 0 || !timeUnits[u]):
		return ""
	case i == last && i > 0 && ordinalOf[low], timeUnits[u] && isPeriod(tokens[:i]):
		return ""
	}
	return u
}

// afterWord is the unit that one or two letters stand for behind a word of what is measured: temp_c, depth_m,
// ebitda_mm, revenue_k. The currency of such money is not known.
func afterWord(before, low string) string {
	switch {
	case before == "temp" || before == "temperature" || before == "tmp":
		return map[string]string{"c": "°C", "f": "°F", "k": "K"}[low]
	case lengthWords[before] && low == "m":
		return "m"
	case multiples[low] == "" || low == "m" && before == "fy":
		return ""
	}
	long := before
	if l := abbreviations[before]; l != "" {
		long = l[strings.LastIndexByte(l, ' ')+1:]
	}
	if moneyWords[long] || moneyWords[before] {
		return multiples[low]
	}
	return ""
}

// lengthWords are measured in metres when an m follows them.
var lengthWords = set("alt", "altitude", "elev", "elevation", "depth", "height", "ht", "length", "len", "width", "dist", "distance", "radius", "diameter", "thickness", "perimeter", "visibility")

// commonCodes stand for their currency anywhere in a name.
var commonCodes = set("usd", "eur", "gbp", "jpy", "chf", "inr", "cny", "aud", "cad", "sek", "nok", "dkk", "pln", "brl", "mxn")

// exchanges reports whether a name is that of an exchange rate, which has no one currency: eur_usd, usd_rate (but
// rate_usd is in dollars).
func exchanges(tokens []string, at int) bool {
	codes := 0
	for i, tok := range tokens {
		low := strings.ToLower(tok)
		if commonCodes[low] {
			codes++
		}
		if i > at && low == "rate" || low == "fx" || low == "exchange" {
			return true
		}
	}
	return codes > 1
}

// ordinalOf are singular units that name a place in time when they end a name: fiscal_second, work_hour.
var ordinalOf = set("hour", "minute", "second")

// lasts are the words after which "min" means minutes; elsewhere it is a minimum.
var lasts = set("time", "duration", "runtime", "elapsed", "wait", "dur", "tm")

// isPeriod reports whether the words before a unit of time make it a period rather than a unit: last_12_months.
func isPeriod(before []string) bool {
	for _, tok := range before {
		switch low := strings.ToLower(tok); {
		case low == "last", low == "past", low == "next", low == "previous", low == "trailing", low == "rolling", low[0] >= '0' && low[0] <= '9':
			return true
		}
	}
	return false
}

// keepsUnit reports whether a name reads badly without its unit: "days past due", "% of total", "hours worked".
func keepsUnit(tokens []string, i int, unit string) bool {
	if i != 0 || len(tokens) < 2 {
		return false
	}
	return timeUnits[unit] || unit == "%" && strings.EqualFold(tokens[1], "of")
}
