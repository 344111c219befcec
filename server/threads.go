package server

import (
	"container/list"
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"sync"
)

// threadN is how many conversations threads remembers.
const threadN = 4096

// threads finds the chat session of a conversation whose client keeps the history and sends all of it each time, as OpenAI's
// clients do: by a hash of what was said so far. It forgets the conversation that was quiet for longest.
type threads struct {
	mu    sync.Mutex
	byKey map[[sha256.Size]byte]*list.Element
	order *list.List // of thread, the latest at the front
}

type thread struct {
	key     [sha256.Size]byte
	session string
}

func newThreads() *threads {
	return &threads{byKey: map[[sha256.Size]byte]*list.Element{}, order: list.New()}
}

// threadKey hashes the owner and the messages of the user and of the assistant. System prompts do not count: clients put
// the time of day in them.
func threadKey(owner string, messages []openAIMessage) [sha256.Size]byte {
	h := sha256.New()
	add := func(s string) {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(s)))
		h.Write(n[:])
		h.Write([]byte(s))
	}
	add(owner)
	for _, m := range messages {
		if m.Role == "user" || m.Role == "assistant" {
			add(m.Role)
			add(strings.TrimSpace(string(m.Content)))
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// find returns the session in which these messages were said, "" when there is none.
func (t *threads) find(owner string, messages []openAIMessage) string {
	if len(messages) == 0 {
		return ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.byKey[threadKey(owner, messages)]
	if !ok {
		return ""
	}
	t.order.MoveToFront(e)
	return e.Value.(thread).session
}

func (t *threads) remember(owner string, messages []openAIMessage, session string) {
	if session == "" {
		return
	}
	key := threadKey(owner, messages)
	t.mu.Lock()
	defer t.mu.Unlock()
	if e, ok := t.byKey[key]; ok {
		t.order.Remove(e)
	}
	t.byKey[key] = t.order.PushFront(thread{key, session})
	for t.order.Len() > threadN {
		delete(t.byKey, t.order.Remove(t.order.Back()).(thread).key)
	}
}
