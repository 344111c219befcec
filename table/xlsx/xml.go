package xlsx

import (
	"html"
	"strings"
)

// xmlScanner walks over the tags and texts of an XML part of a workbook. It checks no more than it needs: a part that
// is not well-formed ends early or gives odd tags, never an endless walk. Names come without their namespace prefix.
// Document types are not read, so entities of one's own do not exist.
type xmlScanner struct {
	s     string
	pos   int
	name  string // of the last tag
	attrs string // of the last opening tag, as written
	text  string // of the last text, as written
	cdata bool   // whether the text has no entities
}

// xmlKind is what next found.
type xmlKind uint8

const (
	xmlEnd   xmlKind = iota // the end of the part
	xmlOpen                 // <a>
	xmlClose                // </a>
	xmlEmpty                // <a/>
	xmlText
)

// next finds the next tag or text.
func (x *xmlScanner) next() xmlKind {
	for x.pos < len(x.s) {
		if x.s[x.pos] != '<' {
			end := strings.IndexByte(x.s[x.pos:], '<')
			if end < 0 {
				end = len(x.s) - x.pos
			}
			x.text, x.cdata = x.s[x.pos:x.pos+end], false
			x.pos += end
			return xmlText
		}
		rest := x.s[x.pos:]
		switch {
		case strings.HasPrefix(rest, "<!--"):
			x.skip("-->")
		case strings.HasPrefix(rest, "<![CDATA["):
			x.pos += len("<![CDATA[")
			from := x.pos
			x.skip("]]>")
			x.text, x.cdata = strings.TrimSuffix(x.s[from:x.pos], "]]>"), true
			return xmlText
		case strings.HasPrefix(rest, "<?"):
			x.skip("?>")
		case strings.HasPrefix(rest, "<!"):
			x.skip(">")
		default:
			return x.tag()
		}
	}
	return xmlEnd
}

// skip goes behind the next occurrence of end.
func (x *xmlScanner) skip(end string) {
	i := strings.Index(x.s[x.pos:], end)
	if i < 0 {
		x.pos = len(x.s)
		return
	}
	x.pos += i + len(end)
}

// tag reads the tag at the current position.
func (x *xmlScanner) tag() xmlKind {
	from := x.pos + 1
	end := from
	quote := byte(0)
	for ; end < len(x.s); end++ {
		c := x.s[end]
		if quote != 0 {
			if c == quote {
				quote = 0
			}
			continue
		}
		if c == '"' || c == '\'' {
			quote = c
		} else if c == '>' {
			break
		}
	}
	body := x.s[from:end]
	x.pos = min(end+1, len(x.s))
	kind := xmlOpen
	if strings.HasPrefix(body, "/") {
		kind, body = xmlClose, body[1:]
	} else if strings.HasSuffix(body, "/") {
		kind, body = xmlEmpty, body[:len(body)-1]
	}
	name := body
	x.attrs = ""
	if i := strings.IndexAny(body, " \t\r\n"); i >= 0 {
		name, x.attrs = body[:i], body[i:]
	}
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		name = name[i+1:]
	}
	x.name = name
	return kind
}

// attr gives the value of an attribute of the last opening tag, without regard to its prefix; "" when there is none.
func (x *xmlScanner) attr(name string) string {
	s := x.attrs
	for {
		s = strings.TrimLeft(s, " \t\r\n")
		eq := strings.IndexByte(s, '=')
		if eq < 0 {
			return ""
		}
		key := strings.TrimRight(s[:eq], " \t\r\n")
		s = strings.TrimLeft(s[eq+1:], " \t\r\n")
		if s == "" || s[0] != '"' && s[0] != '\'' {
			return ""
		}
		end := strings.IndexByte(s[1:], s[0])
		if end < 0 {
			return ""
		}
		if i := strings.LastIndexByte(key, ':'); i >= 0 {
			key = key[i+1:]
		}
		if key == name {
			return unescapeXML(s[1 : 1+end])
		}
		s = s[end+2:]
	}
}

// on reports whether an attribute of the last opening tag is true.
func (x *xmlScanner) on(name string) bool {
	v := x.attr(name)
	return v == "1" || v == "true"
}

// plain is the last text with its entities resolved.
func (x *xmlScanner) plain() string {
	if x.cdata {
		return x.text
	}
	return unescapeXML(x.text)
}

func unescapeXML(s string) string {
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	return html.UnescapeString(s)
}

// pieces joins the texts of an element, of which there is mostly one.
type pieces struct {
	first string
	more  strings.Builder // all, where there are several
}

func (p *pieces) add(s string) {
	switch {
	case p.len() == 0:
		p.first = s
	case s == "":
	default:
		if p.more.Len() == 0 {
			p.more.WriteString(p.first)
		}
		p.more.WriteString(s)
	}
}

func (p *pieces) len() int { return max(len(p.first), p.more.Len()) }

func (p *pieces) text() string {
	if p.more.Len() > 0 {
		return p.more.String()
	}
	return p.first
}
