package declared

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"catena/internal/text"
)

// File is a file of another program that describes tools: an OpenAPI 3 document, whose operations become requests, or
// a tools.yaml of MCP Toolbox, whose SQL tools become statements. It is only read.
type File struct {
	Name     string // for errors
	Data     []byte
	Prefix   string   // goes before each name
	Allow    []string // names to take, or globs (path.Match), before Prefix; none is all
	Deny     []string // wins over Allow
	ReadOnly bool     // only what reads
	Timeout  time.Duration
	Source   string  // Toolbox: the database of all statements; "" goes by their sources' names
	BaseURL  string  // OpenAPI: in place of what the document names
	Each     Request // OpenAPI: Headers, Query, Allow and MaxMB of each request; its other fields are not used
	// Credentials are what the document's security schemes ask for, by their names: a key, a token, or user:password.
	Credentials map[string]string
	Trusted     bool
}

// MaxFile bounds a file, in bytes.
const MaxFile = 8 << 20

// maxTools bounds what one file gives.
const maxTools = 500

// Left says of a tool of a file why it is left out.
type Left struct {
	File, Tool, Why string
	Others          int // further tools of the same reason
}

func (l *Left) Error() string {
	if l.Others > 0 {
		return fmt.Sprintf("the tool %s of %s, and %s, are left out: %s", l.Tool, l.File,
			text.Count(l.Others, "other"), l.Why)
	}
	return fmt.Sprintf("the tool %s of %s is left out: %s", l.Tool, l.File, l.Why)
}

// Tools reads the declarations of a file. left are *Left; err is about the file as a whole. databases are those that
// Check takes.
func (f *File) Tools(databases map[string]string) (list []Definition, left []error, err error) {
	if len(f.Data) > MaxFile {
		return nil, nil, fmt.Errorf("%s has more than %d MB", f.Name, MaxFile>>20)
	}
	docs, err := documents(f.Data)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	in := &importer{File: f, databases: databases, names: map[string]bool{}}
	first := docs[0]
	version, _ := first["openapi"].(string)
	switch {
	case strings.HasPrefix(version, "3."):
		err = in.openAPI(first)
	case first["swagger"] != nil:
		err = errors.New("it is of Swagger 2; convert it to OpenAPI 3")
	case first["tools"] != nil || first["kind"] != nil || first["sources"] != nil:
		err = in.toolbox(docs)
	default:
		err = errors.New("it is neither an OpenAPI 3 document nor a tools.yaml of MCP Toolbox")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	return in.list, in.left, nil
}

// documents are those of a file in YAML or JSON, of which there is one at least.
func documents(data []byte) ([]map[string]any, error) {
	const most = 1000
	var out []map[string]any
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for len(out) < most {
		var doc map[string]any
		err := dec.Decode(&doc)
		switch {
		case errors.Is(err, io.EOF) && len(out) == 0:
			return nil, errors.New("it is empty")
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, fmt.Errorf("it cannot be read: %s", strings.TrimPrefix(err.Error(), "yaml: "))
		}
		out = append(out, doc)
	}
	return nil, fmt.Errorf("it has more than %d documents", most)
}

// importer gathers what a file gives.
type importer struct {
	*File
	databases map[string]string
	names     map[string]bool
	list      []Definition
	left      []error
}

// wants reports whether a tool is to be taken.
func (in *importer) wants(name string) bool {
	matches := func(patterns []string) bool {
		return slices.ContainsFunc(patterns,
			func(p string) bool { ok, err := path.Match(p, name); return ok && err == nil })
	}
	return !matches(in.Deny) && (len(in.Allow) == 0 || matches(in.Allow))
}

func (in *importer) leave(name, format string, args ...any) {
	in.left = append(in.left, &Left{File: in.Name, Tool: name, Why: fmt.Sprintf(format, args...)})
}

// lacking leaves out a tool for want of a credential, which many tools of a file lack alike.
func (in *importer) lacking(name, why string) {
	for _, err := range in.left {
		var l *Left
		if errors.As(err, &l) && l.Why == why {
			l.Others++
			return
		}
	}
	in.leave(name, "%s", why)
}

// add takes a declaration that is right by itself; own is its name in the file.
func (in *importer) add(own string, d Definition) {
	d.Name, d.Timeout, d.Trusted = usable(in.Prefix+own), in.Timeout, in.Trusted
	if d.Description == "" {
		d.Description = d.Title
	}
	err := d.Check(in.databases)
	switch {
	case in.names[d.Name]:
		in.leave(own, "another one of the file is called %s, too", d.Name)
	case len(in.list) == maxTools:
		in.leave(own, "a file gives %d tools at most; choose by allow", maxTools)
	case err != nil:
		in.leave(own, "%s", strings.ReplaceAll(strings.TrimLeft(err.Error(), " ."), "\n", "; "))
	case in.ReadOnly && d.HTTP != nil && !methods[d.HTTP.method()].safe: // it was asked for
	default:
		in.names[d.Name] = true
		in.list = append(in.list, d)
	}
}

var (
	notNamed  = regexp.MustCompile(`[^A-Za-z0-9_-]+`)
	notSingle = regexp.MustCompile(`_{2,}`)
)

// usable is a name in the characters that tools' names may have.
func usable(name string) string {
	const longest = 64
	name = notSingle.ReplaceAllString(notNamed.ReplaceAllString(name, "_"), "_")
	return strings.Trim(name[:min(len(name), longest)], "_-")
}

// textOf is a member that is a text, "" for none.
func textOf(object map[string]any, key string) string {
	s, _ := object[key].(string)
	return s
}

// objectOf is a member that is an object, nil for none.
func objectOf(object map[string]any, key string) map[string]any {
	m, _ := object[key].(map[string]any)
	return m
}

// listOf is a member that is a list, nil for none.
func listOf(object map[string]any, key string) []any {
	l, _ := object[key].([]any)
	return l
}
