package columnar

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"sort"

	"catena/table"
	"catena/table/content"
)

// The Arrow reader makes a decompressor for each batch, and has it begin anew for each buffer, with goroutines and
// windows of several megabytes: a file of many small buffers took hundreds of megabytes for that. So buffers that are
// packed by Zstandard are unpacked while the reader reads the bodies of their messages, each straight to its place
// there, and the metadata that it sees say that they are not packed.

// notPacked stands before a buffer of a packed body that is not packed itself, in place of its length (Message.fbs).
var notPacked = []byte("\xff\xff\xff\xff\xff\xff\xff\xff")

// padding stands behind a buffer, so that the next one begins where a number of 64 bits may.
var padding [8]byte

// partMemory is what a part takes, in bytes.
const partMemory = 64

// part is a piece of an unpackedIPC.
type part struct {
	at    int64 // where it begins
	size  int64 // how long it is there
	bytes []byte
	// packed says that bytes are Zstandard's, and that the part is what they unpack to.
	packed bool
}

// unpackedIPC reads as the stream or file that some data would be if none of their buffers were packed by Zstandard.
// It is made by unpackedIPCOf.
type unpackedIPC struct {
	lim   *table.Limits
	parts []part // without gaps
	size  int64
}

// ipcMessage is where a message stands, as ipcCheck.message finds it.
type ipcMessage struct {
	head, meta, body []byte // the length before the metadata; these; what follows them
	block            int    // where the file's footer says so, as a place in that
}

// unpackedIPCOf gives data that verifyIPC has walked through as a file or stream without packed buffers.
func unpackedIPCOf(data []byte, c *ipcCheck) (io.ReaderAt, int64, error) {
	if !c.packed {
		return bytes.NewReader(data), int64(len(data)), nil
	}
	u := &unpackedIPC{lim: c.lim}
	if c.footer == nil {
		for _, m := range c.messages {
			if _, err := u.message(c, m); err != nil {
				return nil, 0, err
			}
		}
		return u, u.size, nil
	}
	u.add([]byte(MagicArrowFile + "\x00\x00"))
	footer := slices.Clone(c.footer)
	for _, m := range c.messages {
		at := u.size
		body, err := u.message(c, m)
		if err != nil {
			return nil, 0, err
		}
		binary.LittleEndian.PutUint64(footer[m.block:], uint64(at))
		binary.LittleEndian.PutUint64(footer[m.block+16:], uint64(body))
	}
	u.add(footer)
	u.add(data[len(data)-ipcTail:])
	return u, u.size, nil
}

// add makes bytes the next part, as they are.
func (u *unpackedIPC) add(b []byte) {
	u.put(part{size: int64(len(b)), bytes: b})
}

func (u *unpackedIPC) put(p part) {
	if p.size > 0 {
		p.at = u.size
		u.parts = append(u.parts, p)
		u.size += p.size
	}
}

// message adds a message, and gives the size of its body.
func (u *unpackedIPC) message(c *ipcCheck, m ipcMessage) (body int64, err error) {
	if err := u.lim.Ended(); err != nil {
		return 0, err
	}
	f := c.flat(slices.Clone(m.meta))
	batch := f.packedBatch()
	if batch == 0 {
		u.add(m.head)
		u.add(m.meta)
		u.add(m.body)
		return int64(len(m.body)), nil
	}
	buffers, n, err := f.vector(batch, batchBuffers, bufferSize)
	if err == nil {
		err = u.lim.Reserve(int64(len(m.meta)) + 3*int64(n)*partMemory)
	}
	if err != nil {
		return 0, err
	}
	u.add(m.head)
	u.add(f.b)
	begin := u.size
	for at := buffers; at < buffers+bufferSize*n; at += bufferSize {
		from := u.size
		if err := u.buffer(m.body, f.int64(at), f.int64(at+8)); err != nil {
			return 0, err
		}
		f.setInt64(at, from-begin)
		f.setInt64(at+8, u.size-from)
		u.add(padding[:(8-u.size%8)%8])
	}
	body = u.size - begin
	if at := f.field(f.indirect(0), messageBody); at > 0 { // else there are no bytes in any of the buffers
		f.setInt64(at, body)
	}
	return body, nil
}

// buffer adds one of a packed body's buffers.
func (u *unpackedIPC) buffer(body []byte, from, size int64) error {
	unpacked, err := checkPacked(body, from, size)
	if err != nil {
		return err
	}
	if size == 0 {
		return nil
	}
	b := body[from : from+size]
	if bytes.HasPrefix(b, notPacked) || !bytes.HasPrefix(b[8:], []byte(content.MagicZstd)) {
		u.add(b)
		return nil
	}
	u.add(notPacked)
	u.put(part{size: unpacked, bytes: b[8:], packed: true})
	return nil
}

// ReadAt implements io.ReaderAt. It unpacks what is read as a whole, as the Arrow reader reads bodies, to its place.
func (u *unpackedIPC) ReadAt(p []byte, off int64) (n int, err error) {
	first := sort.Search(len(u.parts), func(i int) bool { return u.parts[i].at+u.parts[i].size > off })
	for _, part := range u.parts[first:] {
		if n == len(p) {
			return n, nil
		}
		copied, err := part.copyTo(p[n:], off+int64(n)-part.at)
		if n += copied; err == nil {
			err = u.lim.Ended()
		}
		if err != nil {
			return n, err
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// copyTo copies the part from one of its bytes on, as far as p goes.
func (q part) copyTo(p []byte, from int64) (int, error) {
	if !q.packed {
		return copy(p, q.bytes[from:]), nil
	}
	if from == 0 && int64(len(p)) >= q.size {
		return int(q.size), q.unpackTo(p[:q.size])
	}
	all := make([]byte, q.size)
	if err := q.unpackTo(all); err != nil {
		return 0, err
	}
	return copy(p, all[from:]), nil
}

// unpackTo unpacks the part to all, which is as long.
func (q part) unpackTo(all []byte) error {
	got, err := decodeZstd(all, q.bytes)
	if err != nil || len(got) != len(all) {
		return table.ErrDamaged
	}
	return nil
}

// packedBatch is where the record batch of a message is whose buffers are packed by Zstandard; 0 where there is none.
func (f *flat) packedBatch() int {
	root := f.indirect(0)
	batch := f.child(root, 2)
	switch f.enum(root, 1) {
	case messageBatch:
	case messageDictionary:
		batch = f.child(batch, 1)
	default:
		return 0
	}
	if how := f.child(batch, batchPacked); how == 0 || f.enum(how, 0) != packedByZstd {
		return 0
	}
	return batch
}
