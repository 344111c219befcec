package names

// Aligned is a word of an expansion with the piece of the name that was written for it; "" when the name shows nothing
// of it.
type Aligned struct {
	Word, Piece string
	From, To    int  // where in the squashed name
	Whole       bool // the piece begins and ends at boundaries of the name
}

// Aligner aligns names with their expansions. It is safe for concurrent use.
type Aligner struct{ logs *channelLogs }

// NewAligner aligns by a channel.
func NewAligner(c *Channel) *Aligner { return &Aligner{c.logs()} }

// Align finds which piece of a name was written for which word of its expansion, by the channel: the likeliest way to
// write the words one after another. It reports false when the name cannot be written so.
func (a *Aligner) Align(name string, words []string) ([]Aligned, bool) {
	t, logs := squash(name), a.logs
	n, m := len(t.s), len(words)
	if n == 0 || m == 0 || n > maxName {
		return nil, false
	}
	score := make([][]float32, m+1)
	from := make([][]int, m+1)
	for k := range score {
		score[k], from[k] = make([]float32, n+1), make([]int, n+1)
		for i := range score[k] {
			score[k][i] = unlikely
		}
	}
	score[0][0] = 0
	for k, w := range words {
		for i := 0; i <= n; i++ {
			if score[k][i] <= unlikely {
				continue
			}
			for j := i; j <= n && j-i <= len(w); j++ {
				if p := score[k][i] + pieceScore(&t, logs, i, j, w); p > score[k+1][j] && p > unlikely {
					score[k+1][j], from[k+1][j] = p, i
				}
			}
		}
	}
	if score[m][n] <= unlikely/2 {
		return nil, false
	}
	out := make([]Aligned, m)
	for k, j := m, n; k > 0; k-- {
		i := from[k][j]
		out[k-1] = Aligned{Word: words[k-1], Piece: t.s[i:j], From: i, To: j,
			Whole: i < j && t.cuts[i] != cutNone && t.cuts[j] != cutNone}
		j = i
	}
	return out, true
}

// Costs of what an alignment would rather not do.
const (
	skipCost   = -9
	smallSkip  = -2
	acrossCost = -7
	cutCost    = -2
)

// pieceScore is how likely s[i:j] is to be written for word w.
func pieceScore(t *text, c *channelLogs, i, j int, w string) float32 {
	if i == j {
		if small[w] {
			return smallSkip
		}
		return skipCost
	}
	p := c.logP(t.s[i:j], w)
	if p <= unlikely {
		return unlikely
	}
	if s, n := t.inner(i, j); s > cutDigit {
		p += acrossCost * float32(n)
	}
	if t.cuts[i] == cutNone {
		p += cutCost
	}
	return p
}

// small are the words that names leave out.
var small = map[string]bool{"of": true, "to": true, "and": true, "in": true, "for": true, "by": true, "on": true,
	"at": true, "per": true, "with": true, "from": true, "or": true, "is": true}

// FirstChannel is what a Channel is learnt from when nothing is known: first letters stay, consonants more often than
// vowels.
func FirstChannel() Channel {
	var c Channel
	for place := range places {
		for kind := range 3 {
			for last := range 2 {
				for run := range runs {
					p := float32(0.6)
					if kind > 0 {
						p = 0.3
					}
					if run == runs-1 {
						p = 0.15
					}
					if place == 0 {
						p = 0.97
					}
					c.Keep[((place*3+kind)*2+last)*runs+run] = p
				}
			}
		}
	}
	for i := range c.Identity {
		c.Identity[i] = 0.5
	}
	return c
}

// ChannelCounts learn a Channel from pieces that were written for words.
type ChannelCounts struct {
	kept, all   [keepStates]float32
	same, words [lengths]float32
}

// Add counts one piece, whose letters are taken to be those that a thinks likeliest.
func (cc *ChannelCounts) Add(a *Aligner, piece, word string, weight float32) {
	if len(word) > maxWord || piece == "" {
		return
	}
	at := min(len(word), lengths-1)
	cc.words[at] += weight
	if piece == word {
		cc.same[at] += weight
		return
	}
	kept := a.logs.kept(piece, word)
	if kept == nil {
		return
	}
	run := 0
	for i := range kept {
		s := state(word, i, run)
		cc.all[s] += weight
		if kept[i] {
			cc.kept[s] += weight
			run = 0
		} else {
			run++
		}
	}
}

// Channel is what was counted, smoothed towards c.
func (cc *ChannelCounts) Channel(c *Channel) Channel {
	var out Channel
	const prior = 2
	for i := range out.Keep {
		out.Keep[i] = (cc.kept[i] + prior*c.Keep[i]) / (cc.all[i] + prior)
	}
	for i := range out.Identity {
		out.Identity[i] = (cc.same[i] + prior*c.Identity[i]) / (cc.words[i] + prior)
	}
	return out
}

// Small reports whether a word is one of those that names leave out.
func Small(word string) bool { return small[word] }

// Tokens are the parts of a name between its separators, changes of case and digits, in small letters.
func Tokens(name string) []string {
	t := squash(name)
	if t.s == "" {
		return nil
	}
	return t.tokens()
}

// Subsequence reports whether the letters of a piece stand in a longer word in this order.
func Subsequence(piece, word string) bool { return subsequence(piece, word) }

// Sayable reports whether people could say a text of small letters as a word of some language.
func Sayable(s string) bool { return sayable(s) }
