//go:build !linux

package vaquitatest

import "syscall"

func executable(string) error { return syscall.ENOENT }

func inMemory() (string, error) { return "", syscall.ENOENT }
