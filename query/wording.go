package query

import (
	"embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed wording
var wordings embed.FS

// wording is the sentence parts of one language, by key.
type wording map[string]string

// Languages are those that Words speaks.
var Languages = []string{"en", "de"}

// wordingOf is the wording of a language, by its first two letters; English where it is none of Languages.
func wordingOf(lang string) wording {
	for _, known := range Languages[1:] {
		if strings.HasPrefix(strings.ToLower(lang), known) {
			return readWording(known)
		}
	}
	return readWording(Languages[0])
}

// readings keeps what was read of the files.
var readings sync.Map

func readWording(lang string) wording {
	if w, ok := readings.Load(lang); ok {
		return w.(wording)
	}
	data, err := wordings.ReadFile("wording/" + lang + ".txt")
	if err != nil {
		panic(err) // the files are part of the program
	}
	w := parseWording(string(data))
	readings.Store(lang, w)
	return w
}

// parseWording reads lines of "key = text"; lines with # at their beginning are comments.
func parseWording(text string) wording {
	w := wording{}
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(strings.TrimRight(line, "\n"), " = ")
		if ok && !strings.HasPrefix(line, "#") {
			w[key] = value
		}
	}
	return w
}

// say is the text of the first key that there is, with its arguments in their places.
func (w wording) say(args []string, keys ...string) string {
	for _, key := range keys {
		if text, ok := w[key]; ok {
			return w.fill(text, args)
		}
	}
	// The file lacks the key; a test holds that it lacks none.
	return keys[len(keys)-1] + "(" + strings.Join(args, ", ") + ")"
}

// fill puts arguments into a text. {all} is all of them, {rest} all but the first, {and} and {or} all with that word
// between.
func (w wording) fill(text string, args []string) string {
	pairs := make([]string, 0, 2*len(args)+8)
	for i, a := range args {
		pairs = append(pairs, "{"+strconv.Itoa(i+1)+"}", a)
	}
	pairs = append(pairs, "{all}", w.list(args), "{rest}", w.list(args[min(1, len(args)):]),
		"{and}", strings.Join(args, " "+w["and.word"]+" "), "{or}", strings.Join(args, " "+w["or.word"]+" "))
	return strings.NewReplacer(pairs...).Replace(text)
}

// maxListed is how many parts of a list are said.
const maxListed = 12

// list joins parts with commas.
func (w wording) list(parts []string) string {
	if len(parts) > maxListed {
		parts = append(parts[:maxListed:maxListed], "…")
	}
	return strings.Join(parts, ", ")
}
