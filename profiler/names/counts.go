package names

// Counts are what a Model is made of: how often words, pairs and triples of them stand in expansions, and by which
// pieces of names they are written. Strings of several words are joined by spaces.
type Counts struct {
	// every word of the vocabulary, with how often it occurs; fractions for words from lists
	Words   map[string]float32
	Pairs   map[[2]string]float32         // a word after another; "" is the edge of an expansion
	Triples map[[3]string]float32         // a word after two others
	Pieces  map[string]map[string]float32 // piece -> word or words that it stands for
	Skips   map[string]float32            // words of which names show nothing
	Channel Channel
}

// NewCounts are counts of nothing.
func NewCounts() *Counts {
	return &Counts{Words: map[string]float32{}, Pairs: map[[2]string]float32{}, Triples: map[[3]string]float32{},
		Pieces: map[string]map[string]float32{}, Skips: map[string]float32{}}
}

// AddExpansion counts the words of an expansion.
func (c *Counts) AddExpansion(words []string, weight float32) {
	u, v := "", ""
	for _, w := range append(append([]string{}, words...), "") {
		if w != "" {
			c.Words[class(w)] += weight
		}
		c.Pairs[[2]string{class(v), class(w)}] += weight
		c.Triples[[3]string{class(u), class(v), class(w)}] += weight
		u, v = v, w
	}
}

// AddPiece counts that piece was written for words.
func (c *Counts) AddPiece(piece, words string, weight float32) {
	m := c.Pieces[piece]
	if m == nil {
		m = map[string]float32{}
		c.Pieces[piece] = m
	}
	m[words] += weight
}

// key is FNV-1a.
func key(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// class is the word itself, or one of a few signs for numbers: which number follows is not learnt.
func class(w string) string {
	digits := 0
	for i := range len(w) {
		if w[i] >= '0' && w[i] <= '9' {
			digits++
		}
	}
	switch {
	case digits == 0:
		return w
	case digits == 4 && len(w) == 4 && (w[:2] == "19" || w[:2] == "20"):
		return "<year>"
	case digits == len(w):
		return "<number>"
	}
	return w
}
