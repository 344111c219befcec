package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"catena/planner/plan"
)

// sources says where the texts to learn from are. Each is public and has nothing to do with what scores the retriever.
type sources struct {
	wordnet string   // folder of WordNet's data files
	debian  string   // what apt-cache dumpavail prints
	apps    string   // AppStream's description of a release's programs, gzipped
	manual  string   // what whatis -l -w '*' prints
	golang  []string // folders of Go code
	python  []string // folders of Python code
}

// longestText bounds a text, in bytes.
const longestText = 240

// texts collects texts, each once.
type texts struct {
	all   []string
	about []string // those that say what something does
	seen  map[string]bool
}

// add takes the name of something and what it does, or texts alone.
func (t *texts) add(all ...string) {
	for i, text := range all {
		text = tidy(text)
		if len(text) < 2 || t.seen[text] || !ascii(text) {
			continue
		}
		t.seen[text] = true
		t.all = append(t.all, text)
		if i > 0 {
			t.about = append(t.about, text)
		}
	}
}

// tidy makes a text one line of bounded length.
func tidy(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > longestText {
		s = s[:strings.LastIndexByte(s[:longestText], ' ')+1]
	}
	return strings.TrimSpace(s)
}

// drawn says whether a text is in a sample of a share: the same at each run.
func drawn(s string, share float64) bool {
	h := fnv.New32a()
	io.WriteString(h, s)
	return float64(h.Sum32()%10_000) < share*10_000
}

func (s sources) read() ([]string, error) {
	t := &texts{seen: map[string]bool{}}
	t.topics()
	for _, read := range []func(*texts) error{s.readWordnet, s.readDebian, s.readApps, s.readManual, s.readGo, s.readPython} {
		before := len(t.all)
		if err := read(t); err != nil {
			return nil, err
		}
		fmt.Println("texts read", len(t.all)-before)
	}
	t.asked()
	return t.all, nil
}

// readWordnet pairs words with their meaning, and keeps the examples.
func (s sources) readWordnet(t *texts) error {
	all, err := readSynsets(s.wordnet)
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		set := all[key]
		gloss, examples, _ := strings.Cut(set.gloss, `; "`)
		words := strings.Join(set.words[:min(3, len(set.words))], ", ")
		if strings.ToLower(words) != words || !drawn(key, 0.2) {
			continue
		}
		t.add(words, strings.TrimSpace(gloss))
		for _, e := range strings.Split(examples, `"`) {
			if len(e) > 25 {
				t.add(e)
			}
		}
	}
	return nil
}

// notDescribing are the sections of Debian whose packages describe parts of others.
var notDescribing = plan.WordSet("libdevel debug localization oldlibs kernel metapackages introspection haskell ocaml rust doc fonts")

// library is a package that only other programs use, or a part of one.
var library = regexp.MustCompile(`^(lib|r-|ruby-|node-|golang-|php-|elpa-|gir1|linux-|gcc-|g\+\+|texlive-|science-|education-|task-|fonts?-)|-(dev|data|common|perl|java|l10n|dbg|plugins?|modules?)\b`)

func (s sources) readDebian(t *texts) error {
	return eachLine(s.debian, func() func(string) {
		var name, section, summary string
		return func(line string) {
			switch key, value, _ := strings.Cut(line, ": "); key {
			case "Package":
				name = value
			case "Section":
				section = value
			case "Description", "Description-en":
				summary = value
			case "":
				if _, own, ok := strings.Cut(section, "/"); ok {
					section = own
				}
				if summary != "" && !notDescribing[section] && !library.MatchString(name) && drawn(name, 0.6) {
					t.add(strings.ReplaceAll(name, "-", " "), summary)
				}
				name, section, summary = "", "", ""
			}
		}
	}())
}

func (s sources) readApps(t *texts) error {
	f, err := os.Open(s.apps)
	if err != nil {
		return err
	}
	defer f.Close()
	in, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	var key, name string
	scan := bufio.NewScanner(in)
	scan.Buffer(nil, 1<<22)
	for scan.Scan() {
		line := scan.Text()
		if value, ok := strings.CutPrefix(line, "  C: "); ok {
			value = tags.ReplaceAllString(strings.Trim(value, `'">-`), " ")
			switch key {
			case "Name:":
				name = value
			case "Summary:":
				t.add(name, value)
			case "Description:":
				t.add(value)
			}
		} else if !strings.HasPrefix(line, " ") {
			key = line
		}
	}
	return scan.Err()
}

var tags = regexp.MustCompile(`<[^>]*>`)

func (s sources) readManual(t *texts) error {
	return eachLine(s.manual, func(line string) {
		name, what, ok := strings.Cut(line, " - ")
		name, _, _ = strings.Cut(name, " (")
		if ok && !strings.Contains(what, "(unknown") && !strings.HasSuffix(what, "...") {
			t.add(strings.Join(plan.NameWords(name), " "), what)
		}
	})
}

// readGo pairs the names of functions and of their arguments with what is said of them.
func (s sources) readGo(t *texts) error {
	return walk(s.golang, ".go", func(path string, data []byte) {
		if strings.HasSuffix(path, "_test.go") || strings.Contains(path, "/internal/") || strings.Contains(path, "/vendor/") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Doc == nil || !f.Name.IsExported() {
				continue
			}
			about := new(doc.Package).Synopsis(f.Doc.Text())
			about = strings.TrimPrefix(about, f.Name.Name+" ")
			words := plan.NameWords(f.Name.Name)
			for _, p := range f.Type.Params.List {
				for _, n := range p.Names {
					words = append(words, plan.NameWords(n.Name)...)
				}
			}
			if len(about) > 25 && drawn(about, 0.7) {
				t.add(file.Name.Name+" "+strings.Join(words, " "), about)
			}
		}
	})
}

var pythonFunction = regexp.MustCompile(`(?m)^ *def ([a-zA-Z]\w+)\(([^)]*)\)[^:\n]*:\s+r?"""([^\n"]{20,200})`)

func (s sources) readPython(t *texts) error {
	return walk(s.python, ".py", func(path string, data []byte) {
		if strings.Contains(path, "/test") || strings.Contains(path, "/idlelib/") {
			return
		}
		for _, m := range pythonFunction.FindAllSubmatch(data, -1) {
			words := plan.NameWords(string(m[1]))
			for _, arg := range strings.Split(string(m[2]), ",") {
				arg, _, _ = strings.Cut(arg, "=")
				arg, _, _ = strings.Cut(arg, ":")
				if arg = strings.Trim(arg, " *\n"); arg != "self" && arg != "cls" {
					words = append(words, plan.NameWords(arg)...)
				}
			}
			t.add(strings.Join(words, " "), string(m[3]))
		}
	})
}

func walk(dirs []string, ending string, read func(path string, data []byte)) error {
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ending) {
				return err
			}
			data, err := os.ReadFile(path)
			if err == nil {
				read(path, data)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func eachLine(path string, read func(string)) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		read(in.Text())
	}
	return in.Err()
}
