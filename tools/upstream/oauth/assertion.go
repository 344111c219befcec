package oauth

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// tokenRequest is a request to the token endpoint, with what shows who the client is.
func (c *Client) tokenRequest(ctx context.Context, form url.Values, algs []string) (*http.Request, error) {
	basic := false
	switch c.have.Method {
	case "client_secret_basic":
		basic = true
	case "client_secret_post":
		form.Set("client_id", c.have.ClientID)
		form.Set("client_secret", c.have.Secret)
	case "private_key_jwt":
		assertion, err := c.assertion(algs)
		if err != nil {
			return nil, err
		}
		form.Set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
		form.Set("client_assertion", assertion)
	default:
		form.Set("client_id", c.have.ClientID)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.have.Token, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if basic {
		req.SetBasicAuth(url.QueryEscape(c.have.ClientID), url.QueryEscape(c.have.Secret)) // RFC 6749, section 2.3.1
	}
	return req, nil
}

// assertion is a signed statement of who the client is (RFC 7523). Its audience is the authorization server's name.
func (c *Client) assertion(algs []string) (string, error) {
	key, err := privateKey(c.cfg.PrivateKey)
	if err != nil {
		return "", err
	}
	alg := signs(key, algs)
	if alg == "" {
		return "", errors.New("the authorization server takes no signature that the private key can give")
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, (&jose.SignerOptions{}).WithType("JWT"))
	if err != nil {
		return "", fmt.Errorf("the private key does not sign: %w", err)
	}
	now := time.Now()
	return jwt.Signed(signer).Claims(jwt.Claims{
		Issuer: c.have.ClientID, Subject: c.have.ClientID, Audience: jwt.Audience{c.have.Issuer}, ID: rand.Text(),
		IssuedAt: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(now.Add(2 * time.Minute)),
	}).Serialize()
}

// signs is the algorithm for a key, the first that the server takes, "" for none.
func signs(key crypto.PrivateKey, taken []string) jose.SignatureAlgorithm {
	var can []jose.SignatureAlgorithm
	switch key := key.(type) {
	case *ecdsa.PrivateKey:
		can = []jose.SignatureAlgorithm{map[int]jose.SignatureAlgorithm{256: jose.ES256, 384: jose.ES384,
			521: jose.ES512}[key.Curve.Params().BitSize]}
	case ed25519.PrivateKey:
		can = []jose.SignatureAlgorithm{jose.EdDSA}
	case *rsa.PrivateKey:
		can = []jose.SignatureAlgorithm{jose.RS256, jose.PS256}
	}
	for _, alg := range can {
		if len(taken) == 0 || slices.Contains(taken, string(alg)) {
			return alg
		}
	}
	return ""
}

// privateKey reads PEM: PKCS #8, or what came before it for RSA and elliptic curves.
func privateKey(text string) (crypto.PrivateKey, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New("the private key is no PEM")
	}
	if key, err := x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	if key, err := x509.ParseECPrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("the private key is neither PKCS #8 nor PKCS #1 nor SEC 1; no other text is shown here")
	}
	return key, nil
}
