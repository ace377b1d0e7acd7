//go:build linux

package vaquitatest

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// executable returns nil if a file can be run: it is there, its mode says so, and so does its file system.
func executable(path string) error {
	const executeOK = 1
	return syscall.Access(path, executeOK)
}

// inMemory returns the path of a file without a name, which lives as long as this process.
func inMemory() (string, error) {
	number, known := map[string]uintptr{"amd64": 319, "arm64": 279}[runtime.GOARCH] // memfd_create
	if !known {
		return "", syscall.ENOSYS
	}
	name, err := syscall.BytePtrFromString("vaquita")
	if err != nil {
		return "", err
	}
	const closeOnExec = 1
	descriptor, _, errno := syscall.Syscall(number, uintptr(unsafe.Pointer(name)), closeOnExec, 0)
	if errno != 0 {
		return "", fmt.Errorf("memfd_create: %w", errno)
	}
	file := os.NewFile(descriptor, "vaquita")
	if err := unpackInto(file); err != nil {
		_ = file.Close()
		return "", err
	}
	memory = file
	return fmt.Sprintf("/proc/self/fd/%d", descriptor), nil
}

var memory *os.File // open for good
