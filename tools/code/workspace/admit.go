package workspace

import (
	"bytes"
	"errors"
	"path"
	"strings"

	"catena/tools/code/parse"
	"catena/tools/code/scan"
)

// errWithheld says that a file holds secrets and is left out as a whole.
var errWithheld = errors.New("it holds secrets")

// rules is the version of what is left out of an index and hidden in it. An index that was made by others is made anew:
// it may hold what must not be told any more. Raise it with each change of that.
const rules = 3

// admit gives the text of a file as it may be indexed: what is of the program's own secrets in it is hidden, and a file
// of settings is left out.
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

// settingsEnds are the ends of names of files that settings are written in.
var settingsEnds = map[string]bool{".yaml": true, ".yml": true, ".json": true, ".jsonc": true, ".txt": true, ".tmpl": true, ".conf": true, ".cfg": true, ".config": true, ".toml": true}

// mayBeSettings reports whether a file's name is one that settings, or a copy of them, may have: no program's source
// has.
func mayBeSettings(name string) bool {
	base := path.Base(name)
	original := scan.Original(base)
	return settingsEnds[path.Ext(original)] || original != strings.ToLower(base) || strings.IndexByte(base, '.') < 0
}
