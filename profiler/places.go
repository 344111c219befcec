package profiler

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// countryNames gives the English names of the ISO 3166-1 countries, their common other names and, apart, their codes.
var countryNames = sync.OnceValues(func() (names, codes map[string]bool) {
	names, codes = map[string]bool{}, map[string]bool{}
	namer := display.English.Regions()
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			r, err := language.ParseRegion(string([]rune{a, b}))
			if err != nil || !r.IsCountry() || r.Canonicalize() != r {
				continue
			}
			codes[r.String()] = true
			if iso3 := r.ISO3(); iso3 != "ZZZ" {
				codes[iso3] = true
			}
			if name := namer.Name(r); name != "" {
				names[foldPlace(name)] = true
			}
		}
	}
	for _, name := range strings.Split("usa|us|u.s.|u.s.a.|united states of america|uk|u.k.|great "+
		"britain|england|scotland|wales|south korea|north korea|korea|republic of korea|russia|russian "+
		"federation|viet nam|iran|syria|laos|"+
		"bolivia|venezuela|tanzania|moldova|czech republic|ivory coast|cote d'ivoire|cape "+
		"verde|macedonia|burma|swaziland|turkey|türkiye|hong kong|taiwan|macau|palestine|the "+
		"netherlands|holland|brunei|uae|congo|"+
		"dr congo|democratic republic of the congo|republic of the congo|bosnia and herzegovina|trinidad and "+
		"tobago|antigua and barbuda|saint kitts and nevis|the bahamas|the gambia|timor-leste|east "+
		"timor|micronesia|vatican city|holy see|kosovo", "|") {
		names[foldPlace(name)] = true
	}
	return names, codes
})

var placeLetters = strings.NewReplacer("’", "'", "&", "and", "ô", "o", "é", "e", "ã", "a", "í", "i", "ç", "c", "å", "a")

// foldPlace makes place names comparable.
func foldPlace(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	if !strings.ContainsFunc(s, func(r rune) bool { return r == '&' || r > unicode.MaxASCII }) {
		return s
	}
	return placeLetters.Replace(s)
}

// maxCountry is longer than any country's name, in bytes.
const maxCountry = 80

func isCountry(s string) bool {
	if len(s) > maxCountry {
		return false
	}
	names, _ := countryNames()
	return names[foldPlace(s)]
}

func isCountryCode(s string) bool {
	_, codes := countryNames()
	return (len(s) == 2 || len(s) == 3) && codes[s]
}

// usStates are the postal codes of the states of the United States and of its districts and territories.
var usStates = set(strings.Fields("AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE " +
	"NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR GU VI AS MP")...)
