package parse

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkParse reads the sources of testdata, each repeated to about 100 kB.
func BenchmarkParse(b *testing.B) {
	paths, err := filepath.Glob("testdata/src/*")
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range paths {
		src, err := os.ReadFile(p)
		if err != nil {
			b.Fatal(err)
		}
		src = bytes.Repeat(src, 100_000/len(src))
		f, err := Parse(context.Background(), p, src)
		if err != nil {
			b.Fatal(err)
		}
		run := func(name string, parse func()) {
			b.Run(filepath.Ext(p)[1:]+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				b.ReportAllocs()
				for b.Loop() {
					parse()
				}
			})
		}
		run(filepath.Base(f.Parser), func() {
			if _, err := Parse(context.Background(), p, src); err != nil {
				b.Fatal(err)
			}
		})
	}
}
