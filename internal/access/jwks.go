package access

import (
	"context"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Times and bounds of an issuer's keys.
const (
	fetchTimeout = 10 * time.Second
	fetchLimit   = 1 << 20
	keySetFresh  = time.Hour        // how often keys are read again
	keySetMissed = 10 * time.Second // how often at most: a token with an unknown key id makes them be read again before
	keySetStale  = 24 * time.Hour   // how long keys are good that cannot be read again
	keySetMost   = 100
	rsaLeast     = 2048 // bits of an RSA key: RFC 7518, 3.3
)

// keySet is an issuer's public keys (RFC 7517).
type keySet struct {
	issuer string
	client *http.Client
	now    func() time.Time
	report func(error)

	reading turn   // held while the keys are read
	url     string // "" until the issuer told it; guarded by reading

	mu    sync.RWMutex
	keys  []jose.JSONWebKey
	read  time.Time // when they were read
	tried time.Time // when it was tried last
	err   error     // of the last try
}

// find returns the public keys that a signature may be checked with: the one of its key id, or without an id all that fit its
// algorithm.
func (s *keySet) find(ctx context.Context, id, algorithm string) ([]any, error) {
	s.mu.RLock()
	found, age := s.fitting(id, algorithm), s.now().Sub(s.read)
	s.mu.RUnlock()
	switch {
	case len(found) > 0 && age < keySetFresh:
		return found, nil
	case len(found) > 0 && age < keySetStale:
		if s.reading.tryLock() { // one request reads them again, the others go on
			s.refresh(ctx)
			s.reading.unlock()
		}
	default:
		if err := s.reading.lock(ctx); err != nil {
			return nil, fmt.Errorf("the keys of %s are being read: %w", s.issuer, err)
		}
		s.refresh(ctx)
		s.reading.unlock()
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if age := s.now().Sub(s.read); s.read.IsZero() || age >= keySetStale {
		return nil, fmt.Errorf("the keys of %s cannot be read: %w", s.issuer, s.err)
	}
	return s.fitting(id, algorithm), nil
}

// fitting is called with mu held.
func (s *keySet) fitting(id, algorithm string) []any {
	var out []any
	for _, k := range s.keys {
		if (id == "" || k.KeyID == id) && (k.Algorithm == "" || k.Algorithm == algorithm) {
			out = append(out, k.Key)
		}
	}
	return out
}

// refresh reads the keys, unless that was tried a moment ago. It is called with reading held.
func (s *keySet) refresh(ctx context.Context) {
	began := s.now()
	s.mu.RLock()
	recent := !s.tried.IsZero() && began.Sub(s.tried) < keySetMissed
	s.mu.RUnlock()
	if recent {
		return
	}
	// A request that is cut off must not leave the others without keys.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTimeout)
	defer cancel()
	keys, err := s.fetch(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tried, s.err = s.now(), err // the end counts: those who waited must not try one after the other what takes so long
	if err == nil {
		s.keys, s.read = keys, began
	} else if s.report != nil {
		s.report(fmt.Errorf("the keys of %s cannot be read: %w", s.issuer, err))
	}
}

// fetch reads the keys, and before the first time where they are.
func (s *keySet) fetch(ctx context.Context) ([]jose.JSONWebKey, error) {
	if s.url == "" {
		var about struct {
			Issuer string `json:"issuer"`
			Keys   string `json:"jwks_uri"`
		}
		if err := s.get(ctx, strings.TrimSuffix(s.issuer, "/")+"/.well-known/openid-configuration", &about); err != nil {
			return nil, err
		}
		if about.Issuer != s.issuer {
			return nil, fmt.Errorf("it calls itself %q", about.Issuer)
		}
		if err := checkURL("address of keys", about.Keys); err != nil {
			return nil, err
		}
		s.url = about.Keys
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := s.get(ctx, s.url, &set); err != nil {
		return nil, err
	}
	var out []jose.JSONWebKey
	for _, raw := range set.Keys {
		var k jose.JSONWebKey
		// A set may hold kinds of keys that are not known here, and keys for other uses.
		if k.UnmarshalJSON(raw) == nil && k.IsPublic() && (k.Use == "" || k.Use == "sig") && !weak(k) && len(out) < keySetMost {
			out = append(out, k)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("no key is there that signatures can be checked with")
	}
	return out, nil
}

func weak(k jose.JSONWebKey) bool {
	r, ok := k.Key.(*rsa.PublicKey)
	return ok && r.N.BitLen() < rsaLeast
}

func (s *keySet) get(ctx context.Context, address string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fmt.Errorf("access: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	res, err := s.client.Do(req)
	if err != nil {
		return fmt.Errorf("access: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", address, res.Status)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, fetchLimit+1))
	if err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	if len(data) > fetchLimit {
		return fmt.Errorf("%s answers more than %d bytes", address, fetchLimit)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s answers no JSON of the right shape", address)
	}
	return nil
}
