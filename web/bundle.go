package web

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// entry is the module that the page begins with.
const entry = "app"

// Bundle gives the files of a page as they are sent fastest. What the first view needs is in one module and one style
// sheet: the entry with all that it imports, and that imports, each in a scope of its own. What is only imported when
// it is wanted, by import(), stays apart, takes what it shares with the first view from there, and names all that it
// needs, so that a browser fetches that at the same time and not one import after the other.
//
// It reads modules as they are written here: imports and exports stand at the beginning of a line and name what they
// mean. It fails where one is written in another way, and where modules of the first view import each other.
func Bundle(files map[string][]byte) (map[string][]byte, error) {
	b := bundler{sources: map[string]string{}}
	out := map[string][]byte{}
	for name, body := range files {
		if module, is := strings.CutSuffix(name, ".js"); is {
			b.sources[module] = string(body)
		} else {
			out[name] = body
		}
	}
	if _, is := b.sources[entry]; !is {
		return files, nil
	}
	if err := b.order(entry, nil); err != nil {
		return nil, err
	}
	first, err := b.first()
	if err != nil {
		return nil, err
	}
	out[entry+".js"] = []byte(first)
	for module := range b.sources {
		if slices.Contains(b.group, module) {
			continue
		}
		if out[module+".js"], err = b.later(module); err != nil {
			return nil, err
		}
	}
	joinStyles(out)
	return out, nil
}

// bundler makes one module of several.
type bundler struct {
	sources map[string]string // by the names of modules, without their ending
	group   []string          // the modules of the first view, each after those that it imports
}

var (
	imported   = regexp.MustCompile(`(?m)^(import|export)\s+(?:\{([^}]*)\}\s+from\s+)?"\./([^"/]+)\.js";?`)
	exported   = regexp.MustCompile(`(?m)^export ((?:async )?function\*?|const|class) ([A-Za-z_$][\w$]*)`)
	exportList = regexp.MustCompile(`(?m)^export\s+\{([^}]*)\};?$`)
	unread     = regexp.MustCompile(`(?m)^(?:import|export)\b.*`)
	wanted     = regexp.MustCompile(`\bimport\("\./([^"/]+)\.js"\)`)
)

// order puts a module behind those that it imports.
func (b *bundler) order(module string, importers []string) error {
	if slices.Contains(importers, module) {
		return fmt.Errorf("%s imports itself, by %s", module, strings.Join(importers, ", "))
	}
	if slices.Contains(b.group, module) {
		return nil
	}
	source, is := b.sources[module]
	if !is {
		return fmt.Errorf("there is no module %s", module)
	}
	for _, m := range imported.FindAllStringSubmatch(source, -1) {
		if err := b.order(m[3], append(importers, module)); err != nil {
			return err
		}
	}
	b.group = append(b.group, module)
	return nil
}

// first is the module of the first view.
func (b *bundler) first() (string, error) {
	var out strings.Builder
	var names []string
	for _, module := range b.group {
		var exports []string
		source := imported.ReplaceAllStringFunc(b.sources[module], func(statement string) string {
			m := imported.FindStringSubmatch(statement)
			switch {
			case m[1] == "export":
				return statement // which is not read
			case m[2] == "":
				return "" // it has run before
			}
			return "const { " + renamed(m[2], false) + " } = $" + m[3] + ";"
		})
		source = exported.ReplaceAllStringFunc(source, func(statement string) string {
			m := exported.FindStringSubmatch(statement)
			exports = append(exports, m[2])
			return m[1] + " " + m[2]
		})
		source = exportList.ReplaceAllStringFunc(source, func(statement string) string {
			exports = append(exports, renamed(exportList.FindStringSubmatch(statement)[1], true))
			return ""
		})
		if m := unread.FindString(source); m != "" {
			return "", fmt.Errorf("%s.js: %.80q cannot be bundled", module, m)
		}
		if err := b.apart(module); err != nil {
			return "", err
		}
		names = append(names, "$"+module)
		fmt.Fprintf(&out, "const $%s = (() => {\n%s\nreturn { %s };\n})();\n", module, strings.TrimSpace(source),
			strings.Join(exports, ", "))
	}
	fmt.Fprintf(&out, "export { %s };\n", strings.Join(names, ", "))
	return out.String(), nil
}

// renamed makes the names of an import or an export those of an object: "a as b" is a: b there, of exports b: a.
func renamed(names string, out bool) string {
	var list []string
	for name := range strings.SplitSeq(names, ",") {
		from, to, is := strings.Cut(strings.TrimSpace(name), " as ")
		switch {
		case from == "":
			continue
		case is && out:
			from, to = to, from
			fallthrough
		case is:
			from += ": " + to
		}
		list = append(list, from)
	}
	return strings.Join(list, ", ")
}

// later is a module that is not of the first view.
func (b *bundler) later(module string) ([]byte, error) {
	var failed error
	source := imported.ReplaceAllStringFunc(b.sources[module], func(statement string) string {
		m := imported.FindStringSubmatch(statement)
		switch shared := slices.Contains(b.group, m[3]); {
		case !shared:
			return statement
		case m[1] == "export":
			failed = fmt.Errorf("%s.js: %.80q cannot be bundled", module, statement)
		}
		return fmt.Sprintf("import { $%[1]s } from \"./%s.js\"; const { %s } = $%[1]s;", m[3], entry,
			renamed(m[2], false))
	})
	if failed == nil {
		failed = b.apart(module)
	}
	for _, name := range b.needs(module) {
		source += "import \"./" + name + ".js\";\n"
	}
	return []byte(source), failed
}

// apart reports where a module imports, when it is wanted, what is part of the first view and has no file of its own.
func (b *bundler) apart(module string) error {
	for _, m := range wanted.FindAllStringSubmatch(b.sources[module], -1) {
		if slices.Contains(b.group, m[1]) {
			return fmt.Errorf("%s.js imports %s.js when it is wanted, which is part of the first view", module, m[1])
		}
	}
	return nil
}

// needs are the modules that others are imported by, on the way from a module.
func (b *bundler) needs(module string) []string {
	found := []string{module}
	for i := 0; i < len(found); i++ {
		for _, m := range imported.FindAllStringSubmatch(b.sources[found[i]], -1) {
			if !slices.Contains(found, m[3]) && !slices.Contains(b.group, m[3]) {
				found = append(found, m[3])
			}
		}
	}
	return found[1:]
}

var styleLinks = regexp.MustCompile(`<link rel="stylesheet" href="/static/([^"/]+)">\n?`)

// joinStyles has the page name one style sheet, the first, which has the others at its end.
func joinStyles(files map[string][]byte) {
	page := string(files["index.html"])
	links := styleLinks.FindAllStringSubmatch(page, -1)
	for i, m := range links {
		if i == 0 {
			continue
		}
		page = strings.Replace(page, m[0], "", 1)
		files[links[0][1]] = append(append(slices.Clone(files[links[0][1]]), '\n'), files[m[1]]...)
		delete(files, m[1])
	}
	files["index.html"] = []byte(page)
}
