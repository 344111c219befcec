package code

import (
	"bytes"
	"errors"
	"strings"

	"catena/tools/code/parse"
)

// errWithheld says that a file holds secrets and is left out as a whole.
var errWithheld = errors.New("it holds secrets")

// rules is the version of what is left out of an index and hidden in it. An index that was made by others is made anew: it may hold
// what must not be told any more. Raise it with each change of that.
const rules = 2

// admit gives the text of a file as it may be indexed: what is of the program's own secrets in it is hidden, and a file of settings is left out.
func (o *Options) admit(path string, src []byte) ([]byte, error) {
	if o.Withhold != nil && mayBeSettings(path) && o.Withhold(src) {
		return nil, errWithheld
	}
	text := parse.Text(src)
	if o.Hide == nil {
		return text, nil
	}
	hidden := []byte(o.Hide(string(text)))
	if bytes.Count(text, []byte("\n")) != bytes.Count(hidden, []byte("\n")) {
		return nil, errWithheld // a key of several lines: what follows would be quoted by wrong lines
	}
	return hidden, nil
}

// settingsEnds are the ends of names of files that settings are written in, and those of copies of them.
var settingsEnds = [][]byte{[]byte(".yaml"), []byte(".yml"), []byte(".json"), []byte(".jsonc"), []byte(".bak"), []byte(".old"), []byte(".orig"), []byte(".txt"), []byte("~"), []byte(".tmpl"), []byte(".conf")}

// mayBeSettings reports whether a file's name is one that settings may have: no program's source has.
func mayBeSettings(path string) bool {
	name := []byte(strings.ToLower(path[strings.LastIndexByte(path, '/')+1:]))
	if bytes.IndexByte(name, '.') < 0 {
		return true
	}
	for _, end := range settingsEnds {
		if bytes.HasSuffix(name, end) {
			return true
		}
	}
	return false
}
