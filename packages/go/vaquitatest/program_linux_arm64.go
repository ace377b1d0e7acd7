package vaquitatest

import program "vaquita.org/program/linux_arm64"

var (
	embeddedGzip = program.Gzip
	embeddedHash = program.SHA256
)
