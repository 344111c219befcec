package app

import (
	"errors"
	"log/slog"

	"catena/internal/config"
)

// base is what every part of the program is made with.
type base struct {
	Cfg     config.Config
	Secrets config.Hider // hides the values of secret settings wherever texts leave
	log     *slog.Logger
	closers []func() error
}

// onClose has f run when the program ends, before what was there already is closed.
func (b *base) onClose(f func() error) { b.closers = append(b.closers, f) }

// Close ends all parts, the last one made first.
func (b *base) Close() error {
	var errs []error
	for i := len(b.closers) - 1; i >= 0; i-- {
		errs = append(errs, b.closers[i]())
	}
	b.closers = nil
	return errors.Join(errs...)
}
