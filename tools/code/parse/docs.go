package parse

import "strings"

// remark is a comment.
type remark struct {
	start, end  int // in bytes
	first, last int // lines
}

// remarks are the comments of a file, in order.
type remarks struct {
	list []remark
	ends map[int]int // line -> index of the comment that ends there, of those with lines of their own
}

// add notes a comment.
func (r *remarks) add(src *source, start, end int) {
	c := remark{start, end, src.line(start), 0}
	c.last = src.line(max(start, end-1))
	alone := len(r.list) == 0 || r.list[len(r.list)-1].last < c.first
	if alone && strings.TrimSpace(src.text[src.starts[c.first-1]:start]) == "" {
		if r.ends == nil {
			r.ends = make(map[int]int)
		}
		r.ends[c.last] = len(r.list)
	}
	r.list = append(r.list, c)
}

// document gives a symbol the comment that ends on the line before it. Comments of one line each, one below the other, are one.
func (r *remarks) document(src *source, s *Symbol) {
	n, ok := r.ends[s.Start-1]
	if !ok {
		return
	}
	first := n
	for first > 0 && r.line(n) && r.line(first-1) && r.list[first-1].last == r.list[first].first-1 && n-first < 500 {
		if _, own := r.ends[r.list[first-1].last]; !own {
			break
		}
		first--
	}
	s.DocStart = r.list[first].first
	s.Doc = docText(src.text[r.list[first].start:r.list[n].end])
}

func (r *remarks) line(n int) bool { return r.list[n].first == r.list[n].last }

// docText is a comment without its markers.
func docText(text string) string {
	if len(text) > 4*docBytes {
		text = strings.ToValidUTF8(text[:4*docBytes], "")
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, mark := range []string{"/**", "/*!", "/*", "///", "//!", "//", "*/", "* ", "#!", "--", "=begin", "=end"} {
			if strings.HasPrefix(line, mark) {
				line = line[len(mark):]
				break
			}
		}
		if line == "*" {
			line = ""
		}
		line = strings.TrimPrefix(strings.TrimLeft(strings.TrimSuffix(line, "*/"), "#"), " ")
		b.WriteString(strings.TrimRight(line, " \t"))
		b.WriteByte('\n')
	}
	return clip(strings.TrimSpace(b.String()), docBytes)
}
