package server

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Cache keeps values for a while; *sqlite.Store and *redis.Store satisfy it. It promises nothing.
type Cache interface {
	Get(ctx context.Context, key string) (value []byte, ok bool, err error)
	Put(ctx context.Context, key string, value []byte, ttl time.Duration) error
}

// Bounds of what threads remembers.
const (
	threadN   = 4096 // conversations in memory
	threadTTL = 30 * 24 * time.Hour
)

// threads finds the place in a chat session where a conversation stands whose client keeps the history and sends all of
// it each time, as OpenAI's clients do: by a hash of what was said so far, or by the client's own name for the
// conversation. Owners are part of each key. It forgets what was quiet for longest, and asks the cache, where there is
// one, for what it forgot, or what another process was told.
type threads struct {
	cache Cache // may be nil
	log   *slog.Logger

	mu    sync.Mutex
	byKey map[threadKey]*list.Element
	order *list.List // of thread, the latest at the front
}

type threadKey [sha256.Size]byte

// Place is where a conversation stands: in a session, after a run.
type Place struct {
	Session string `json:"session"`
	Run     string `json:"run"`
}

type thread struct {
	key   threadKey
	place Place
}

func newThreads(cache Cache, log *slog.Logger) *threads {
	return &threads{cache: cache, log: log, byKey: map[threadKey]*list.Element{}, order: list.New()}
}

// foldedBlock is what chat programs fold away; some take it out of what they send back.
var foldedBlock = regexp.MustCompile(`(?s)<details\b.*?</details>`)

// markdownPicture is a picture in Markdown.
var markdownPicture = regexp.MustCompile(`!\[[^\]\n]*\]\([^)\s]*\)`)

// WithoutPictures is a Markdown text without its pictures.
func WithoutPictures(text string) string { return markdownPicture.ReplaceAllString(text, "") }

// historyKey hashes the owner and the messages of the user and of the assistant, without pictures, which some clients
// keep elsewhere. System prompts do not count: clients put the time of day in them. Blanks do not either.
func historyKey(owner string, messages []Message) threadKey {
	parts := []string{"history", owner}
	for _, m := range messages {
		if m.Role == "user" || m.Role == "assistant" {
			text := m.Content.Text
			if m.Role == "assistant" {
				text = WithoutPictures(foldedBlock.ReplaceAllString(text, ""))
			}
			parts = append(parts, m.Role, strings.Join(strings.Fields(text), " "))
		}
	}
	return keyOf(parts)
}

// tailMessages is how many messages of the user and the assistant a history must have to be found by its end: two
// questions with their answers. Fewer are too likely to end another conversation, too.
const tailMessages = 4

// tailKey hashes the owner and the last messages of the user and the assistant, for clients that send the end of a long
// conversation alone; false where there are too few.
func tailKey(owner string, messages []Message) (threadKey, bool) {
	at, found := len(messages), 0
	for ; at > 0 && found < tailMessages; at-- {
		if role := messages[at-1].Role; role == "user" || role == "assistant" {
			found++
		}
	}
	if found < tailMessages {
		return threadKey{}, false
	}
	history := historyKey(owner, messages[at:])
	return keyOf([]string{"tail", string(history[:])}), true
}

// usersKey hashes the owner and the user's messages alone, for clients that cut or rewrite what the assistant said.
func usersKey(owner string, messages []Message) threadKey {
	parts := []string{"users", owner}
	for _, m := range messages {
		if m.Role == "user" {
			parts = append(parts, strings.Join(strings.Fields(m.Content.Text), " "))
		}
	}
	return keyOf(parts)
}

// nameKey is the key of a conversation by the client's own name for it.
func nameKey(owner, name string) threadKey { return keyOf([]string{"name", owner, name}) }

func keyOf(parts []string) threadKey {
	h := sha256.New()
	for _, s := range parts {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(s)))
		h.Write(n[:])
		h.Write([]byte(s))
	}
	return threadKey(h.Sum(nil))
}

func (k threadKey) cached() string { return "thread:" + hex.EncodeToString(k[:]) }

// find returns the place of a conversation.
func (t *threads) find(ctx context.Context, key threadKey) (Place, bool) {
	t.mu.Lock()
	e, ok := t.byKey[key]
	if ok {
		t.order.MoveToFront(e)
	}
	t.mu.Unlock()
	if ok {
		return e.Value.(thread).place, true
	}
	if t.cache == nil {
		return Place{}, false
	}
	data, ok, err := t.cache.Get(ctx, key.cached())
	if err != nil {
		t.log.WarnContext(ctx, "whether a conversation has a session could not be looked up", "error", err.Error())
	}
	var p Place
	if !ok || err != nil || json.Unmarshal(data, &p) != nil {
		return Place{}, false
	}
	t.put(key, p)
	return p, true
}

// remember keeps the place of a conversation.
func (t *threads) remember(ctx context.Context, key threadKey, p Place) {
	t.put(key, p)
	if t.cache == nil {
		return
	}
	data, err := json.Marshal(p)
	if err == nil {
		err = t.cache.Put(ctx, key.cached(), data, threadTTL)
	}
	if err != nil {
		t.log.WarnContext(ctx, "the session of a conversation could not be remembered", "error", err.Error())
	}
}

func (t *threads) put(key threadKey, p Place) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e, ok := t.byKey[key]; ok {
		t.order.Remove(e)
	}
	t.byKey[key] = t.order.PushFront(thread{key, p})
	for t.order.Len() > threadN {
		delete(t.byKey, t.order.Remove(t.order.Back()).(thread).key)
	}
}
