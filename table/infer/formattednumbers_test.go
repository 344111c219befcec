package infer_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/load"
	"catena/table/loadtest"
	"catena/table/tabletest"
)

// What a file leaves open about its numbers is settled by what proves it, and told.
func TestReadings(t *testing.T) {
	for _, tt := range []struct {
		name, text, kinds string
		rows              []string
		note              string
	}{
		{"thousands", "k;n\na;1,234\nb;12,345\nc;4,999\n", "k:text n:integer", []string{"a|1234", "b|12345", "c|4999"}, ""},
		{"a zero before the comma", "k;n\na;1,234\nb;12,345\nc;0,999\n", "k:text n:decimal3", []string{"a|1.234", "b|12.345", "c|0.999"}, "the comma was read as the decimal point"},
		{"another number of digits", "k;n\na;1,234\nb;12,5\n", "k:text n:decimal3", []string{"a|1.234", "b|12.500"}, "the comma was read"},
		{"points between groups", "k;n\na;1,234\nb;1.234,567\n", "k:text n:decimal3", []string{"a|1.234", "b|1234.567"}, "the comma was read"},
		{"two commas", "k;n\na;1,234,567\nb;12,345\n", "k:text n:integer", []string{"a|1234567", "b|12345"}, ""},
		{"another column proves it", "k;n;m\na;1,5;1,234\nb;2,5;2,345\n", "k:text n:decimal1 m:decimal3", []string{"a|1.5|1.234", "b|2.5|2.345"}, `column "m": the comma was read`},
		{"columns that disagree", "k;n;m;o\na;1,5;1,234;1,234,567\nb;2,5;2,345;1\n", "k:text n:decimal1 m:integer o:integer", []string{"a|1.5|1234|1234567", "b|2.5|2345|1"}, ""},
		{"a comma delimits", "k,n\na,\"1,234\"\nb,\"1,23\"\n", "k:text n:text", []string{"a|1,234", "b|1,23"}, ""},
		{"codes", "k;n\na;1,234\nb;007\n", "k:text n:text", []string{"a|1,234", "b|007"}, ""},

		{"offsets", "id,at\n1,2024-01-02T03:04:05+02:00\n2,2024-01-02T03:04:05-05:00\n", "id:integer at:datetime@UTC", []string{"1|2024-01-02T01:04:05Z", "2|2024-01-02T08:04:05Z"}, "different offsets (+02:00, -05:00) were brought to UTC"},
		{"milliseconds", "id,created_at\n1,1700000000001\n2,\n", "id:integer created_at:datetime@UTC", []string{"1|2023-11-14T22:13:20.001Z", "2|null"}, "as milliseconds since 1970"},
		{"seconds", "id,eventTs\n1,1700000000\n2,1700000001\n", "id:integer eventTs:datetime@UTC", []string{"1|2023-11-14T22:13:20Z", "2|2023-11-14T22:13:21Z"}, "as seconds since 1970"},
		{"one out of range", "id,created_at\n1,1700000000\n2,12\n", "id:integer created_at:integer", []string{"1|1700000000", "2|12"}, ""},
		{"another name", "id,at,format\n1,1700000000,1700000000\n", "id:integer at:integer format:integer", []string{"1|1700000000|1700000000"}, ""},

		{"a small table first", "City,Pop\nBerlin,3700000\nParis,2100000\n\nProduct,Price,Stock\nBolt,1.20,100\nNut,0.80,200\nGear,9.99,5\n", "City:text Pop:integer", []string{"Berlin|3700000", "Paris|2100000"}, "another table begins in line 5"},
		{"below a title", "Report\n\nCity,Pop,x\nBerlin,3700000,y\nParis,2100000,z\n\nProduct,Price\nBolt,1.20\nNut,0.80\nGear,9.99\nPin,1\nRod,2\n", "City:text Pop:integer x:text", []string{"Berlin|3700000|y", "Paris|2100000|z"}, "another table begins in line 7"},
		{"names and values above", "Station,Berlin\nLat,52.5\nLon,13.4\n\nday,t,u\n" + strings.Repeat("2024-01-02,1,2\n", 16), "day:date t:integer u:integer", nil, "stands above the table"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			named, err := load.Bytes([]byte(tt.text), "x.csv", table.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if loadtest.Kinds(named.Table) != tt.kinds || !strings.Contains(strings.Join(named.Report.Notes, "\n"), tt.note) {
				t.Errorf("columns %s, want %s; notes %q", loadtest.Kinds(named.Table), tt.kinds, named.Report.Notes)
			}
			if diff := cmp.Diff(tt.rows, tabletest.Rows(named.Table)); diff != "" && tt.rows != nil {
				t.Error(diff)
			}
		})
	}
	var epochs []string
	for _, list := range []string{`[{"createdAt":1700000000},{"createdAt":null}]`, `{"columns":[{"name":"createdAt","type":"integer"}],"rows":[[1700000000]]}`} {
		epochs = append(epochs, loadtest.Kinds(loadtest.ReadJSON(t, list).Table))
	}
	if diff := cmp.Diff([]string{"createdAt:datetime@UTC", "createdAt:integer"}, epochs); diff != "" {
		t.Error(diff)
	}
}

func TestMixedAmountsSayWhyTheyAreText(t *testing.T) {
	for _, text := range []string{"item,amt\na,$1.5k\nb,2000\n", "item,amt\na,2000\nb,\"$1,500\"\n", "item,amt\na,€5\nb,$7\n"} {
		named := loadtest.ReadCSV(t, text)
		if notes := strings.Join(named.Report.Notes, "\n"); loadtest.Kinds(named.Table) != "item:text amt:text" || !strings.Contains(notes, `column "amt": some numbers have a currency`) {
			t.Errorf("%q: %s, notes %q", text, loadtest.Kinds(named.Table), notes)
		}
	}
}
