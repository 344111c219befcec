package declared_test

import (
	"fmt"

	"catena/tools/declared"
)

// A declaration says what is wrong with it before anything is asked.
func Example() {
	d := declared.Definition{
		Name: "books_by", Description: "Books of one author.",
		HTTP:       &declared.Request{URL: "https://library.example/authors/{author}/books"},
		Parameters: []declared.Parameter{{Name: "authors"}},
	}
	fmt.Println(d.Check(nil))
	// Output:
	// .http.url has {author}, which is not among the parameters; did you mean authors?
}
