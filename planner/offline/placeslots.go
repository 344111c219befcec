package offline

import (
	"slices"
	"strings"

	"catena/planner/plan"
)

// placeWords are what arguments that take places and currencies are called.
var placeWords = plan.WordSet("country region currency market state nation territory")

// takesPlace reports whether an argument whose name has these words takes a country, a region or a currency.
func (p *param) takesPlace(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return placeWords[plan.Singular(w)] }) || strings.Contains(p.desc, "ISO country") || strings.Contains(p.desc, "ISO currency")
}

// fillPlace takes a country or currency: as a code where the argument wants codes.
func (s *filling) fillPlace(p param) {
	if strings.Contains(strings.ToLower(p.desc+p.name), "currency") {
		for i, t := range s.toks {
			if c := currencyCode(t); c != "" && !s.used[i] && t.kind == wordToken {
				s.args[p.name] = c
				s.mark(i, i+1)
				return
			}
		}
		return
	}
	code := strings.Contains(p.desc, "ISO") || strings.Contains(p.desc, "code")
	for _, at := range s.places() {
		if s.used[at.i] {
			continue
		}
		value := at.phrase
		if code {
			value = plan.CountryCode(at.phrase)
		} else if country, ok := plan.Demonym(s.toks[at.i].low); ok {
			value = country
		}
		if value == "" {
			continue
		}
		s.args[p.name] = value
		s.mark(at.i, at.j)
		return
	}
}

// placed is a stretch of tokens that names a country or region, as it is written.
type placed struct {
	i, j   int
	phrase string
}

// places are the countries and regions that the clause names, the longer ones first where several begin at one word.
func (s *filling) places() []placed {
	key := stretchOf(s.toks)
	out, ok := s.c.s.made.places[key]
	if ok {
		return out
	}
	for i := range s.toks {
		for j := min(i+3, len(s.toks)); j > i; j-- {
			if slices.ContainsFunc(s.toks[i:j], func(w token) bool { return w.kind != wordToken }) {
				continue
			}
			phrase := joinWords(s.toks[i:j])
			if plan.IsPlace(phrase) && len(plan.Synonyms(phrase)) > 0 && (len(phrase) > 3 || phrase == strings.ToUpper(phrase)) {
				out = append(out, placed{i, j, phrase})
			}
		}
	}
	s.c.s.made.places[key] = out
	return out
}

var currencyNames = map[string]string{"dollar": "USD", "euro": "EUR", "pound": "GBP", "yen": "JPY", "franc": "CHF", "krone": "NOK", "yuan": "CNY", "rupee": "INR"}

var currencyCodes = plan.WordSet("usd eur gbp jpy chf nok sek dkk cny inr cad aud brl mxn pln czk huf try krw sgd hkd nzd zar")

// currencyCode gives the ISO code that a word means.
func currencyCode(t token) string {
	if currencyCodes[t.low] {
		return strings.ToUpper(t.low)
	}
	return currencyNames[t.lemma]
}

// capital reports whether a word begins with a capital of English.
func capital(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }
