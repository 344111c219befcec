package scan

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"
	"strings"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/klauspost/compress/zlib"
)

// pack is a pack of git's with its index of version 2 (gitformat-pack(5)). Nothing of either is held in memory.
type pack struct {
	idx, data billy.File
	count     int64
}

// The parts of an index: a head of 8 bytes, 256 counts, then for each object its hash, a checksum and an offset, then larger offsets.
const (
	idxFan    = 8
	idxHashes = idxFan + 256*4
	hashSize  = 20
)

// mostPacks bounds the files that are open; git makes one pack of 50.
const mostPacks = 400

// allPacks opens the packs that the repository has. One that cannot be read is left out: its objects are not there then.
func (o *objects) allPacks() ([]*pack, error) {
	if o.packs != nil {
		return o.packs, nil
	}
	o.packs = []*pack{}
	list, err := o.files.ReadDir("objects/pack")
	if err != nil {
		return nil, nil //nolint:nilerr // a repository without packs
	}
	for _, info := range list {
		base, ok := strings.CutSuffix("objects/pack/"+info.Name(), ".idx")
		if !ok || len(o.packs) == mostPacks {
			continue
		}
		if p, err := openPack(o.files, base); err == nil {
			o.packs = append(o.packs, p)
		}
	}
	return o.packs, nil
}

func openPack(files billy.Filesystem, base string) (*pack, error) {
	idx, err := files.Open(base + ".idx")
	if err != nil {
		return nil, err
	}
	data, err := files.Open(base + ".pack")
	if err != nil {
		return nil, errors.Join(err, idx.Close())
	}
	p := &pack{idx: idx, data: data}
	var head [idxFan]byte
	if _, err = idx.ReadAt(head[:], 0); err == nil && !bytes.Equal(head[:], []byte("\xfftOc\x00\x00\x00\x02")) {
		err = fmt.Errorf("%w: the index of a pack", errObject)
	}
	if err == nil {
		p.count, err = p.number(idxHashes - 4)
	}
	if err != nil {
		return nil, errors.Join(err, idx.Close(), data.Close())
	}
	return p, nil
}

// number reads four bytes of the index.
func (p *pack) number(at int64) (int64, error) {
	var b [4]byte
	_, err := p.idx.ReadAt(b[:], at)
	return int64(binary.BigEndian.Uint32(b[:])), err
}

// hash reads the hash of an object; one that is not there is the last of all.
func (p *pack) hash(i int64) (h plumbing.Hash) {
	if _, err := p.idx.ReadAt(h[:], idxHashes+i*hashSize); err != nil {
		for i := range h {
			h[i] = 0xff
		}
	}
	return h
}

// first is the first object whose hash is not before a prefix.
func (p *pack) first(prefix []byte) int64 {
	return int64(sort.Search(int(p.count), func(i int) bool {
		h := p.hash(int64(i))
		return bytes.Compare(h[:], prefix) >= 0
	}))
}

// withPrefix adds the hashes that begin so, not many: a prefix that many have says nothing.
func (p *pack) withPrefix(prefix []byte, out []plumbing.Hash) []plumbing.Hash {
	const most = 1000
	for i := p.first(prefix); i < p.count && len(out) < most; i++ {
		h := p.hash(i)
		if !bytes.HasPrefix(h[:], prefix) {
			break
		}
		out = append(out, h)
	}
	return out
}

// find finds the pack that has an object, and where.
func (o *objects) find(h plumbing.Hash) (*pack, int64, error) {
	packs, err := o.allPacks()
	if err != nil {
		return nil, 0, err
	}
	for _, p := range packs {
		if at, ok := p.offset(h); ok {
			return p, at, nil
		}
	}
	return nil, 0, plumbing.ErrObjectNotFound
}

// offset is where the pack has an object.
func (p *pack) offset(h plumbing.Hash) (int64, bool) {
	i := p.first(h[:])
	if i >= p.count || p.hash(i) != h {
		return 0, false
	}
	offsets := idxHashes + p.count*(hashSize+4)
	at, err := p.number(offsets + i*4)
	if err != nil {
		return 0, false
	}
	const large = 1 << 31
	if at&large == 0 {
		return at, true
	}
	var b [8]byte
	if _, err := p.idx.ReadAt(b[:], offsets+p.count*4+(at&^large)*8); err != nil {
		return 0, false
	}
	n := binary.BigEndian.Uint64(b[:])
	return int64(n & math.MaxInt64), n <= math.MaxInt64
}

// entry is an object as it stands in a pack.
type entry struct {
	kind plumbing.ObjectType
	size int64
	base int64         // of differences from an object of this pack: where that is
	ref  plumbing.Hash // of differences from an object by its hash
	r    *bufio.Reader // the packed content
}

func (p *pack) entry(at int64) (e entry, err error) {
	e.r = bufio.NewReader(io.NewSectionReader(p.data, at, math.MaxInt64-at))
	c, err := e.r.ReadByte()
	if err != nil {
		return e, fmt.Errorf("%w: %w", errObject, err)
	}
	e.kind, e.size = plumbing.ObjectType(c>>4&7), int64(c&15)
	for shift := 4; c&0x80 != 0; shift += 7 {
		if c, err = e.r.ReadByte(); err != nil || shift > 50 {
			return e, fmt.Errorf("%w: its size", errors.Join(errObject, err))
		}
		e.size |= int64(c&0x7f) << shift
	}
	switch e.kind {
	case plumbing.OFSDeltaObject:
		back, err := readOffset(e.r)
		if err != nil || back == 0 || back >= uint64(at) {
			return e, fmt.Errorf("%w: it has no base", errObject)
		}
		e.base = at - int64(back)
	case plumbing.REFDeltaObject:
		if _, err := io.ReadFull(e.r, e.ref[:]); err != nil {
			return e, fmt.Errorf("%w: it has no base", errObject)
		}
	}
	return e, nil
}

// size is how large the object at a place says that it is.
func (p *pack) size(at int64) (int64, error) {
	e, err := p.entry(at)
	if err != nil || !e.kind.IsDelta() {
		return e.size, err
	}
	z, err := zlib.NewReader(e.r)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", errObject, err)
	}
	in := bufio.NewReaderSize(z, 32)
	if _, err := binary.ReadUvarint(in); err != nil {
		return 0, fmt.Errorf("%w: %w", errObject, err)
	}
	n, err := binary.ReadUvarint(in)
	if err != nil || n > math.MaxInt64 {
		return 0, fmt.Errorf("%w: its size", errObject)
	}
	return int64(n), nil
}

// unpack reads the object at a place of a pack: from the first object of its chain of differences on.
func (o *objects) unpack(p *pack, at int64) (rawObject, error) {
	const longest = 5000 // git makes chains of 4,095
	var chain []baseKey
	var now rawObject
	for {
		key := baseKey{p, at}
		if kept, ok := o.bases.kept[key]; ok {
			now = kept
			break
		}
		e, err := p.entry(at)
		if err != nil {
			return rawObject{}, err
		}
		if !e.kind.IsDelta() {
			if now, err = e.content(e.kind); err != nil {
				return rawObject{}, err
			}
			o.bases.put(key, now)
			break
		}
		if chain = append(chain, key); len(chain) > longest {
			return rawObject{}, fmt.Errorf("%w: its differences go on without end", errObject)
		}
		if at = e.base; e.kind == plumbing.REFDeltaObject {
			if p, at, err = o.find(e.ref); err != nil {
				return rawObject{}, err
			}
		}
	}
	return o.apply(chain, now)
}

// apply makes an object from the first one of its chain.
func (o *objects) apply(chain []baseKey, now rawObject) (rawObject, error) {
	made := 0
	for i := len(chain) - 1; i >= 0; i-- {
		e, err := chain[i].pack.entry(chain[i].at)
		if err != nil {
			return rawObject{}, err
		}
		delta, err := e.content(e.kind)
		if err != nil {
			return rawObject{}, err
		}
		if now.data, err = patched(now.data, delta.data); err != nil {
			return rawObject{}, err
		}
		if made += len(now.data) + len(delta.data); made > mostDelta || o.ctx != nil && o.ctx.Err() != nil {
			return rawObject{}, fmt.Errorf("the differences of an object of git: %w", ErrTooLarge)
		}
		o.bases.put(chain[i], now)
	}
	return now, nil
}

func (e *entry) content(kind plumbing.ObjectType) (rawObject, error) {
	z, err := zlib.NewReader(e.r)
	if err != nil {
		return rawObject{}, fmt.Errorf("%w: %w", errObject, err)
	}
	return whole(kind, e.size, z)
}

// patched applies differences: each is a stretch of the base, or bytes of its own (gitformat-pack(5), "Deltified representation").
func patched(base, delta []byte) ([]byte, error) {
	from, a := binary.Uvarint(delta)
	if a <= 0 || from != uint64(len(base)) {
		return nil, fmt.Errorf("%w: it differs from another object", errObject)
	}
	size, b := binary.Uvarint(delta[a:])
	if b <= 0 || size > mostObject {
		return nil, fmt.Errorf("an object of git: %w", ErrTooLarge)
	}
	delta = delta[a+b:]
	var out []byte
	for len(delta) > 0 {
		op := delta[0]
		delta = delta[1:]
		var part []byte
		if op&0x80 != 0 {
			part, delta = stretchOf(base, op, delta)
		} else if op != 0 && int(op) <= len(delta) {
			part, delta = delta[:op], delta[op:]
		}
		if len(part) == 0 || uint64(len(out)+len(part)) > size {
			return nil, fmt.Errorf("%w: its differences", errObject)
		}
		out = append(out, part...)
	}
	if uint64(len(out)) != size {
		return nil, fmt.Errorf("%w: its differences", errObject)
	}
	return out, nil
}

// stretchOf is the part of the base that an instruction names, nil for none; rest is what follows the instruction.
func stretchOf(base []byte, op byte, delta []byte) (part, rest []byte) {
	var n [7]uint64 // four bytes of the offset, three of the size
	for i := range n {
		if op&(1<<i) == 0 {
			continue
		}
		if len(delta) == 0 {
			return nil, nil
		}
		n[i], delta = uint64(delta[0]), delta[1:]
	}
	at, size := n[0]|n[1]<<8|n[2]<<16|n[3]<<24, n[4]|n[5]<<8|n[6]<<16
	if size == 0 {
		size = 1 << 16
	}
	if at+size > uint64(len(base)) {
		return nil, nil
	}
	return base[at : at+size], delta
}
