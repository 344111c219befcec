package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"

	"catena/server"
)

// skip reads past the end of a line that is longer than a message may be, and answers it: the messages after it, and
// the calls under way, have no part in that. err is that of the last read.
func (p *pipe) skip(err error) error {
	id := idWithin(p.line)
	last := bytes.Clone(p.line[max(0, len(p.line)-lastPart):])
	p.line = nil
	for errors.Is(err, bufio.ErrBufferFull) {
		var part []byte
		part, err = p.in.ReadSlice('\n')
		last = append(last, part...)
		last = append(last[:0], last[max(0, len(last)-lastPart):]...)
	}
	if id == nil {
		id = idAtEnd(last)
	}
	long := server.ProblemOf(&http.MaxBytesError{Limit: p.most})
	said := &rpcError{code: rpcOf(long).code,
		text: long.Detail + " Send less, raise listen.max_upload_mb, or start the program with --data for large files."}
	if failed := p.reject(said, id); failed != nil {
		return failed
	}
	return err
}

// lastPart is how much of the end of a long line is looked at, in bytes.
const lastPart = 512

// firstPart is how much of the beginning of a long line is looked at, in bytes.
const firstPart = 64 << 10

// idWithin is the id of a message of which only the beginning is there, nil where that does not have it.
func idWithin(line []byte) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(line[:min(len(line), firstPart)]))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil
		}
		if key == "id" {
			return value
		}
	}
	return nil
}

// closingID fits the end of a message whose last field is its id, where many clients put it. A bracket that closes
// something else cannot stand at the end of a line that holds one message.
var closingID = regexp.MustCompile(`,\s*"id"\s*:\s*("[^"\\\\]*"|-?[0-9]+)\s*\}\s*$`)

// idAtEnd is the id of a message of which only the end is there, nil where that does not have it.
func idAtEnd(part []byte) json.RawMessage {
	if m := closingID.FindSubmatch(part); m != nil {
		return m[1]
	}
	return nil
}
