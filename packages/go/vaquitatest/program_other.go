//go:build !linux || !(amd64 || arm64)

package vaquitatest

var embeddedGzip, embeddedHash string
