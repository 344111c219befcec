package content_test

import (
	"errors"
	"strings"
	"testing"

	"catena/table"
	"catena/table/load"
	"catena/table/loadtest"
	"catena/table/tabletest"
)

func TestCompressed(t *testing.T) {
	for _, how := range []string{"gzip", "zstd"} {
		for _, text := range []string{"a,b\n1,2\n", `[{"a":1,"b":2}]`, "|a|b|\n|-|-|\n|1|2|\n"} {
			got := loadtest.LoadOne(t, []byte(loadtest.Packed(t, how, text)), "x.csv.gz")
			if got.Name != "x" || strings.Join(tabletest.Rows(got.Table), ";") != "1|2" {
				t.Errorf("%s of %q: %s %q", how, text, got.Name, tabletest.Rows(got.Table))
			}
		}
		whole := loadtest.Packed(t, how, strings.Repeat("a,b,c\n", 1000))
		for name, data := range map[string]string{"cut": whole[:len(whole)-8], "twice": loadtest.Packed(t, how, whole), "noise": whole[:10] + strings.Repeat("\xff", 20)} {
			var format *table.FormatError
			if _, err := load.Bytes([]byte(data), "x.gz", table.Limits{}); !errors.As(err, &format) {
				t.Errorf("%s, %s: %v", how, name, err)
			}
		}
	}
}

func TestArchivesRefused(t *testing.T) {
	for want, data := range map[string]string{
		"no Excel workbook": string(tabletest.Zipped("a.csv")), "OpenDocument": string(tabletest.Zipped("content.xml")), ".xlsb": string(tabletest.Zipped("xl/workbook.bin")), "Word": string(tabletest.Zipped("word/document.xml")),
		"damaged": "PK\x03\x04....", "password": "\xd0\xcf\x11\xe0....",
	} {
		var format *table.FormatError
		if _, err := load.Bytes([]byte(data), "x.zip", table.Limits{}); !errors.As(err, &format) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
