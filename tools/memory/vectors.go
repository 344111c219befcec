package memory

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"sync"
	"time"

	"catena/internal/text"
)

// Bounds of the work with vectors.
const (
	embedBatch = 32 // texts of one request to the embedder
	// embedLimit is how long one request may take. What waits for it can do without: the call then goes on by words only.
	embedLimit = 10 * time.Second
	// rankConstant is the k of reciprocal rank fusion: Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms
	// Condorcet and individual rank learning methods", 2009.
	rankConstant = 60
	// defaultCosine is Options.MinCosine's default.
	defaultCosine = 0.35
)

// vectors embeds texts and compares them. A nil *vectors adds nothing and finds nothing.
type vectors struct {
	store Store
	embed func(ctx context.Context, texts []string) ([][]float32, error)
	model string
	least float64
	log   *slog.Logger

	ctx    context.Context // ends with close
	cancel context.CancelFunc
	ending sync.WaitGroup
	mu     sync.Mutex
	closed bool
	busy   map[[2]string]bool // scopes that are being embedded
}

func newVectors(opt Options) *vectors {
	v := &vectors{store: opt.Store, embed: opt.Embed, model: opt.Model, least: cmp.Or(opt.MinCosine, defaultCosine), log: opt.Log, busy: map[[2]string]bool{}}
	v.ctx, v.cancel = context.WithCancel(context.Background())
	return v
}

func (v *vectors) close() {
	v.mu.Lock()
	v.closed = true
	v.mu.Unlock()
	v.cancel()
	v.ending.Wait()
}

// of embeds texts and scales the vectors to length 1. model is the name that they are kept under: a model whose vectors get
// another length counts as another one.
func (v *vectors) of(ctx context.Context, texts []string) (list [][]float32, model string, err error) {
	ctx, cancel := context.WithTimeout(ctx, embedLimit)
	defer cancel()
	if list, err = v.embed(ctx, texts); err != nil {
		return nil, "", fmt.Errorf("memory: the embedder failed: %w", err)
	}
	if len(list) != len(texts) {
		return nil, "", fmt.Errorf("memory: the embedder gave %d vectors for %d texts", len(list), len(texts))
	}
	for _, vector := range list {
		if len(vector) == 0 || len(vector) != len(list[0]) {
			return nil, "", errors.New("memory: the embedder gave vectors of different lengths, or empty ones")
		}
		if err := scale(vector); err != nil {
			return nil, "", err
		}
	}
	return list, fmt.Sprintf("%s/%d", v.model, len(list[0])), nil
}

// scale makes a vector's length 1, so that a cosine is a product.
func scale(vector []float32) error {
	var square float64
	for _, x := range vector {
		square += float64(x) * float64(x)
	}
	if square == 0 || math.IsNaN(square) || math.IsInf(square, 0) {
		return errors.New("memory: the embedder gave a vector without a direction")
	}
	for i := range vector {
		vector[i] = float32(float64(vector[i]) / math.Sqrt(square))
	}
	return nil
}

// add embeds memories and keeps their vectors.
func (v *vectors) add(ctx context.Context, owner string, list ...Memory) error {
	if v == nil || len(list) == 0 {
		return nil
	}
	texts := make([]string, len(list))
	for i, m := range list {
		texts[i] = m.Content
	}
	made, model, err := v.of(ctx, texts)
	if err != nil {
		return err
	}
	rows := make([]Vector, len(list))
	for i, m := range list {
		rows[i] = Vector{Number: m.Number, Version: m.Version, Vector: encode(made[i])}
	}
	return v.store.PutMemoryVectors(ctx, owner, model, rows)
}

func encode(vector []float32) []byte {
	out := make([]byte, 0, 4*len(vector))
	for _, x := range vector {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

// product is the sum of the products of a vector and an encoded one of the same length.
func product(a []float32, b []byte) float64 {
	var total float32
	for i, x := range a {
		total += x * math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return float64(total)
}

// search finds the memories whose vectors are nearest to the query's, best first. note says why some may be missing.
func (v *vectors) search(ctx context.Context, s *searcher, query string) (near []posting, note string, err error) {
	made, model, err := v.of(ctx, []string{query})
	if err != nil {
		if ctx.Err() != nil {
			return nil, "", err
		}
		v.log.WarnContext(ctx, "a search went without vectors", "error", err.Error())
		return nil, "The embedder did not answer, so memories were found by their words only.", nil
	}
	asked := made[0]
	err = v.store.EachMemoryVector(ctx, s.owner, s.namespace, model, func(number int64, vector []byte) {
		if len(vector) == 4*len(asked) {
			if p := (posting{number, product(asked, vector)}); p.quality >= v.least {
				near = append(near, p)
			}
		}
	})
	if err != nil {
		return nil, "", err
	}
	slices.SortFunc(near, func(a, b posting) int {
		return cmp.Or(cmp.Compare(b.quality, a.quality), cmp.Compare(b.number, a.number))
	})
	near = near[:min(len(near), maxCandidates)]
	_, missing, err := v.store.MemoriesWithoutVector(ctx, s.owner, s.namespace, model, 0)
	if err != nil || missing == 0 {
		return near, "", err
	}
	v.fill(s.owner, s.namespace, model)
	return near, fmt.Sprintf("%s not embedded yet and found by words only; that is being done.", text.CountOf(int(missing), "memory is", "memories are")), nil
}

// fill embeds, in the background, what a namespace has without a vector. Each namespace is filled by one goroutine at a time; an
// embedder that fails ends it until the next search.
func (v *vectors) fill(owner, namespace, model string) {
	key := [2]string{owner, namespace}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed || v.busy[key] {
		return
	}
	v.busy[key] = true
	v.ending.Go(func() {
		defer func() {
			v.mu.Lock()
			defer v.mu.Unlock()
			delete(v.busy, key)
		}()
		if err := v.fillAll(owner, namespace, model); err != nil && v.ctx.Err() == nil {
			v.log.Warn("memories could not be embedded; the next search tries again", "error", err.Error())
		}
	})
}

func (v *vectors) fillAll(owner, namespace, model string) error {
	last := int64(math.MaxInt64)
	for {
		list, left, err := v.store.MemoriesWithoutVector(v.ctx, owner, namespace, model, embedBatch)
		if err != nil || len(list) == 0 {
			return err
		}
		if left >= last {
			return fmt.Errorf("memory: %d vectors stay missing", left)
		}
		last = left
		if err := v.add(v.ctx, owner, list...); err != nil {
			return err
		}
	}
}

// fuse joins what was found by words and by vectors. The score is the larger of the two and decides the order; where it is
// equal, the sums do of what each list gives a memory: 1/(60 + its place).
func fuse(ctx context.Context, s *searcher, words []hit, near []posting, limit int) ([]hit, error) {
	place := map[int64]float64{}
	cosine := map[int64]float64{}
	have := map[int64]bool{}
	for i, h := range words {
		place[h.Number] += 1 / float64(rankConstant+i+1)
		have[h.Number] = true
	}
	var missing []int64
	for i, p := range near {
		place[p.number] += 1 / float64(rankConstant+i+1)
		cosine[p.number] = p.quality
		if !have[p.number] {
			missing = append(missing, p.number)
		}
	}
	if len(missing) > 0 {
		texts, err := s.store.MemoriesByNumber(ctx, s.owner, s.namespace, missing)
		if err != nil {
			return nil, err
		}
		for _, m := range texts {
			words = append(words, hit{Memory: m})
		}
	}
	for i := range words {
		h := &words[i]
		h.score = max(h.score, math.Round(1000*min(cosine[h.Number], 1))/10)
	}
	slices.SortFunc(words, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(place[b.Number], place[a.Number]), cmp.Compare(b.Number, a.Number))
	})
	return words[:min(len(words), limit)], nil
}
