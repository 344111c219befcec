package index

import (
	"encoding/binary"
	"iter"

	"catena/tools/code/parse"
)

// ref is a name that a chunk uses.
type ref struct {
	name, qualifier uint32 // strings
	call            bool
}

// appendRefs writes the references of one chunk, each once: the name's string number with the call bit below it, then the
// qualifier's, both as varints.
func appendRefs(to []byte, refs []parse.Ref, in *interner, seen map[ref]bool) []byte {
	clear(seen)
	for _, r := range refs {
		k := ref{in.id(r.Name), in.id(r.Qualifier), r.Call}
		if seen[k] {
			continue
		}
		seen[k] = true
		to = binary.AppendUvarint(to, uint64(k.name)<<1|uint64(flag(k.call, 1)))
		to = binary.AppendUvarint(to, uint64(k.qualifier))
	}
	return to
}

func (s *segment) eachRef(chunk uint32) iter.Seq[ref] {
	data := s.refs[s.chunkRefs[chunk]:s.chunkRefs[chunk+1]]
	return func(yield func(ref) bool) {
		for data := data; len(data) > 0; {
			n, a := binary.Uvarint(data)
			q, b := binary.Uvarint(data[max(a, 0):])
			if a <= 0 || b <= 0 || n>>1 >= uint64(s.str.len()) || q >= uint64(s.str.len()) {
				return
			}
			data = data[a+b:]
			if !yield(ref{uint32(n >> 1), uint32(q), n&1 == 1}) {
				return
			}
		}
	}
}
