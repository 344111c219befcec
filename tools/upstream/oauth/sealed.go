package oauth

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
)

// Records keeps small things that last. internal/store has it.
type Records interface {
	PutRecord(ctx context.Context, kind, id string, data []byte) error
	Records(ctx context.Context, kind string, each func(id string, data []byte) error) error
}

// recordKind is the kind of our records.
const recordKind = "mcp-token"

// MinSecret is the fewest bytes of a secret that Sealed takes.
const MinSecret = 16

// ErrSealed says that what is kept was encrypted with another secret, or for another server. Use errors.Is.
var ErrSealed = errors.New("what is kept was encrypted with another key")

// Sealed is a Store over records, encrypted with AES-256-GCM under a key that is derived from a secret (HKDF-SHA256,
// RFC 5869). The server's address is bound to what is kept for it: a record that is moved to another one cannot be
// read.
func Sealed(records Records, secret []byte) (Store, error) {
	if len(secret) < MinSecret {
		return nil, fmt.Errorf("oauth: a secret of %d bytes is too short; take at least %d", len(secret), MinSecret)
	}
	key, err := hkdf.Key(sha256.New, secret, nil, "catena mcp tokens", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, err
	}
	return &sealed{records, aead}, nil
}

type sealed struct {
	records Records
	aead    cipher.AEAD
}

// Put implements Store.
func (s *sealed) Put(ctx context.Context, id string, data []byte) error {
	return s.records.PutRecord(ctx, recordKind, id, s.aead.Seal(nil, nil, data, []byte(id)))
}

// Get implements Store. There are as many records as protected servers, so they are looked through.
func (s *sealed) Get(ctx context.Context, id string) ([]byte, error) {
	var kept []byte
	err := s.records.Records(ctx, recordKind, func(have string, data []byte) error {
		if have == id {
			kept = data
		}
		return nil
	})
	if err != nil || kept == nil {
		return nil, err
	}
	data, err := s.aead.Open(nil, nil, kept, []byte(id))
	if err != nil {
		return nil, ErrSealed
	}
	return data, nil
}

// NewSecret makes a secret for Sealed.
func NewSecret() []byte { return []byte(rand.Text() + rand.Text()) }
