package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
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

// filled is a body of so many bytes: a beginning, a text again and again, an end.
func filled(size int64, begin, again, end string) io.Reader {
	return io.MultiReader(strings.NewReader(begin), io.LimitReader(&forever{text: again}, size-int64(len(begin)+len(end))), strings.NewReader(end))
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
	return &attack{tally: tally{Name: name}, at: at, paced: true, do: func(ctx context.Context, t *target, n int) (string, bool) {
		m := make(t, n)
		outcome, err := t.send(ctx, m)
		if err != nil {
			outcome = "no answer (" + reason(err) + ")"
		}
		ok := starts(outcome, right...)
		if !ok {
			outcome += " at " + m.route
		}
		return outcome, ok
	}}
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
		sent("JSON of millions of members", at, []string{"400", "413", "503"}, func(t *target, n int) message {
			const size = 30 << 20
			routes := t.json
			body := filled(size, "[0", ",0", "]")
			if n/len(routes)%2 == 1 {
				body = members(size)
			}
			return message{route: routes[n%len(routes)], header: []string{jsonHeader}, body: body, length: size}
		}),
		sent("bodies that are packed", at, []string{"415"}, func(t *target, n int) message {
			return message{route: t.routes[n%len(t.routes)], header: []string{jsonHeader, "Content-Encoding: " + [...]string{"gzip", "deflate", "br", "zstd"}[n%4]}, body: bytes.NewReader(zeros()), length: int64(len(zeros()))}
		}),
	}
}

// members is an object of as many members as fit.
func members(size int64) io.Reader {
	r, w := io.Pipe()
	go func() {
		var b bytes.Buffer
		b.WriteString(`{"message":"x"`)
		for n, left := 0, size; ; n++ {
			fmt.Fprintf(&b, `,"%d":0`, n)
			if int64(b.Len()) >= left-2 {
				b.Truncate(int(left - 1))
				b.WriteByte('}')
				_, err := w.Write(b.Bytes())
				_ = w.CloseWithError(err)
				return
			}
			if b.Len() > 64<<10 {
				left -= int64(b.Len())
				if _, err := w.Write(b.Bytes()); err != nil {
					return
				}
				b.Reset()
			}
		}
	}()
	return r
}

var packed []byte

// zeros are 256 MiB of them, packed. allAttacks calls it first, so that it is made before many ask.
func zeros() []byte {
	if packed == nil {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = io.CopyN(w, &forever{text: strings.Repeat("\x00", 1<<12)}, 256<<20) // a buffer takes all
		_ = w.Close()
		packed = b.Bytes()
	}
	return packed
}

// allAttacks are all kinds.
func allAttacks(o options) ([]*attack, error) {
	zeros()
	up, err := uploads(max(1, o.workers/2))
	if err != nil {
		return nil, err
	}
	return append(append(slowly(o.slow), bodies(o.workers)...), up...), nil
}
