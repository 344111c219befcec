package table

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// A string goes into JSON and comes out of it again.
func FuzzAppendJSONString(f *testing.F) {
	for _, s := range []string{"", "plain", `a "b" \c`, "\x00\x1f\n\r\t\u2028\u2029", "äöü 名前 🙂", "\xff\xfe", "</script>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var back string
		if err := json.Unmarshal(AppendJSONString(nil, s), &back); err != nil {
			t.Fatal(err)
		}
		if want := strings.ToValidUTF8(s, "\ufffd"); back != want && strings.Count(back, "\ufffd") < strings.Count(want, "\ufffd") {
			t.Fatalf("%q came back as %q", s, back)
		}
	})
}

// Dates are written without package time; both agree.
func TestAppendDate(t *testing.T) {
	for days := int64(-720_000); days < 3_000_000; days += 97 {
		want := time.Unix(days*86400, 0).UTC().Format(time.DateOnly)
		if got := string(appendDate(nil, days)); got != want {
			t.Fatalf("day %d is %s, want %s", days, got, want)
		}
	}
}
