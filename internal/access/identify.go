package access

import "context"

// Identifier says whose a credential is.
type Identifier struct {
	Keys *Keys
}

// Identify returns the caller that a credential belongs to. What is no good is a *CredentialError; any other error is that of the
// store or of the tokens' issuer.
func (i Identifier) Identify(ctx context.Context, credential string) (Caller, error) {
	if i.Keys != nil {
		return i.Keys.Find(ctx, credential)
	}
	return Caller{}, errForeignKey
}
