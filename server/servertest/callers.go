package servertest

import (
	"context"
	"errors"
	"testing"

	"catena/internal/access"
)

// Identities are the callers of tests by their credentials.
type Identities map[string]access.Caller

func (i Identities) Identify(_ context.Context, credential string) (access.Caller, error) {
	if credential == "away" {
		return access.Caller{}, errors.New("the store is at /secret/place")
	}
	if c, ok := i[credential]; ok {
		return c, nil
	}
	return access.Caller{}, &access.CredentialError{Reason: "The key is unknown, or was revoked.",
		Err: errors.New("inside")}
}

// Who makes a caller with scopes.
func Who(t testing.TB, id string, scopes ...string) access.Caller {
	t.Helper()
	rights, err := access.ParseRights(scopes, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return access.Caller{ID: id, Rights: rights}
}

func Bearer(key string) []string { return []string{"Authorization", "Bearer " + key} }
