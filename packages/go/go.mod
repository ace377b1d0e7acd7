module vaquita.org/go

go 1.19

require (
	vaquita.org/program/linux_amd64 v0.1.0
	vaquita.org/program/linux_arm64 v0.1.0
)
