package persona

// Mirrored bounds the documents that an embedded store holds in memory, and returns how many owners it holds.
func Mirrored(s Store, most int64) (owners func() int) {
	e := s.(*embedded)
	e.most = most
	return func() int {
		e.mu.Lock()
		defer e.mu.Unlock()
		return len(e.owners)
	}
}
