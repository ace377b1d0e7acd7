// Uses the module as anybody would: packages/go/test copies this folder out of the source tree.
module example.org/uses-vaquita-container

go 1.26.0

require (
	github.com/testcontainers/testcontainers-go v0.45.0
	github.com/tsuna/gohbase v0.0.0-20201125011725-348991136365
	vaquita.org/go v0.1.0
	vaquita.org/go/vaquitacontainer v0.1.0
)
