package scan

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/klauspost/compress/zlib"
)

// gitStore is git's storage for reading: references and settings as go-git has them, objects by a reader of our own. What a repository
// says of its objects is not believed: an object of a few bytes unfolds to gigabytes, a pack's index names more objects than it has, and a
// commit is its own parent.
type gitStore struct {
	*filesystem.Storage
	objects
}

// The bounds of one object, in bytes: of a commit or a tag, and of anything else. mostDelta bounds all that is made on the way to one that
// is written as differences.
const (
	mostCommit = 4 << 20
	mostObject = 64 << 20
	mostDelta  = 1 << 30
)

var errObject = errors.New("an object of git is damaged")

// objects reads git's objects, loose and packed. It is not for concurrent use.
type objects struct {
	ctx   context.Context // of the reading under way; nil for none
	files billy.Filesystem
	packs []*pack // nil until they are looked for
	bases bases
}

// object is one that was read.
type rawObject struct {
	kind plumbing.ObjectType
	data []byte
}

// EncodedObject implements storer.EncodedObjectStorer.
func (o *objects) EncodedObject(kind plumbing.ObjectType, h plumbing.Hash) (plumbing.EncodedObject, error) {
	if o.ctx != nil && o.ctx.Err() != nil {
		return nil, o.ctx.Err()
	}
	raw, err := o.read(h)
	if err != nil {
		return nil, err
	}
	if kind != plumbing.AnyObject && kind != raw.kind {
		return nil, plumbing.ErrObjectNotFound
	}
	if raw.kind != plumbing.BlobObject && plumbing.ComputeHash(raw.kind, raw.data) != h { // so no tree or commit leads to itself
		return nil, fmt.Errorf("%w: %s has another hash", errObject, h)
	}
	obj := &plumbing.MemoryObject{}
	obj.SetType(raw.kind)
	_, err = obj.Write(raw.data)
	return obj, err
}

// EncodedObjectSize implements storer.EncodedObjectStorer. It is what the object says of itself; no more of it is read than that.
func (o *objects) EncodedObjectSize(h plumbing.Hash) (int64, error) {
	if f, err := o.files.Open(loosePath(h)); err == nil {
		defer f.Close()
		_, size, _, err := looseHead(f)
		return size, err
	}
	p, at, err := o.find(h)
	if err != nil {
		return 0, err
	}
	return p.size(at)
}

// HasEncodedObject implements storer.EncodedObjectStorer.
func (o *objects) HasEncodedObject(h plumbing.Hash) error {
	_, err := o.EncodedObjectSize(h)
	return err
}

// IterEncodedObjects implements storer.EncodedObjectStorer: nothing that is asked for needs all of them.
func (o *objects) IterEncodedObjects(plumbing.ObjectType) (storer.EncodedObjectIter, error) {
	return nil, errors.ErrUnsupported
}

// HashesWithPrefix finds the objects whose hash begins so.
func (o *objects) HashesWithPrefix(prefix []byte) ([]plumbing.Hash, error) {
	const shortest = 2 // bytes
	if len(prefix) < shortest {
		return nil, nil
	}
	var out []plumbing.Hash
	folder := fmt.Sprintf("objects/%02x", prefix[0])
	if list, err := o.files.ReadDir(folder); err == nil {
		for _, info := range list {
			h := plumbing.NewHash(fmt.Sprintf("%02x", prefix[0]) + info.Name())
			if bytes.HasPrefix(h[:], prefix) {
				out = append(out, h)
			}
		}
	}
	packs, err := o.allPacks()
	for _, p := range packs {
		out = p.withPrefix(prefix, out)
	}
	return out, err
}

// Close gives the files back.
func (g *gitStore) Close() error {
	var errs []error
	for _, p := range g.packs {
		errs = append(errs, p.idx.Close(), p.data.Close())
	}
	g.packs = nil
	return errors.Join(append(errs, g.Storage.Close())...)
}

func loosePath(h plumbing.Hash) string {
	name := h.String()
	return "objects/" + name[:2] + "/" + name[2:]
}

func (o *objects) read(h plumbing.Hash) (rawObject, error) {
	f, err := o.files.Open(loosePath(h))
	if err == nil {
		defer f.Close()
		kind, size, r, err := looseHead(f)
		if err != nil {
			return rawObject{}, err
		}
		return whole(kind, size, r)
	}
	p, at, err := o.find(h)
	if err != nil {
		return rawObject{}, err
	}
	return o.unpack(p, at)
}

// looseHead reads what a loose object says of itself; r has the rest.
func looseHead(f io.Reader) (kind plumbing.ObjectType, size int64, r io.Reader, err error) {
	z, err := zlib.NewReader(f)
	if err != nil {
		return 0, 0, nil, fmt.Errorf("%w: %w", errObject, err)
	}
	const longest = 64
	in := bufio.NewReader(z)
	var head []byte
	for len(head) < longest {
		c, err := in.ReadByte()
		if err != nil {
			return 0, 0, nil, fmt.Errorf("%w: %w", errObject, err)
		}
		if c == 0 {
			break
		}
		head = append(head, c)
	}
	name, digits, _ := bytes.Cut(head, []byte(" "))
	kind, err = plumbing.ParseObjectType(string(name))
	if err == nil {
		size, err = strconv.ParseInt(string(digits), 10, 64)
	}
	if err != nil || size < 0 {
		return 0, 0, nil, fmt.Errorf("%w: it does not say what it is", errObject)
	}
	return kind, size, in, nil
}

// whole reads an object of a size, which its kind bounds. One that has another size is damaged.
func whole(kind plumbing.ObjectType, size int64, r io.Reader) (rawObject, error) {
	most := int64(mostObject)
	if kind == plumbing.CommitObject || kind == plumbing.TagObject {
		most = mostCommit
	}
	if size > most {
		return rawObject{}, fmt.Errorf("an object of git: %w", ErrTooLarge)
	}
	var data bytes.Buffer // grows with what is there, whatever the size says
	n, err := io.Copy(&data, io.LimitReader(r, size+1))
	if err != nil || n != size {
		return rawObject{}, fmt.Errorf("%w: it does not have the %d bytes that it says: %w", errObject, size, errors.Join(err, io.ErrUnexpectedEOF))
	}
	return rawObject{kind: kind, data: data.Bytes()}, nil
}

// bases keeps what differences were taken from, as many objects of a pack share it.
type bases struct {
	kept map[baseKey]rawObject
	size int
}

type baseKey struct {
	pack *pack
	at   int64
}

// put keeps an object; all go when they have more than 32 MiB.
func (b *bases) put(k baseKey, o rawObject) {
	const most = 32 << 20
	if b.size += len(o.data); b.kept == nil || b.size > most {
		b.kept, b.size = map[baseKey]rawObject{}, len(o.data)
	}
	b.kept[k] = o
}
