package archtest

import (
	"cmp"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "catena/"

// allowed is policy: the packages of this module that each package may import.
// Change it in a commit of its own, never to make a build pass.
var allowed = map[string][]string{
	"internal/archtest/sizetest": {},

	".":                     {"internal/cli"},
	"internal/archtest":     {},
	"internal/e2e":          {},
	"planner/loosejson":     {},
	"planner/plan":          {"planner/loosejson"},
	"planner/plan/plantest": {},
	"table":                 {"internal/buffer", "internal/lane", "internal/parallel"},
	"table/content":         {"table", "internal/buffer", "internal/parallel"},
	"table/infer":           {"table", "internal/buffer"},
	"table/csv":             {"table", "table/content", "table/infer", "internal/buffer", "internal/lane", "internal/parallel"},
	"table/json":            {"table", "table/content", "table/infer", "internal/buffer", "internal/lane", "internal/parallel"},
	"table/xlsx":            {"table", "table/content", "table/csv", "table/infer", "internal/buffer"},
	"table/markup":          {"table", "table/content", "table/csv", "table/infer"},
	"table/gota":            {"table", "table/infer"},
	"table/columnar":        {"table", "table/content", "table/infer", "internal/buffer", "internal/parallel"},
	"table/load": {
		"table", "table/columnar", "table/content", "table/csv", "table/infer", "table/json", "table/markup", "table/xlsx",
		"internal/buffer", "internal/parallel",
	},
	"table/loadtest":       {"table", "table/csv", "table/json", "table/load", "table/tabletest"},
	"table/tabletest":      {},
	"table/units":          {"table"},
	"web":                  {},
	"internal/cputime":     {},
	"internal/access":      {},
	"internal/buffer":      {},
	"internal/id":          {},
	"internal/lru":         {},
	"internal/text":        {},
	"internal/garbage":     {},
	"internal/lane":        {},
	"internal/reach":       {},
	"internal/parallel":    {"internal/lane"},
	"internal/e2e/e2etest": {},
	"internal/config":      {},
	"internal/cli": {
		"internal/app", "internal/access", "internal/config", "internal/store", "internal/store/sqlite", "chat", "chat/runs", "planner/plan", "profiler", "query/semantic", "server", "table", "tools",
		"tools/code/workspace", "tools/data", "tools/persona", "tools/upstream",
	},
	"internal/store":           {},
	"internal/store/backend":   {"internal/store"},
	"internal/store/redis":     {"internal/store", "internal/store/backend"},
	"internal/store/sqlite":    {"internal/store", "internal/store/backend"},
	"internal/store/storetest": {"internal/store"},
	"internal/telemetry":       {},
	"profiler":                 {"table", "table/csv", "internal/lane", "profiler/shape", "profiler/model", "profiler/names"},
	"profiler/anomaly":         {"profiler", "table", "internal/lane"},
	"profiler/names":           {},
	"profiler/shape":           {},
	"profiler/model":           {"profiler/shape"},
	"formatter":                {"table", "table/csv", "table/xlsx", "internal/lane", "profiler", "profiler/anomaly", "formatter/number"},
	"formatter/number":         {"table"},
	"formatter/picture":        {},
	"planner":                  {"internal/lru", "planner/loosejson", "planner/plan", "planner/signature", "planner/statement", "planner/wireschema", "query", "query/semantic", "query/sql"},
	"planner/signature":        {"planner/loosejson"},
	"planner/wireschema":       {"planner/loosejson"},
	"planner/statement":        {"planner/plan", "query", "query/sql", "table"},
	"planner/langchain":        {"planner", "planner/plan"},
	"planner/offline":          {"planner/plan", "planner/calls", "planner/retrieval"},
	"planner/reader":           {"planner/reader/link", "planner/reader/orders", "planner/reader/say", "planner/plan", "query", "query/semantic", "query/sql", "table", "table/units"},
	"planner/reader/orders":    {"planner/reader/link", "planner/reader/say", "planner/calls", "planner/plan"},
	"planner/reader/say":       {},
	"planner/reader/link":      {"planner/plan", "planner/retrieval", "query/semantic", "table", "table/units"},
	"planner/calls":            {"planner/plan", "planner/retrieval"},
	"planner/retrieval":        {"planner/plan"},
	"tools/handle":             {"internal/access", "table", "table/columnar"},
	"tools":                    {"tools/handle", "planner/plan", "table", "table/columnar", "table/load", "internal/access"},
	"tools/data": {
		"tools", "tools/handle", "tools/data/calendar", "tools/data/pipeline", "tools/data/verbs", "query", "query/push", "query/run", "query/semantic", "query/sql",
		"internal/access", "internal/lane", "internal/lru", "internal/parallel", "planner/loosejson", "planner/plan", "table",
		"table/csv",
		"table/infer", "table/load", "table/xlsx", "profiler", "profiler/anomaly", "formatter", "formatter/picture",
	},
	"tools/data/calendar":     {"table"},
	"tools/data/leastsquares": {},
	"tools/data/verbs":        {"profiler", "query", "table", "tools", "tools/data/calendar", "tools/data/leastsquares", "tools/data/pipeline"},
	"tools/data/pipeline": {
		"planner/plan", "profiler", "query", "query/run", "query/semantic", "query/sql", "table", "table/infer", "table/units",
	},
	"tools/crm":    {"tools", "table", "table/csv", "table/gota", "profiler", "formatter", "internal/access"},
	"tools/memory": {"tools", "table", "internal/access"},
	"tools/code": {
		"tools", "table", "internal/access", "tools/code/index", "tools/code/parse", "tools/code/redact", "tools/code/scan",
		"tools/code/workspace",
	},
	"tools/code/workspace":      {"tools/code/index", "tools/code/parse", "tools/code/redact", "tools/code/scan"},
	"tools/code/redact":         {"tools/code/parse"},
	"tools/code/codetest":       {},
	"tools/code/parse":          {},
	"tools/code/scan":           {},
	"tools/code/index":          {"tools/code/parse"},
	"tools/persona":             {"tools", "table", "internal/access"},
	"tools/persona/neo4j":       {"tools/persona"},
	"tools/persona/personatest": {"tools/persona"},
	"tools/source":              {"query", "query/sql", "table", "table/infer"},
	"tools/source/sourcetest":   {},
	"tools/declared":            {"internal/reach", "tools", "tools/source", "planner/plan", "table", "table/json", "table/load"},
	"query/push":                {"query", "query/run", "query/sql", "table"},
	"tools/upstream":            {"tools", "tools/upstream/oauth", "table", "table/json", "table/load", "planner/plan", "internal/access"},
	"tools/upstream/oauth":      {"internal/reach"},
	"query":                     {"table", "table/infer"},
	"query/run":                 {"query", "table", "table/infer", "internal/parallel"},
	"query/semantic":            {"internal/parallel", "query", "table", "profiler"},
	"query/sql":                 {"query", "table", "table/infer"},
	"chat/form":                 {"planner/loosejson", "planner/plan", "profiler"},
	"chat":                      {"chat/form", "tools", "tools/handle", "planner/plan", "table", "table/csv", "table/columnar", "table/load", "profiler", "formatter", "internal/access"},
	"chat/report":               {"chat"},
	"chat/runs":                 {"chat", "tools", "planner/plan", "internal/access"},
	"chat/chattest":             {"tools", "tools/handle", "planner/plan", "table", "internal/access", "internal/store", "internal/store/sqlite"},
	"server":                    {"internal/parallel", "chat", "chat/runs", "tools", "tools/handle", "planner/plan", "internal/access", "internal/buffer", "internal/lane", "web", "formatter/picture", "table/columnar", "table/csv"},
	"server/openai":             {"server", "chat", "chat/runs", "chat/form", "tools", "planner/plan", "internal/access"},
	"server/agui":               {"server", "chat", "chat/runs", "tools", "internal/access"},
	"server/share":              {"server", "chat", "chat/runs", "chat/report", "tools", "tools/handle", "internal/access"},
	"server/settings":           {"server", "chat", "tools", "internal/access"},
	"server/mcp":                {"server", "chat", "chat/runs", "tools", "tools/handle", "planner/plan", "internal/access", "web"},
	"server/servertest":         {"chat", "chat/runs", "tools", "planner/plan", "profiler", "table", "table/xlsx", "table/load", "internal/access", "formatter/picture"},
}

// forAnyone are leaves that every package may import: they say once what all rooms would say again.
var forAnyone = []string{"internal/id", "internal/text"}

// owner names the packages, with those below them, that may import each heavy dependency.
var owner = map[string][]string{
	"github.com/gin-gonic/gin":            {"server"},
	"github.com/mark3labs/mcp-go/server":  {"server/mcp"},
	"github.com/mark3labs/mcp-go/client":  {"tools/upstream"},
	"github.com/tmc/langchaingo":          {"planner/langchain"},
	"github.com/redis/go-redis":           {"internal/store/redis", "internal/store/storetest"},
	"github.com/go-jose/go-jose":          {"internal/access", "tools/upstream/oauth"},
	"github.com/apache/arrow-go":          {"table", "query/run"},
	"github.com/xuri/excelize":            {"table/xlsx"},
	"github.com/go-gota/gota":             {"table/gota", "tools"},
	"github.com/itlightning/dateparse":    {"table/infer"},
	"golang.org/x/image":                  {"formatter/picture"},
	"github.com/go-git/go-git":            {"tools/code/scan"},
	"github.com/blevesearch/snowballstem": {"internal/text"},
	"github.com/fsnotify/fsnotify":        {"tools/code/scan"},
	"github.com/neo4j/neo4j-go-driver":    {"tools/persona/neo4j"},
	"github.com/jackc/pgx":                {"tools/source"},
	"github.com/go-sql-driver/mysql":      {"tools/source"},
	"github.com/prometheus":               {"internal/telemetry"},
	"go.opentelemetry.io":                 {"internal/telemetry"},
}

// unrestricted reports whether pkg may import anything: what puts the program together, and what is not part of it.
func unrestricted(pkg string) bool {
	return pkg == "internal/app" || pkg == "bench" || strings.HasPrefix(pkg, "bench/")
}

// under reports whether pkg is one of roots or lies below one.
func under(pkg string, roots []string) bool {
	return slices.ContainsFunc(roots, func(r string) bool { return pkg == r || strings.HasPrefix(pkg, r+"/") })
}

func TestImports(t *testing.T) {
	names := map[string]string{} // of packages, by folder; files of other systems are no part of what is compiled here
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), "_") || len(d.Name()) > 1 && d.Name()[0] == '.') {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		pkg := path.Dir(filepath.ToSlash(name))
		if unrestricted(pkg) {
			return nil
		}
		if _, ok := allowed[pkg]; !ok {
			t.Errorf("%s: package %s has no rule; give it one", name, pkg)
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		if own := f.Name.Name; own != "main" { // generators stand beside what they make
			if was := cmp.Or(names[pkg], own); was != own {
				t.Errorf("%s: package %s stands in the folder of package %s", name, own, was)
			}
			names[pkg] = own
		}
		for _, spec := range f.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			if in, ok := strings.CutPrefix(imp, module); ok && !slices.Contains(allowed[pkg], in) && !slices.Contains(forAnyone, in) {
				t.Errorf("%s: %s may not import %s", name, pkg, in)
			}
			for dep, owners := range owner {
				if (imp == dep || strings.HasPrefix(imp, dep+"/")) && !under(pkg, owners) {
					t.Errorf("%s: only %v may import %s", name, owners, dep)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
