package infer_test

import (
	"strings"
	"testing"

	"catena/table"
	"catena/table/load"
	"catena/table/loadtest"
)

func TestCodesOfDigits(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"phones":             {"name,phone\nx,+4930123456\ny,+14155550100\n", "name:text phone:text"},
		"signed numbers":     {"name,delta\nx,+4930\ny,-120\n", "name:text delta:integer"},
		"versions":           {"app,version\nx,1.10\ny,1.9\n", "app:text version:text"},
		"versions that fit":  {"app,version\nx,1.1\ny,1.9\n", "app:text version:decimal1"},
		"amounts":            {"app,amount\nx,1.10\ny,1.9\n", "app:text amount:decimal2"},
		"codes":              {"name,code\nx,1E5\ny,2E3\n", "name:text code:text"},
		"part numbers":       {"part_no,n\n1E5,1\n12345E10,2\n", "part_no:text n:integer"},
		"codes and digits":   {"sku,n\n1200,1\n34E10,2\n", "sku:text n:integer"},
		"hashes":             {"commit hash,n\n12E5,1\n3400,2\n", "commit hash:text n:integer"},
		"digits alone":       {"sku,n\n1200,1\n3400,2\n", "sku:integer n:integer"},
		"a number":           {"number,n\n1E5,1\n2E3,2\n", "number:float n:integer"},
		"exponents":          {"name,size\nx,1E5\ny,2E3\n", "name:text size:float"},
		"exponents in codes": {"name,code\nx,1.5E5\ny,2E3\n", "name:text code:float"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			named, err := load.Tables([]byte(tt.text), "t.csv", table.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if got := loadtest.Kinds(named[0].Table); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestWideDecimalsAreNoted(t *testing.T) {
	text := "name,n\nx,1234567890123456789012345678901234567890.5\ny,2.5\n"
	named, err := load.Tables([]byte(text), "t.csv", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(named[0].Report.Notes, "; "); !strings.Contains(notes, "more than 38 digits") {
		t.Errorf("notes are %q", notes)
	}
}
