package app

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writePair writes a certificate that ends at a time, and its key.
func writePair(t *testing.T, end time.Time) (cert, key string) {
	t.Helper()
	dir := t.TempDir()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, NotBefore: end.Add(-90 * 24 * time.Hour), NotAfter: end}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &k.PublicKey, k)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, b := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// doctor looks at the certificate as serve does, and names it where the address that it is for is in use.
func TestCheckCertificate(t *testing.T) {
	p := demoParts(t)
	now := time.Now()
	if got := p.checkTLS(now); got != nil {
		t.Error("plain HTTP:", got)
	}
	p.Cfg.Listen.TLSCert, p.Cfg.Listen.TLSKey = writePair(t, now.Add(100*time.Hour))
	for at, c := range map[time.Time]struct {
		bad bool
		say string
	}{
		now.Add(-30 * 24 * time.Hour):  {false, "holds until " + now.Add(100*time.Hour).UTC().Format("2006-01-02")},
		now:                            {false, "ends in 4 days"},
		now.Add(101 * time.Hour):       {true, "ended at "},
		now.Add(-200 * 24 * time.Hour): {true, "holds from "},
	} {
		if got := p.checkTLS(at); len(got) != 1 || got[0].Bad != c.bad || !strings.Contains(got[0].Say, c.say) {
			t.Errorf("%v: %+v", at, got)
		}
	}
	p.Cfg.Listen.TLSCert, p.Cfg.Listen.TLSKey = writePair(t, now.Add(-time.Hour))
	if got := p.checkTLS(now); len(got) != 1 || !got[0].Bad || !strings.Contains(got[0].Say, "ended at ") {
		t.Errorf("over: %+v", got)
	}
	if err := os.WriteFile(p.Cfg.Listen.TLSKey, []byte("garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	p.Cfg.Listen.Addr = l.Addr().String()
	got := p.checkListen(t.Context())
	if len(got) != 2 || !got[0].Bad || !strings.Contains(got[0].Say, "listen.tls_cert") || !got[1].Bad || strings.Contains(got[1].Say, "stop") {
		t.Errorf("%+v", got)
	}
}
