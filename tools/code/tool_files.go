package code

import (
	"context"
	"fmt"

	"catena/internal/text"
	"catena/table"
	"catena/tools"
	"catena/tools/code/index"
	"catena/tools/code/parse"
	"catena/tools/code/redact"
	"catena/tools/code/workspace"
)

// Bounds of what get_files_context gives of one file.
const (
	maxRelated    = 10  // chunks of other files
	contextFiles  = 20  // of one call
	contextChunks = 200 // of one file; more is said
)

var contextColumns = []table.Column{{Name: "path", Type: table.Text}, {Name: "line", Type: table.Int}, {Name: "end_line", Type: table.Int}, {Name: "relation", Type: table.Text},
	{Name: "symbol", Type: table.Text}, {Name: "kind", Type: table.Text}, {Name: "signature", Type: table.Text}, {Name: "of", Type: table.Text}}

func (k *Toolkit) contextTool() tools.Tool {
	return define(spec{
		name: "get_files_context", title: "Context of files", shape: codeErrors, columns: contextColumns, handler: k.filesContext,
		description: "Gives what one needs to know before a file is changed: its code with its symbols, up to 10 related pieces of other files that it uses or that use it, its imports and its tests. " +
			"Use it to read or understand a file, to see its context, and which tests belong to it.",
		in: object{"filepath": textSchema("One file: as the index has it, a unique end of its path, or its name.", workspace.MaxPath),
			"filepaths":      object{"type": "array", "description": "Several files.", "items": object{"type": "string", "minLength": 1, "maxLength": workspace.MaxPath}, "maxItems": contextFiles},
			"includeRelated": object{"type": "boolean", "description": "Related pieces of other files, too.", "default": true}, "workspace": workspaceArg()},
		out: answers(object{"file": aText, "files": object{"type": "object"}, "chunks": aList, "relatedChunks": aList, "testAssociations": texts, "imports": aList, "notes": texts}),
	})
}

// filesContext is the handler of get_files_context.
func (k *Toolkit) filesContext(ctx context.Context, call tools.Call) (tools.Result, error) {
	one, several := call.Text("filepath"), call.Texts("filepaths")
	if one == "" && len(several) == 0 {
		return tools.Result{}, &fault{code: CodeBadArgument, text: "filepath is missing", hint: `Give filepath, or filepaths for several, such as "internal/pay/ledger.go"`}
	}
	r, err := k.current(ctx, call)
	if err != nil {
		return tools.Result{}, err
	}
	if !r.searchable() {
		return r.result(reply{text: "The index is empty."}), nil
	}
	paths, notes, err := r.contextPaths(one, several)
	if err != nil {
		return tools.Result{}, err
	}
	list := make([]fileContext, 0, len(paths))
	for _, p := range paths {
		c, err := r.contextOf(ctx, p, call.Flag("includeRelated"))
		if err != nil {
			return tools.Result{}, err
		}
		list, notes = append(list, c), append(notes, c.notes...)
	}
	tab, results, err := contextRows(list)
	if err != nil {
		return tools.Result{}, err
	}
	var more object
	var said string
	if one != "" && len(several) == 0 && len(list) == 1 {
		more, said = list[0].shown(), list[0].said()
	} else {
		files := object{}
		for _, c := range list {
			files[c.info.Path] = c.shown()
		}
		more, said = object{"files": files}, "Context of "+text.Count(len(list), "file")+"."
	}
	return r.result(reply{text: said, name: "files_context", title: "Context of " + enumerate(paths, 3), results: results, more: more, table: tab, notes: notes, hide: []string{"of"}}), nil
}

// contextPaths finds the files that are meant, at most contextFiles. One of several that is not there is said in a note.
func (r *reading) contextPaths(one string, several []string) (paths, notes []string, err error) {
	given := several
	if one != "" {
		given = append([]string{one}, several...)
	}
	seen := map[string]bool{}
	var first error
	for _, g := range given {
		t, err := r.find(g)
		if err != nil {
			if first == nil {
				first = err
			}
			notes = append(notes, sentence(faultOf(err).text))
			continue
		}
		notes = append(notes, note(t.note)...)
		for _, f := range t.files {
			if !seen[f] {
				seen[f] = true
				paths = append(paths, f)
			}
		}
	}
	if len(paths) == 0 {
		return nil, nil, first
	}
	if len(paths) > contextFiles {
		notes = append(notes, fmt.Sprintf("The context of %d of %d files is given; name the others to see theirs.", contextFiles, len(paths)))
		paths = paths[:contextFiles]
	}
	return paths, notes, nil
}

// fileContext is what is told of one file.
type fileContext struct {
	info    index.FileInfo
	chunks  []index.Hit // its own
	related []index.Hit // of other files
	tests   []index.TestFile
	notes   []string
}

func (r *reading) contextOf(ctx context.Context, path string, withRelated bool) (fileContext, error) {
	info, err := r.snap.File(path)
	if err != nil {
		return fileContext{}, err
	}
	c := fileContext{info: info}
	chunks := info.Chunks
	if len(chunks) > contextChunks {
		c.notes = append(c.notes, fmt.Sprintf("The first %d of %d pieces of %s are given.", contextChunks, len(chunks), path))
		chunks = chunks[:contextChunks]
	}
	for _, x := range chunks {
		h := index.Hit{Path: path, Start: x.Start, End: x.End, Language: info.Language, Score: 1, Confidence: confidenceHigh, Text: r.lines(path, x.Start, x.End)}
		if x.Symbol >= 0 && x.Symbol < len(info.Symbols) {
			s := info.Symbols[x.Symbol]
			h.Symbol, h.Kind, h.Signature = qualified(&s), s.Kind, s.Signature
		}
		c.chunks = append(c.chunks, h)
	}
	if info.Broken {
		c.notes = append(c.notes, path+" has syntax errors; what could be read of it is given.")
	}
	if withRelated {
		if c.related, err = r.snap.Related(ctx, path, maxRelated); err != nil {
			return fileContext{}, err
		}
	}
	c.tests, err = r.snap.Tests(path)
	return c, err
}

// shown is a context as clients read it.
func (c fileContext) shown() object {
	tests := make([]string, len(c.tests))
	for i, t := range c.tests {
		tests[i] = t.Path
	}
	imports := make([]object, len(c.info.Imports))
	for i, m := range c.info.Imports {
		imports[i] = object{"path": m.Path, "line": m.Line}
	}
	return object{"file": c.info.Path, "language": c.info.Language, "parser": c.info.Parser, "package": c.info.Package, "lines": c.info.Lines,
		"chunks": foundAll(c.chunks), "relatedChunks": foundAll(c.related), "testAssociations": tests, "imports": imports}
}

// said is a context in a sentence.
func (c fileContext) said() string {
	functions := 0
	for _, s := range c.info.Symbols {
		if s.Kind == parse.Function || s.Kind == parse.Method {
			functions++
		}
	}
	return fmt.Sprintf("`%s` is %s of %s with %s; %s and %s belong to it.", code(c.info.Path), text.Count(c.info.Lines, "line"), c.info.Language, text.Count(functions, "function"),
		text.Count(len(c.related), "related piece"), text.Count(len(c.tests), "test file"))
}

// contextRows is what the contexts hold as rows: path, where, and what it has to do with the file.
func contextRows(list []fileContext) (*table.Table, []object, error) {
	b := table.NewBuilder(contextColumns...)
	results := []object{}
	put := func(of string, h index.Hit, relation string) error {
		results = append(results, object{"path": h.Path, "line": h.Start, "end_line": h.End, "relation": relation, "symbol": h.Symbol, "kind": string(h.Kind), "of": of,
			"citation": cite(h.Path, h.Start)})
		return b.Append(table.TextValue(h.Path), whole64(h.Start), whole64(h.End), table.TextValue(relation), orNull(h.Symbol), orNull(string(h.Kind)),
			orNull(brief(redact.Text(h.Signature))), table.TextValue(of))
	}
	for _, c := range list {
		of := c.info.Path
		for _, h := range c.chunks {
			if err := put(of, h, "own"); err != nil {
				return nil, nil, err
			}
		}
		for _, h := range c.related {
			relation := "related"
			if len(h.Why) > 0 {
				relation = h.Why[0]
			}
			if err := put(of, h, relation); err != nil {
				return nil, nil, err
			}
		}
		for _, t := range c.tests {
			if err := put(of, index.Hit{Path: t.Path, Start: 1, End: 1}, "test file"); err != nil {
				return nil, nil, err
			}
		}
	}
	return b.Table(), results, nil
}
