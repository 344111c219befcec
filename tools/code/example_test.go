package code_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"catena/internal/access"
	"catena/tools"
	"catena/tools/code"
	"catena/tools/code/workspace"
)

// A folder is indexed, and asked what depends on one of its files.
func Example() {
	root, err := os.MkdirTemp("", "shop")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(root)
	for name, text := range map[string]string{
		"go.mod":     "module shop\n",
		"pay/pay.go": "// Package pay takes money.\npackage pay\n\n// Charge takes money from a card.\nfunc Charge(cents int) bool { return cents > 0 }\n",
		"main.go":    "package main\n\nimport \"shop/pay\"\n\nfunc main() { pay.Charge(3) }\n",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}

	kit, err := code.New(code.Options{Options: workspace.Options{Roots: []string{root}}})
	if err != nil {
		log.Fatal(err)
	}
	defer kit.Close()
	reg := tools.NewRegistry(tools.Options{})
	if err := reg.Register(kit.Tools()...); err != nil {
		log.Fatal(err)
	}
	call := func(tool string, args map[string]any) tools.Result {
		res, err := reg.Call(context.Background(), tools.Call{Caller: access.Caller{ID: "ann"}, Tool: tool, Args: args})
		if err != nil {
			log.Fatal(err)
		}
		return res
	}

	index := call("ensure_repo_index", map[string]any{"path": "."}).Structured.(map[string]any)
	fmt.Println(call("get_dependents", map[string]any{"filepath": "the pay module"}).Text)
	fmt.Println(call("ask_index", map[string]any{"index_id": index["index_id"], "question": "what calls Charge?"}).Structured.(map[string]any)["answer"])
	// Output:
	// 1 file depends on `pay`: 1 imports it itself. None is a test. The risk of a change is medium.
	// `Charge` is used in 1 place; it is declared here [pay/pay.go:5]
	// - `main`: `func main() { pay.Charge(3) }` [main.go:5]
}
