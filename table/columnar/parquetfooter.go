package columnar

import (
	"bytes"
	"encoding/binary"
	"errors"

	"catena/table"
)

// The library reads a Parquet file's metadata by recursion, and makes a value of each thing that they list. So their
// bytes are looked at first: how deep and how large the schema is, and what memory all of it takes.

const (
	levelsOfType = 2 // of a Parquet schema, for one level of nesting: a list is a group and a repeated group
	elementsEach = 8 // of a schema, for one column, at the most
)

// checkFooter holds the schema and the size of the metadata against the limits. The numbers of fields are those of
// Parquet's parquet.thrift.
func checkFooter(data []byte, source string, lim *table.Limits) error {
	const tail = 8 // the footer's size and the mark
	if len(data) < len(MagicParquet)+tail || !bytes.HasSuffix(data, []byte(MagicParquet)) {
		return badParquet(source, errors.New("the end of the file is missing"))
	}
	size := binary.LittleEndian.Uint32(data[len(data)-tail:])
	if uint64(size) > uint64(len(data)-tail) {
		return badParquet(source, table.ErrDamaged)
	}
	scan := &thriftScan{b: data[len(data)-tail-int(size) : len(data)-tail]}
	schema := schemaScan{thriftScan: scan, source: source, lim: lim}
	var err error
	scan.fields(0, func(id int64, typ byte) bool {
		if id != 2 || typ != thriftList {
			return false
		}
		err = schema.elements()
		scan.over = err != nil
		return true
	})
	if err != nil {
		return err
	}
	return lim.Reserve(scan.cost)
}

// schemaScan walks a schema, which lists the elements of a tree, each before its children.
type schemaScan struct {
	*thriftScan
	source string
	lim    *table.Limits
	open   []openGroup // the groups that the next element is in, the outermost first
}

type openGroup struct {
	left int64 // children that are still to come
	path int64 // bytes of its name and those of the groups around it
}

func (s *schemaScan) elements() error {
	n, typ := s.list()
	damagedIf(typ != thriftStruct)
	if n > elementsEach*s.lim.Columns+1 {
		return table.TooManyColumns(s.source, *s.lim)
	}
	for range n {
		if err := s.element(); err != nil {
			return err
		}
	}
	return nil
}

func (s *schemaScan) element() error {
	var children int64
	var name int
	s.fields(2, func(id int64, typ byte) bool {
		switch {
		case id == 4 && typ == thriftBinary:
			name = len(s.text())
		case id == 5 && typ == thriftI32:
			children = s.number()
		default:
			return false
		}
		return true
	})
	var path int64
	if last := len(s.open) - 1; last >= 0 {
		path = s.open[last].path
		s.open[last].left--
	}
	path += int64(name) + 1
	if children > 0 {
		s.open = append(s.open, openGroup{left: children, path: path})
	} else {
		s.cost += 4 * path // the library keeps the whole path of each column, as text and as parts
	}
	if len(s.open) > levelsOfType*(s.lim.Depth+1) {
		return tooDeep(s.source, s.lim)
	}
	for len(s.open) > 0 && s.open[len(s.open)-1].left <= 0 {
		s.open = s.open[:len(s.open)-1]
	}
	return nil
}
