package tools

import (
	"cmp"
	"container/heap"

	"catena/planner/plan"
)

// queue holds the tasks that are ready. The one that the rest of the plan waits for longest comes first; of equals, the one that was
// ready first. What a tool's Limit does not let start now waits beside, without holding up others.
type queue struct {
	heap   taskHeap
	added  int
	active map[*Limit]int
	parked map[*Limit]*taskHeap
}

func (q *queue) add(t task) {
	q.added++
	t.order = q.added
	heap.Push(&q.heap, &t)
}

// next takes the first task that may start.
func (q *queue) next() (task, bool) {
	for len(q.heap) > 0 {
		t := heap.Pop(&q.heap).(*task)
		if t.limit == nil {
			return *t, true
		}
		if q.active == nil {
			q.active, q.parked = map[*Limit]int{}, map[*Limit]*taskHeap{}
		}
		if q.active[t.limit] < t.limit.size() {
			q.active[t.limit]++
			return *t, true
		}
		if q.parked[t.limit] == nil {
			q.parked[t.limit] = &taskHeap{}
		}
		heap.Push(q.parked[t.limit], t)
	}
	return task{}, false
}

// over notes that a task that next gave has ended.
func (q *queue) over(t task) {
	if t.limit == nil {
		return
	}
	q.active[t.limit]--
	if p := q.parked[t.limit]; p != nil && len(*p) > 0 {
		heap.Push(&q.heap, heap.Pop(p))
	}
}

type taskHeap []*task

func (h taskHeap) Len() int { return len(h) }
func (h taskHeap) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h[j].urgency, h[i].urgency), cmp.Compare(h[i].order, h[j].order)) < 0
}
func (h taskHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *taskHeap) Push(x any)   { *h = append(*h, x.(*task)) }
func (h *taskHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return last
}

// urgencies are the milliseconds from the start of each step to the end of the plan, on the longest way through the steps that
// need it, as far as latencies are known: the priorities of list scheduling by critical path (Graham 1966; Hu 1961). A tool
// that was never called counts as the mean of the others, so that alone the number of steps decides where nothing is known.
func urgencies(p plan.Plan, g plan.Graph, waves [][]int, reg *Registry) []float64 {
	own, unknown := make([]float64, len(p.Steps)), make([]int, 0, len(p.Steps))
	sum := 0.0
	for i, s := range p.Steps {
		ms, known := reg.latencies.estimate(s.Tool, s.Args)
		if own[i] = ms; !known {
			unknown = append(unknown, i)
		}
		sum += ms
	}
	usual := 1.0
	if n := len(own) - len(unknown); n > 0 && sum > 0 {
		usual = sum / float64(n)
	}
	for _, i := range unknown {
		own[i] = usual
	}
	for w := len(waves) - 1; w >= 0; w-- {
		for _, i := range waves[w] {
			after := 0.0
			for _, j := range g.Users[i] {
				after = max(after, own[j])
			}
			own[i] += after
		}
	}
	return own
}
