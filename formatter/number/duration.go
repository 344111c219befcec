package number

import "strconv"

// DurationStyle is a way to write a length of time.
type DurationStyle byte

// The ways to write 26 hours and 90 seconds: 26h 1m 30s; 26:01:30; PT26H1M30S (ISO 8601).
const (
	UnitDuration DurationStyle = iota
	ClockDuration
	ISODuration
)

// AppendDuration writes a length of time in microseconds at the end of dst. Fractions of seconds are written where
// there are any; parts that are zero are left out, but for clocks. infer.ReadDuration reads all styles back, up to 292
// years.
func AppendDuration(dst []byte, us int64, style DurationStyle) []byte {
	const minute, hour = 60e6, 3600e6
	rest := uint64(us)
	if us < 0 {
		dst, rest = append(dst, '-'), -rest
	}
	hours, minutes, rest := rest/hour, rest%hour/minute, rest%minute
	if style == ClockDuration {
		dst = append(appendTwo(dst, hours), ':')
		dst = append(appendTwo(dst, minutes), ':')
		return appendSeconds(dst, rest, true)
	}
	names, gap := [3]string{"h", "m", "s"}, " "
	if style == ISODuration {
		names, gap = [3]string{"H", "M", "S"}, ""
		dst = append(dst, "PT"...)
	}
	start := len(dst)
	for i, n := range [2]uint64{hours, minutes} {
		if n > 0 {
			dst = append(strconv.AppendUint(separate(dst, start, gap), n, 10), names[i]...)
		}
	}
	if rest > 0 || len(dst) == start {
		dst = append(appendSeconds(separate(dst, start, gap), rest, false), names[2]...)
	}
	return dst
}

// separate puts the gap behind what was written since start.
func separate(dst []byte, start int, gap string) []byte {
	if len(dst) > start {
		return append(dst, gap...)
	}
	return dst
}

func appendTwo(dst []byte, n uint64) []byte {
	if n < 10 {
		dst = append(dst, '0')
	}
	return strconv.AppendUint(dst, n, 10)
}

// appendSeconds writes seconds with their fraction.
func appendSeconds(dst []byte, micros uint64, two bool) []byte {
	seconds, frac := micros/1e6, micros%1e6
	if two {
		dst = appendTwo(dst, seconds)
	} else {
		dst = strconv.AppendUint(dst, seconds, 10)
	}
	if frac > 0 {
		dst = append(dst, '.')
		for scale := uint64(1e5); frac > 0; scale /= 10 {
			dst = append(dst, byte('0'+frac/scale))
			frac %= scale
		}
	}
	return dst
}
