package retrieval

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"

	"catena/planner/plan"
)

// Index is a catalogue of tools made ready to be searched. It is not changed after New, so it is safe for concurrent use.
type Index struct {
	docs     []doc
	postings map[string][]posting
	idf      map[string]float64
	givers   map[string][]int // tools by the fields that they give
}

// Hit is a tool that fits a message.
type Hit struct {
	Tool  int     // its place in the list that New was given
	Score float64 // comparable between the hits of one message; above zero
}

// The fields of a tool's description.
const (
	inName = iota
	inText
	inArgs
	inServer
	fields
)

// BM25F's weights, saturation and corrections for length, by field (Robertson and Zaragoza 2009). They were set by hand: of the few
// settings tried on the development half of the retrieval sets, none was better on all of them.
var (
	weights = [fields]float64{2.5, 1, 0.3, 1}
	lengths = [fields]float64{0.3, 0.6, 0.6, 0.5}
)

const (
	saturation = 1.2
	// givenShare is what a tool counts for that gives what a better one needs: a little less than that.
	givenShare = 0.9
	// needing is how many of the best tools bring those that they need.
	needing = 3
	// mostTerms bounds the words of a message that are looked up.
	mostTerms = 256
)

// doc is a tool as the index has it.
type doc struct {
	terms map[string]*[fields]float64
	size  [fields]float64
	needs []string // names of its arguments
	gives []string // names of the fields of its result
}

type posting struct {
	doc   int32
	share float32 // of the word's inverse frequency that the tool gets
}

// New makes an index of tools, in time linear in their descriptions. The tools are not kept.
func New(tools []plan.Tool) *Index {
	x := &Index{postings: map[string][]posting{}, idf: map[string]float64{}, givers: map[string][]int{}}
	var mean [fields]float64
	for i, t := range tools {
		d := newDoc(t)
		for _, g := range d.gives {
			x.givers[g] = append(x.givers[g], i)
		}
		for f := range fields {
			mean[f] += d.size[f] / float64(len(tools))
		}
		for w := range d.terms {
			x.idf[w]++
		}
		x.docs = append(x.docs, d)
	}
	for w, n := range x.idf {
		x.idf[w] = math.Log(1 + (float64(len(tools))-n+0.5)/(n+0.5))
	}
	for i, d := range x.docs {
		for w, count := range d.terms {
			sum := 0.0
			for f, n := range count {
				if n > 0 {
					sum += weights[f] * n / (1 - lengths[f] + lengths[f]*d.size[f]/mean[f])
				}
			}
			x.postings[w] = append(x.postings[w], posting{int32(i), float32(sum / (saturation + sum))})
		}
	}
	return x
}

// schema is the part of a JSON Schema that is searched.
type schema struct {
	Description string            `json:"description"`
	Enum        []any             `json:"enum"`
	Properties  map[string]schema `json:"properties"`
	Items       *schema           `json:"items"`
}

func newDoc(t plan.Tool) doc {
	d := doc{terms: map[string]*[fields]float64{}}
	name := t.Name
	if server, own, ok := strings.Cut(name, "__"); ok {
		d.add(inServer, nameTerms(server))
		name = own
	}
	d.add(inName, nameTerms(name))
	d.add(inText, Terms(t.Title))
	d.add(inText, Terms(t.Description))
	var in, out schema
	if json.Unmarshal(t.InputSchema, &in) == nil {
		d.arguments(in, 0)
		d.needs = slices.Sorted(maps.Keys(in.Properties))
	}
	if len(t.OutputSchema) > 0 && json.Unmarshal(t.OutputSchema, &out) == nil {
		d.gives = slices.Sorted(maps.Keys(out.Properties))
	}
	return d
}

func (d *doc) add(field int, terms []string) {
	for _, w := range terms {
		count := d.terms[w]
		if count == nil {
			count = &[fields]float64{}
			d.terms[w] = count
		}
		count[field]++
		d.size[field]++
	}
}

// arguments adds the names, descriptions and values of arguments, also of those within others.
func (d *doc) arguments(s schema, depth int) {
	const deepest = 4
	if depth >= deepest {
		return
	}
	for name, p := range s.Properties {
		d.add(inArgs, nameTerms(name))
		d.add(inArgs, Terms(p.Description))
		for _, e := range p.Enum {
			if text, ok := e.(string); ok {
				d.add(inArgs, Terms(text))
			}
		}
		d.arguments(p, depth+1)
	}
	if s.Items != nil {
		d.arguments(*s.Items, depth+1)
	}
}

// Search gives the n tools that fit a message best, best first; tools that share nothing with it are left out. n of 0 or less
// gives none.
func (x *Index) Search(message string, n int) []Hit {
	if n <= 0 {
		return nil
	}
	count := map[string]float64{}
	var terms []string
	for _, w := range Terms(message) {
		if count[w]++; count[w] == 1 && len(terms) < mostTerms {
			terms = append(terms, w)
		}
	}
	scores := make([]float64, len(x.docs))
	met := make([]float64, len(x.docs))
	for _, w := range terms {
		clear(met)
		x.meet(met, w)
		often := 2 * count[w] / (1 + count[w])
		for i, s := range met {
			scores[i] += often * s
		}
	}
	x.provide(scores)
	return best(scores, n)
}

// meet adds what each tool gets for a word of the message: for the word itself, else for one that means nearly the same.
func (x *Index) meet(met []float64, w string) {
	idf, known := x.idf[w]
	if !known {
		idf = math.Log(2 + 2*float64(len(x.docs)))
	}
	for _, p := range x.postings[w] {
		met[p.doc] = idf * float64(p.share)
	}
	for _, other := range nearStems().near(w) {
		worth := other.weight * min(idf, 1.2*x.idf[other.stem])
		for _, p := range x.postings[other.stem] {
			met[p.doc] = max(met[p.doc], worth*float64(p.share))
		}
	}
}

// provide lifts the tools that give what the best ones need: the one that gives a token, an id. What many tools give is no such thing.
func (x *Index) provide(scores []float64) {
	for _, hit := range best(scores, needing) {
		for _, name := range x.docs[hit.Tool].needs {
			from := x.givers[name]
			if len(from) > 2 {
				continue
			}
			for _, i := range from {
				scores[i] = max(scores[i], givenShare*hit.Score)
			}
		}
	}
}

// best gives the places of the n highest scores above zero, highest first, equal ones in order.
func best(scores []float64, n int) []Hit {
	out := make([]Hit, 0, min(n, len(scores))+1)
	least := 0.0
	after := func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Tool, b.Tool)) }
	for i, s := range scores {
		if s <= least {
			continue
		}
		h := Hit{i, s}
		at, _ := slices.BinarySearchFunc(out, h, after)
		out = slices.Insert(out, at, h)
		if len(out) > n {
			out = out[:n]
			least = out[n-1].Score
		}
	}
	return out
}
