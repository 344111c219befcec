package archtest

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"catena/internal/archtest/sizetest"
)

// mostAllowed is policy: how much the allow list of .golangci.yml may hold in all. These figures only fall.
var mostAllowed = map[sizetest.Limit]int{
	sizetest.Branches: 436, sizetest.Nested: 262, sizetest.Length: 0, sizetest.Terms: 1588, sizetest.Columns: 5583,
}

const (
	lintConfig = ".golangci.yml"
	listBegins = "# Allow list"
	listEnds   = "# End of the allow list."

	updateCommand = "go test ./internal/archtest -run TestAllowList -update"
)

// allowance is one line of the allow list: how much of each limit a folder may exceed.
type allowance map[sizetest.Limit]int

// allowLine is a line of the list. A folder with nothing but conditions has no rule for the linters, and stands in a comment.
var allowLine = regexp.MustCompile(`^ +(?:- |# )\{path: '?\^([^[]+)\[\^/\]\+\$'?(?:, linters: \[[a-z, ]+\])?\} # (.+)$`)

// limits are in the order in which the list names them.
var limits = []sizetest.Limit{sizetest.Branches, sizetest.Nested, sizetest.Length, sizetest.Terms, sizetest.Columns}

// readAllowList returns the list by folder, and what stands before and behind it.
func readAllowList(t *testing.T) (list map[string]allowance, before, after []byte) {
	t.Helper()
	text, err := os.ReadFile(lintConfig)
	if err != nil {
		t.Fatal(err)
	}
	begin := bytes.Index(text, []byte(listBegins))
	end := bytes.Index(text, []byte(listEnds))
	if begin < 0 || end < begin {
		t.Fatalf("%s has no allow list between %q and %q", lintConfig, listBegins, listEnds)
	}
	list = map[string]allowance{}
	var head int
	for line := range strings.Lines(string(text[begin:end])) {
		m := allowLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			if len(list) == 0 {
				head += len(line) // what the list says of itself
			}
			continue
		}
		folder := strings.ReplaceAll(strings.TrimSuffix(m[1], "/"), `\`, "")
		list[folder] = allowance{}
		for _, part := range strings.Split(m[2], ", ") {
			name, n, _ := strings.Cut(part, " ")
			list[folder][sizetest.Limit(name)], err = strconv.Atoi(n)
			if err != nil || !slices.Contains(limits, sizetest.Limit(name)) {
				t.Errorf("%s: %s: %q is no limit and number", lintConfig, folder, part)
			}
		}
	}
	return list, text[:begin+head], text[end:]
}

// writeAllowList writes a list as it is read. Lines stand in the order of the folders.
func writeAllowList(t *testing.T, list map[string]allowance, before, after []byte) {
	t.Helper()
	var out bytes.Buffer
	out.Write(before)
	for _, folder := range slices.Sorted(maps.Keys(list)) {
		var linters, counts []string
		for _, limit := range limits {
			n := list[folder][limit]
			if n == 0 {
				continue
			}
			counts = append(counts, fmt.Sprintf("%s %d", limit, n))
			if limit != sizetest.Terms {
				linters = append(linters, string(limit))
			}
		}
		switch {
		case counts == nil:
		case linters == nil:
			fmt.Fprintf(&out, "      # {path: ^%s/[^/]+$} # %s\n", folder, strings.Join(counts, ", "))
		default:
			fmt.Fprintf(&out, "      - {path: '^%s/[^/]+$', linters: [%s]} # %s\n",
				folder, strings.Join(linters, ", "), strings.Join(counts, ", "))
		}
	}
	out.WriteString("      ")
	out.Write(after)
	if err := os.WriteFile(lintConfig, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// excess is what is too large in a file.
type excess struct {
	file string
	sizetest.Excess
}

// tooLarge finds what exceeds the limits, by folder. Tests are left out, as .golangci.yml leaves them out, and so are
// generated files.
func tooLarge(t *testing.T) map[string]map[sizetest.Limit][]excess {
	t.Helper()
	found := map[string]map[sizetest.Limit][]excess{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if d.IsDir() && name != "." && notOurs(d.Name()) {
			return fs.SkipDir
		}
		if d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, name, source, parser.ParseComments)
		if err != nil || ast.IsGenerated(tree) {
			return err
		}
		folder := path.Dir(name)
		for _, e := range sizetest.Excesses(fset, tree, source) {
			if found[folder] == nil {
				found[folder] = map[sizetest.Limit][]excess{}
			}
			found[folder][e.Limit] = append(found[folder][e.Limit], excess{name, e})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// notOurs reports whether a folder of a name holds no code of ours.
func notOurs(name string) bool {
	return name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".")
}

// TestAllowList lets the allow list of the linters only shrink. With -update it writes down what has become less.
func TestAllowList(t *testing.T) {
	list, before, after := readAllowList(t)
	found := tooLarge(t)
	if *update {
		for folder, allowed := range list {
			for limit, most := range allowed {
				allowed[limit] = min(most, len(found[folder][limit]))
				if allowed[limit] == 0 {
					delete(allowed, limit)
				}
			}
		}
		writeAllowList(t, list, before, after)
	}
	total := map[sizetest.Limit]int{}
	for folder, allowed := range list {
		for limit, most := range allowed {
			total[limit] += most
			if len(found[folder][limit]) == 0 {
				t.Errorf("%s: %s of %s is no longer needed: take it away with\n\t%s", lintConfig, limit, folder, updateCommand)
			}
		}
	}
	for limit, most := range mostAllowed {
		if total[limit] > most {
			t.Errorf("%s allows %d excesses of %s, and may allow %d", lintConfig, total[limit], limit, most)
		}
	}
	for folder, byLimit := range found {
		for limit, all := range byLimit {
			if most := list[folder][limit]; len(all) > most {
				t.Errorf("%s: %d exceed the limit of %s, %d, and %d may:\n%s",
					folder, len(all), limit, sizetest.Most[limit], most, listed(all))
			}
		}
	}
}

// listed names what is too large, the smallest first: what came last is seldom the worst.
func listed(all []excess) string {
	slices.SortStableFunc(all, func(a, b excess) int { return cmp.Compare(a.Size, b.Size) })
	var out strings.Builder
	for i, e := range all {
		if i == 30 {
			fmt.Fprintf(&out, "\tand %d more", len(all)-i)
			break
		}
		fmt.Fprintf(&out, "\t%s:%d %s %d\n", e.file, e.Line, e.Name, e.Size)
	}
	return out.String()
}
