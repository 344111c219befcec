package main

import (
	"fmt"
	"strings"
	"time"

	"catena/bench/program"
)

// result is all that was found out.
type result struct {
	o               options
	attacks         assaults
	quiet, attacked use
	least           use // while another server was attacked that does the least; nothing came of it without -floor
	before, after   program.Sample
	peak            int64
}

const (
	// worse is by how much the p99 of honest messages may rise.
	worse = 1.1
	// least is the share of the attacks that must have been sent for the others to tell anything.
	least = .5
)

// faults are what was not as it must be.
func (r result) faults() []string {
	var list []string
	for _, a := range r.attacks.Kinds {
		list = append(list, a.faults()...)
	}
	for name, u := range map[string]use{"without": r.quiet, "with": r.attacked} {
		list = append(list, u.faults(name)...)
	}
	if r.peak > r.o.memory<<20 {
		list = append(list, fmt.Sprintf("the program took %d MiB, and %d are the bound", r.peak>>20, r.o.memory))
	}
	if r.after.Goroutines > r.before.Goroutines+30 {
		list = append(list, fmt.Sprintf("%d goroutines are left of %d", r.after.Goroutines, r.before.Goroutines))
	}
	if r.after.Descriptors > r.before.Descriptors+20 {
		list = append(list, fmt.Sprintf("%d descriptors are left of %d", r.after.Descriptors, r.before.Descriptors))
	}
	if !r.o.short {
		list = append(list, r.longFaults()...)
	}
	return list
}

// longFaults are those that a short run is not long enough for.
func (r result) longFaults() (list []string) {
	if r.ratio() > worse {
		list = append(list, fmt.Sprintf("the p99 of honest messages is %.2f times as high under the attack", r.ratio()))
	}
	if wanted, sent := r.attacks.paced(); float64(sent) < least*float64(wanted) {
		list = append(list, fmt.Sprintf("%d of %d attacks were sent, which is less than half", sent, wanted))
	}
	if places, held := r.attacks.held(); float64(held) < least*float64(places) {
		list = append(list, fmt.Sprintf("%d of %d connections were held, which is less than half", held, places))
	}
	if most := r.untold(); most > 0 {
		list = append(list, tooShort(r.o.length, most))
	}
	return list
}

// faults are messages and downloads that failed, in turns without or with the attack.
func (u use) faults(turns string) (list []string) {
	for what, h := range map[string]*honest{"messages": u.messages, "downloads": u.downloads} {
		if h.failed > 0 {
			list = append(list, fmt.Sprintf("%d honest %s failed %s the attack: %v", h.failed, what, turns, h.first))
		}
	}
	return list
}

// paced is how many attacks were due by their rate, and how many of those were sent.
func (a assaults) paced() (wanted, sent int) {
	for _, t := range a.Kinds {
		wanted, sent = wanted+t.Wanted, sent+t.Sent
	}
	return wanted, sent
}

// held is how many connections were to be held at once, and how many were of each kind when they were most.
func (a assaults) held() (places, held int) {
	for _, t := range a.Kinds {
		places, held = places+t.Places, held+t.Held
	}
	return places, held
}

// untold is the largest bound of held connections that a turn is too short to go over, 0 where it is long enough for all.
func (r result) untold() (most time.Duration) {
	for _, t := range r.attacks.Kinds {
		if t.Most >= r.o.length {
			most = max(most, t.Most)
		}
	}
	return most
}

func tooShort(turn, most time.Duration) string {
	return fmt.Sprintf("a turn of %.0f s is too short to see a connection held for longer than its bound of %.0f s", turn.Seconds(), most.Seconds())
}

// ratio is how many times as high the p99 of honest messages is under the attack.
func (r result) ratio() float64 { return r.times(r.attacked) }

// times is how many times as high the p99 of honest messages is in turns of a kind as in those without an attack.
func (r result) times(u use) float64 {
	before := r.quiet.messages.ms(.99)
	if before == 0 {
		return 0
	}
	return u.messages.ms(.99) / before
}

// String is a table.
func (r result) String() string {
	var b strings.Builder
	for _, a := range r.attacks.Kinds {
		b.WriteString(a.String())
	}
	wanted, sent := r.attacks.paced()
	places, held := r.attacks.held()
	fmt.Fprintf(&b, "attacks sent: %d of %d; connections held: %d of %d; the attackers waited %.1f s for the processor at the most, and what they saw late for that is not in the times above\n",
		sent, wanted, held, places, r.attacks.Late.Seconds())
	if most := r.untold(); most > 0 {
		fmt.Fprintln(&b, tooShort(r.o.length, most))
	}
	for _, l := range []struct {
		name string
		h    *honest
	}{
		{"messages without the attack", r.quiet.messages}, {"messages with it", r.attacked.messages},
		{"downloads without the attack", r.quiet.downloads}, {"downloads with it", r.attacked.downloads},
	} {
		fmt.Fprintf(&b, "honest %-29s %5d, failed %d, %d times told to come again; p50 %.1f ms, p99 %.1f ms\n", l.name, l.h.count(), l.h.failed, l.h.busy, l.h.ms(.5), l.h.ms(.99))
	}
	fmt.Fprintf(&b, "p99 with the attack / without: %.2f\n", r.ratio())
	if r.o.floor {
		fmt.Fprintf(&b, "p99 while a server that does the least is attacked / without: %.2f (p50 %.1f ms, p99 %.1f ms): the machine's part\n",
			r.times(r.least), r.least.messages.ms(.5), r.least.messages.ms(.99))
	}
	fmt.Fprintf(&b, "resident memory: %d MiB before, %d MiB at the most, %d MiB after; heap %d MiB before, %d MiB after; goroutines %d, %d; descriptors %d, %d; processor %.1f s\n",
		r.before.RSS>>20, r.peak>>20, r.after.RSS>>20, r.before.Heap>>20, r.after.Heap>>20, r.before.Goroutines, r.after.Goroutines,
		r.before.Descriptors, r.after.Descriptors, (r.after.CPU - r.before.CPU).Seconds())
	return b.String()
}

// figures are the results by name.
func (r result) figures(faults []string) map[string]any {
	wanted, sent := r.attacks.paced()
	places, held := r.attacks.held()
	f := map[string]any{
		"faults": len(faults), "honest_p99_ms": r.quiet.messages.ms(.99), "attacked_p99_ms": r.attacked.messages.ms(.99), "p99_ratio": r.ratio(),
		"peak_mib": r.peak >> 20, "honest_failed": r.quiet.messages.failed + r.attacked.messages.failed,
		"downloads": r.quiet.downloads.count() + r.attacked.downloads.count(), "downloads_failed": r.quiet.downloads.failed + r.attacked.downloads.failed,
		"attacks_wanted": wanted, "attacks_sent": sent, "connections_wanted": places, "connections_held": held,
		"attackers_late_s": r.attacks.Late.Seconds(), "bounds_told": r.untold() == 0,
	}
	if r.o.floor {
		f["floor_p99_ms"], f["floor_ratio"] = r.least.messages.ms(.99), r.times(r.least)
	}
	for _, a := range r.attacks.Kinds {
		f[a.Name] = a.Came
	}
	return f
}
