package declared

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"catena/tools"
	"catena/tools/source"
)

// maxStatements bounds how many statements the words of one can make.
const maxStatements = 64

var (
	word      = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,62}(?:\.[A-Za-z_][A-Za-z0-9_]{0,62})?$`)
	wordPlace = regexp.MustCompile(`\{\{-?\s*\.([A-Za-z_][A-Za-z0-9_]*)\s*-?\}\}`)
)

// words are the parameters that are parts of the statement, in their order.
func (d *Definition) words() (out []Parameter) {
	for _, p := range d.Parameters {
		if p.Word {
			out = append(out, p)
		}
	}
	return out
}

// statements are those that the tool can be, for a kind of database: one, or one for each choice of its words, the
// last of which changes first.
func (d *Definition) statements(kind string) ([]source.Written, error) {
	var positional []string
	for _, p := range d.Parameters {
		if d.Positional && !p.Word {
			positional = append(positional, p.Name)
		}
	}
	texts, err := d.texts()
	if err != nil {
		return nil, err
	}
	out := make([]source.Written, len(texts))
	for i, text := range texts {
		if out[i], err = source.ReadWritten(kind, text, positional); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// texts are the statements as texts.
func (d *Definition) texts() ([]string, error) {
	out := []string{d.SQL}
	for _, p := range d.words() {
		if err := d.checkWord(p); err != nil {
			return nil, err
		}
		if len(out)*len(p.Enum) > maxStatements {
			return nil, fmt.Errorf("the allowedValues make more than %d statements", maxStatements)
		}
		var next []string
		for _, text := range out {
			for _, v := range p.Enum {
				next = append(next, put(text, p.Name, valueText(v)))
			}
		}
		out = next
	}
	if len(d.words()) > 0 && strings.Contains(out[0], "{{") {
		return nil, errors.New("it has {{ that is no single templateParameter; {{.name}} is all that is read")
	}
	return out, nil
}

// checkWord says what is wrong with a parameter that is a part of the statement.
func (d *Definition) checkWord(p Parameter) error {
	if len(p.Enum) == 0 {
		return fmt.Errorf("{{.%s}} becomes a part of the text and needs a list of the names that it may be", p.Name)
	}
	if put(d.SQL, p.Name, "") == d.SQL {
		return fmt.Errorf("{{.%s}} does not stand in it", p.Name)
	}
	for _, v := range p.Enum {
		if value, _ := v.(string); !word.MatchString(value) {
			return fmt.Errorf("{{.%s}} may be %q, which is no plain name: letters, digits and _, with one . at most",
				p.Name, fmt.Sprint(v))
		}
	}
	return nil
}

// put is a text with a value in the places of a word.
func put(text, name, value string) string {
	return wordPlace.ReplaceAllStringFunc(text, func(found string) string {
		if wordPlace.FindStringSubmatch(found)[1] == name {
			return value
		}
		return found
	})
}

// chosen is the place of the statement that the values of a call choose.
func (d *Definition) chosen(values map[string]any) (int, error) {
	at := 0
	for _, p := range d.words() {
		value, _ := values[p.Name].(string)
		i := slices.Index(p.Enum, any(value))
		if i < 0 {
			return 0, &tools.ArgumentError{Argument: p.Name, Code: tools.CodeBadValue,
				Reason: "it is none of " + valueText(p.Enum)}
		}
		at = at*len(p.Enum) + i
	}
	return at, nil
}
