// Command retrieval measures how well the planner's retriever finds the tools that a message needs, among up to thousands.
//
//	go -C bench run ./retrieval -data DIR [-split dev] [-n N] [-v] [-json]
//
// DIR holds retrieval. One configuration for all pools: the retriever that the planners shorten catalogues with. Misses are the
// queries whose tools are not all among the first ten. Nothing of the sets is used to train the embedded model.
package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"time"

	"catena/bench/sets"
	"catena/planner/retrieval"
)

// figures are what the last line reports; the names are fixed.
type figures struct {
	APIGen   float64 `json:"apigen_ndcg10"`
	APIBank  float64 `json:"apibank_ndcg10"`
	LiveMCP  float64 `json:"livemcp_server_r5"`
	LiveLow  float64 `json:"livemcp_server_r5_low"`
	LiveHigh float64 `json:"livemcp_server_r5_high"`
	MetaTool float64 `json:"metatool_r5"`
	P99      float64 `json:"p99_ms"`
}

func main() {
	o := sets.Flags("retrieval", "retrieval")
	o.Parse()
	f, err := measure(o)
	o.End(f, err)
}

func measure(o *sets.Options) (figures, error) {
	var f figures
	fmt.Printf("%-28s %6s %7s %6s %6s %6s %6s %8s\n", "pool", "tools", "queries", "R@1", "R@5", "R@10", "N@10", "p99 ms")
	for _, name := range poolNames(o) {
		p, ok, err := loadPool(o, name)
		if err != nil {
			return f, err
		}
		if !ok {
			continue
		}
		s := p.score(o)
		fmt.Printf("%-28s %6d %7d %6.1f %6.1f %6.1f %6.1f %8.3f\n", name, len(p.tools), len(p.queries), s.recall1, s.recall5, s.recall10, s.ndcg10, s.p99)
		f.P99 = max(f.P99, s.p99)
		switch name {
		case "toolret_apigen":
			f.APIGen = s.ndcg10
		case "toolret_apibank":
			f.APIBank = s.ndcg10
		case "metatool":
			f.MetaTool = s.recall5
		case "livemcpbench":
			f.LiveMCP, f.LiveLow, f.LiveHigh = mean(s.servers), 0, 0
			f.LiveLow, f.LiveHigh = interval(s.servers)
			fmt.Printf("  servers by their best tools: R@5 %.1f, 95 %% interval %.1f to %.1f over queries\n", f.LiveMCP, f.LiveLow, f.LiveHigh)
		}
	}
	return f, nil
}

// scores are means over the queries of a pool, in percent.
type scores struct {
	recall1, recall5, recall10, ndcg10 float64
	servers                            []float64 // recall of the servers at 5, by query
	p99                                float64   // milliseconds
}

// fastest is how long a shortlist of forty tools takes: the fastest of three, so that what else the machine does counts less.
func fastest(index *retrieval.Index, message string) time.Duration {
	const shortlist, runs = 40, 3
	least := time.Duration(math.MaxInt64)
	for range runs {
		start := time.Now()
		index.Search(message, shortlist)
		least = min(least, time.Since(start))
	}
	return least
}

func (p pool) score(o *sets.Options) scores {
	index := retrieval.New(p.tools)
	var s scores
	var took []time.Duration
	var r1, r5, r10, n10 []float64
	for _, q := range p.queries {
		took = append(took, fastest(index, q.Query))
		ranked := index.Search(q.Query, len(p.tools))
		ids := make([]string, len(ranked))
		for i, hit := range ranked {
			ids[i] = p.ids[hit.Tool]
		}
		gains := q.gains(ids)
		r1 = append(r1, recall(gains, 1, len(q.Relevant)))
		r5 = append(r5, recall(gains, 5, len(q.Relevant)))
		r10 = append(r10, recall(gains, 10, len(q.Relevant)))
		n10 = append(n10, ndcg(gains, 10, len(q.Relevant)))
		if p.name == "livemcpbench" {
			s.servers = append(s.servers, q.serverRecall(p, ids, 5))
		}
		if recall(gains, 10, len(q.Relevant)) < 1 {
			o.Missf("MISS %s %s: %s\n   wants %s\n   has   %s", p.name, q.ID, q.Query, strings.Join(q.Relevant, " "), strings.Join(ids[:min(5, len(ids))], " "))
		}
	}
	runtime.KeepAlive(index)
	s.recall1, s.recall5, s.recall10, s.ndcg10 = mean(r1), mean(r5), mean(r10), mean(n10)
	slices.Sort(took)
	if len(took) > 0 {
		s.p99 = float64(took[min(len(took)-1, len(took)*99/100)].Microseconds()) / 1000
	}
	return s
}

// gains says of each rank whether it holds a relevant tool that no better rank held. Each of the same tools of several servers will do.
func (q query) gains(ids []string) []bool {
	same := map[string]string{}
	for _, id := range q.Relevant {
		same[id] = id
		for _, other := range q.Alternatives[id] {
			same[other] = id
		}
	}
	out, found := make([]bool, len(ids)), map[string]bool{}
	for i, id := range ids {
		if want := same[id]; want != "" && !found[want] {
			out[i], found[want] = true, true
		}
	}
	return out
}

// serverRecall is the share of the servers of the relevant tools among the first k servers, each ranked by its best tool.
func (q query) serverRecall(p pool, ids []string, k int) float64 {
	var order []string
	for _, id := range ids {
		if s := p.server(id); !slices.Contains(order, s) {
			order = append(order, s)
		}
	}
	order = order[:min(k, len(order))]
	wanted, hits := map[string]bool{}, 0
	for _, id := range q.Relevant {
		s := p.server(id)
		if wanted[s] {
			continue
		}
		wanted[s] = true
		ok := slices.Contains(order, s)
		for _, other := range q.Alternatives[id] {
			ok = ok || slices.Contains(order, p.server(other))
		}
		if ok {
			hits++
		}
	}
	return float64(hits) / float64(max(1, len(wanted)))
}

func recall(gains []bool, k, relevant int) float64 {
	n := 0
	for _, g := range gains[:min(k, len(gains))] {
		if g {
			n++
		}
	}
	return float64(n) / float64(max(1, relevant))
}

// ndcg is the normalised discounted cumulative gain of binary relevance (Järvelin and Kekäläinen, 2002).
func ndcg(gains []bool, k, relevant int) float64 {
	got, best := 0.0, 0.0
	for i := range k {
		at := 1 / math.Log2(float64(i)+2)
		if i < len(gains) && gains[i] {
			got += at
		}
		if i < relevant {
			best += at
		}
	}
	return got / max(best, 1e-12)
}

// mean is in percent.
func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return 100 * sum / float64(max(1, len(xs)))
}

// interval is the 95 % interval of a mean by the percentile bootstrap with a fixed seed (Efron, 1979), in percent.
func interval(xs []float64) (low, high float64) {
	const draws = 2000
	random := rand.New(rand.NewPCG(1, 2))
	means := make([]float64, draws)
	for i := range means {
		sum := 0.0
		for range xs {
			sum += xs[random.IntN(max(1, len(xs)))]
		}
		means[i] = 100 * sum / float64(max(1, len(xs)))
	}
	slices.Sort(means)
	return means[draws*25/1000], means[draws*975/1000]
}
