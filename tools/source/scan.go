package source

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxWritten bounds a statement that somebody wrote, in bytes.
const maxWritten = 64 << 10

// statementForm is what of the forms of SQL a kind of database has.
type statementForm struct {
	backslash bool // \' in a text is no end of it; of PostgreSQL only behind E
	escape    bool // E'...' is a text with backslashes
	brackets  bool // [name]
	hash      bool // # begins a comment
	dollar    bool // $tag$ ... $tag$ is a text
	nested    bool // comments stand in comments
	spaced    bool // -- is a comment before a blank only
	question  bool // ? is the placeholder; else $1
}

// statementScanner reads a statement: its parameters, and what it must not have.
type statementScanner struct {
	form       statementForm
	text       string
	positional []string
	place      func(n int) string

	at       int
	depth    int  // of brackets
	previous byte // the last byte that is no blank and in no comment; 0 is none yet
	words    int  // so far
	ended    bool // a semicolon was read
	asked    int  // ? so far
	order    []string
	numbers  map[string]int // the place of each parameter, where one place serves all
	out      strings.Builder
}

func isLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// peek is the byte so far ahead, 0 behind the end.
func (s *statementScanner) peek(ahead int) byte {
	if s.at+ahead < len(s.text) {
		return s.text[s.at+ahead]
	}
	return 0
}

// scan reads all of the statement.
func (s *statementScanner) scan() error {
	if len(s.text) > maxWritten {
		return fmt.Errorf("the statement has %d bytes; %d are the most", len(s.text), maxWritten)
	}
	s.numbers = map[string]int{}
	for s.at < len(s.text) {
		if err := s.next(); err != nil {
			return err
		}
	}
	switch {
	case s.words == 0:
		return fmt.Errorf("there is no statement; write one SELECT")
	case s.depth != 0:
		return fmt.Errorf("a bracket is opened and not closed")
	}
	return nil
}

// next reads one piece.
func (s *statementScanner) next() error {
	c := s.peek(0)
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		s.take(1)
		return nil
	case s.comments():
		return s.comment()
	case s.ended:
		return fmt.Errorf("a second statement begins behind the semicolon; a tool is one SELECT")
	case c == ';':
		s.at++ // it is not sent
		s.ended = true
		return nil
	}
	if err := s.piece(c); err != nil {
		return err
	}
	s.previous = s.text[s.at-1]
	return nil
}

// piece reads what is no blank and no comment.
func (s *statementScanner) piece(c byte) error {
	switch {
	case strings.IndexByte("'\"`", c) >= 0, c == '[' && s.form.brackets:
		return s.quoted(c, s.form.backslash && c != '`')
	case s.form.escape && (c == 'e' || c == 'E') && s.peek(1) == '\'':
		s.take(1)
		return s.quoted('\'', true)
	case isLetter(c):
		return s.word()
	case isDigit(c):
		s.number()
		return nil
	case strings.IndexByte(":?$@", c) >= 0:
		return s.sign(c)
	}
	s.take(1)
	return s.bracket(c)
}

// number passes a number, and letters behind it.
func (s *statementScanner) number() {
	for isDigit(s.peek(0)) || isLetter(s.peek(0)) || s.peek(0) == '.' {
		s.take(1)
	}
}

// bracket counts brackets.
func (s *statementScanner) bracket(c byte) error {
	switch c {
	case '(':
		s.depth++
	case ')':
		s.depth--
	}
	if s.depth < 0 {
		return errors.New("a bracket is closed that is not open")
	}
	return nil
}

func (s *statementScanner) take(n int) {
	s.out.WriteString(s.text[s.at : s.at+n])
	s.at += n
}

// comments reports whether a comment begins here.
func (s *statementScanner) comments() bool {
	c, d := s.peek(0), s.peek(1)
	blank := s.peek(2) <= ' '
	return c == '/' && d == '*' || c == '-' && d == '-' && (blank || !s.form.spaced) || c == '#' && s.form.hash
}

// comment passes a comment; a blank stands in its place.
func (s *statementScanner) comment() error {
	s.out.WriteByte(' ')
	if s.peek(0) != '/' {
		end := strings.IndexByte(s.text[s.at:], '\n')
		if end < 0 {
			end = len(s.text) - s.at
		}
		s.at += end
		return nil
	}
	if next := s.peek(2); s.form.hash && (next == '!' || next == 'M' || next == '+') {
		return fmt.Errorf("a comment is one that the database runs; write what it says without the comment")
	}
	for depth := 0; s.at < len(s.text); {
		switch {
		case s.peek(0) == '/' && s.peek(1) == '*' && (s.form.nested || depth == 0):
			depth++
			s.at += 2
		case s.peek(0) == '*' && s.peek(1) == '/':
			depth--
			if s.at += 2; depth == 0 {
				return nil
			}
		default:
			s.at++
		}
	}
	return fmt.Errorf("a comment is not closed by */")
}

// quoted passes a text or a name in quotes.
func (s *statementScanner) quoted(open byte, backslash bool) error {
	end := open
	if open == '[' {
		end = ']'
	}
	for i := s.at + 1; i < len(s.text); i++ {
		switch {
		case backslash && s.text[i] == '\\':
			i++
		case s.text[i] == end && i+1 < len(s.text) && s.text[i+1] == end && open != '[':
			i++
		case s.text[i] == end:
			s.take(i + 1 - s.at)
			return nil
		}
	}
	return fmt.Errorf("a text or name that begins with %c is not closed", open)
}

// readingWords begin statements that read, and writingWords others that may stand in them.
var (
	readingWords = []string{"SELECT", "WITH", "VALUES"}
	writingWords = []string{"INSERT", "UPDATE", "DELETE", "MERGE"}
)

// word passes a name or keyword.
func (s *statementScanner) word() error {
	end := s.at
	for end < len(s.text) && (isLetter(s.text[end]) || isDigit(s.text[end]) || s.text[end] == '$') {
		end++
	}
	word := strings.ToUpper(s.text[s.at:end])
	s.words++
	begins := s.previous == '(' || s.previous == ')'
	if s.words == 1 && !slices.Contains(readingWords, word) {
		return fmt.Errorf("it begins with %s; a tool only reads: write one SELECT", word)
	}
	if begins && slices.Contains(writingWords, word) && !strings.HasPrefix(strings.TrimSpace(s.text[end:]), "(") {
		return fmt.Errorf("it has %s; a tool only reads: write one SELECT", word)
	}
	s.take(end - s.at)
	return nil
}

// sign passes what a parameter may begin with.
func (s *statementScanner) sign(c byte) error {
	next := s.peek(1)
	switch c {
	case ':':
		return s.colon(next)
	case '?':
		if s.form.question {
			return s.counted()
		}
	case '$':
		if isDigit(next) && !s.form.question {
			return s.numbered()
		}
		if s.form.dollar {
			return s.dollars()
		}
	}
	if c != '?' && isLetter(next) && s.form.question && s.previous != '@' {
		return fmt.Errorf("it has %c before a name; write a parameter as :name", c)
	}
	s.take(1)
	return nil
}

// colon passes what begins with a colon.
func (s *statementScanner) colon(next byte) error {
	switch {
	case next == ':':
		s.take(2) // a cast
	case next == '=':
		return errors.New("it has :=, which sets a variable; a tool only reads")
	case isLetter(next):
		return s.named()
	default:
		s.take(1)
	}
	return nil
}

// named reads :name.
func (s *statementScanner) named() error {
	end := s.at + 1
	for end < len(s.text) && (isLetter(s.text[end]) || isDigit(s.text[end])) {
		end++
	}
	name := s.text[s.at+1 : end]
	s.at = end
	s.put(name)
	return nil
}

// put writes a placeholder.
func (s *statementScanner) put(name string) {
	n := s.numbers[name]
	if n == 0 || s.form.question {
		s.order = append(s.order, name)
		n = len(s.order)
		s.numbers[name] = n
	}
	s.out.WriteString(s.place(n))
}

const writeNamed = "write a parameter as :name, and name it under parameters"

// counted reads ?.
func (s *statementScanner) counted() error {
	if s.asked == len(s.positional) || isDigit(s.peek(1)) {
		return fmt.Errorf("it has the placeholder ?; %s", writeNamed)
	}
	s.at++
	s.put(s.positional[s.asked])
	s.asked++
	return nil
}

// numbered reads $1.
func (s *statementScanner) numbered() error {
	end := s.at + 1
	for end < len(s.text) && isDigit(s.text[end]) {
		end++
	}
	n, err := strconv.Atoi(s.text[s.at+1 : end])
	if err != nil || n < 1 || n > len(s.positional) {
		return fmt.Errorf("it has the placeholder %s; %s", s.text[s.at:end], writeNamed)
	}
	s.at = end
	s.put(s.positional[n-1])
	return nil
}

// dollars passes $tag$ ... $tag$.
func (s *statementScanner) dollars() error {
	end := s.at + 1
	for end < len(s.text) && (isLetter(s.text[end]) || isDigit(s.text[end])) {
		end++
	}
	if end == len(s.text) || s.text[end] != '$' {
		s.take(1)
		return nil
	}
	tag := s.text[s.at : end+1]
	behind := strings.Index(s.text[end+1:], tag)
	if behind < 0 {
		return fmt.Errorf("a text that begins with %s is not closed", tag)
	}
	s.take(end + 1 + behind + len(tag) - s.at)
	return nil
}
