package redis_test

import (
	"fmt"

	"catena/internal/store/redis"
)

func ExampleCheck() {
	fmt.Println(redis.Check("redis://10.0.0.1:6379/0"))
	fmt.Println(redis.Check("redis://a,b"))
	// Output:
	// <nil>
	// redis:// takes one host; for several write redis+sentinel:// or redis+cluster://
}
