// Package say has the texts that people read beside answers, in each language: data files hold them, by keys.
package say

import (
	"embed"
	"strconv"
	"strings"
	"sync"
)

// Keys of texts that several rooms say.
const (
	Skipped = "skipped"
	Unsure  = "unsure"
	Quoted  = "quoted"
)

//go:embed data/say.*.txt
var sayings embed.FS

// Languages are those that there are texts in. The first stands for all others.
var Languages = []string{"en", "de"}

// read are the sayings by language and key.
var readSayings = sync.OnceValue(func() map[string]map[string]string {
	out := map[string]map[string]string{}
	for _, lang := range Languages {
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

// Text is the text of a key in the language of a locale, with args in the places {1}, {2} and on; "" where there is no
// such key.
func Text(locale, key string, args ...string) string {
	lang := Languages[0]
	for _, l := range Languages {
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
