package access

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// hanging answers nothing: an issuer, or a store, that takes requests and is silent.
type hanging struct{ asked int }

func (h *hanging) RoundTrip(r *http.Request) (*http.Response, error) {
	h.asked++
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func (h *hanging) Records(ctx context.Context, _ string, _ func(string, []byte) error) error {
	h.asked++
	<-ctx.Done()
	return ctx.Err()
}

func (h *hanging) PutRecord(context.Context, string, string, []byte) error { return nil }
func (h *hanging) DeleteRecord(context.Context, string, string) error      { return nil }

// Made-up key ids, while what knows them is silent, wait for one try together and not one after the other, and no longer than their request lasts.
func TestSilentSources(t *testing.T) {
	const token = "eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.e30.c2ln"
	for name, start := range map[string]func(*hanging) func(context.Context) error{
		"issuer": func(h *hanging) func(context.Context) error {
			check, err := NewTokens(TokensOptions{Issuer: "https://id.example", Audience: []string{"catena"}, Client: &http.Client{Transport: h}})
			if err != nil {
				t.Fatal(err)
			}
			return func(ctx context.Context) error { _, err := check.Find(ctx, token); return err }
		},
		"store": func(h *hanging) func(context.Context) error {
			k := NewKeys(h, KeysOptions{})
			return func(ctx context.Context) error { _, err := k.Find(ctx, fmt.Sprintf("cat_%p_x", ctx)); return err }
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &hanging{}
				find, began := start(h), time.Now()
				ended := make(chan time.Duration, 21)
				try := func(ctx context.Context) {
					var bad *CredentialError
					if err := find(ctx); err == nil || errors.As(err, &bad) {
						t.Error("whether the credential is good is not known:", err)
					}
					ended <- time.Since(began)
				}
				for range 20 {
					go try(t.Context())
				}
				synctest.Wait()
				short, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				go try(short)
				if first := <-ended; first != time.Second {
					t.Error("who hung up after a second was told after", first)
				}
				for range 20 {
					if took := <-ended; took > fetchTimeout {
						t.Error("who waited was told after", took)
					}
				}
				if h.asked != 1 {
					t.Errorf("%d tries", h.asked)
				}
			})
		})
	}
}
