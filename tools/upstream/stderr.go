package upstream

import (
	"bufio"
	"io"
	"strings"
	"time"
)

// Limits of what a process writes to its stderr, beside those of flow.
const (
	longestLine = 16 << 10 // bytes of a line that are read; the rest of a longer one is skipped
	shownLine   = 500      // bytes of it that are logged
	lineBurst   = 200      // lines that are logged at once
	lineRate    = 10       // of them in a second
)

// drain reads the process's stderr to its end, into the log. A process that writes more than anybody reads is read more
// slowly.
func (p *process) drain(r io.Reader) {
	b := bufio.NewReaderSize(r, longestLine)
	var read flow
	kept := ration{left: lineBurst, at: time.Now()}
	for {
		line, more, err := b.ReadLine()
		if err != nil {
			break
		}
		p.c.slow(&read, len(line))
		text := strings.TrimSpace(p.c.hush(string(line)))
		if more && len(text) < longestLine/2 {
			text = "(a long line)" // it was secrets mostly, and may end in the beginning of one
		}
		for more && err == nil {
			line, more, err = b.ReadLine()
			p.c.slow(&read, len(line))
		}
		p.wrote.Store(true)
		if text != "" && kept.take(time.Now()) {
			p.leftOut(&kept)
			p.c.log.Info("an upstream server writes", "stderr", cut(text, shownLine))
		}
	}
	p.leftOut(&kept)
}

// leftOut tells how many lines were not logged since it was told last.
func (p *process) leftOut(kept *ration) {
	if kept.lost > 0 {
		p.c.log.Info("an upstream server writes more than is logged", "lines_left_out", kept.lost)
		kept.lost = 0
	}
}

// ration lets lineBurst lines through, and then lineRate in a second.
type ration struct {
	left float64
	at   time.Time
	lost int // lines that were not let through
}

func (r *ration) take(now time.Time) bool {
	r.left, r.at = min(lineBurst, r.left+now.Sub(r.at).Seconds()*lineRate), now
	if r.left < 1 {
		r.lost++
		return false
	}
	r.left--
	return true
}

func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "..."
}
