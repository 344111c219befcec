package server

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// writeCertificate makes a certificate for 127.0.0.1 and returns a client that trusts only it.
func writeCertificate(t *testing.T, dir string, serial int64, end time.Time) *http.Client {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: end,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, about, about, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: der}, "key.pem": {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true, DisableKeepAlives: true}}
}

func TestTLS(t *testing.T) {
	dir := t.TempDir()
	first := writeCertificate(t, dir, 1, time.Now().Add(time.Hour))
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	config, err := Certificate(cert, key, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	s, _, _ := newTest(t, func(o *Options) { o.TLS = config })
	l, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	get := func(c *http.Client) (string, error) {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+l.Addr().String()+"/livez", nil)
		res, err := c.Do(req)
		if err != nil {
			return "", err
		}
		defer res.Body.Close()
		return res.Proto, nil
	}
	if proto, err := get(first); err != nil || proto != "HTTP/2.0" {
		t.Fatal(proto, err)
	}
	// What does not fit together, or has ended, is not taken.
	if err := os.WriteFile(key, []byte("none"), 0o600); err != nil {
		t.Fatal(err)
	}
	time.Sleep(certLook + 50*time.Millisecond)
	if _, err := get(first); err != nil {
		t.Errorf("the former certificate does not go on: %v", err)
	}
	second := writeCertificate(t, dir, 2, time.Now().Add(2*time.Hour))
	time.Sleep(certLook + 50*time.Millisecond)
	if _, err := get(second); err != nil {
		t.Errorf("the new certificate is not used: %v", err)
	}
	if _, err := get(first); err == nil {
		t.Error("the former certificate is still used")
	}
	writeCertificate(t, dir, 3, time.Now().Add(-time.Minute))
	if _, err := Certificate(cert, key, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a certificate that has ended is taken")
	}
	if _, err := Certificate(cert, key+"x", slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a file that is missing is taken")
	}
}
