package retrieval

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"

	"catena/planner/plan"
)

// Index is a catalogue of tools made ready to be searched. It is not changed after New, so it is safe for concurrent use.
type Index struct {
	docs     []*doc
	postings map[string][]posting
	idf      map[string]float64
	givers   map[string][]int // tools by the fields that they give
	servers  map[string][]int // tools by the server that their names begin with
	vectors  []float32        // of the tools, one behind the other
}

// Hit is a tool that fits a message.
type Hit struct {
	Tool  int     // its place in the list that New was given
	Score float64 // comparable between the hits of one message; above zero
	// Cosine of the angle between what the message and what the tool mean, comparable between messages: mostly above 0.3 where the
	// message asks for the tool alone, below 0.25 where the two have nothing in common.
	Cosine float64
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
	weights = [fields]float64{2.5, 1, 0.5, 1}
	lengths = [fields]float64{0.3, 0.6, 0.6, 0.5}
)

const saturation = 1.2

// doc is a tool as the index has it.
type doc struct {
	terms map[string]*[fields]float64
	size  [fields]float64
	needs []string        // names of its arguments
	gives []string        // names of the fields of its result
	said  strings.Builder // names and descriptions of its arguments
}

type posting struct {
	doc   int32
	share float32 // of the word's inverse frequency that the tool gets
}

// New makes an index of tools, in time linear in their descriptions. The tools are not kept.
func New(tools []plan.Tool) *Index {
	x := &Index{postings: map[string][]posting{}, idf: map[string]float64{}, givers: map[string][]int{}, servers: map[string][]int{}}
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
		if server, _, ok := strings.Cut(t.Name, "__"); ok {
			x.servers[server] = append(x.servers[server], i)
		}
		x.vectors = append(x.vectors, describe(t, d.said.String())...)
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

func newDoc(t plan.Tool) *doc {
	d := &doc{terms: map[string]*[fields]float64{}}
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
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		d.said.WriteString(name + " " + p.Description + ". ")
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
