#!/usr/bin/env node
// The command `vaquita`: the server's program, with the same arguments.
import { spawnSync } from 'node:child_process';
import { findProgram } from './program.js';

const { status, signal, error } = spawnSync(findProgram(), process.argv.slice(2), { stdio: 'inherit' });
if (error) throw error;
if (signal) process.kill(process.pid, signal);
process.exitCode = status;
