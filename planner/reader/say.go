package reader

import (
	"embed"
	"strconv"
	"strings"
	"sync"
)

// The keys of data/say.*.txt.
const (
	sayWhich   = "which"
	sayChoice  = "choice"
	sayUnread  = "unread"
	saySkipped = "skipped"
	sayUnsure  = "unsure"
	sayNearest = "nearest"
	sayQuoted  = "quoted"
	sayLeft    = "leftout"
)

// Those of orders to tools.
const (
	sayMissing      = "missing"
	sayCall         = "callbare"
	sayCallWith     = "callwith"
	sayArgument     = "argument"
	sayGiven        = "givewhat"
	sayNeeds        = "needs"
	sayTakes        = "takes"
	sayTakesNothing = "takesnothing"
	sayTools        = "tools"
	sayTables       = "tables"
	sayAsk          = "ask"
	sayMore         = "andmore"
	sayWhole        = "verbatim"
)

//go:embed data/say.*.txt
var sayings embed.FS

// languages are those that there are sayings in. The first is for all others.
var languages = []string{"en", "de"}

// read are the sayings by language and key.
var readSayings = sync.OnceValue(func() map[string]map[string]string {
	out := map[string]map[string]string{}
	for _, lang := range languages {
		data, err := sayings.ReadFile("data/say." + lang + ".txt")
		if err != nil {
			panic(err) // the files are part of the program
		}
		out[lang] = map[string]string{}
		for line := range strings.Lines(string(data)) {
			key, text, ok := strings.Cut(strings.TrimRight(line, "\n"), " = ")
			if ok && !strings.HasPrefix(line, "#") {
				out[lang][key] = text
			}
		}
	}
	return out
})

// say is a text for people in the language of a locale.
func say(locale, key string, args ...string) string {
	lang := languages[0]
	for _, l := range languages {
		if strings.HasPrefix(strings.ToLower(locale), l) {
			lang = l
		}
	}
	var pairs []string
	for i, a := range args {
		pairs = append(pairs, "{"+strconv.Itoa(i+1)+"}", a)
	}
	return strings.NewReplacer(pairs...).Replace(readSayings()[lang][key])
}
