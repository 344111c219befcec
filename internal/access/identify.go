package access

import (
	"context"
	"strings"
)

// Identifier says whose a credential is: a key, or a token. Each may be nil.
type Identifier struct {
	Keys   *Keys
	Tokens *Tokens
}

// Identify returns the caller that a credential belongs to. What is no good is a *CredentialError; any other error is that of the
// store or of the tokens' issuer.
func (i Identifier) Identify(ctx context.Context, credential string) (Caller, error) {
	if i.Tokens != nil && !strings.HasPrefix(credential, KeyPrefix) && strings.Count(credential, ".") == 2 {
		return i.Tokens.Find(ctx, credential)
	}
	if i.Keys != nil {
		return i.Keys.Find(ctx, credential)
	}
	return Caller{}, errForeignKey
}
