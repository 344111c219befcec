package runs

// Bounds of the newest events of a run under way that are kept in memory for its readers. Most readers wait for the
// next event: it need not be read from the log for each of them. Who is further behind reads the log.
const (
	recentEvents = 64
	recentBytes  = 64 << 10
)

// recent are the newest events of a run's log: they are on disk, and the last one has the number before liveRun.next.
type recent struct {
	events [][]byte // never changed in place: readers hold parts of it
	bytes  int
}

// add takes events that were written.
func (r *recent) add(events [][]byte) {
	for _, data := range events {
		r.bytes += len(data)
	}
	r.events = append(r.events, events...)
	for len(r.events) > recentEvents || r.bytes > recentBytes {
		r.bytes -= len(r.events[0])
		r.events = r.events[1:]
	}
	if len(r.events) == 0 {
		r.events = nil
	}
}

// since gives the events of a run under way after a number, and reports whether memory has all of them. A run of
// another process has none.
func (l *liveRun) since(after uint64) ([][]byte, bool) {
	if l == nil {
		return nil, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	n := uint64(len(l.recent.events))
	if l.lost || n == 0 || after+1 < l.next-n {
		return nil, false
	}
	if after+1 >= l.next {
		return nil, true
	}
	return l.recent.events[n-(l.next-1-after) : n : n], true
}
