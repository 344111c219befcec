package chat

import (
	"bytes"
	"encoding/json"
	"sync"
)

// buffers are for encoding: what a turn sends is some ten kilobytes, several times.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// maxPooled is how large a buffer may be to be used again, in bytes.
const maxPooled = 1 << 20

// Encode writes a value as JSON in one line. < > and & stand as they are: nothing here is read as HTML.
func Encode(v any) ([]byte, error) {
	b, _ := buffers.Get().(*bytes.Buffer)
	b.Reset()
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	data := bytes.Clone(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	if b.Cap() <= maxPooled {
		buffers.Put(b)
	}
	return data, nil
}

// EncodeEvent writes an event. A response that is in it is not encoded again.
func EncodeEvent(p Payload) ([]byte, error) {
	resp, ok := p.Result.(*Response)
	if !ok || resp.encoded == nil {
		return Encode(p)
	}
	p.Result = nil
	data, err := Encode(p)
	if err != nil {
		return nil, err
	}
	const key = `,"result":` // an event has a type before it
	out := make([]byte, 0, len(data)+len(key)+len(resp.encoded))
	out = append(append(out, data[:len(data)-1]...), key...)
	return append(append(out, resp.encoded...), '}'), nil
}

// JSON is the response as clients get it and as the log keeps it. The bytes are shared: they must not be changed.
func (r Response) JSON() ([]byte, error) {
	if r.encoded != nil {
		return r.encoded, nil
	}
	return Encode(r)
}
