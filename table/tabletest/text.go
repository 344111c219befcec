package tabletest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// WideCSV is rows x 10 columns of mixed types, the same on each run.
func WideCSV(rows int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("id,name,region,day,at,price,share,count,flag,note\n")
	for i := range rows {
		fmt.Fprintf(
			&b,
			"%d,client %d,%s,2024-%02d-%02d,2024-01-02 %02d:%02d:00,%d.%02d,%.6f,%d,%t,\"a, %d\"\n",
			i,
			r.IntN(8000),
			[]string{"North", "South", "East", "West"}[r.IntN(4)],
			1+r.IntN(12),
			1+r.IntN(28),
			r.IntN(24),
			r.IntN(60),
			r.IntN(100000),
			r.IntN(100),
			r.Float64(),
			r.IntN(1000),
			r.IntN(2) == 0,
			r.IntN(50),
		)
	}
	return b.String()
}

// TwoWorkers makes sure that pieces are read by several, also on one processor.
func TwoWorkers(t testing.TB) {
	before := runtime.GOMAXPROCS(0)
	if before < 2 {
		runtime.GOMAXPROCS(2)
		t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	}
}

// DirtyText is so many bytes of what cuts delimited texts, and a few of any other.
func DirtyText(r *rand.Rand, size int) string {
	b := make([]byte, size)
	for i := range b {
		if b[i] = dirtyBytes[r.IntN(len(dirtyBytes))]; r.IntN(20) == 0 {
			b[i] = byte(r.IntN(256))
		}
	}
	return string(b)
}

// dirtyBytes are bytes that matter to who reads delimited texts, and some that do not.
const dirtyBytes = "aaab,,\"\"\n\r\x00 \t;é\xff\x80~!"

// AskedContext counts how often it is asked, and ends after some time of that.
type AskedContext struct {
	context.Context
	Asked atomic.Int64
	Most  int64
}

// Err counts, and is context.Canceled once it was asked more often than Most.
func (c *AskedContext) Err() error {
	if c.Asked.Add(1) > c.Most {
		return context.Canceled
	}
	return nil
}
