package server

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// certLook is how often the files of a certificate are looked at: a handshake that comes later than that uses new ones.
const certLook = time.Second

// Certificate makes an Options.TLS of a certificate's file (PEM, the chain below it) and its key's. Both are read again
// when one of them has changed; while they do not fit together, as between the writing of one and of the other, the
// former go on. TLS 1.2 is the oldest version.
func Certificate(certFile, keyFile string, log *slog.Logger) (*tls.Config, error) {
	c := &certificate{cert: certFile, key: keyFile, log: log}
	if err := c.read(); err != nil {
		return nil, fmt.Errorf("the certificate cannot be used: %w", err)
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get}, nil
}

// certificate is a pair of files.
type certificate struct {
	cert, key string
	log       *slog.Logger

	mu     sync.Mutex
	pair   *tls.Certificate
	state  [2]fileState
	looked time.Time
}

// fileState tells a changed file from the same one.
type fileState struct {
	size  int64
	time  time.Time
	known bool
}

func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.looked) >= certLook {
		c.looked = time.Now()
		if state := c.look(); state != c.state {
			if err := c.read(); err != nil {
				c.log.Error("the new certificate cannot be used; the former one goes on", "error", err.Error())
			} else {
				c.log.Info("a new certificate is used", "ends", c.pair.Leaf.NotAfter)
			}
			c.state = state // one that cannot be used is told once
		}
	}
	return c.pair, nil
}

// read reads both files.
func (c *certificate) read() error {
	state := c.look()
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return err
	}
	if time.Now().After(pair.Leaf.NotAfter) {
		return fmt.Errorf("%s ended at %s", c.cert, pair.Leaf.NotAfter.Format(time.RFC3339))
	}
	c.pair, c.state = &pair, state
	return nil
}

func (c *certificate) look() (out [2]fileState) {
	for i, name := range []string{c.cert, c.key} {
		if info, err := os.Stat(name); err == nil {
			out[i] = fileState{info.Size(), info.ModTime(), true}
		}
	}
	return out
}
