package json

import (
	"errors"
	"strings"

	"catena/table"
)

// takeHeader reads the first of several rows where it is an array with the names of the columns: texts above rows that
// are not. It reports whether it did.
func (j *jsonRows) takeHeader(p *scanner, comma bool) (bool, error) {
	if !j.headed {
		if len(j.cols) > 0 { // names that were declared, or those of a first reading
			return false, nil
		}
		names := p.headerNames(comma)
		if names == nil {
			return false, nil
		}
		for _, name := range names {
			if _, err := j.column(name, -1); err != nil {
				return false, j.limit(p, err)
			}
		}
		j.headed, j.next = true, 0
	}
	_, _, err := p.value()
	return true, err
}

// headerNames looks ahead, from a first row on: its cells where they are different texts and a column below it has
// values that are none; else nil.
func (p *scanner) headerNames(comma bool) []string {
	const enough = 20 // rows that are looked at
	q := *p
	var names []string
	known := map[string]bool{}
	texts, others := map[int]bool{}, map[int]bool{}
	first, ok := true, true
	for range enough {
		if q.peek() != '[' {
			break
		}
		c := 0
		err := q.array(func() error {
			kind, text, err := q.value()
			switch {
			case err != nil:
				return err
			case first && (kind != jsonString || strings.TrimSpace(text) == "" || known[text]):
				return errNoColumns
			case first:
				known[text] = true
				names = append(names, text)
			case c >= len(names):
				return errNoColumns
			case kind == jsonString:
				texts[c] = true
			case kind != jsonNull:
				others[c] = true
			}
			c++
			return nil
		})
		if errors.Is(err, errNoColumns) {
			ok = false
		}
		if err != nil {
			break
		}
		first = false
		if comma {
			if q.peek() != ',' {
				break
			}
			q.pos++
		}
	}
	for c := range others {
		if ok && !texts[c] {
			return names
		}
	}
	return nil
}

// brokenLine gives the error of a value of JSON Lines that began at start and did not end on its line, where the next
// line is a whole value: the line to mend is the first of the two.
func (p *scanner) brokenLine(start int, err error) error {
	var format *table.FormatError
	if !errors.As(err, &format) {
		return err
	}
	for start < len(p.s) && strings.IndexByte(" \n\t\r", p.s[start]) >= 0 {
		start++
	}
	end := strings.IndexByte(p.s[start:], '\n')
	if end < 0 || strings.IndexByte("{[", p.s[start]) < 0 {
		return err
	}
	end += start
	next, _, _ := strings.Cut(p.s[end+1:], "\n")
	below := &scanner{s: next, lim: p.lim}
	if open := below.peek(); open != '{' && open != '[' {
		return err
	}
	if _, _, bad := below.value(); bad != nil || below.peek() != 0 {
		return err
	}
	line := &scanner{s: p.s[:end], pos: start, lim: p.lim, source: p.source}
	if _, _, bad := line.value(); bad != nil {
		return bad
	}
	return err
}
