// Vaquita: a small HBase in one process, for tests. index.d.ts has the descriptions.
import { fileURLToPath } from 'node:url';
import { ServerProcess } from './process.js';

export { findProgram } from './program.js';

/** The folder with vaquita/v1/*.proto, for gRPC clients. */
export const protoFolder = fileURLToPath(new URL('../proto', import.meta.url));

export async function startVaquita({ tables = {}, seed = '', properties = {}, ...others } = {}) {
  refuseOthers(others, 'tables, seed and properties');
  const script = scriptFor(tables, seed);
  const vaquita = new Vaquita(await ServerProcess.start(properties), properties);
  try {
    if (script) await vaquita.seed(script);
  } catch (error) {
    await vaquita.stop();
    throw error;
  }
  return vaquita;
}

function refuseOthers(others, known) {
  for (const name of Object.keys(others)) throw new TypeError(`there is no option ${name}; the options are ${known}`);
}

function quoted(text) {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function scriptFor(tables, seed) {
  let script = '';
  for (const [name, families] of Object.entries(tables)) {
    if (!Array.isArray(families) || families.length === 0) throw new TypeError(`table ${name} needs a list of families, e.g. ['f']`);
    script += `create ${[name, ...families].map(quoted).join(', ')}\n`;
  }
  return seed ? `${script}${seed}\n` : script;
}

function duration(milliseconds) {
  if (!Number.isFinite(milliseconds) || milliseconds < 0) throw new TypeError(`milliseconds are wanted, not ${milliseconds}`);
  return `${Math.round(milliseconds)}ms`;
}

export class Vaquita {
  #process;
  #properties;

  constructor(process, properties) {
    this.#process = process;
    this.#properties = properties;
  }

  get zookeeper() {
    return this.#process.ready.zookeeper;
  }

  get grpcAddress() {
    return this.#process.ready.grpc_address;
  }

  get hbaseSite() {
    return this.#process.ready.hbase_site;
  }

  get properties() {
    const { zookeeper_quorum: quorum, zookeeper_port: port } = this.#process.ready;
    return { ...this.#properties, 'hbase.zookeeper.quorum': quorum, 'hbase.zookeeper.property.clientPort': String(port) };
  }

  async reset({ tables = {}, seed = '', ...others } = {}) {
    refuseOthers(others, 'tables and seed');
    const script = scriptFor(tables, seed);
    await this.control('POST', 'reset', {});
    if (script) await this.seed(script);
  }

  async createTable(name, ...families) {
    await this.seed(scriptFor({ [name]: families }, ''));
  }

  async seed(script) {
    return (await this.control('POST', 'seed', { script })).output;
  }

  async seedCsv(csv, { table, family = 'f', key = '' }) {
    return (await this.control('POST', 'seed', { csv, table, family, key })).rows;
  }

  async seedSnapshot(snapshot, table) {
    await this.control('POST', 'seed', { snapshot, table });
  }

  async save(name) {
    await this.control('POST', 'save', { name });
  }

  async restore(name) {
    await this.control('POST', 'restore', { name });
  }

  async freezeTime(at) {
    return this.#clock(at === undefined ? { freeze: true } : { freezeMs: Number(at) });
  }

  async advanceTime(milliseconds) {
    return this.#clock({ advance: duration(milliseconds) });
  }

  async realTime() {
    return this.#clock({ real: true });
  }

  async #clock(request) {
    return new Date((await this.control('POST', 'clock', request)).nowMs);
  }

  async addFault({ methods, table, rows, exception, message = '', delay, drop, loseAnswer, ...others } = {}) {
    const match = { ...others.match };
    if (methods) match.methods = [methods].flat();
    if (table) match.table = table;
    if (rows) [match.rowFrom, match.rowTo] = rows;
    const fault = { ...others, match };
    if (exception) fault.exception = { class: exception, message };
    if (delay !== undefined) fault.delay = duration(delay);
    if (drop) fault.drop = drop;
    if (loseAnswer) fault.loseAnswer = true;
    return (await this.control('POST', 'faults', fault)).id;
  }

  async faults() {
    return (await this.control('GET', 'faults')).faults;
  }

  async clearFaults() {
    await this.control('DELETE', 'faults');
  }

  async calls({ since = 0, table = '', method = '' } = {}) {
    return (await this.control('GET', `calls?${new URLSearchParams({ since, table, method })}`)).calls;
  }

  async nextCall() {
    return (await this.control('GET', `calls?since=${Number.MAX_SAFE_INTEGER}`)).next;
  }

  async flush(table) {
    await this.control('POST', 'flush', { table });
  }

  async compact(table) {
    await this.control('POST', 'compact', { table });
  }

  async split(table, splitRow) {
    await this.control('POST', 'split', { table, splitRow });
  }

  async control(method, operation, request) {
    const { answer, text } = await this.#ask(method, operation, request);
    if (answer.ok) return JSON.parse(text);
    let error = `HTTP status ${answer.status}: ${text}`;
    try {
      error = JSON.parse(text).error ?? error;
    } catch {
      // The text itself says more then.
    }
    throw new Error(`${operation}: ${error}`);
  }

  async #ask(method, operation, request) {
    try {
      const answer = await fetch(`${this.#process.ready.test_control}/${operation}`, {
        method,
        body: request && JSON.stringify(request),
        headers: request && { 'content-type': 'application/json' },
      });
      return { answer, text: await answer.text() };
    } catch (error) {
      // Its own message is "fetch failed".
      const { end } = this.#process;
      const why = end ? `the server does not run: ${end}.\n${this.lastLogLines()}` : (error.cause?.message ?? error.message);
      throw new Error(`${operation}: ${why}`, { cause: error });
    }
  }

  get pid() {
    return this.#process.ready.pid;
  }

  get isRunning() {
    return this.#process.isRunning;
  }

  get log() {
    return this.#process.log;
  }

  lastLogLines() {
    return this.#process.lastLogLines();
  }

  async stop() {
    await this.#process.stop();
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    await this.stop();
  }
}
