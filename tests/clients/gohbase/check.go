package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// Counts what is checked and prints what is not as expected.
var (
	section        string
	passed, failed int
	counting       sync.Mutex
)

func begin(name string, body func()) {
	section = name
	before, start := passed, time.Now()
	body()
	fmt.Printf("%-40s %5d checks %6.2f s\n", name, passed-before, time.Since(start).Seconds())
}

func equal[T comparable](what string, expected, got T) {
	counting.Lock()
	defer counting.Unlock()
	if expected == got {
		passed++
		return
	}
	failed++
	fmt.Printf("FAILED %s: %s\n  expected: %v\n  got:      %v\n", section, what, expected, got)
}

// refused expects an error that names this exception.
func refused(what, exception string, err error) {
	equal(what+": names "+exception+": "+fmt.Sprint(err), true, err != nil && strings.Contains(err.Error(), exception))
}

// must ends the program: what comes after an unexpected error means nothing.
func must[T any](value T, err error) T {
	if err != nil {
		fmt.Printf("FAILED %s: unexpected %v\n", section, err)
		os.Exit(1)
	}
	return value
}

func mustDo(err error) { must(0, err) }

func finish() {
	if failed > 0 {
		fmt.Printf("%d of %d checks failed\n", failed, passed+failed)
		os.Exit(1)
	}
	fmt.Printf("%d checks passed\n", passed)
}
