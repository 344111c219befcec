package server

import (
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
)

// What is read of a body up to the value that is one too many is refused as the whole is.
func TestCountedReadsNoMoreThanItNeeds(t *testing.T) {
	const most = 4
	for _, text := range []string{
		`[1,2,3]`, `[1,2,3,4]`, `[1,2,3,4,5,6]`, `["a,b,c,d,e,f","\",,,,,,",3]`, `{"a":1,"b":2,"c":3,"d":4,"e":5}`, `{"a":1,"a":2,"c":3,"d":4,"e":5}`,
		`{"a":1,"b":2,"c":3,"d":4,"a":5}`, `[1,2,,3,4,5]`, `1,2,3,4,5,6`, `["\\",",,,,,,","\\\"",4]`, `"a`, `{"a" 1,2,3,4,5}`, `[[[],[]],[],[],[]`, `[1,2,3,4,` + "\xff]",
	} {
		r := &counted{Reader: iotest.OneByteReader(strings.NewReader(text)), most: most}
		read, err := readAll(r)
		if err != nil {
			t.Fatal(err)
		}
		whole, part := CheckJSON("It", []byte(text), rules{values: most, folded: 1}), CheckJSON("It", read, rules{values: most, folded: 1})
		if got, want := fmt.Sprint(part), fmt.Sprint(whole); got != want && codeOf(part) != "too_many_values" || codeOf(whole) == "" && string(read) != text {
			t.Errorf("%s: of %q %s, of the whole %s", text, read, got, want)
		}
	}
	endless := &counted{Reader: iotest.HalfReader(strings.NewReader("[0" + strings.Repeat(",0", 100*most))), most: most}
	if read, err := readAll(endless); err != nil || len(read) > 3*most {
		t.Errorf("%d bytes, %v", len(read), err)
	}
}
