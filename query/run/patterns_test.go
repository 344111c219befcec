package run_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"catena/query"
	"catena/query/run"
	"catena/table"
)

// texts is a table of one column t.
func texts(t *testing.T, all ...string) run.TableMap {
	t.Helper()
	b := table.NewBuilder(table.Column{Name: "t", Type: table.Text})
	for _, text := range all {
		if err := b.Append(table.TextValue(text)); err != nil {
			t.Fatal(err)
		}
	}
	return run.TableMap{"texts": b.Table()}
}

// Patterns of cells, and those of a statement, take no memory and no time beyond their bounds.
func TestDearPatterns(t *testing.T) {
	long := make([]string, 30)
	for i := range long {
		long[i] = fmt.Sprintf("%d", i) + strings.Repeat("ab.c", 200_000)
	}
	many := make([]string, 300)
	for i := range many {
		many[i] = fmt.Sprintf("%d", i) + strings.Repeat("ab.c", 900)
	}
	dear := strings.Repeat("((a?){30}){30}", 5)
	for name, c := range map[string]struct {
		texts []string
		where query.Expr
		fault bool
	}{
		"long patterns of cells":    {long, do("matches", col("t"), col("t")), true},
		"long LIKEs of cells":       {long, do("like", col("t"), col("t")), true},
		"a long pattern":            {many, do("matches", col("t"), txt(strings.Repeat("a", 5000))), true},
		"repetitions":               {many, do("matches", col("t"), txt(strings.Repeat(`\pL{900}`, 100))), true},
		"many patterns of cells":    {many, do("matches", col("t"), col("t")), false},
		"a pattern for a long text": {long, do("matches", col("t"), txt(dear)), true},
		"a long LIKE":               {many, do("like", col("t"), txt(strings.Repeat("%a", 5000)+"x")), false},
		"a LIKE of many parts":      {long, do("like", col("t"), txt(strings.Repeat("%a", 200)+"x")), false},
		"a long LIKE with any":      {many, do("like", col("t"), txt(strings.Repeat("%_", 5000)+"x")), true},
		"a long replacement's":      {long, do("ne", do("regexp_replace", col("t"), col("t"), txt("")), txt("")), true},
	} {
		tables := texts(t, c.texts...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		began := time.Now()
		_, err := run.Run(context.Background(), query.From("texts").With(query.Filter{Where: c.where}), tables)
		took := time.Since(began)
		runtime.ReadMemStats(&after)
		var fault *run.Error
		if (err != nil) != c.fault || err != nil && !errors.As(err, &fault) {
			t.Errorf("%s: %v", name, err)
		}
		if made := after.TotalAlloc - before.TotalAlloc; !strings.HasPrefix(name, "many") && made > 64<<20 || took > 20*time.Second {
			t.Errorf("%s: %d MiB are allocated in %v", name, made>>20, took)
		}
	}
}

// What costs much to match ends with its call, within a block of rows too.
func TestPatternsEndWithTheirContext(t *testing.T) {
	all := make([]string, 4000)
	for i := range all {
		all[i] = strings.Repeat("a", 1000)
	}
	tables := texts(t, all...)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := run.Run(ctx, query.From("texts").With(query.Filter{Where: do("matches", col("t"), txt("((a?){30}){30}b"))}), tables)
	if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took > 20*time.Second {
		t.Errorf("%v after %v", err, took)
	}
}

// A LIKE whose parts are looked for by themselves gives what its regular expression gives.
func TestSimpleLikes(t *testing.T) {
	tables := texts(t, "abcab", "ab", "aab", "b", "xaxbx")
	for pattern, want := range map[string]string{
		"%a%b": "abcab ab aab", "a%b%": "abcab ab aab", "ab%ab": "abcab", "a%a%b": "abcab aab", "%a%b%": "abcab ab aab xaxbx", "ab": "ab", "%%": "abcab ab aab b xaxbx",
		"a%ab%b": "", "%b%b%": "abcab", "_%": "abcab ab aab b xaxbx",
	} {
		out, err := run.Run(context.Background(), query.From("texts").With(query.Filter{Where: do("like", col("t"), txt(pattern))}), tables)
		if err != nil {
			t.Fatal(pattern, err)
		}
		var got []string
		for r := range out.Table.NumRows() {
			got = append(got, out.Table.Value(r, 0).Text())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", pattern, got, want)
		}
	}
}
