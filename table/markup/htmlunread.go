package markup

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"catena/internal/text"
)

// htmlUnread is an element in a cell whose text does not count: nobody sees it (keys for sorting), or it is struck out.
// It would join what stands beside it: 12<del>34</del>56 is no 123456.
type htmlUnread struct {
	tag    atom.Atom // 0 outside of one
	depth  int       // elements of that name in each other
	struck bool

	hidden  int // elements that were hidden
	strikes int // cells with something struck out beside other text
}

// structure are the elements that a table is made of: what is hidden of those is read like the rest, as hidden rows of
// a workbook are.
var structure = atoms(atom.Table, atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Td, atom.Th, atom.Caption, atom.Col,
	atom.Colgroup)

// voids are elements without content (HTML Standard, 13.1.2).
var voids = atoms(atom.Area, atom.Base, atom.Br, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta,
	atom.Source, atom.Track, atom.Wbr)

func atoms(all ...atom.Atom) map[atom.Atom]bool {
	set := map[atom.Atom]bool{}
	for _, a := range all {
		set[a] = true
	}
	return set
}

// open looks at a tag that begins within a cell. It reports whether it read the attributes.
func (u *htmlUnread) open(tag atom.Atom, name []byte, z *html.Tokenizer, attributes bool) bool {
	switch {
	case tag == 0 && len(name) == 0 || voids[tag]:
		return false
	case u.tag != 0:
		if tag == u.tag {
			u.depth++
		}
		return false
	case tag == atom.Del || tag == atom.S || tag == atom.Strike:
		u.tag, u.depth, u.struck = tag, 1, true
		return false
	case tag != 0 && attributes:
		if isHidden(z) {
			u.tag, u.depth, u.struck = tag, 1, false
			u.hidden++
		}
		return true
	}
	return false
}

func (u *htmlUnread) close(tag atom.Atom) {
	if u.tag != 0 && tag == u.tag {
		if u.depth--; u.depth == 0 {
			u.tag = 0
		}
	}
}

// isHidden reports whether an element's attributes keep it from being seen.
func isHidden(z *html.Tokenizer) bool {
	hidden := false
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "hidden":
			hidden = true
		case "style":
			style := strings.ToLower(strings.Join(strings.Fields(string(value)), ""))
			hidden = hidden || strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
		}
	}
	return hidden
}

func (u *htmlUnread) notes() (notes []string) {
	if u.hidden > 0 {
		notes = append(notes, fmt.Sprintf("%s left out, as nobody sees it",
			text.CountOf(u.hidden, "hidden part of a cell was", "hidden parts of cells were")))
	}
	if u.strikes > 0 {
		notes = append(notes, fmt.Sprintf("what is struck out in %s was left out",
			text.CountOf(u.strikes, "cell", "cells")))
	}
	return notes
}
