//go:build cgo && linux

package parse

/*
#include <stddef.h>

// The core library's own function, linked into every program that has go-tree-sitter. Weak, because this package is linked alone
// too, while cgo looks at it.
extern void ts_set_allocator(
	void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *)
) __attribute__((weak));

static void plain_allocator(void) {
	if (ts_set_allocator) ts_set_allocator(NULL, NULL, NULL, NULL);
}
*/
import "C"

// plainAllocator lets tree-sitter take its memory from C directly. go-tree-sitter v0.25.0 makes it ask Go, which asks C: that
// takes more than a third of the time. Both end in malloc and free, so that memory of before may be given back after.
func plainAllocator() { C.plain_allocator() }
