package workspace_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"catena/tools/code/workspace"
)

// A folder is indexed, and looked at.
func ExampleWorkspaces() {
	root, err := os.MkdirTemp("", "shop")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(root)
	_ = os.WriteFile(filepath.Join(root, "pay.go"), []byte("package pay\n\n// Charge takes money.\nfunc Charge() {}\n"), 0o644)
	w, err := workspace.New(workspace.Options{Roots: []string{root}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Close()
	st, err := w.Ensure(context.Background(), workspace.Request{Owner: "ann", Path: "."})
	fmt.Println(st.Status, st.Facts.Files, err)
	x, err := w.Find("ann", st.IndexID)
	fmt.Println(x.View().State, err)
	// Output:
	// complete 1 <nil>
	// fresh <nil>
}
