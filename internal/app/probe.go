package app

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"catena/internal/config"
)

// HealthTime bounds a look at a running server.
const HealthTime = 2500 * time.Millisecond

// Ready asks for /readyz. What it says is given also where it is not ready.
func Ready(ctx context.Context, client *http.Client, address string) (said string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/readyz", nil)
	if err != nil {
		return "", UsageError(err)
	}
	res, err := client.Do(req)
	if err != nil {
		return "", fmt.Errorf("no server answers: %w", err)
	}
	defer func() { err = errors.Join(err, res.Body.Close()) }()
	body, err := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	if err != nil {
		return "", err
	}
	said = string(body)
	if said != "" && said[len(said)-1] != '\n' {
		said += "\n"
	}
	if res.StatusCode != http.StatusOK {
		return said, &Exit{Code: ExitError}
	}
	return said, nil
}

// OwnAddress is where this machine reaches the server that has these settings.
func OwnAddress(cfg config.Config) (string, error) {
	host, port, err := net.SplitHostPort(cfg.Listen.Addr)
	if err != nil {
		return "", UsageError(err)
	}
	if port == "0" {
		return "", UsageError(errors.New("listen.addr has the port 0, so that only the server knows which one it " +
			"took; use --url"))
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	scheme := "http://"
	if cfg.Listen.TLSCert != "" {
		scheme = "https://"
	}
	return scheme + net.JoinHostPort(host, port), nil
}

// OwnTransport reaches the server that has these settings, past no proxy. It trusts the certificate that the settings
// name, and nothing else: it is for another name than the address.
func OwnTransport(cfg config.Config) (http.RoundTripper, error) {
	if cfg.Listen.TLSCert == "" {
		return asLocalhost{&http.Transport{}}, nil
	}
	chain, err := config.ReadRegular(cfg.Listen.TLSCert, 16<<20)
	if err != nil {
		return nil, UsageError(err)
	}
	block, _ := pem.Decode(chain)
	if block == nil {
		return nil, UsageError(fmt.Errorf("%s holds no certificate", cfg.Listen.TLSCert))
	}
	leaf, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, UsageError(err)
	}
	name := leaf.Subject.CommonName
	if len(leaf.DNSNames) > 0 {
		name = leaf.DNSNames[0]
	} else if len(leaf.IPAddresses) > 0 {
		name = leaf.IPAddresses[0].String()
	}
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	return asLocalhost{&http.Transport{TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots,
		ServerName: name}}}, nil
}

// asLocalhost sends requests under a name that every server takes, as its own address need not be among
// listen.allowed_hosts.
type asLocalhost struct{ under http.RoundTripper }

// RoundTrip sends a copy of the request.
func (l asLocalhost) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Host = "localhost"
	return l.under.RoundTrip(req)
}
