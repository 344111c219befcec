package main

import (
	"fmt"
	"strings"
	"time"
)

// memoryBar is the most that Catena may hold, in bytes.
const memoryBar = 60 << 20

// ratio is the median over the rounds of what a call takes one server beside another.
func (r *row) ratio(name, to string) float64 {
	list := make([]float64, len(r.per[name]))
	for i := range list {
		list[i] = float64(r.per[name][i]) / float64(r.per[to][i])
	}
	return median(list)
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }

func mebibytes(n int64) float64 { return float64(n) / (1 << 20) }

// print writes the table, and returns the bars that were missed.
func (m *measurement) print() (missed []error) {
	fmt.Printf("%-12s %-11s %8s %10s %10s %10s %14s %16s %6s\n", "tool", "protocol", "clients", "net/http", "mcp-go", "catena", "catena/mcp-go", "mcp-go/net/http", "bar")
	for i := range m.rows {
		r := &m.rows[i]
		ours, verdict := r.ratio("catena", "mcp-go"), ""
		if ours > r.tool.bar {
			verdict = "  missed"
			missed = append(missed, fmt.Errorf("%s, %s, %d clients: %.2f times the processor time of mcp-go, and %.2f is the bar", r.tool.name, r.era, r.clients, ours, r.tool.bar))
		}
		fmt.Printf("%-12s %-11s %8d %7.0f us %7.0f us %7.0f us %14.2f %16.2f %6.2f%s\n", r.tool.name, r.era, r.clients, micros(median(r.per["net/http"])), micros(median(r.per["mcp-go"])),
			micros(median(r.per["catena"])), ours, r.ratio("mcp-go", "net/http"), r.tool.bar, verdict)
	}
	fmt.Println("\nBytes of an answer, and memory:")
	for _, name := range []string{"net/http", "mcp-go", "catena"} {
		var sizes []string
		for i := range m.rows {
			if i == 0 || m.rows[i].tool.name != m.rows[i-1].tool.name {
				sizes = append(sizes, fmt.Sprintf("%s %d", m.rows[i].tool.name, m.rows[i].size[name]))
			}
		}
		fmt.Printf("  %-9s %-34s resident %5.1f MB, peak %5.1f MB\n", name, strings.Join(sizes, ", "), mebibytes(m.largest[name]), mebibytes(m.peak[name]))
	}
	if m.largest["catena"] > memoryBar {
		missed = append(missed, fmt.Errorf("catena holds %.1f MB, and 60 is the bar", mebibytes(m.largest["catena"])))
	}
	return missed
}

// figures are the results by name.
func (m *measurement) figures() map[string]any {
	out := map[string]any{}
	for i := range m.rows {
		r := &m.rows[i]
		key := fmt.Sprintf("%s_%s_%d_", map[string]string{"echo": "echo", "query_table": "table"}[r.tool.name], map[string]string{withSession: "2025", stateless: "2026"}[r.era], r.clients)
		for _, name := range []string{"net/http", "mcp-go", "catena"} {
			out[key+strings.NewReplacer("/", "", "-", "").Replace(name)+"_us"] = micros(median(r.per[name]))
		}
		out[key+"ratio"], out[key+"mcpgo_ratio"] = r.ratio("catena", "mcp-go"), r.ratio("mcp-go", "net/http")
	}
	out["rss_mb"], out["peak_mb"] = mebibytes(m.largest["catena"]), mebibytes(m.peak["catena"])
	return out
}
