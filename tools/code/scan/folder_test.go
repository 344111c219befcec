package scan

import (
	"path/filepath"
	"runtime"
	"testing"
)

func BenchmarkFiles(b *testing.B) {
	tree, err := Folder(b.Context(), filepath.Join(runtime.GOROOT(), "src"), Limits{})
	if err != nil {
		b.Fatal(err)
	}
	defer tree.Close()
	for _, name := range []string{"first", "again"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if name == "first" {
					tree.(*folder).sniffed = nil
				}
				files, skipped, err := tree.Files(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(files)), "files")
				b.ReportMetric(float64(len(skipped)), "skipped")
			}
		})
	}
}
