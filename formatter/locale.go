package formatter

import "strings"

// Locale is how numbers are written. The values are those of CLDR 41 (unicode.org/Public/cldr/41): number symbols and the standard
// patterns for currency and percent.
type Locale struct {
	Tag           string // "en", "de" ...
	Point         string // before the fraction
	Group         string // between groups of three digits
	MinGroup      int    // digits that must stand before the first separator: 2 writes 1234 but 12.345
	SymbolAfter   bool   // 1,00 € instead of €1.00
	SymbolGap     string // between number and a symbol behind it, or a symbol of letters before it
	PercentGap    string // between number and %
	PrefixGap     string // between a symbol before the number and the number
	symbols       map[string]string
	signAfterUnit bool // € -1,00 instead of -€ 1,00
}

const (
	nbsp  = "\u00a0"
	nnbsp = "\u202f"
)

var locales = map[string]Locale{
	"en": {Tag: "en", Point: ".", Group: ",", SymbolGap: nbsp},
	"de": {Tag: "de", Point: ",", Group: ".", SymbolAfter: true, SymbolGap: nbsp, PercentGap: nbsp},
	"fr": {Tag: "fr", Point: ",", Group: nnbsp, SymbolAfter: true, SymbolGap: nbsp, PercentGap: nnbsp, symbols: map[string]string{"USD": "$US", "CAD": "$CA", "AUD": "$AU", "GBP": "£GB"}},
	"ja": {Tag: "ja", Point: ".", Group: ",", SymbolGap: nbsp, symbols: map[string]string{"JPY": "￥", "CNY": "元"}},
	"es": {Tag: "es", Point: ",", Group: ".", MinGroup: 2, SymbolAfter: true, SymbolGap: nbsp, PercentGap: nbsp, symbols: map[string]string{"USD": "US$"}},
	"it": {Tag: "it", Point: ",", Group: ".", SymbolAfter: true, SymbolGap: nbsp, symbols: map[string]string{"USD": "USD"}},
	"pt": {Tag: "pt", Point: ",", Group: ".", SymbolGap: nbsp, PrefixGap: nbsp, symbols: map[string]string{"USD": "US$"}},
	"nl": {Tag: "nl", Point: ",", Group: ".", SymbolGap: nbsp, PrefixGap: nbsp, signAfterUnit: true, symbols: map[string]string{"USD": "US$"}},
}

// symbols are the signs of currencies in English; others are written by their code.
var symbols = map[string]string{
	"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "KRW": "₩", "BRL": "R$", "CAD": "CA$", "AUD": "A$", "MXN": "MX$", "NZD": "NZ$", "CNY": "CN¥",
	"HKD": "HK$", "ILS": "₪", "VND": "₫", "TWD": "NT$", "PHP": "₱", "XAF": "FCFA", "XOF": "F\u202fCFA", "XCD": "EC$", "XPF": "CFPF",
}

// LocaleFor is the locale of a BCP 47 tag by its language: "de-AT" gives German. An empty or unknown tag gives English.
func LocaleFor(tag string) Locale {
	lang, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(tag)), "_", "-"), "-")
	if loc, ok := locales[lang]; ok {
		return loc
	}
	return locales["en"]
}

// symbol is the sign of a currency, else its code.
func (l Locale) symbol(code string) string {
	if s := l.symbols[code]; s != "" {
		return s
	}
	if s := symbols[code]; s != "" {
		return s
	}
	return code
}
