package table

import (
	"bytes"
	"catena/table/tabletest"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// packed compresses a text.
func packed(t testing.TB, how, text string) string {
	t.Helper()
	var buf bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&buf)
	if how == "zstd" {
		var err error
		if w, err = zstd.NewWriter(&buf); err != nil {
			t.Fatal(err)
		}
	}
	_, err := io.WriteString(w, text)
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

func TestCompressed(t *testing.T) {
	for _, how := range []string{"gzip", "zstd"} {
		for _, text := range []string{"a,b\n1,2\n", `[{"a":1,"b":2}]`, "|a|b|\n|-|-|\n|1|2|\n"} {
			got := loadOne(t, []byte(packed(t, how, text)), "x.csv.gz")
			if got.Name != "x" || strings.Join(rowsOf(got.Table), ";") != "1|2" {
				t.Errorf("%s of %q: %s %q", how, text, got.Name, rowsOf(got.Table))
			}
		}
		whole := packed(t, how, strings.Repeat("a,b,c\n", 1000))
		for name, data := range map[string]string{"cut": whole[:len(whole)-8], "twice": packed(t, how, whole), "noise": whole[:10] + strings.Repeat("\xff", 20)} {
			var format *FormatError
			if _, err := ReadBytes([]byte(data), "x.gz", Limits{}); !errors.As(err, &format) {
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
		var format *FormatError
		if _, err := ReadBytes([]byte(data), "x.zip", Limits{}); !errors.As(err, &format) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
