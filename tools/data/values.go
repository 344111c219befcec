package data

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"catena/internal/text"
	"catena/planner/plan"
	"catena/table"
	"catena/tools/data/pipeline"
)

// Bounds of an index: what lies beyond is not found by Find, but stays open to every other condition.
const (
	maxIndexed   = 50_000  // different values of one column
	maxValueLen  = 120     // bytes of one value
	maxScan      = 200_000 // rows looked at in one column
	maxHits      = 24      // of one Find
	maxPosting   = 4_000   // values looked at for one word
	maxPhrase    = 200     // bytes of a phrase
	maxSpellings = 32      // values that are one, told of a hit
	maxFound     = 2_000   // phrases whose hits an Index keeps
)

// Index finds which columns of a set of tables hold a phrase; it implements plan.Values. Tables are indexed when the first
// Find needs them. What was found of a phrase is kept: the planners of one message look for the same ones. Safe for
// concurrent use. The zero value holds no tables.
type Index struct {
	tables []table.Named
	cache  *IndexCache

	mu    sync.Mutex
	found map[string][]plan.Hit // by phrase
}

// IndexCache keeps the indexes of tables by their fingerprints, so that each is made once however many turns ask for it.
// The least recently used ones go first when there are more than Max, or when they take more than Bytes; the newest always stays.
// Safe for concurrent use; the zero value is ready.
type IndexCache struct {
	Max   int // tables kept; 0 means 64
	Bytes int // about what they may take together; 0 means 64 MiB

	mu    sync.Mutex
	kept  map[string]*tableIndex
	order []string // least recently used first
}

// Over gives an index over the tables, which keep the names that they have there. It does no work yet.
func (c *IndexCache) Over(tables []table.Named) *Index { return &Index{tables: tables, cache: c} }

func (c *IndexCache) get(t *table.Table) *tableIndex {
	key := t.Fingerprint()
	c.mu.Lock()
	ix, ok := c.kept[key]
	if !ok {
		ix = &tableIndex{}
		if c.kept == nil {
			c.kept = map[string]*tableIndex{}
		}
		c.kept[key] = ix
		c.order = append(c.order, key)
		if limit := cmp.Or(c.Max, 64); len(c.order) > limit {
			delete(c.kept, c.order[0])
			c.order = slices.Delete(c.order, 0, 1)
		}
	} else if i := slices.Index(c.order, key); i < len(c.order)-1 {
		c.order = append(slices.Delete(c.order, i, i+1), key)
	}
	c.mu.Unlock()
	ix.once.Do(func() {
		ix.build(t)
		c.made(ix)
	})
	return ix
}

// made counts a finished index, and lets old ones go where all take too much.
func (c *IndexCache) made(ix *tableIndex) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ix.counted = ix.bytes
	total := 0
	for _, kept := range c.kept {
		total += kept.counted
	}
	for limit := cmp.Or(c.Bytes, 64<<20); total > limit && len(c.order) > 1; {
		oldest := c.kept[c.order[0]]
		if oldest == ix {
			return
		}
		total -= oldest.counted
		delete(c.kept, c.order[0])
		c.order = slices.Delete(c.order, 0, 1)
	}
}

// Find implements plan.Values.
func (x *Index) Find(ctx context.Context, phrase string) []plan.Hit {
	if len(phrase) > maxPhrase {
		return nil
	}
	x.mu.Lock()
	hits, ok := x.found[phrase]
	x.mu.Unlock()
	if ok {
		return slices.Clone(hits)
	}
	if hits = x.find(ctx, phrase); ctx.Err() != nil {
		return hits // perhaps not of all tables
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.found == nil {
		x.found = map[string][]plan.Hit{}
	}
	if len(x.found) < maxFound {
		x.found[phrase] = slices.Clone(hits)
	}
	return hits
}

// find is Find, looked for anew.
func (x *Index) find(ctx context.Context, phrase string) []plan.Hit {
	words := keyWords(phrase)
	if len(words) == 0 {
		return nil
	}
	q := lookup{phrase: phrase, words: words, key: strings.Join(words, " ")}
	var hits []plan.Hit
	for _, named := range x.tables {
		if ctx.Err() != nil {
			break
		}
		for _, h := range x.cache.get(named.Table).find(q) {
			h.Table = named.Name
			hits = append(hits, h)
		}
	}
	slices.SortStableFunc(hits, func(a, b plan.Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(len(hits), maxHits)]
}

// lookup is a phrase made ready for comparison.
type lookup struct {
	phrase string
	words  []string
	key    string
}

func keyWords(s string) []string {
	words := plan.FoldWords(s)
	for i, w := range words {
		words[i] = plan.Singular(w)
	}
	return words
}

// entry is one value of one column.
type entry struct {
	col   int
	value string
	words []string
	rows  int
}

// tableIndex holds the text values of one table.
type tableIndex struct {
	once    sync.Once
	names   []string
	entries []entry
	exact   map[string][]int // by folded key
	words   map[string][]int // by folded word
	stems   map[string][]int // values of one word, by its stem
	near    map[nearKey][]string
	bytes   int // about what it takes, while it is made
	counted int // the same when it is finished, under the cache's lock
}

// nearKey buckets folded keys for the search of typing slips: a slip keeps the first letter, and the length to within one.
type nearKey struct {
	first byte
	size  int
}

func (ix *tableIndex) build(t *table.Table) {
	ix.names = t.Names()
	ix.exact, ix.words = map[string][]int{}, map[string][]int{}
	ix.stems, ix.near = map[string][]int{}, map[nearKey][]string{}
	for c := range t.NumCols() {
		if typ := t.Column(c).Type; typ == table.Text || typ == table.Bool {
			ix.addColumn(t, c)
		}
	}
}

func (ix *tableIndex) addColumn(t *table.Table, col int) {
	at := map[string]int{}
	for row := range min(t.NumRows(), maxScan) {
		v := t.Value(row, col)
		if pipeline.Blank(v) || v.Type() == table.Bool {
			continue
		}
		s := v.Text()
		if i, ok := at[s]; ok {
			ix.entries[i].rows++
			continue
		}
		if len(s) > maxValueLen || len(at) >= maxIndexed {
			continue
		}
		s = strings.Clone(s) // a part of the column's memory would keep all of it
		at[s] = len(ix.entries)
		ix.add(entry{col: col, value: s, words: keyWords(s), rows: 1})
	}
}

func (ix *tableIndex) add(e entry) {
	i := len(ix.entries)
	ix.entries = append(ix.entries, e)
	key := strings.Join(e.words, " ")
	const perEntry, perWord = 160, 48 // the entry with its places in the maps; a word's header, text and place
	ix.bytes += perEntry + 2*len(e.value) + perWord*len(e.words)
	if key == "" {
		return
	}
	if len(ix.exact[key]) == 0 && len(key) >= 5 {
		k := nearKey{key[0], len(key)}
		ix.near[k] = append(ix.near[k], key)
	}
	ix.exact[key] = append(ix.exact[key], i)
	if len(e.words) == 1 {
		stem := text.Stem(e.words[0])
		ix.stems[stem] = append(ix.stems[stem], i)
	}
	for n, w := range e.words {
		if len(e.words) > 1 && slices.Index(e.words, w) == n {
			ix.words[w] = append(ix.words[w], i)
		}
	}
}

// find looks for the phrase in every way, each column answering with its best way only.
func (ix *tableIndex) find(q lookup) []plan.Hit {
	best := map[int]bool{}
	var hits []plan.Hit
	take := func(match plan.Match, score float64, found []int) {
		for _, h := range ix.group(match, score, found) {
			if c := slices.Index(ix.names, h.Column); !best[c] {
				best[c] = true
				hits = append(hits, h)
			}
		}
	}
	same := ix.exactly(q)
	take(plan.Exact, 1, same)
	for _, other := range plan.Synonyms(q.phrase) {
		found := cased(q.phrase, ix.exact[other])
		take(plan.Synonym, 0.9, found)
		same = append(slices.Clip(same), found...)
	}
	ix.spell(hits, same)
	inside := ix.inside(q.words)
	prefix := slices.DeleteFunc(slices.Clone(inside), func(i int) bool { return !hasPrefix(ix.entries[i].words, q.words) })
	take(plan.Prefix, 0.75, prefix)
	take(plan.Word, 0.6, inside)
	if len(hits) == 0 && len(q.words) == 1 {
		take(plan.Stem, 0.6, ix.stems[text.Stem(q.words[0])])
	}
	if len(hits) == 0 {
		take(plan.Fuzzy, 0.5, ix.fuzzy(q.key))
	}
	return hits
}

// spell says of the hits of whole values how their columns write them.
func (ix *tableIndex) spell(hits []plan.Hit, same []int) {
	same = slices.Clone(same)
	slices.SortStableFunc(same, func(a, b int) int { return cmp.Compare(ix.entries[b].rows, ix.entries[a].rows) })
	for i, h := range hits {
		var values []string
		for _, at := range same {
			if e := ix.entries[at]; ix.names[e.col] == h.Column && len(values) < maxSpellings && !slices.Contains(values, e.value) {
				values = append(values, e.value)
			}
		}
		if len(values) > 1 {
			hits[i].Same = values
		}
	}
}

// exactly finds whole values. Words of one or two letters are too common to be taken for values unless their case agrees.
func (ix *tableIndex) exactly(q lookup) []int {
	found := ix.exact[q.key]
	if len(q.key) > 2 {
		return found
	}
	var same []int
	for _, i := range found {
		if ix.entries[i].value == q.phrase {
			same = append(same, i)
		}
	}
	return same
}

// cased drops synonyms that only a code of the wrong case would connect: "in" is not India, "us" is not the USA.
func cased(phrase string, found []int) []int {
	if plan.IsCode(phrase) && phrase != strings.ToUpper(phrase) {
		return nil
	}
	return found
}

func hasPrefix(words, prefix []string) bool {
	return len(words) >= len(prefix) && slices.Equal(words[:len(prefix)], prefix)
}

// inside finds the values of several words that hold the words next to each other.
func (ix *tableIndex) inside(words []string) []int {
	rarest := ix.words[words[0]]
	for _, w := range words[1:] {
		if list := ix.words[w]; len(list) < len(rarest) {
			rarest = list
		}
	}
	var found []int
	for _, i := range rarest[:min(len(rarest), maxPosting)] {
		have := ix.entries[i].words
		for at := range have {
			if len(have) > len(words) && hasPrefix(have[at:], words) {
				found = append(found, i)
				break
			}
		}
	}
	return found
}

// fuzzy finds whole values one edit away.
func (ix *tableIndex) fuzzy(key string) []int {
	if len(key) < 5 {
		return nil
	}
	var found []int
	for size := len(key) - 1; size <= len(key)+1; size++ {
		for _, have := range ix.near[nearKey{key[0], size}] {
			if plan.Near(key, have) {
				found = append(found, ix.exact[have]...)
			}
		}
	}
	return found
}

// group makes one hit per column: its most frequent value, the rows of all.
func (ix *tableIndex) group(match plan.Match, score float64, found []int) []plan.Hit {
	var hits []plan.Hit
	top := map[string]int{}
	for _, i := range found {
		e := ix.entries[i]
		name := ix.names[e.col]
		at := slices.IndexFunc(hits, func(h plan.Hit) bool { return h.Column == name })
		if at < 0 {
			at = len(hits)
			hits = append(hits, plan.Hit{Column: name, Match: match, Score: score})
		}
		h := &hits[at]
		h.Rows += e.rows
		h.Values++
		if e.rows > top[name] {
			top[name], h.Value = e.rows, e.value
		}
	}
	return hits
}
