package access

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// KeyPrefix begins every API key, so that scanners for leaked secrets know one. A key is cat_<id>_<secret>: the id is in the clear, for
// lists and logs, and the secret has 260 random bits.
const KeyPrefix = "cat_"

// Bounds of keys.
const (
	maxKeys      = 10_000
	minFixed     = 32                     // characters of a key that the settings give: it must not be one that can be guessed
	keysFresh    = time.Second            // how long a revoked key may go on being good in other processes; longer with many keys:
	keyReadEvery = 200 * time.Microsecond // for each, a hundred times what reading one takes
	keysMissed   = time.Second            // how often an id that is not known makes the keys be read again
	keysStale    = time.Minute            // how long the keys may be used after they could not be read again
	useNoted     = time.Minute            // how exact the time of the last use is
	touchTimeout = 10 * time.Second
	keyKind      = "key"
	keyUseKind   = "key_use"
)

// Key is what is kept of an API key: everything but its secret.
type Key struct {
	ID       string    `json:"id"`
	Name     string    `json:"name"`
	Owner    string    `json:"owner"`            // whose the sessions, runs and tables are that are made with it
	Tenant   string    `json:"tenant,omitempty"` // the group that the owner belongs to; "" is none
	Scopes   []string  `json:"scopes,omitempty"`
	Roles    []string  `json:"roles,omitempty"`
	Created  time.Time `json:"created"`
	Expires  time.Time `json:"expires,omitzero"`   // zero is never
	LastUsed time.Time `json:"last_used,omitzero"` // to the minute; zero is never
	Fixed    bool      `json:"fixed,omitempty"`    // the settings give it: it is not in the store
	// Hash is the SHA-256 of the whole key, in hex. A fast hash is right here: slow ones (Argon2, bcrypt) make guessing dear where
	// people make up the secret, and 260 random bits cannot be guessed at any speed (RFC 6819, 5.1.4.1.3 and 5.1.4.2.2).
	Hash string `json:"hash"`
}

// Records keeps small things durably, by kind and id. internal/store implements it.
type Records interface {
	PutRecord(ctx context.Context, kind, id string, data []byte) error
	// DeleteRecord returns an error that wraps fs.ErrNotExist when there is none.
	DeleteRecord(ctx context.Context, kind, id string) error
	Records(ctx context.Context, kind string, each func(id string, data []byte) error) error
}

// CredentialError says that a key or token does not tell who asks. Use errors.As.
type CredentialError struct {
	Reason string // one sentence for the client; it does not tell an unknown key from a revoked one
	Err    error  // for the log; may be nil, and never holds the credential
	// Foreign says that the credential is not of a form that is given out here: a client sends something because it has to.
	Foreign bool
}

func (e *CredentialError) Error() string {
	if e.Err == nil {
		return e.Reason
	}
	return e.Reason + " " + e.Err.Error()
}

// Unwrap returns what lies behind it.
func (e *CredentialError) Unwrap() error { return e.Err }

var (
	errUnknownKey = &CredentialError{Reason: "The key is unknown, or was revoked."}
	errForeignKey = &CredentialError{Reason: "The key is unknown, or was revoked.", Foreign: true}
)

// KeysOptions are what Keys need beside the store.
type KeysOptions struct {
	Roles  map[string][]string // what roles stand for; nil means DefaultRoles
	Now    func() time.Time    // nil means time.Now
	Report func(error)         // takes what goes wrong beside an answer; nil drops it
}

// Keys makes, checks and revokes API keys. It is safe for concurrent use. Keys are kept in memory as they are in the store, and read
// again after a second (three with the most keys that there may be), so that a key that another process revoked is refused from then on at
// the latest.
type Keys struct {
	store Records
	opt   KeysOptions

	reading turn // held while the keys are read
	mu      sync.RWMutex
	roles   map[string][]string // what roles stand for; never changed in place
	fixed   []knownKey          // never changed in place
	byID    map[string]*knownKey
	read    time.Time            // when the keys were read last
	failed  time.Time            // when that failed last
	err     error                // of then
	used    map[string]time.Time // by id: the last use that was noted
	touches sync.WaitGroup
}

// knownKey is a key as it is checked.
type knownKey struct {
	Key
	hash   [sha256.Size]byte
	caller Caller
}

// NewKeys makes Keys over a store, which may be nil: then there are only those that Fix gives.
func NewKeys(store Records, opt KeysOptions) *Keys {
	if opt.Roles == nil {
		opt.Roles = DefaultRoles()
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Keys{store: store, opt: opt, reading: newTurn(), roles: opt.Roles, byID: map[string]*knownKey{}, used: map[string]time.Time{}}
}

// Close waits for what is still written.
func (k *Keys) Close() error { k.touches.Wait(); return nil }

// Fix adds a key that the settings give: the key itself, or its hash as sha256:<hex> when secret is "".
func (k *Keys) Fix(key Key, secret, hash string) error {
	sum := sha256.Sum256([]byte(secret))
	if secret == "" {
		text, ok := strings.CutPrefix(hash, "sha256:")
		raw, err := hex.DecodeString(text)
		if !ok || err != nil || len(raw) != sha256.Size {
			return fmt.Errorf("key %s: a key of %d and more characters is needed, or a hash as sha256:<64 hex digits>", key.Name, minFixed)
		}
		sum = [sha256.Size]byte(raw)
	} else if len(secret) < minFixed {
		return fmt.Errorf("key %s has %d characters; it needs %d random ones, as openssl rand -hex 32 makes them", key.Name, len(secret), minFixed)
	}
	key.ID, key.Fixed, key.Hash = key.Name, true, hex.EncodeToString(sum[:])
	if key.Owner == "" {
		key.Owner = key.Name
	}
	known, err := k.know(key)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, other := range k.fixed {
		if err := apart(other.Key, known.Key); err != nil {
			return err
		}
	}
	k.fixed = append(slices.Clip(k.fixed), *known)
	return nil
}

// ErrSharedSecret is wrapped where two keys have one secret: whose requests with it were, and what they may do, could not be told.
var ErrSharedSecret = errors.New("two keys have one secret")

// apart returns an error where two keys cannot be told from each other.
func apart(a, b Key) error {
	if strings.EqualFold(a.Hash, b.Hash) {
		return fmt.Errorf("the keys %s and %s: %w; give each its own", a.Name, b.Name, ErrSharedSecret)
	}
	if a.ID == b.ID {
		return fmt.Errorf("two keys are named %s; name each differently", a.Name)
	}
	return nil
}

// Distinct returns an error that wraps ErrSharedSecret where a key of the settings is one of the store too. Any other error is the store's.
func (k *Keys) Distinct(ctx context.Context) error {
	list, err := k.List(ctx)
	if err != nil {
		return err
	}
	byHash := make(map[string]Key, len(list))
	for _, key := range list {
		hash := strings.ToLower(key.Hash)
		if other, taken := byHash[hash]; taken {
			return apart(other, key)
		}
		byHash[hash] = key
	}
	return nil
}

// Refix prepares to have roles, and the keys that fix adds, take the place of those that the settings gave before: from the call of commit on, for
// every Find. nil roles mean DefaultRoles. Where fix fails there is nothing to commit.
func (k *Keys) Refix(ctx context.Context, roles map[string][]string, fix func(*Keys) error) (commit func(), err error) {
	opt := k.opt
	opt.Roles = roles
	next := NewKeys(nil, opt)
	if err := fix(next); err != nil {
		return nil, err
	}
	both := NewKeys(k.store, opt)
	both.fixed = next.fixed
	if err := both.Distinct(ctx); err != nil {
		return nil, err
	}
	return func() {
		_ = k.reading.lock(context.Background()) // a reading that goes on has the roles from before; no error, as that context has no end
		defer k.reading.unlock()
		k.mu.Lock()
		defer k.mu.Unlock()
		if !reflect.DeepEqual(k.roles, next.roles) {
			k.byID, k.read = map[string]*knownKey{}, time.Time{}
		}
		k.fixed, k.roles = next.fixed, next.roles
	}, nil
}

// given are the keys of the settings.
func (k *Keys) given() []knownKey {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.fixed
}

var ownerName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$`)

// know prepares a key for checking.
func (k *Keys) know(key Key) (*knownKey, error) {
	raw, err := hex.DecodeString(key.Hash)
	if err != nil || len(raw) != sha256.Size {
		return nil, fmt.Errorf("key %s: its hash is none", key.ID)
	}
	if !ownerName.MatchString(key.Owner) || key.Tenant != "" && !ownerName.MatchString(key.Tenant) {
		return nil, fmt.Errorf("key %s: an owner and a tenant are 1 to 64 of letters, digits and ._@-", key.Name)
	}
	k.mu.RLock()
	roles := k.roles
	k.mu.RUnlock()
	rights, err := ParseRights(key.Scopes, key.Roles, roles)
	if err != nil {
		return nil, fmt.Errorf("key %s: %w", key.Name, err)
	}
	c := Caller{ID: ownerID(key.Tenant, key.Owner), Tenant: key.Tenant, Roles: key.Roles, Key: key.ID, Rights: rights}
	return &knownKey{Key: key, hash: [sha256.Size]byte(raw), caller: c}, nil
}

// ownerID is a Caller's ID: tenants never share one.
func ownerID(tenant, owner string) string {
	if tenant == "" {
		return owner
	}
	return tenant + "/" + owner
}

// Create makes a key and keeps it; secret is the key itself, which nobody can see again. Name, Owner, Tenant, Scopes, Roles and Expires
// are the caller's; an Owner of "" gives the key one of its own.
func (k *Keys) Create(ctx context.Context, key Key) (secret string, made Key, err error) {
	have, err := k.List(ctx)
	if err != nil {
		return "", Key{}, err
	}
	if len(have) >= maxKeys {
		return "", Key{}, fmt.Errorf("there are %d keys; revoke those that are not used", len(have))
	}
	if !ownerName.MatchString(key.Name) {
		return "", Key{}, fmt.Errorf("the name %q is none: 1 to 64 of letters, digits and ._@-", key.Name)
	}
	if slices.ContainsFunc(have, func(x Key) bool { return x.Name == key.Name }) {
		return "", Key{}, fmt.Errorf("there is a key named %s: %w; revoke it, or choose another name", key.Name, fs.ErrExist)
	}
	now := k.opt.Now()
	if !key.Expires.IsZero() && !key.Expires.After(now) {
		return "", Key{}, fmt.Errorf("the key would expire at %s, which is over", key.Expires.Format(time.RFC3339))
	}
	key.ID, key.Created, key.LastUsed, key.Fixed = strings.ToLower(rand.Text()[:12]), now.UTC().Truncate(time.Second), time.Time{}, false
	if key.Owner == "" {
		key.Owner = "key-" + key.ID
	}
	secret = KeyPrefix + key.ID + "_" + strings.ToLower(rand.Text()+rand.Text())
	sum := sha256.Sum256([]byte(secret))
	key.Hash = hex.EncodeToString(sum[:])
	if _, err := k.know(key); err != nil {
		return "", Key{}, err
	}
	data, err := json.Marshal(key)
	if err != nil {
		return "", Key{}, fmt.Errorf("access: %w", err)
	}
	if err := k.store.PutRecord(ctx, keyKind, key.ID, data); err != nil {
		return "", Key{}, fmt.Errorf("the key could not be kept: %w", err)
	}
	return secret, key, nil
}

// List returns the keys, those of the settings first, the others by name.
func (k *Keys) List(ctx context.Context) ([]Key, error) {
	var out []Key
	for _, x := range k.given() {
		out = append(out, x.Key)
	}
	if k.store == nil {
		return out, nil
	}
	stored, err := k.stored(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(stored, func(a, b Key) int { return strings.Compare(a.Name, b.Name) })
	return append(out, stored...), nil
}

func (k *Keys) stored(ctx context.Context) ([]Key, error) {
	var out []Key
	err := k.store.Records(ctx, keyKind, func(id string, data []byte) error {
		var key Key
		if err := json.Unmarshal(data, &key); err != nil {
			return fmt.Errorf("key %s: %w", id, err)
		}
		out = append(out, key)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the keys could not be read: %w", err)
	}
	uses := map[string]time.Time{}
	err = k.store.Records(ctx, keyUseKind, func(id string, data []byte) error {
		var at time.Time
		if at.UnmarshalText(data) == nil {
			uses[id] = at
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the keys' uses could not be read: %w", err)
	}
	for i := range out {
		out[i].LastUsed = uses[out[i].ID]
	}
	return out, nil
}

// Revoke removes a key, by its id or name, and returns it. What is not there gives an error that wraps fs.ErrNotExist.
func (k *Keys) Revoke(ctx context.Context, name string) (Key, error) {
	list, err := k.List(ctx)
	if err != nil {
		return Key{}, err
	}
	i := slices.IndexFunc(list, func(x Key) bool { return x.ID == name || x.Name == name })
	if i < 0 {
		return Key{}, fmt.Errorf("there is no key %s: %w", name, fs.ErrNotExist)
	}
	if list[i].Fixed {
		return Key{}, fmt.Errorf("the key %s stands in the settings (access.key, access.keys); take it out there", name)
	}
	if err := k.store.DeleteRecord(ctx, keyKind, list[i].ID); err != nil {
		return Key{}, err
	}
	if err := k.store.DeleteRecord(ctx, keyUseKind, list[i].ID); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Key{}, err
	}
	k.mu.Lock()
	k.read = time.Time{}
	k.mu.Unlock()
	return list[i], nil
}
