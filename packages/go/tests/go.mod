// Uses the modules as anybody would: packages/go/test copies this folder out of the source tree.
module example.org/uses-vaquita

go 1.19

require (
	github.com/tsuna/gohbase v0.0.0-20201125011725-348991136365
	vaquita.org/go v0.1.0
)
