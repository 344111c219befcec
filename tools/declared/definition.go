package declared

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"catena/planner/plan"
)

// Toolset is the name that these tools are registered under: scopes have it, as in tools:custom.
const Toolset = "custom"

// Definition declares one tool: a statement (SQL and Source) or a request (HTTP), one of the two. It is only read.
type Definition struct {
	Name        string // [A-Za-z0-9_-]{1,64}, without __
	Title       string // for people; "" is none
	Description string // what planners choose it by
	Parameters  []Parameter
	Source      string // the name of the database that computes SQL
	SQL         string // one SELECT in the database's own SQL; parameters as :name
	Positional  bool   // SQL has its parameters as $1 or ?, in their order
	HTTP        *Request
	Hints       Hints // in place of what the method says; of SQL none
	Timeout     time.Duration
	Result      Mapping
	Trusted     bool // HTTP: what comes back may decide later steps, and be read by a model
}

// Hints say what a tool does; nil leaves it to the method of its request.
type Hints struct{ ReadOnly, Destructive, Idempotent *bool }

// Parameter is one argument of a tool.
type Parameter struct {
	Name        string
	Type        string // string (also ""), integer, number, boolean, date, datetime, array
	Items       string // of an array: string (also ""), integer, number, boolean
	Description string
	Optional    bool // it may be left out; one with a Default may, too
	Default     any  // nil is none
	Enum        []any
	Minimum     *float64 // of numbers
	Maximum     *float64
	Pattern     string // RE2, of strings
	// Schema is all of it in JSON Schema, in place of what is above but Name and Optional; nil goes by that.
	Schema map[string]any
	// Word says that it is a part of SQL, where that has {{.name}}: one of Enum, each of which is an identifier. Every
	// statement that comes of it is checked before a call.
	Word bool
}

// Mapping says what of a result is shown, and how.
type Mapping struct {
	Title   string   // heading of the table; {name} is a parameter's value
	Rows    string   // HTTP: JSON pointer to the list that is the table, as in /data/items; "" finds it
	Columns []Column // those that there are, in this order; none is all
}

// Column is a column of a result.
type Column struct {
	Name        string // in the table
	From        string // what the result calls it; "" is Name
	Title       string
	Unit        string // USD, %, kg ...
	Description string
}

// Bounds of what one declaration may have.
const (
	maxParameters  = 100
	maxDescription = 16 << 10
	maxList        = 1000 // elements of an array
)

var (
	toolName      = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	parameterName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)
)

// Check says all that is wrong with a declaration by itself. databases are the kinds of those that there are, by
// their names in lower case. Each error begins with the key.
func (d *Definition) Check(databases map[string]string) error {
	v := &findings{}
	v.that(toolName.MatchString(d.Name) && !strings.Contains(d.Name, plan.ServerSeparator), "",
		"is no name for a tool: use letters, digits, - and single _, 64 at most")
	v.that(strings.TrimSpace(d.Description) != "" && len(d.Description) <= maxDescription, "description",
		"is missing or longer than %d bytes; say what the tool gives, and when to use it", maxDescription)
	v.that(len(d.Parameters) <= maxParameters, "parameters", "has %d entries; %d are the most", len(d.Parameters),
		maxParameters)
	for i := range d.Parameters {
		d.checkParameter(v, i)
	}
	for i, c := range d.Result.Columns {
		v.that(c.Name != "", fmt.Sprintf("result.columns[%d].name", i), "is missing")
	}
	v.texts("result.title", d.Result.Title, d)
	used := map[string]bool{}
	switch {
	case d.SQL != "" && d.HTTP != nil:
		v.that(false, "", "has both sql and http; keep one")
	case d.SQL != "":
		d.checkSQL(v, databases, used)
	case d.HTTP != nil:
		d.HTTP.check(v, d, used)
	default:
		v.that(false, "", "has neither sql nor http; write one SELECT and its source, or a request")
	}
	for _, p := range d.Parameters {
		v.that(used[p.Name] || len(v.errs) > 0, "parameters",
			"has %s, which stands nowhere; write %s where it belongs, or leave it out",
			p.Name, d.written(p.Name))
	}
	return errors.Join(v.errs...)
}

// written is how a parameter is written where it belongs.
func (d *Definition) written(name string) string {
	if d.HTTP != nil {
		return "{" + name + "}"
	}
	return ":" + name
}

// parameter is the one of a name, nil for none.
func (d *Definition) parameter(name string) *Parameter {
	i := slices.IndexFunc(d.Parameters, func(p Parameter) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return &d.Parameters[i]
}

func (d *Definition) checkSQL(v *findings, databases map[string]string, used map[string]bool) {
	noHints := d.Hints.ReadOnly == nil && d.Hints.Destructive == nil && d.Hints.Idempotent == nil
	v.that(noHints, "annotations", "are of requests; a statement only reads")
	v.that(d.Result.Rows == "", "result.rows", "is of requests; the rows of a statement are the table")
	if !v.that(d.Source != "", "source", "is missing; write the name of a database of data.sources") {
		return
	}
	kind := databases[strings.ToLower(d.Source)]
	names := strings.Join(slices.Sorted(maps.Keys(databases)), ", ")
	if !v.that(kind != "", "source", "is %q, which is no database of data.sources; there %s", d.Source, are(names)) {
		return
	}
	all, err := d.statements(kind)
	if !v.that(err == nil, "sql", "cannot be used: %v", err) {
		return
	}
	for _, p := range d.Parameters {
		used[p.Name] = used[p.Name] || p.Word
	}
	for _, name := range all[0].Parameters() {
		used[name] = true
		v.that(d.parameter(name) != nil, "sql", "has :%s, which is not among the parameters%s", name, d.nearest(name))
	}
}

func are(names string) string {
	if names == "" {
		return "is none: write one, as {kind: sqlite, name: till, path: till.db}"
	}
	return "are: " + names
}

// findings gathers what is wrong.
type findings struct{ errs []error }

func (v *findings) that(ok bool, key, format string, args ...any) bool {
	if !ok {
		text := fmt.Sprintf(format, args...)
		if key != "" {
			text = "." + key + " " + text
		} else {
			text = " " + text
		}
		v.errs = append(v.errs, errors.New(text))
	}
	return ok
}

// texts checks a text that may have parameters.
func (v *findings) texts(key, text string, d *Definition) {
	for _, name := range placed(text) {
		p := d.parameter(name)
		if v.that(p != nil, key, "has {%s}, which is not among the parameters%s", name, d.nearest(name)) {
			sure := !p.Optional || p.Default != nil || text == "{"+name+"}"
			v.that(sure, key,
				"has {%s} within a text, and it may be left out; give it a default, or make it required", name)
		}
	}
}
