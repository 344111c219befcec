package parse

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// extensions of files, in lower case, with the language that they tell.
var extensions = map[string]string{
	".go": "go", ".py": "python", ".pyi": "python", ".pyw": "python",
	".js": "javascript", ".jsx": "javascript", ".mjs": "javascript", ".cjs": "javascript",
	".ts": "typescript", ".tsx": "typescript", ".mts": "typescript", ".cts": "typescript",
	".java": "java", ".rs": "rust", ".c": "c", ".h": "c",
	".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".hh": "cpp", ".hpp": "cpp", ".hxx": "cpp", ".ipp": "cpp",
	".cs": "csharp", ".rb": "ruby", ".rake": "ruby", ".gemspec": "ruby", ".php": "php", ".kt": "kotlin", ".kts": "kotlin", ".swift": "swift",
	".sh": "shell", ".bash": "shell", ".zsh": "shell", ".ksh": "shell", ".bats": "shell", ".sql": "sql",
	".md": "markdown", ".markdown": "markdown", ".mdx": "markdown",
	".yaml": "yaml", ".yml": "yaml", ".json": "json", ".jsonc": "json", ".json5": "json", ".toml": "toml",
	".html": "html", ".htm": "html", ".xhtml": "html", ".css": "css", ".scss": "css", ".less": "css",
}

// names of files without a telling extension.
var fileNames = map[string]string{
	"rakefile": "ruby", "gemfile": "ruby", "vagrantfile": "ruby", ".bashrc": "shell", ".profile": "shell", ".zshrc": "shell",
	"cargo.lock": "toml", "pipfile": "toml", "readme": "markdown",
}

// interpreters of scripts, as a #! line names them.
var interpreters = map[string]string{
	"sh": "shell", "bash": "shell", "dash": "shell", "zsh": "shell", "ksh": "shell", "bats": "shell",
	"python": "python", "python2": "python", "python3": "python", "pypy3": "python", "node": "javascript", "nodejs": "javascript",
	"deno": "typescript", "bun": "typescript", "ts-node": "typescript", "ruby": "ruby", "php": "php",
}

// Language is that of a file by its name, or by its #! line where the name does not tell; "text" for any other. src may be just
// the first bytes of the file, and nil.
func Language(file string, src []byte) string {
	base := strings.ToLower(path.Base(file))
	if l, ok := extensions[path.Ext(base)]; ok {
		if base[0] != '.' || strings.Count(base, ".") > 1 {
			if path.Ext(base) == ".h" {
				return languageOfHeader(src)
			}
			return l
		}
	}
	if l, ok := fileNames[base]; ok {
		return l
	}
	if l := interpreter(src); l != "" {
		return l
	}
	return "text"
}

// Languages are all that Language may give, sorted.
func Languages() []string {
	all := []string{"text"}
	for _, l := range extensions {
		all = append(all, l)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// languageOfHeader tells C++ from C in a header: classes, templates and namespaces at the start of a line.
func languageOfHeader(src []byte) string {
	for _, word := range []string{"\nclass ", "\ntemplate", "\nnamespace ", "\nusing namespace "} {
		if bytes.Contains(src, []byte(word)) {
			return "cpp"
		}
	}
	return "c"
}

func interpreter(src []byte) string {
	if !bytes.HasPrefix(src, []byte("#!")) {
		return ""
	}
	first, _, _ := bytes.Cut(src[2:min(len(src), 200)], []byte("\n"))
	words := strings.Fields(string(first))
	for i, w := range words {
		w = path.Base(w)
		if i == 0 && w == "env" || strings.HasPrefix(w, "-") || strings.Contains(w, "=") {
			continue
		}
		if l, ok := interpreters[w]; ok {
			return l
		}
		if l, ok := interpreters[strings.TrimRight(w, "0123456789.")]; ok {
			return l
		}
		break
	}
	return ""
}
