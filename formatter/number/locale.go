package number

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"
)

// The values of CLDR 41 (https://cldr.unicode.org, Unicode licence: LICENSE.unicode) that this package needs, one
// locale a line; generate.go writes it. Digits are ASCII in every locale, as CLDR's numbering system latn has it.
//
//go:embed cldr.jsonl
var cldr string

// Locale is how one language and region write numbers and dates. It is a small value that may be copied and used from
// several goroutines; the zero Locale is English.
type Locale struct{ d *data }

// data is what CLDR says of one locale, read once.
type data struct {
	tag      string
	language language.Tag
	raw      record

	point, group, percentSign, plus, minus, exponent, perMille, infinity, nan string
	minGroup                                                                  int
	decimal, scientific, percent, currency, accounting                        *pattern
	short, long, money                                                        []compactForm
	symbolsOf                                                                 map[string]string
}

// record is a line of cldr.jsonl.
type record struct {
	Symbols                                            []string
	Native                                             []string
	MinGroup                                           int
	Decimal, Scientific, Percent, Currency, Accounting string
	Short, Long, Money                                 []map[string]string
	Unit                                               map[string]string
	Signs                                              map[string]string
	Names                                              map[string]map[string]string
	MonthsWide                                         []string `json:"months_wide"`
	MonthsAbbreviated                                  []string `json:"months_abbreviated"`
	LoneMonthsWide                                     []string `json:"lone_months_wide"`
	LoneMonthsAbbreviated                              []string `json:"lone_months_abbreviated"`
	DaysWide                                           []string `json:"days_wide"`
	DaysAbbreviated                                    []string `json:"days_abbreviated"`
	LoneDaysWide                                       []string `json:"lone_days_wide"`
	MoneyPoint, MoneyGroup, Era                        string
	Halves                                             []string
	Dates, Times                                       []string
}

var (
	lines          = sync.OnceValue(splitLines)
	english        = sync.OnceValue(func() *data { return mustLoad("en") })
	fractionDigits = sync.OnceValue(func() map[string]int {
		digits := map[string]int{}
		if err := json.Unmarshal([]byte(lines()["digits"]), &digits); err != nil {
			panic(fmt.Sprintf("number: embedded data of currencies: %v", err)) // cannot happen: a test reads all of it
		}
		return digits
	})
	loaded sync.Map // tag -> *data, of the tags in lines only
)

func splitLines() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(cldr) {
		if tag, rec, ok := strings.Cut(line, "\t"); ok {
			out[tag] = rec
		}
	}
	return out
}

// For is the locale of a BCP 47 tag, "-" or "_" between its parts: the language with its region where that writes
// numbers otherwise, else the language; English for an empty or unknown tag.
func For(tag string) Locale {
	if d, ok := loaded.Load(tag); ok {
		return Locale{d.(*data)}
	}
	name := known(tag)
	if d, ok := loaded.Load(name); ok {
		return Locale{d.(*data)}
	}
	d := mustLoad(name)
	loaded.Store(name, d)
	return Locale{d}
}

// known is the tag of the data that serve a tag.
func known(tag string) string {
	parts := strings.FieldsFunc(tag, func(r rune) bool { return r == '-' || r == '_' })
	if len(parts) == 0 {
		return "en"
	}
	lang := strings.ToLower(parts[0])
	switch lang {
	case "no", "nn":
		lang = "nb"
	case "iw":
		lang = "he"
	case "tl":
		lang = "fil"
	}
	for _, p := range parts[1:] {
		switch {
		case len(p) == 4 && strings.EqualFold(p, "Hant"),
			lang == "zh" && slices.Contains([]string{"TW", "HK", "MO"}, strings.ToUpper(p)):
			p = "Hant"
		case len(p) == 2:
			p = strings.ToUpper(p)
		default:
			continue
		}
		if _, ok := lines()[lang+"-"+p]; ok {
			return lang + "-" + p
		}
	}
	if _, ok := lines()[lang]; ok && lang != "digits" {
		return lang
	}
	return "en"
}

// Tags are the locales that numbers and dates can be written in, sorted: en, de, de-CH and more. Other regions of their
// languages are written as the language is.
func Tags() []string {
	all := tags()
	slices.Sort(all)
	return all
}

// Serves reports whether a BCP 47 tag is of a language that numbers and dates can be written in; For gives English for
// others.
func Serves(tag string) bool {
	lang, _, _ := strings.Cut(strings.ReplaceAll(tag, "_", "-"), "-")
	return known(tag) != "en" || strings.EqualFold(lang, "en")
}

// tags are the locales that have data of their own, in no order.
func tags() []string {
	var out []string
	for tag := range lines() {
		if tag != "digits" {
			out = append(out, tag)
		}
	}
	return out
}

func mustLoad(tag string) *data {
	d, err := load(tag)
	if err != nil {
		panic(fmt.Sprintf("number: embedded data of locale %s: %v", tag, err)) // cannot happen: a test reads all of it
	}
	return d
}

func load(tag string) (*data, error) {
	d := &data{tag: tag, language: language.Make(tag)}
	if lang, _, regional := strings.Cut(tag, "-"); regional {
		if err := json.Unmarshal([]byte(lines()[lang]), &d.raw); err != nil {
			return nil, err
		}
	}
	var own record
	if err := json.Unmarshal([]byte(lines()[tag]), &own); err != nil {
		return nil, err
	}
	if own.Signs != nil {
		d.raw.Signs = nil // a region's currency signs replace those of the language, and do not add to them
	}
	if err := json.Unmarshal([]byte(lines()[tag]), &d.raw); err != nil {
		return nil, err
	}
	return d, d.parse()
}

// parse makes patterns of the record's texts.
func (d *data) parse() error {
	r := &d.raw
	if len(r.Symbols) != 9 {
		return fmt.Errorf("%d symbols", len(r.Symbols))
	}
	for i, s := range []*string{&d.point, &d.group, &d.percentSign, &d.plus, &d.minus, &d.exponent, &d.perMille, &d.infinity, &d.nan} {
		*s = r.Symbols[i]
	}
	d.minGroup, d.symbolsOf = r.MinGroup, r.Signs
	for _, p := range []struct {
		to   **pattern
		text string
	}{{&d.decimal, r.Decimal}, {&d.scientific, r.Scientific}, {&d.percent, r.Percent}, {&d.currency, r.Currency},
		{&d.accounting, r.Accounting}} {
		parsed, err := parsePattern(p.text)
		if err != nil {
			return err
		}
		*p.to = parsed
	}
	var err error
	for _, c := range []struct {
		to   *[]compactForm
		from []map[string]string
	}{{&d.short, r.Short}, {&d.long, r.Long}, {&d.money, r.Money}} {
		if *c.to, err = compactForms(c.from); err != nil {
			return err
		}
	}
	return nil
}

func (l Locale) data() *data {
	if l.d == nil {
		return english()
	}
	return l.d
}

// Tag is the BCP 47 tag of the data: "de" for de-DE, "de-CH" for de-CH.
func (l Locale) Tag() string { return l.data().tag }

// Point stands before the fraction.
func (l Locale) Point() string { return l.data().point }

// GroupMark stands between groups of digits.
func (l Locale) GroupMark() string { return l.data().group }

// MinusMark is the sign of negative numbers.
func (l Locale) MinusMark() string { return l.data().minus }

// Symbol is the sign of a currency, its code where the locale has none.
func (l Locale) Symbol(code string) string {
	if s := l.data().symbolsOf[code]; s != "" {
		return s
	}
	return code
}

// CurrencyDigits is how many digits amounts in a currency have after the point: 2 unless CLDR says otherwise (JPY 0,
// KWD 3).
func CurrencyDigits(code string) int {
	if n, ok := fractionDigits()[code]; ok {
		return n
	}
	return 2
}
