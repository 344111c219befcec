package content_test

import (
	"fmt"

	"catena/table/content"
)

func ExampleDecode() {
	text, encoding, err := content.Decode([]byte("caf\xe9;1\n"), "menu.csv")
	fmt.Printf("%q %s %v\n", text, encoding, err)
	// Output: "café;1\n" windows-1252 <nil>
}
