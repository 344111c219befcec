package config

import (
	"strings"
	"testing"
)

// A database has the address of its kind, and nothing of another.
func TestSources(t *testing.T) {
	url := Secret{value: "mysql://reader@127.0.0.1:3306/shop"}
	for _, test := range []struct {
		source Source
		want   string // "" is right
	}{
		{Source{Path: "a.csv"}, ""}, {Source{Kind: "sqlite", Path: "a.db"}, ""}, {Source{Kind: "mysql", URL: url}, ""},
		{Source{}, "needs a path"}, {Source{Kind: "sqlite"}, "needs a path"}, {Source{Kind: "sqlite", Path: "a.db", URL: url}, "needs a kind of database"},
		{Source{Kind: "mysql"}, "mysql://user@host:3306/database"}, {Source{Kind: "postgres", Path: "a.db"}, "is for files"},
		{Source{Kind: "oracle", Path: "x"}, "oracle"},
	} {
		v := &checker{}
		test.source.check(v, "data.sources[0]")
		var said []string
		for _, err := range v.errs {
			said = append(said, err.Error())
		}
		if got := strings.Join(said, "\n"); got == "" && test.want != "" || test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%+v: %s", test.source, got)
		}
	}
}
