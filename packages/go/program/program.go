// Package program has Vaquita's server for one platform, compressed.
package program

import _ "embed"

// Gzip is the program as gzip has compressed it.
//
//go:embed vaquita.gz
var Gzip string

// SHA256 is the program's hash, in hexadecimal digits and before it was compressed.
//
//go:embed vaquita.sha256
var SHA256 string
