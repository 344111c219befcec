package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"strings"
)

const jsonHeader = "Content-Type: application/json"

// forever repeats a text.
type forever struct {
	text string
	at   int
}

func (f *forever) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		c := copy(p[n:], f.text[f.at:])
		n += c
		f.at = (f.at + c) % len(f.text)
	}
	return n, nil
}

// filled is a body of so many bytes: a beginning, a text again and again, each time whole, blanks where it does not fit once more, an end.
func filled(size int64, begin, again, end string) io.Reader {
	room := size - int64(len(begin)+len(end))
	rest := room % int64(len(again))
	return io.MultiReader(strings.NewReader(begin), io.LimitReader(&forever{text: again}, room-rest), strings.NewReader(strings.Repeat(" ", int(rest))+end))
}

// starts reports whether an outcome is of one of the statuses.
func starts(outcome string, statuses ...string) bool {
	for _, s := range statuses {
		if outcome == s || strings.HasPrefix(outcome, s+" ") {
			return true
		}
	}
	return false
}

// sent is an attack by one message: what is right are statuses.
func sent(name string, at int, right []string, make func(t *target, n int) message) *attack {
	return &attack{tally: tally{Name: name}, at: at, send: func(ctx context.Context, t *target, n int) (string, bool) {
		m := make(t, n)
		outcome, err := t.send(ctx, m)
		if err != nil {
			outcome = "no answer (" + reason(err) + ")"
		}
		ok := starts(outcome, right...) && !m.misread(outcome)
		if !ok {
			outcome += " at " + m.route
		}
		return outcome, ok
	}}
}

// misread reports whether an outcome is wrong for a message of valid JSON whatever its status is: the attack was not the one that was
// meant where the JSON is said to be none, or where one is too long that is shorter than every route takes.
func (m message) misread(outcome string) bool {
	return m.valid && (strings.Contains(outcome, "malformed_json") || m.length <= smallJSON && starts(outcome, "413"))
}

// reason is an error without addresses, which are others each time.
func reason(err error) string {
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	return err.Error()
}

// bodies are the attacks by what a body holds. Where as much as may be is under way, 503 is right too: nothing was read.
func bodies(at int) []*attack {
	const large = 100 << 20
	return []*attack{
		sent("100 MB with a length", at, []string{"413"}, func(t *target, n int) message {
			return message{route: t.routes[n%len(t.routes)], header: []string{jsonHeader}, body: filled(large, `{"message":"`, "a", `"}`), length: large}
		}),
		sent("100 MB in chunks", at, []string{"413", "503"}, func(t *target, n int) message {
			return message{route: t.routes[n%len(t.routes)], header: []string{jsonHeader}, body: filled(large, `{"message":"`, "a", `"}`), length: -1}
		}),
		sent("100 MB forms", max(1, at/2), []string{"413", "503"}, func(*target, int) message {
			const begin = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\na,b\n"
			return message{route: "POST /api/v1/tables", header: []string{"Content-Type: multipart/form-data; boundary=b"}, body: filled(large, begin, "1,2\n", "\r\n--b--\r\n"), length: -1}
		}),
		sent("JSON 100,000 deep", at, []string{"400", "413", "503", "200 syntax", "200 too_deep"}, func(t *target, n int) message {
			const deep = 100_000
			text := [...]string{
				strings.Repeat("[", deep), strings.Repeat(`{"a":`, deep), strings.Repeat("[", deep) + strings.Repeat("]", deep),
				`{"message":` + strings.Repeat("[", deep) + strings.Repeat("]", deep) + `}`,
				`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + strings.Repeat(`{"a":`, deep) + "1" + strings.Repeat("}", deep) + "}",
			}[n/len(t.routes)%5]
			return message{route: t.routes[n%len(t.routes)], header: []string{jsonHeader}, body: strings.NewReader(text), length: int64(len(text))}
		}),
	}
}

// packed are bodies of zeros that came out as 256 MiB if somebody unpacked them.
func packed(at int) *attack {
	var zeros bytes.Buffer
	a := sent("bodies that are packed", at, []string{"415"}, func(t *target, n int) message {
		coding := "Content-Encoding: " + [...]string{"gzip", "deflate", "br", "zstd"}[n%4]
		return message{route: t.routes[n%len(t.routes)], header: []string{jsonHeader, coding}, body: bytes.NewReader(zeros.Bytes()), length: int64(zeros.Len())}
	})
	a.prepare = func() error {
		w := gzip.NewWriter(&zeros)
		_, err := io.CopyN(w, &forever{text: strings.Repeat("\x00", 1<<12)}, 256<<20)
		return orClose(err, w)
	}
	return a
}
