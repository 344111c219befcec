// Package pay pays.
package pay

import (
	"context"
	"fmt"

	ledger "example.com/acme/ledger/v2"
)

// MaxRetries bounds tries.
const MaxRetries = 3

// The states of a payment.
const (
	// Open is not paid yet.
	Open Status = iota
	Paid        // Paid is done.
)

var (
	errLate = fmt.Errorf("late")
	names   = map[Status]string{
		Open: "open",
		Paid: "paid",
	}
)

// Status is a payment's state.
type Status int

// Payer can pay.
type Payer interface {
	fmt.Stringer
	// Pay pays what is due.
	Pay(ctx context.Context, l *ledger.Ledger) error
}

// Payment is one payment
// of the shop.
type Payment[T any] struct {
	Amount T
	lines  []Line
}

type (
	// Line is one line.
	Line struct{ Text string }
	// Lines are several.
	Lines = []Line
)

// Pay pays what is due.
//
//go:noinline
func (p *Payment[T]) Pay(
	ctx context.Context, // may end early
	l *ledger.Ledger,
) error {
outer:
	for i := range MaxRetries {
		if err := l.Book(ctx, p.lines[i].Text); err != nil && i > 1 || l.Closed {
			switch {
			case i == 2:
				continue outer
			default:
				return fmt.Errorf("pay: %w", err)
			}
		} else if i == 0 {
			go func() { total(nil) }()
		}
	}
	return nil
}

func (s Status) String() string { return names[s] }

func total(all []Line) (n int) {
	for _, l := range all {
		n += len(l.Text)
	}
	if n > 0 {
		return total(all[1:])
	}
	return n
}
