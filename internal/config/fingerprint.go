package config

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"reflect"
	"slices"
	"strings"
)

// ownSections are what each replica may have of its own.
var ownSections = []string{"store", "log", "telemetry", "listen"}

// KeyPrint is the name of Fingerprints' hash of its key. Where that differs, so do all others.
const KeyPrint = "access.signing_key"

// Fingerprints are hashes of the sections that all replicas must have alike, by section, secrets included; of two configurations those
// differ that do. key keeps a reader of the hashes from guessing secrets.
func (c Config) Fingerprints(key []byte) map[string]string {
	out := map[string]string{KeyPrint: hex.EncodeToString(hmac.New(sha256.New, key).Sum(nil)[:12])}
	v := reflect.ValueOf(c)
	for i := range v.NumField() {
		name := yamlName(v.Type().Field(i))
		if name == "" || slices.Contains(ownSections, name) {
			continue
		}
		mac := hmac.New(sha256.New, key)
		digest(mac, v.Field(i))
		out[name] = hex.EncodeToString(mac.Sum(nil)[:12])
	}
	return out
}

// digest writes a value so that no two different ones give the same bytes.
func digest(to hash.Hash, v reflect.Value) {
	if s, ok := v.Interface().(Secret); ok {
		fmt.Fprintf(to, "%q;", s.value)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			digest(to, v.Field(i))
		}
	case reflect.Slice:
		fmt.Fprintf(to, "[%d;", v.Len())
		for i := range v.Len() {
			digest(to, v.Index(i))
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		fmt.Fprintf(to, "{%d;", len(keys))
		for _, k := range keys {
			fmt.Fprintf(to, "%q:", k.String())
			digest(to, v.MapIndex(k))
		}
	case reflect.Pointer:
		if v.IsNil() {
			fmt.Fprint(to, "nil;")
			return
		}
		digest(to, v.Elem())
	default:
		fmt.Fprintf(to, "%q;", fmt.Sprint(v.Interface()))
	}
}
