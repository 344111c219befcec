package code

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/table"
	"catena/tools/code/workspace"
)

// place is a file of an index, as far as finding it by a name goes.
type place struct {
	path string
	pkg  string // what the file says it belongs to
	test bool
}

// atlas finds files by what people call them.
type atlas struct {
	root     string                     // absolute, of the workspace
	has      func(path string) bool     // is this exactly a file of the index
	places   func() []place             // all of them, by path
	declares func(name string) []string // files that declare a type or class of this name
}

// target is what a path in an argument stands for.
type target struct {
	files  []string // of the index, sorted; one unless folder is set
	folder string   // the folder that was meant, "." for the root
	called string   // the name of a symbol or import, where that was meant
	note   string   // how the words were understood, where they were not a path of the index; one sentence
}

// name is how the target is called in titles.
func (t target) name() string {
	switch {
	case t.called != "":
		return t.called
	case t.folder != "" || len(t.files) == 0:
		return t.folder
	}
	return t.files[0]
}

// find gives the files that an argument means: a path as the index has it, with or without ./, absolute below the root, with a
// line behind it, a folder, a unique end of a path, or the name of a folder, package, type or file in words ("the payment
// module"). The error is a *fault that names what was near.
func (a atlas) find(given string) (target, error) {
	p, err := a.clean(given)
	if err != nil {
		return target{}, err
	}
	if a.has(p) {
		return target{files: []string{p}}, nil
	}
	if short := lineSuffix.ReplaceAllString(p, ""); short != p && a.has(short) {
		return target{files: []string{short}}, nil
	}
	places := a.places()
	if files, ok := below(places, p); ok {
		return target{files: files, folder: p}, nil
	}
	for _, look := range []func([]place, string) (target, error){bySuffix, a.byWords} {
		if t, err := look(places, p); err != nil || len(t.files) > 0 {
			return t, err
		}
	}
	return target{}, unknownPath(given, p, places)
}

var lineSuffix = regexp.MustCompile(`:\d+(-\d+|:\d+)?$`)

// clean brings an argument into the form of the index's paths: relative to the root, with slashes.
func (a atlas) clean(given string) (string, error) {
	p := strings.Trim(strings.TrimSpace(given), "\"'`")
	if p == "" || strings.ContainsRune(p, 0) || len(p) > workspace.MaxPath {
		return "", &fault{code: CodeBadArgument, text: "a path is a text of 1 to 4096 bytes without NUL", hint: `Give a path as the index has it, such as "internal/pay/ledger.go"`}
	}
	p = strings.TrimPrefix(strings.ReplaceAll(p, `\`, "/"), "file://")
	root := strings.ReplaceAll(a.root, `\`, "/")
	outside := path.IsAbs(p)
	if rest, ok := strings.CutPrefix(path.Clean(p), strings.TrimSuffix(root, "/")+"/"); ok && root != "" {
		p, outside = rest, false
	} else if path.Clean(p) == root {
		return ".", nil
	}
	p = path.Clean(p)
	if outside && a.has(strings.TrimLeft(p, "/")) { // "/engine.go": people write it for the root's
		return strings.TrimLeft(p, "/"), nil
	}
	if outside || p == ".." || strings.HasPrefix(p, "../") {
		return "", &fault{code: workspace.CodePathNotAllowed, text: fmt.Sprintf("the path %q is not inside of the workspace", brief(given)), hint: "Give a path below the folder that was indexed, as the index has it"}
	}
	return p, nil
}

// below lists the files of a folder: its own, and where it has none of its own those of the folders in it.
func below(places []place, folder string) ([]string, bool) {
	prefix := folder + "/"
	if folder == "." {
		prefix = ""
	}
	var own, all []string
	for _, f := range places {
		rest, ok := strings.CutPrefix(f.path, prefix)
		if !ok {
			continue
		}
		all = append(all, f.path)
		if !strings.Contains(rest, "/") {
			own = append(own, f.path)
		}
	}
	if len(own) > 0 && folder != "." {
		return own, true
	}
	return all, len(all) > 0
}

// bySuffix finds the file, else the folder, whose path ends with what was given.
func bySuffix(places []place, p string) (target, error) {
	end, fold := "/"+p, "/"+strings.ToLower(p)
	var files, loose []string
	folders := map[string]bool{}
	for _, f := range places {
		full := "/" + f.path
		switch {
		case strings.HasSuffix(full, end):
			files = append(files, f.path)
		case strings.HasSuffix(strings.ToLower(full), fold):
			loose = append(loose, f.path)
		}
		if i := strings.LastIndex(full, end+"/"); i >= 0 {
			folders[strings.TrimPrefix(full[:i+len(end)], "/")] = true
		}
	}
	if len(files) == 0 && len(folders) == 0 {
		files = loose
	}
	switch {
	case len(files) == 1:
		return target{files: files, note: fmt.Sprintf("%q was taken for %s, the only file with that end.", brief(p), files[0])}, nil
	case len(files) > 1:
		return target{}, several(p, "files", files)
	case len(folders) > 0 && strings.Contains(p, "/"):
		return oneFolder(places, p, folders, "the only folder with that end")
	}
	return target{}, nil
}

// kindWords are words that say what sort of thing is named; they are no part of the name.
var kindWords = regexp.MustCompile(`(?i)^(?:the|our|my|this|that)\s+|\s+(?:module|package|folder|directory|dir|file|files|library|lib|class|type|struct|interface|component|service|code|part|layer|subsystem)s?$`)

// bareName takes away the words that say what sort of thing is named: "the payment module" is payment.
func bareName(p string) string {
	name := strings.Trim(strings.TrimSpace(p), "\"'`")
	for {
		next := strings.TrimSpace(kindWords.ReplaceAllString(name, ""))
		if next == name || next == "" {
			return name
		}
		name = next
	}
}

// byWords finds the folder, package, type or file that is called so.
func (a atlas) byWords(places []place, p string) (target, error) {
	name := bareName(p)
	keys := wordKeys(name)
	if len(keys) == 0 {
		return target{}, nil
	}
	folders, packages, stems := map[string]bool{}, map[string]bool{}, []string(nil)
	for _, f := range places {
		dir := path.Dir(f.path)
		for d := dir; d != "."; d = path.Dir(d) {
			if !f.test && slices.Contains(keys, foldName(path.Base(d))) {
				folders[d] = true
			}
		}
		last := f.pkg[strings.LastIndexAny(f.pkg, "./:")+1:]
		if !f.test && f.pkg != "" && (slices.Contains(keys, foldName(f.pkg)) || slices.Contains(keys, foldName(last))) {
			packages[dir] = true
		}
		base := path.Base(f.path)
		if stem, _, _ := strings.Cut(base, "."); !f.test && slices.Contains(keys, foldName(stem)) {
			stems = append(stems, f.path)
		}
	}
	return a.choose(places, p, name, folders, packages, stems)
}

// choose takes the one thing of the first sort that has any.
func (a atlas) choose(places []place, p, name string, folders, packages map[string]bool, stems []string) (target, error) {
	if len(folders) > 0 {
		return oneFolder(places, p, folders, "the only folder of that name")
	}
	if len(packages) > 0 {
		return oneFolder(places, p, packages, "the only package of that name")
	}
	how := "the only file of that name"
	if len(stems) == 0 && a.declares != nil {
		stems, how = a.declares(name), "the only file that declares it"
	}
	switch {
	case len(stems) == 1:
		return target{files: stems, note: fmt.Sprintf("%q was taken for %s, %s.", brief(p), stems[0], how)}, nil
	case len(stems) > 1:
		return target{}, several(p, "files", stems)
	}
	return target{}, nil
}

// oneFolder takes a folder when it is the only one, or when all others lie in it.
func oneFolder(places []place, p string, folders map[string]bool, how string) (target, error) {
	var tops []string
	for f := range folders {
		inner := false
		for other := range folders {
			inner = inner || strings.HasPrefix(f, other+"/")
		}
		if !inner {
			tops = append(tops, f)
		}
	}
	slices.Sort(tops)
	if len(tops) > 1 {
		return target{}, several(p, "folders", tops)
	}
	files, _ := below(places, tops[0])
	return target{files: files, folder: tops[0], note: fmt.Sprintf("%q was taken for the folder %s/, %s.", brief(p), tops[0], how)}, nil
}

// wordKeys are the forms in which a name is compared: folded, and without a plural s.
func wordKeys(name string) []string {
	key := foldName(name)
	if key == "" {
		return nil
	}
	keys := []string{key, key + "s"}
	if one, ok := strings.CutSuffix(key, "s"); ok && len(one) > 2 {
		keys = append(keys, one)
	}
	return keys
}

// foldName leaves letters and digits, in lower case.
func foldName(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r > 127:
			return r
		}
		return -1
	}, s)
}

func several(p, what string, names []string) error {
	slices.Sort(names)
	return &fault{code: CodeAmbiguous, text: fmt.Sprintf("%q could be any of %d %s: %s", brief(p), len(names), what, enumerate(names, 5)),
		hint: "Give one of these paths in full", nearest: names[:min(len(names), 20)]}
}

func unknownPath(given, p string, places []place) error {
	near := nearestPaths(p, places)
	hint := fmt.Sprintf("The index has %s; list_functions and search_code find files by what is in them", enumerate(pathsOf(places), 5))
	if len(near) > 0 {
		hint = "Did you mean " + enumerate(near, 3) + "?"
	}
	return &fault{code: CodeFileUnknown, text: fmt.Sprintf("%q is not indexed: the index has no such file, folder or package", brief(given)), hint: hint, nearest: near}
}

// pathsOf are the paths of places, in order.
func pathsOf(places []place) []string {
	paths := make([]string, len(places))
	for i, p := range places {
		paths[i] = p.path
	}
	slices.Sort(paths)
	return paths
}

// nearestPaths gives up to three paths that look like one that is not there: by their last part first, then as a whole.
func nearestPaths(p string, places []place) []string {
	bases, byBase := []string(nil), map[string][]string{}
	for _, f := range places {
		b := path.Base(f.path)
		if byBase[b] == nil {
			bases = append(bases, b)
		}
		byBase[b] = append(byBase[b], f.path)
	}
	var out []string
	for _, b := range table.Nearest(path.Base(p), bases) {
		out = append(out, byBase[b]...)
	}
	return out[:min(len(out), 3)]
}

// enumerate is "a, b and 3 more".
func enumerate(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// brief cuts what is repeated to the asker.
func brief(s string) string { return strings.ToValidUTF8(text.Clip(s, 120), "?") }
