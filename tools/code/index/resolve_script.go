package index

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// tsAlias is one entry of "paths" in a tsconfig.json: what matches the pattern lies at one of the targets.
type tsAlias struct {
	dir, pattern string
	targets      []string
}

// aliasFile is what of a tsconfig.json is understood. Comments in it are not; a file that has any gives no aliases.
type aliasFile struct {
	CompilerOptions struct {
		BaseURL string              `json:"baseUrl,omitempty"`
		Paths   map[string][]string `json:"paths,omitempty"`
	} `json:"compilerOptions"`
}

func compactAliases(src []byte) string {
	var f aliasFile
	if json.Unmarshal(src, &f) != nil || f.CompilerOptions.BaseURL == "" && len(f.CompilerOptions.Paths) == 0 {
		return ""
	}
	out, err := json.Marshal(f)
	if err != nil {
		return ""
	}
	return string(out)
}

func parseAliases(dir, said string) []tsAlias {
	var f aliasFile
	if json.Unmarshal([]byte(said), &f) != nil {
		return nil
	}
	base := path.Join(dir, f.CompilerOptions.BaseURL)
	var out []tsAlias
	for pattern, targets := range f.CompilerOptions.Paths {
		a := tsAlias{dir: dir, pattern: pattern}
		for _, t := range targets {
			a.targets = append(a.targets, path.Join(base, t))
		}
		out = append(out, a)
	}
	if f.CompilerOptions.BaseURL != "" {
		out = append(out, tsAlias{dir: dir, pattern: "*", targets: []string{path.Join(base, "*")}})
	}
	slices.SortFunc(out, func(a, b tsAlias) int {
		if n := len(b.pattern) - len(a.pattern); n != 0 {
			return n
		}
		return strings.Compare(a.pattern, b.pattern)
	})
	return out
}

var scriptEndings = []string{"", ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".json", ".vue", ".svelte"}

// script resolves relative paths, with the endings and index files that bundlers try, then the aliases of the nearest tsconfig.
// Names of packages from a registry have no file here.
func (r *resolver) script(imp imported) []int32 {
	if strings.HasPrefix(imp.path, ".") || strings.HasPrefix(imp.path, "/") {
		return r.scriptFile(path.Join(imp.dir, imp.path))
	}
	for _, a := range r.aliases {
		before, after, star := strings.Cut(a.pattern, "*")
		if !within(imp.dir, a.dir) || !star && imp.path != a.pattern ||
			star && (len(imp.path) < len(before)+len(after) || !strings.HasPrefix(imp.path, before) || !strings.HasSuffix(imp.path, after)) {
			continue
		}
		middle := ""
		if star {
			middle = imp.path[len(before) : len(imp.path)-len(after)]
		}
		for _, t := range a.targets {
			if found := r.scriptFile(strings.Replace(t, "*", middle, 1)); found != nil {
				return found
			}
		}
	}
	return nil
}

func (r *resolver) scriptFile(p string) []int32 {
	for _, e := range scriptEndings {
		if i, ok := r.file(p + e); ok {
			return []int32{i}
		}
	}
	// TypeScript writes ./engine.js for the file engine.ts.
	for _, pair := range [][2]string{{".js", ".ts"}, {".jsx", ".tsx"}, {".mjs", ".mts"}, {".cjs", ".cts"}} {
		if stem, ok := strings.CutSuffix(p, pair[0]); ok {
			if found := r.first(stem+pair[1], stem+".tsx"); found != nil {
				return found
			}
		}
	}
	for _, e := range scriptEndings[1:] {
		if i, ok := r.file(p + "/index" + e); ok {
			return []int32{i}
		}
	}
	return nil
}
