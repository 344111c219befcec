package infer_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"catena/table"
	"catena/table/infer"
	"catena/table/load"
)

// Durations beyond the 292 years of Go's are written and read as they are; sums of honest ones are so long.
func TestLongDurations(t *testing.T) {
	for us, want := range map[int64]string{
		math.MaxInt64: "2562047788h0m54.775807s", math.MinInt64: "-2562047788h0m54.775808s", math.MaxInt64/1000 + 1: "2562047h47m16.854776s",
		math.MaxInt64 / 1000: "2562047h47m16.854775s", 10_000_000 * 3_600_000_000: "10000000h0m0s", -90_000_000: "-1m30s",
	} {
		v := table.DurationOfMicros(us)
		if got := v.Text(); got != want {
			t.Errorf("%d is written %q, want %q", us, got, want)
		}
		if back, err := infer.Parse(want, table.Column{Type: table.Duration}); err != nil || back != v {
			t.Errorf("%q reads as %s, %v", want, back, err)
		}
	}
	for _, text := range []string{"2562047788h0m54.775809s", "9999999999h0m0s", "10000000h-1m0s", "10000000h", "h", "x"} {
		if v, err := infer.Parse(text, table.Column{Type: table.Duration}); err == nil {
			t.Errorf("%q reads as %s", text, v)
		}
	}
	named, err := load.Bytes([]byte("machine,uptime\n"+strings.Repeat("a,1000000h0m0s\n", 10)), "t.csv", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := named.Table.Group(nil, []table.Aggregate{{Func: table.Sum, Column: "uptime", As: "all"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := sum.Value(0, 0).Text(); got != "10000000h0m0s" {
		t.Errorf("the sum is %s", got)
	}
}

// A number that no date or time of day stands for is refused, not taken for another one.
func TestArrowOutOfRange(t *testing.T) {
	for _, typ := range []arrow.DataType{arrow.FixedWidthTypes.Time64us, arrow.FixedWidthTypes.Time64ns, arrow.FixedWidthTypes.Date64} {
		for _, odd := range []int64{-1, 86400_000_000_000, math.MaxInt64, math.MinInt64} {
			if typ.ID() == arrow.DATE64 && (odd == -1 || odd == 86400_000_000_000) {
				continue
			}
			_, err := load.Bytes(arrowStream(t, arrow.Field{Name: "x", Type: typ}, 0, 1, odd), "x.arrow", table.Limits{})
			if err == nil || !strings.Contains(err.Error(), "row 3 does not fit") {
				t.Errorf("%s of %d: %v", typ, odd, err)
			}
		}
	}
}

// A zone that is not known is UTC, and said: it is looked for in files, which must not be done for each cell. That of the machine is no zone of a source.
func TestUnknownZones(t *testing.T) {
	for zone, want := range map[string]string{
		"Europe/Berlin": "Europe/Berlin", "+05:30": "+05:30", "": "", "Nowhere/City": "UTC", "Local": "UTC", "../../etc/passwd": "UTC", strings.Repeat("x", 1<<20): "UTC",
	} {
		typ := &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: zone}
		field := arrow.Field{Name: "at", Type: typ, Metadata: arrow.MetadataFrom(map[string]string{"catena.unit": "USD\n# a heading\x1b"})}
		tab := arrowFile(t, field, 0, 1)
		if col := tab.Table.Column(0); col.Zone != want || col.Unit != "USD # a heading" || len(tab.Report.Notes) != strings.Count(want, "UTC") {
			t.Errorf("%.20q: zone %.20q, unit %q, notes %v", zone, col.Zone, col.Unit, tab.Report.Notes)
		}
	}
	named, err := load.Bytes([]byte(`{"columns":[{"name":"at","type":"datetime","zone":"Nowhere/City","unit":"a\nb"}],"rows":[["2024-01-01T00:00:00Z"]]}`), "x.json", table.Limits{})
	if err != nil || named.Table.Column(0).Zone != "UTC" || named.Table.Column(0).Unit != "a b" {
		t.Errorf("%+v, %v", named.Table.Columns(), err)
	}
}

// arrowFile reads a column of 64-bit values.
func arrowFile(t *testing.T, field arrow.Field, values ...int64) table.Named {
	t.Helper()
	named, err := load.Bytes(arrowStream(t, field, values...), "x.arrow", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return named
}

func arrowStream(t *testing.T, field arrow.Field, values ...int64) []byte {
	t.Helper()
	arr := array.MakeFromData(array.NewData(field.Type, len(values), []*memory.Buffer{nil, memory.NewBufferBytes(arrow.Int64Traits.CastToBytes(values))}, nil, 0, 0))
	schema := arrow.NewSchema([]arrow.Field{field}, nil)
	var buf bytes.Buffer
	w := ipc.NewWriter(&buf, ipc.WithSchema(schema))
	if err := w.Write(array.NewRecordBatch(schema, []arrow.Array{arr}, int64(len(values)))); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}
