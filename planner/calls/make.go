package calls

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"catena/planner/plan"
)

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
				if strings.Contains(p.low, "24") {
					return json.Number(fmt.Sprint(v.when.Hour())), 1.4, true
				}
				return json.Number(hourText.FindString(strings.TrimLeft(v.text, "0"))), 1.4, true
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
		if p.means == zone && !zoneForm.MatchString(v.text) {
			return nil, 0, false
		}
		if p.means == identifier || p.means == formula || p.means == zone {
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
	case zone:
		if name, ok := zoneOf(text); ok {
			return name, base + 0.8, true
		}
		base += 0.5 * b2f(known)
	case country:
		base += 0.2
		if _, after, ok := strings.Cut(text, ", "); ok && countries[strings.ToLower(after)] {
			return after, base + 0.8, true
		}
		if countries[strings.ToLower(text)] {
			base += 0.9
			if code := plan.CountryCode(text); code != "" && wantsCode.MatchString(p.desc) {
				text = code
			}
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
			base -= 0.8
		}
	default:
		if known {
			base -= 0.35
		}
	}
	return text, base, true
}

// wantsCode is how a description asks for the code of a country rather than its name.
var wantsCode = regexp.MustCompile(`(?i)\bISO\b.*\bcountr|country code|alpha-2|two-letter|2-letter`)

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
