// Package failing has a test that fails, so that the log is printed. packages/go/test expects both.
package failing

import (
	"testing"

	"vaquita.org/go/vaquitatest"
)

func TestFails(t *testing.T) {
	vaquitatest.Start(t, vaquitatest.Property("no.such.property", "1"))
	t.Error("as it must")
}
