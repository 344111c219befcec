package chat

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
)

// Count is a whole number of a request. JSON has one kind of number: 20, 20.0 and 2e1 are the same, and Python's
// clients write the second.
type Count int

// UnmarshalJSON reads a whole number however it is written, and null as 0; anything else gives a
// *json.UnmarshalTypeError.
func (n *Count) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	if whole, err := strconv.Atoi(string(b)); err == nil {
		*n = Count(whole)
		return nil
	}
	var number float64
	if json.Unmarshal(b, &number) != nil || number != math.Trunc(number) || math.Abs(number) > 1<<53 {
		return &json.UnmarshalTypeError{Value: jsonKind(b), Type: reflect.TypeFor[int]()}
	}
	*n = Count(number)
	return nil
}

// Approve says whether steps that change or delete things may run without a question: ApproveAsk, which "" is too, or
// ApproveAuto.
type Approve string

// What an Approve says.
const (
	ApproveAsk  Approve = "ask"
	ApproveAuto Approve = "auto"
)

// UnmarshalJSON reads a text, and true and false as ApproveAuto and ApproveAsk, as the calls of tools have them;
// CheckTexts tells which texts there are.
func (a *Approve) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case "true":
		*a = ApproveAuto
	case "false":
		*a = ApproveAsk
	default:
		return json.Unmarshal(b, (*string)(a))
	}
	return nil
}

// FileData is what a file has in it: base64 in JSON, and nothing else. As a []byte alone a list of numbers would be
// one, too.
type FileData []byte

// UnmarshalJSON reads base64, and null as nothing.
func (d *FileData) UnmarshalJSON(b []byte) error {
	var text *string
	if json.Unmarshal(b, &text) != nil {
		return &json.UnmarshalTypeError{Value: jsonKind(b), Type: reflect.TypeFor[string]()}
	}
	if *d = nil; text == nil {
		return nil
	}
	data, err := base64.StdEncoding.DecodeString(*text)
	if err != nil {
		return errors.New("the data of an attachment must be base64")
	}
	*d = data
	return nil
}

// jsonKind says what a JSON value is, as encoding/json does in its errors.
func jsonKind(b []byte) string {
	kinds := map[byte]string{'{': "object", '[': "array", '"': "string", 't': "bool", 'f': "bool"}
	if kind := kinds[bytes.TrimSpace(b)[0]]; kind != "" {
		return kind
	}
	return "number"
}
