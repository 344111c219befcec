package access

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// memory is a store of records.
type memory struct {
	mu    sync.Mutex
	data  map[string][]byte
	reads int
	err   error
}

// TestPresent: work that goes on has the rights that its key has by then.
func TestPresent(t *testing.T) {
	store := &memory{}
	k := NewKeys(store, KeysOptions{})
	ctx := t.Context()
	_, key, err := k.Create(ctx, Key{Name: "a", Owner: "ann", Scopes: []string{"chat"}})
	if err != nil {
		t.Fatal(err)
	}
	then := Caller{ID: "ann", Key: key.ID, Via: "mcp", Rights: everything}
	if c, err := k.Present(ctx, then); err != nil || c.ID != "ann" || c.Via != "mcp" || !c.May(Chat) || c.May(Admin) {
		t.Errorf("%v %+v", err, c)
	}
	var gone *CredentialError
	if _, err := k.Present(ctx, Caller{ID: "bob", Key: key.ID}); !errors.As(err, &gone) {
		t.Error("another owner's:", err)
	}
	if _, err := k.Revoke(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	if _, err := NewKeys(store, KeysOptions{}).Present(ctx, then); !errors.As(err, &gone) {
		t.Error("revoked:", err)
	}
	if c, err := k.Present(ctx, Caller{ID: "local", Rights: everything}); err != nil || !c.May(Admin) {
		t.Error("without a key:", err)
	}
}

func (m *memory) PutRecord(_ context.Context, kind, id string, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.data == nil {
		m.data = map[string][]byte{}
	}
	m.data[kind+"/"+id] = data
	return m.err
}

func (m *memory) DeleteRecord(_ context.Context, kind, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.data[kind+"/"+id]; !ok {
		return fs.ErrNotExist
	}
	delete(m.data, kind+"/"+id)
	return m.err
}

func (m *memory) Records(_ context.Context, kind string, each func(string, []byte) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reads++
	for _, key := range slices.Sorted(maps.Keys(m.data)) {
		if id, ok := strings.CutPrefix(key, kind+"/"); ok {
			if err := each(id, m.data[key]); err != nil {
				return err
			}
		}
	}
	return m.err
}

// clock is set by the test.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.at }

func (c *clock) pass(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.at = c.at.Add(d) }

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func refused(t *testing.T, err error, part string) {
	t.Helper()
	var bad *CredentialError
	if !errors.As(err, &bad) || !strings.Contains(bad.Reason, part) {
		t.Errorf("it was not refused with %q: %v", part, err)
	}
}

func TestKey(t *testing.T) {
	store, at := &memory{}, &clock{at: noon}
	k := NewKeys(store, KeysOptions{Now: at.now})
	secret, made, err := k.Create(t.Context(), Key{Name: "ci", Tenant: "acme", Scopes: []string{"chat", "tools:crm"}, Expires: noon.Add(time.Hour)})
	if err != nil || !strings.HasPrefix(secret, KeyPrefix+made.ID+"_") || len(secret) != 4+12+1+52 {
		t.Fatal(secret, made, err)
	}
	c, err := k.Find(t.Context(), secret)
	if err != nil || c.ID != "acme/key-"+made.ID || c.Tenant != "acme" || c.Key != made.ID || !c.May(Chat) || c.May(Admin) {
		t.Errorf("%+v %v", c, err)
	}
	if (Granted{}).Allow(c, Target{"memory", "x", true}) == nil || (Granted{}).Allow(c, Target{"crm", "x", false}) != nil {
		t.Error("the scopes do not count")
	}
	for _, bad := range []string{"", "cat_", "cat__", "cat_" + made.ID, "cat_" + made.ID + "_", secret + "a", secret[:len(secret)-1], strings.ToUpper(secret), "cat_abc_" + secret[17:]} {
		_, err := k.Find(t.Context(), bad)
		refused(t, err, "unknown")
	}
	at.pass(time.Hour)
	_, err = k.Find(t.Context(), secret)
	refused(t, err, "expired")
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	list, err := k.List(t.Context())
	if err != nil || len(list) != 1 || !list[0].LastUsed.Equal(noon) {
		t.Errorf("%+v %v", list, err)
	}
	for _, kept := range store.data {
		if strings.Contains(string(kept), secret[17:]) {
			t.Errorf("the store has the secret: %s", kept)
		}
	}
	if text, err := json.Marshal(list); err != nil || strings.Contains(string(text), secret[17:]) {
		t.Errorf("the list has the secret: %s %v", text, err)
	}
}

// TestRevoked: a key that another process revoked is refused after a second, one revoked here at once; a new key is good at once.
func TestRevoked(t *testing.T) {
	store, at := &memory{}, &clock{at: noon}
	here, there := NewKeys(store, KeysOptions{Now: at.now}), NewKeys(store, KeysOptions{Now: at.now})
	first, _, err := there.Create(t.Context(), Key{Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := here.Find(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	at.pass(2 * keysMissed)
	second, _, err := there.Create(t.Context(), Key{Name: "b"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := here.Find(t.Context(), second); err != nil {
		t.Errorf("a new key: %v", err)
	}
	if _, err := there.Revoke(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if _, err := there.Revoke(t.Context(), "a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("revoked twice: %v", err)
	}
	_, err = there.Find(t.Context(), first)
	refused(t, err, "revoked")
	at.pass(keysFresh + 2*keyReadEvery)
	_, err = here.Find(t.Context(), first)
	refused(t, err, "revoked")
	_, _ = here.Close(), there.Close()
}

// TestGuesses: ids that are made up do not make the store be read each time.
func TestGuesses(t *testing.T) {
	store, at := &memory{}, &clock{at: noon}
	k := NewKeys(store, KeysOptions{Now: at.now})
	for i := range 1000 {
		_, err := k.Find(t.Context(), fmt.Sprintf("cat_%d_x", i))
		refused(t, err, "unknown")
	}
	if store.reads > 2 {
		t.Errorf("the store was read %d times", store.reads)
	}
}

// TestStoreAway: known keys stay good for a minute, then nothing is answered but the store's error.
func TestStoreAway(t *testing.T) {
	var reported error
	store, at := &memory{}, &clock{at: noon}
	k := NewKeys(store, KeysOptions{Now: at.now, Report: func(err error) { reported = err }})
	secret, _, err := k.Create(t.Context(), Key{Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = k.Find(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	k.Close()
	store.err = errors.New("away")
	at.pass(keysFresh + keyReadEvery)
	if _, err = k.Find(t.Context(), secret); err != nil || reported == nil {
		t.Errorf("%v %v", err, reported)
	}
	at.pass(keysStale)
	if _, err = k.Find(t.Context(), secret); !errors.Is(err, store.err) {
		t.Error(err)
	}
}

func TestCreateRefuses(t *testing.T) {
	k := NewKeys(&memory{}, KeysOptions{Now: func() time.Time { return noon }})
	if _, _, err := k.Create(t.Context(), Key{Name: "a"}); err != nil {
		t.Fatal(err)
	}
	for _, key := range []Key{{Name: "a"}, {Name: ""}, {Name: "a b"}, {Name: "b", Owner: "x/y"}, {Name: "b", Tenant: "../"}, {Name: "b", Scopes: []string{"all"}}, {Name: "b", Expires: noon}} {
		if secret, _, err := k.Create(t.Context(), key); err == nil || secret != "" {
			t.Errorf("%+v is taken", key)
		}
	}
}

func TestFixedKeys(t *testing.T) {
	k := NewKeys(nil, KeysOptions{})
	long := strings.Repeat("k", minFixed)
	if err := k.Fix(Key{Name: "container", Scopes: []string{Admin}}, long, ""); err != nil {
		t.Fatal(err)
	}
	const hashed = "sha256:4bcdd6d4de8e4ba3ef4e4a6b4d1a0a0f35d0b1c3f0a2ab6b1f0c6e5ed2fd0e3a"
	if err := k.Fix(Key{Name: "other", Owner: "ann"}, "", hashed); err != nil {
		t.Fatal(err)
	}
	if c, err := k.Find(t.Context(), long); err != nil || c.ID != "container" || !c.May(Admin) {
		t.Error(c, err)
	}
	_, err := k.Find(t.Context(), hashed)
	refused(t, err, "unknown")
	_, err = k.Find(t.Context(), "cat_container_x")
	refused(t, err, "unknown")
	if _, err := k.Revoke(t.Context(), "other"); err == nil {
		t.Error("a key of the settings was revoked")
	}
	for _, bad := range [][2]string{{"short", ""}, {"", ""}, {"", "sha256:00"}, {"", "md5:00"}} {
		if k.Fix(Key{Name: "x"}, bad[0], bad[1]) == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// TestFindTogether is for the race detector.
func TestFindTogether(t *testing.T) {
	at := &clock{at: noon}
	k := NewKeys(&memory{}, KeysOptions{Now: at.now})
	secret, _, err := k.Create(t.Context(), Key{Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				at.pass(time.Second)
				if _, err := k.Find(t.Context(), secret); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	k.Close()
}

func ExampleKeys() {
	k := NewKeys(&memory{}, KeysOptions{})
	secret, made, err := k.Create(context.Background(), Key{Name: "ann-laptop", Owner: "ann", Scopes: []string{"chat", "tools:crm"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.HasPrefix(secret, "cat_"+made.ID+"_"), len(secret))
	c, err := k.Find(context.Background(), secret)
	fmt.Println(c.ID, c.May(Chat), err)
	_, err = k.Find(context.Background(), secret+"x")
	fmt.Println(err)
	// Output:
	// true 69
	// ann true <nil>
	// The key is unknown, or was revoked.
}

func BenchmarkFind(b *testing.B) {
	k := NewKeys(&memory{}, KeysOptions{})
	secret, _, err := k.Create(b.Context(), Key{Name: "a", Scopes: []string{"chat"}})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := k.Find(b.Context(), secret); err != nil {
			b.Fatal(err)
		}
	}
	k.Close()
}

// TestRefix: keys of changed settings are good at once, those that are gone from them at once no more, and roles stand for what they do now,
// also those of kept keys; wrong settings change nothing.
func TestRefix(t *testing.T) {
	k := NewKeys(&memory{}, KeysOptions{Roles: map[string][]string{"clerk": {Chat}}})
	first, second := strings.Repeat("a", 40), strings.Repeat("b", 40)
	if err := k.Fix(Key{Name: "one", Scopes: []string{Chat}}, first, ""); err != nil {
		t.Fatal(err)
	}
	kept, _, err := k.Create(t.Context(), Key{Name: "kept", Roles: []string{"clerk"}})
	if err != nil {
		t.Fatal(err)
	}
	if c, err := k.Find(t.Context(), kept); err != nil || !c.May(Chat) || c.May(Metrics) {
		t.Fatalf("%+v %v", c, err)
	}
	if _, err := k.Refix(t.Context(), nil, func(next *Keys) error { return next.Fix(Key{Name: "two"}, "short", "") }); err == nil {
		t.Error("a key of five characters was taken")
	}
	commit, err := k.Refix(t.Context(), map[string][]string{"clerk": {Metrics}}, func(next *Keys) error { return next.Fix(Key{Name: "two", Roles: []string{"clerk"}}, second, "") })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.Find(t.Context(), first); err != nil {
		t.Errorf("before the new settings are in force: %v", err)
	}
	commit()
	if _, err := k.Find(t.Context(), first); err == nil {
		t.Error("a key that is gone from the settings is good")
	}
	for _, key := range []string{second, kept} {
		if c, err := k.Find(t.Context(), key); err != nil || c.May(Chat) || !c.May(Metrics) {
			t.Errorf("%+v %v", c, err)
		}
	}
}

// TestSharedSecrets: two keys of one secret are refused, however each gives it.
func TestSharedSecrets(t *testing.T) {
	store := &memory{}
	keys := NewKeys(store, KeysOptions{})
	stored, _, err := keys.Create(t.Context(), Key{Name: "stored", Scopes: []string{Chat}})
	if err != nil {
		t.Fatal(err)
	}
	plain := strings.Repeat("a", minFixed)
	sum := sha256.Sum256([]byte(plain))
	hash := "sha256:" + strings.ToUpper(hex.EncodeToString(sum[:]))
	other := strings.Repeat("b", minFixed)
	for name, c := range map[string]struct {
		first, second, hash string
		shared              bool
	}{
		"two texts":        {plain, plain, "", true},
		"a text, its hash": {plain, "", hash, true},
		"a text, another":  {plain, other, "", false},
		"of the store":     {other, stored, "", true},
	} {
		k := NewKeys(store, KeysOptions{})
		err := errors.Join(k.Fix(Key{Name: "one", Scopes: []string{Admin}}, c.first, ""), k.Fix(Key{Name: "two", Scopes: []string{Chat}}, c.second, c.hash), k.Distinct(t.Context()))
		if errors.Is(err, ErrSharedSecret) != c.shared || !c.shared && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		_, err = keys.Refix(t.Context(), nil, func(next *Keys) error {
			return errors.Join(next.Fix(Key{Name: "one", Scopes: []string{Admin}}, c.first, ""), next.Fix(Key{Name: "two", Scopes: []string{Chat}}, c.second, c.hash))
		})
		if errors.Is(err, ErrSharedSecret) != c.shared {
			t.Errorf("%s, while it runs: %v", name, err)
		}
		if err != nil && (strings.Contains(err.Error(), plain) || strings.Contains(err.Error(), stored)) {
			t.Errorf("%s: the error has the secret: %v", name, err)
		}
	}
	k := NewKeys(nil, KeysOptions{})
	if err := errors.Join(k.Fix(Key{Name: "one"}, plain, ""), k.Fix(Key{Name: "one"}, other, "")); err == nil {
		t.Error("two keys of one name were taken")
	}
}
