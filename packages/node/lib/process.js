// A server's process. It ends with this one, however that ends: it reads the end of its standard input.
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './program.js';

const START_MS = 60_000;
const STOP_MS = 10_000;
const LAST_LINES = 50;

// Folders of servers that nobody has stopped; they go with this process.
const folders = new Set();
process.on('exit', () => folders.forEach(removeFolder));

function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}

export class ServerProcess {
  #folder = mkdtempSync(join(tmpdir(), 'vaquita-'));
  #child;
  #ended;

  /** Starts a server and waits until it serves. The error has the last lines of its log. */
  static async start(properties) {
    const server = new ServerProcess();
    try {
      await server.#start(properties);
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  constructor() {
    folders.add(this.#folder);
  }

  async #start(properties) {
    const program = findProgram();
    const args = ['standalone', '--ephemeral', '--free-ports', '--test-control', '--exit-with-stdin', '--ready-line'];
    for (const [name, value] of Object.entries(properties)) args.push('-D', `${name}=${value}`);
    const log = openSync(this.log, 'w');
    const { VAQUITA_BINARY: _, ...env } = process.env; // it is for this package, not for the server
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', log], env });
    closeSync(log);
    this.#child.stdin.on('error', () => {}); // of a server that has ended
    this.#ended = new Promise((resolve) => {
      this.#child.once('error', (error) => resolve(`it cannot be run: ${error.message}`));
      this.#child.once('exit', (code, signal) => resolve(signal ? `it was ended by ${signal}` : `it ended with exit code ${code}`));
    });
    const problem = await this.#ready();
    if (problem) {
      this.#child.kill('SIGKILL');
      throw new Error(`Vaquita did not start: ${problem}.\nCommand: ${program} ${args.join(' ')}\n${this.lastLogLines()}`);
    }
    // Neither the server nor its pipes keep this process alive: at its end the server ends as well.
    this.#child.stdout.destroy();
    this.#child.unref();
    this.#child.stdin.unref();
  }

  /** Returns undefined when the server is ready, else in words why it is not. */
  async #ready() {
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, START_MS, `it was not ready after ${START_MS / 1000} s`)));
    const line = (async () => {
      let text = '';
      for await (const part of this.#child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
        text += part;
        if (!text.includes('\n')) continue;
        this.ready = JSON.parse(text);
        return undefined;
      }
      return this.#ended;
    })();
    try {
      return await Promise.race([line, late]);
    } catch (error) {
      return `its ready line is not JSON: ${error.message}`;
    } finally {
      clearTimeout(timer);
    }
  }

  get log() {
    return join(this.#folder, 'vaquita.log');
  }

  get isRunning() {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Says in words how the server has ended; undefined: it runs. */
  get end() {
    if (this.isRunning) return undefined;
    const { exitCode, signalCode } = this.#child;
    return signalCode ? `it was ended by ${signalCode}` : `it ended with exit code ${exitCode}`;
  }

  lastLogLines() {
    try {
      const lines = readFileSync(this.log, 'utf8').trimEnd().split('\n').slice(-LAST_LINES);
      return `Last lines of its log, ${this.log}:\n${lines.join('\n')}`;
    } catch (error) {
      return `Its log cannot be read: ${error.message}`;
    }
  }

  /** Ends the server; it takes some milliseconds. Nothing happens if it has ended. */
  async stop() {
    if (this.isRunning) {
      this.#child.ref();
      this.#child.stdin.end();
      const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS);
      await this.#ended;
      clearTimeout(timer);
    }
    removeFolder(this.#folder);
  }
}
