package index

import (
	"slices"
	"testing"

	"catena/tools/code/parse"
)

func TestNamed(t *testing.T) {
	ctx := t.Context()
	b := NewBuilder(Options{})
	add := func(path, src string) {
		t.Helper()
		f, err := parse.Parse(ctx, path, []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Add(f, []byte(src), Stamp{}); err != nil {
			t.Fatal(err)
		}
	}
	add("a/a.go", "package a\n\nfunc Turn() {}\n\ntype Engine struct{}\n\nfunc (Engine) Turn() {}\n")
	add("b/b.go", "package b\n\nfunc turn() {}\n")
	s, err := b.Build(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.With(ctx, []Change{{File: parse.File{Path: "b/b.go"}, Gone: true}}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range s.Named("TURN") {
		got = append(got, d.Path+" "+d.Symbol.Container+"."+d.Symbol.Name)
	}
	if want := []string{"a/a.go .Turn", "a/a.go Engine.Turn"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := s.Named("nothing"); got != nil {
		t.Errorf("got %v for a name that is not there", got)
	}
}
