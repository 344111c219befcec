package personatest

import (
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"catena/tools/persona"
)

// writers is how many write at once.
const writers = 200

// parallel lets many change one relationship at once, while others read: no change is lost, bounds are kept at each moment.
func parallel(t *testing.T, s persona.Store) {
	o := filled(t, s)
	errs := make(chan error, 3*writers)
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			a, b := "a", "b"
			if i%2 == 0 {
				a, b = b, a
			}
			// Trust goes from 1 to 5, intimacy is pushed against both bounds, strength against the upper one.
			d := persona.Delta{Trust: 0.02, Intimacy: 7 * float64(1-2*(i%2)), Strength: 0.5}
			r, err := s.Adjust(t.Context(), o, a, b, d, day)
			errs <- bounds(r, err)
		})
		all.Go(func() {
			_, err := s.Record(t.Context(), o, said(fmt.Sprint("p", i), "a", "b", "x", float64(i%3-1), day.Add(time.Duration(i)*time.Second)))
			errs <- err
		})
		if i%4 == 0 {
			all.Go(func() {
				r, err := s.Relationship(t.Context(), o, "a", "b")
				errs <- bounds(r, err)
			})
		}
	}
	all.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	r, err := s.Relationship(t.Context(), o, "a", "b")
	must(t, err)
	if math.Abs(r.Trust-5) > 1e-6 || r.Strength != persona.MaxLevel || r.Trend.Updates != writers || r.Interactions != 2+writers {
		t.Errorf("%+v", r)
	}
	sum := 2 * 0.625
	for i := range writers {
		sum += float64(i%3 - 1)
	}
	if want := sum / (2 + writers); math.Abs(r.Valence-want) > 1e-6 {
		t.Errorf("mean valence %v, want %v", r.Valence, want)
	}
	if last := day.Add((writers - 1) * time.Second); !r.LastInteraction.Equal(day.Add(2*time.Hour)) || last.After(r.LastInteraction) {
		t.Errorf("last interaction %v", r.LastInteraction)
	}
	_, total, err := s.Interactions(t.Context(), o, 1)
	must(t, err)
	if total != 3+writers {
		t.Errorf("%d interactions", total)
	}
}

// bounds is err, or says that a level is not within its bounds.
func bounds(r persona.Relationship, err error) error {
	if err != nil {
		return err
	}
	for _, level := range []float64{r.Trust, r.Intimacy, r.Strength} {
		if level < 0 || level > persona.MaxLevel {
			return fmt.Errorf("a level out of bounds: %+v", r.Levels)
		}
	}
	return nil
}
