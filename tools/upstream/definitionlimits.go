package upstream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	tablejson "catena/table/json"
)

// What one server may offer. A text that is longer is cut, and says so; another field that is larger is left out of its
// definition; a definition that breaks a bound is left out whole. The bounds are several times what servers in use
// need, and small enough that reading all that a server may offer costs a second, not a minute.
const (
	maxDefinition = 256 << 10 // bytes of one definition
	maxOffered    = 8 << 20   // bytes of all definitions of one list
	maxReceived   = 64 << 20  // bytes of one list as the server sends it, before anything is cut
	maxProperties = 2000      // of one schema, at all its levels
	maxAllProps   = 20_000    // of all schemas of one list
	maxValues     = 5000      // of all lists of one schema: enums, examples, required
	maxSchemas    = 8000      // objects in one schema; compiling one takes time that is quadratic in them
	maxAllSchemas = 60_000    // objects in all schemas of one list
	maxLevels     = 64        // of brackets in one schema
	maxFields     = 1000      // of one definition, beside those of its schemas
	maxKey        = 256       // bytes of a tool's, a prompt's or a property's name
	maxAddress    = 4096      // bytes of a resource's URI
	maxNotes      = 20        // notes of one kind; the rest is counted
)

// smallDefinition is a size below which no field can be too long.
const smallDefinition = 1 << 10

// fieldBound is how large a field of a definition may be.
type fieldBound struct {
	name string
	most int  // bytes
	cut  bool // a text, which is cut; anything else is left out
}

// fieldBounds are those of tools, prompts and resources alike.
var fieldBounds = []fieldBound{
	{"description", 16 << 10, true}, {"title", 1 << 10, true}, {"icons", 64 << 10, false}, {"_meta", 64 << 10, false},
	{"annotations", 4 << 10, false}, {"execution", 4 << 10, false},
}

// cutMark ends a text that was cut.
const cutMark = " [The server's text is longer; it is cut here.]"

// door lets in what keeps the bounds. The zero value is ready; it is used for one list.
type door struct {
	bytes   int
	has     schemaSize
	changed changes // of definitions that came in with less than they had
	refused changes // why definitions were left out
}

// changes are sentences of which the first are told, and the others counted.
type changes struct {
	told []string
	more int
}

func (c *changes) add(format string, args ...any) {
	if len(c.told) >= maxNotes {
		c.more++
		return
	}
	c.told = append(c.told, fmt.Sprintf(format, args...))
}

// err is what was noted as one error, nil for nothing.
func (c *changes) err() error {
	if len(c.told) == 0 {
		return nil
	}
	text := strings.Join(c.told, "; ")
	if c.more > 0 {
		text += fmt.Sprintf("; and %d more", c.more)
	}
	return errors.New(text)
}

// admit returns a definition within the bounds, and false when it is left out. id names the field that the definition
// goes by, which may have most bytes.
func (d *door) admit(raw json.RawMessage, id string, most int) (json.RawMessage, bool) {
	small, lost, has, err := bounded(raw)
	name := nameIn(small, id)
	switch {
	case err != nil:
	case len(name) > most:
		err = fmt.Errorf("its %s has %d bytes, at most %d are taken", id, len(name), most)
	case d.bytes+len(small) > maxOffered:
		err = fmt.Errorf("all definitions of this list together have more than %d MiB", maxOffered>>20)
	case d.has.properties+has.properties > maxAllProps:
		err = fmt.Errorf("all schemas of this list together have more than %d properties", maxAllProps)
	case d.has.objects+has.objects > maxAllSchemas:
		err = fmt.Errorf("all schemas of this list together have more than %d objects", maxAllSchemas)
	}
	if err != nil {
		d.refused.add("%q: %v", cut(name, nameSize), err)
		return nil, false
	}
	d.bytes += len(small)
	d.has.add(has)
	for _, what := range lost {
		d.changed.add("the %s of %q", what, cut(name, nameSize))
	}
	return small, true
}

// told is what was left out or cut, as one error; nil where nothing was.
func (d *door) told() error {
	refused, changed := d.refused.err(), d.changed.err()
	if changed != nil {
		changed = fmt.Errorf("cut or left out, because they are too long: %w", changed)
	}
	return errors.Join(refused, changed)
}

// nameIn is a text field of a definition, "" where there is none.
func nameIn(raw json.RawMessage, field string) (name string) {
	if json.Unmarshal(tablejson.Member(raw, field), &name) != nil {
		return ""
	}
	return name
}

// bounded returns a definition whose fields keep their bounds, which fields have less than they had, and what its
// schemas have. The error says what of it breaks a bound that nothing can be cut for. A definition within the bounds is
// returned as it is.
func bounded(raw json.RawMessage) (small json.RawMessage, lost []string, has schemaSize, err error) {
	n := 0
	for range tablejson.Members(raw) {
		if n++; n > maxFields {
			return raw, nil, has, fmt.Errorf("it has more than %d fields", maxFields)
		}
	}
	var fields map[string]json.RawMessage
	if notObject := json.Unmarshal(raw, &fields); notObject != nil {
		return raw, nil, has, nil
	}
	if lost, err = cutFields(fields); err == nil && len(lost) > 0 {
		raw, err = json.Marshal(fields)
	}
	if err != nil {
		return raw, lost, has, err
	}
	if len(raw) > maxDefinition {
		return raw, lost, has, fmt.Errorf("its definition has %d bytes, at most %d are taken", len(raw), maxDefinition)
	}
	for _, schema := range []string{"inputSchema", "outputSchema"} {
		n, err := checkSchema(fields[schema])
		if err != nil {
			return raw, lost, has, fmt.Errorf("its %s has %w", schema, err)
		}
		has.add(n)
	}
	return raw, lost, has, nil
}

// cutFields cuts, or leaves out, the fields that are too long, and names them.
func cutFields(fields map[string]json.RawMessage) (lost []string, err error) {
	for _, b := range fieldBounds {
		value := fields[b.name]
		if len(value) <= b.most+2 { // with its quotation marks
			continue
		}
		var text string
		if b.cut && json.Unmarshal(value, &text) == nil {
			if len(text) <= b.most {
				continue // it is long by its escapes
			}
			if fields[b.name], err = json.Marshal(strings.ToValidUTF8(text[:b.most-len(cutMark)], "") + cutMark); err != nil {
				return lost, err
			}
			lost = append(lost, b.name)
			continue
		}
		delete(fields, b.name)
		lost = append(lost, b.name)
	}
	return lost, nil
}

// schemaSize is what there is in a schema, at all its levels.
type schemaSize struct{ properties, objects int }

func (s *schemaSize) add(more schemaSize) {
	s.properties += more.properties
	s.objects += more.objects
}

// schemaCount counts along the tokens of a schema.
type schemaCount struct {
	schemaSize
	levels []level
	values int
}

// level is a bracket that is open.
type level struct {
	key        string // of the member that is read, in an object
	object     bool
	properties bool // its members are properties
	value      bool // a key was read, and its value follows
}

// checkSchema counts what there is in a schema, or says which bound it breaks, in one pass over its bytes. What a
// schema unfolds to by its references is counted where it is compiled, for the schemas of all sources
// (plan.BoundError).
func checkSchema(raw json.RawMessage) (schemaSize, error) {
	if len(raw) == 0 {
		return schemaSize{}, nil
	}
	var c schemaCount
	in := json.NewDecoder(bytes.NewReader(raw))
	in.UseNumber()
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return c.schemaSize, nil
		}
		if err != nil {
			return schemaSize{}, fmt.Errorf("no JSON that can be read: %w", err)
		}
		if err := c.next(token); err != nil {
			return schemaSize{}, err
		}
	}
}

// next takes in a token.
func (c *schemaCount) next(token json.Token) error {
	if end, ok := token.(json.Delim); ok && (end == '}' || end == ']') {
		c.levels = c.levels[:len(c.levels)-1]
		return nil
	}
	var parent *level
	if len(c.levels) > 0 {
		parent = &c.levels[len(c.levels)-1]
	}
	if parent != nil && parent.object && !parent.value {
		return c.member(parent, token.(string))
	}
	in := level{}
	if parent != nil {
		in.properties = parent.object && !parent.properties && parent.key == "properties"
		if parent.value = false; !parent.object {
			c.values++
		}
	}
	if c.values > maxValues {
		return fmt.Errorf("more than %d values in its lists", maxValues)
	}
	if open, ok := token.(json.Delim); ok {
		if in.object = open == '{'; in.object {
			c.objects++
		}
		if c.objects > maxSchemas {
			return fmt.Errorf("more than %d objects", maxSchemas)
		}
		if c.levels = append(c.levels, in); len(c.levels) > maxLevels {
			return fmt.Errorf("more than %d levels of brackets", maxLevels)
		}
	}
	return nil
}

// member takes in a key of an object.
func (c *schemaCount) member(in *level, key string) error {
	if in.key, in.value = key, true; len(key) > maxKey {
		return fmt.Errorf("a name of %d bytes, at most %d are taken", len(key), maxKey)
	}
	if in.properties {
		c.properties++
	}
	if c.properties > maxProperties {
		return fmt.Errorf("more than %d properties", maxProperties)
	}
	return nil
}
