package text

import (
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// Stem reduces an English word of lower-case ASCII letters to what its inflections share: call for calls, called and calling. It is the English
// stemmer of the Snowball project (Porter2, snowballstem.org). Other words, and those of two letters and fewer, come back as they are.
func Stem(word string) string {
	if len(word) <= 2 {
		return word
	}
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}
