package tools_test

import (
	"errors"
	"io/fs"
	"testing"

	"catena/internal/access"
	"catena/table"
	"catena/tools"
)

func TestDropText(t *testing.T) {
	ctx := t.Context()
	store := &shelf{rows: map[string][2][]byte{}}
	first := tools.NewTables(tools.TablesOptions{Store: store})
	put := func(c access.Caller, source, cell string) string {
		t.Helper()
		b := table.NewBuilder(table.Column{Name: "n", Type: table.Int}, table.Column{Name: "content", Type: table.Text})
		if err := b.Append(table.IntValue(1), table.TextValue(cell)); err != nil {
			t.Fatal(err)
		}
		h, err := first.Put(ctx, c, tools.Meta{Source: source}, b.Table())
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	bob := access.Caller{ID: "bob"}
	gone := []string{put(ann, "", "the secret"), put(ann, "", "a list: the secret, and more")}
	kept := []string{put(ann, "", "something else"), put(ann, "upload", "the secret")}
	foreign := put(bob, "", "the secret")
	if err := first.DropText(ctx, ann, "the secret"); err != nil {
		t.Fatal(err)
	}
	first.Close()
	second := tools.NewTables(tools.TablesOptions{Store: store}) // after a restart
	defer second.Close()
	for _, tables := range []*tools.Tables{first, second} {
		for _, h := range gone {
			if _, _, err := tables.Get(ctx, ann, h); !errors.Is(err, fs.ErrNotExist) {
				t.Error("still there:", h, err)
			}
		}
		for _, h := range kept {
			if _, _, err := tables.Get(ctx, ann, h); err != nil {
				t.Error(err)
			}
		}
		if _, _, err := tables.Get(ctx, bob, foreign); err != nil {
			t.Error("bob's:", err)
		}
	}
}
