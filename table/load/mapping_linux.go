package load

import (
	"os"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// mapping is a file's content as memory of the system's, which reads it when it is first looked at: nothing is copied,
// and what has been read can be given back.
type mapping struct {
	data []byte
	done atomic.Int64 // bytes from the start that were given back
}

// mapFile maps a file of the given size; false where that is not possible.
func mapFile(f *os.File, size int64) (*mapping, bool) {
	data, err := syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_PRIVATE)
	if err != nil {
		return nil, false
	}
	return &mapping{data: data}, true
}

// passed gives memory back: what comes before the end of text, which must be a part of the mapping, else nothing is
// done. It can be looked at again, and is then read once more. Calls come one after the other.
func (m *mapping) passed(text string) {
	const step = 4 << 20 // that are worth a call
	end := int64(uintptr(unsafe.Pointer(unsafe.StringData(text)))+
		uintptr(len(text))) - int64(uintptr(unsafe.Pointer(unsafe.SliceData(m.data))))
	done := m.done.Load()
	if end < done+step || end > int64(len(m.data)) {
		return
	}
	end = end / step * step
	_ = syscall.Madvise(m.data[done:end], syscall.MADV_DONTNEED) // advice
	m.done.Store(end)
}

// close ends the mapping: nobody may look at the content any more.
func (m *mapping) close() { _ = syscall.Munmap(m.data) }
