package vaquitatest

import program "vaquita.org/program/linux_amd64"

var (
	embeddedGzip = program.Gzip
	embeddedHash = program.SHA256
)
