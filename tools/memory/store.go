package memory

import (
	"context"
	"time"
)

// Memory is a remembered text. It is an unnamed struct type, so that a store can declare the same one and agree by shape.
type Memory = struct {
	Number    int64 // row number: grows with every memory of the store, never used twice
	ID        string
	Namespace string
	Content   string
	Tags      []string
	Created   time.Time // UTC, microseconds
	Updated   time.Time
	Version   int // from 1; grows with every change of the content or the tags
}

// Former is what a memory said before it was changed.
type Former = struct {
	ID         string // of the memory
	Version    int
	Content    string
	Tags       []string
	Created    time.Time // when this version was written
	Superseded time.Time
}

// Index is what a text is found by.
type Index = struct {
	// Terms go into the full-text index. Each consists of lower-case ASCII letters, digits, '=', '_' and any characters
	// beyond ASCII.
	Terms []string
	// Words go into the owner's vocabulary, which MemoryWords reads.
	Words  []string
	Bands  []int64 // texts that are alike have one in common; see bands
	Length int     // words of the text, for mean lengths
	Digest []byte  // equal for texts that say the same; unique within an owner's namespace
}

// Vector is the vector of one version of a memory.
type Vector = struct {
	Number  int64 // the memory's
	Version int   // of the text that was embedded
	Vector  []byte
}

// Outcomes of Store.AddMemory.
const (
	outcomeAdded     = "added"
	outcomeDuplicate = "duplicate" // there is one with this digest; it was left as it was
	outcomeFull      = "full"      // the owner has as many as allowed
)

// Store keeps memories. internal/store implements it. Every method answers to the owner alone: what is not there and what is
// another's are not told apart, both are errors that wrap fs.ErrNotExist. Methods are safe for concurrent use.
type Store interface {
	// AddMemory keeps a memory under m.ID unless there is one with the digest (duplicate: that one is returned), or the owner
	// has most already (full). It is durable when it returns. A taken id gives fs.ErrExist.
	AddMemory(ctx context.Context, owner string, m Memory, index Index, most int64) (kept Memory, outcome string, err error)
	// ChangeMemory changes a memory in one step that no other change can come between, and with keep keeps the former
	// version. When another memory of the namespace says the same already it returns that one and fs.ErrExist.
	ChangeMemory(ctx context.Context, owner, id string, keep bool, at time.Time,
		change func(content string, tags []string) (string, []string), index func(content string, tags []string) Index) (now Memory, err error)
	// DeleteMemory removes a memory, its former versions, its index and its vector for good.
	DeleteMemory(ctx context.Context, owner, id string) error
	GetMemory(ctx context.Context, owner, id string) (Memory, error)
	// ListMemories returns memories, newest first, of those numbered below before (0 for all); namespace "" means every one.
	ListMemories(ctx context.Context, owner, namespace string, before int64, limit int) (list []Memory, total int64, err error)
	FormerMemories(ctx context.Context, owner string, numbers []int64) ([]Former, error)
	// MemoryCount returns how many memories an owner has and a number that differs whenever they do.
	MemoryCount(ctx context.Context, owner string) (memories, changes int64, err error)

	// MemorySizes returns how many memories a namespace has and how many words they have together.
	MemorySizes(ctx context.Context, owner, namespace string) (memories, words int64, err error)
	// MemoryPostings returns the numbers of the memories with any of the terms, ascending, the newest where there are more
	// than most; MemoryConjunction those with a term of each group.
	MemoryPostings(ctx context.Context, owner, namespace string, terms []string, most int) ([]int64, error)
	MemoryConjunction(ctx context.Context, owner, namespace string, groups [][]string, most int) ([]int64, error)
	// MemoryWords returns words that begin with prefix or, when it is "", end with suffix.
	MemoryWords(ctx context.Context, owner, namespace, prefix, suffix string, most int) ([]string, error)
	// MemoriesAlike returns the newest memories with one of the bands.
	MemoriesAlike(ctx context.Context, owner, namespace string, bands []int64, most int) ([]int64, error)
	MemoriesByNumber(ctx context.Context, owner, namespace string, numbers []int64) ([]Memory, error)

	// PutMemoryVectors keeps a model's vectors of texts that have not changed since.
	PutMemoryVectors(ctx context.Context, owner, model string, vectors []Vector) error
	// EachMemoryVector lends f each vector that the model made.
	EachMemoryVector(ctx context.Context, owner, namespace, model string, f func(number int64, vector []byte)) error
	// MemoriesWithoutVector returns memories that the model has no vector of, newest first, and how many there are.
	MemoriesWithoutVector(ctx context.Context, owner, namespace, model string, limit int) (list []Memory, total int64, err error)
}
