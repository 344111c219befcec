package json

// Bytes that the parts of a JSON text take when encoding/json decodes them, with what grows.
const (
	decodedMap     = 48     // an empty map
	decodedMembers = 264    // the first eight members of a map
	decodedMember  = 48     // each member beyond them
	decodedElement = 3 * 16 // of a list of any values
	RawElement     = 2 * 24 // of a list of parts of the text
	decodedScalar  = 32     // beside its text
)

// openObject is an object or list whose end has not been seen.
type openObject struct {
	list    bool
	members int
}

// Shape counts what a JSON text holds, on its bytes: elements of lists, and what all of it takes as maps and lists.
// What is no JSON is counted as if it were.
func Shape(data []byte) (elements, decoded int64) {
	open := []openObject{{list: true}}
	decoded = int64(len(data))
	for i := 0; i < len(data); i++ {
		in := &open[len(open)-1]
		switch data[i] {
		case '"':
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
		case '{':
			decoded += decodedMap
			open = append(open, openObject{})
		case '[':
			elements, decoded = elements+1, decoded+decodedElement+decodedScalar
			open = append(open, openObject{list: true})
		case '}', ']':
			open = open[:max(1, len(open)-1)]
		case ':':
			if in.members++; in.members == 1 {
				decoded += decodedMembers
			} else if in.members > 8 {
				decoded += decodedMember
			}
			decoded += decodedScalar
		case ',':
			if in.list {
				elements, decoded = elements+1, decoded+decodedElement+decodedScalar
			}
		}
	}
	return elements, decoded
}

// Memory is what a JSON text takes when it is decoded into maps and lists, in bytes, about: for Work.Draw. A text of
// two bytes may take fifty times as much.
func Memory(data []byte) int64 {
	_, decoded := Shape(data)
	return decoded
}
