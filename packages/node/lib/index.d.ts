/** What a server has in it when a test begins. */
export interface State {
  /** Tables, each with its families. */
  tables?: Record<string, string[]>;
  /** Commands of HBase's shell, one a line, that run when the tables are there. */
  seed?: string;
}

export interface Options extends State {
  /** Properties of the server as hbase-site.xml has them. */
  properties?: Record<string, string>;
}

/** A failure on demand: for which calls, and what then happens to them. */
export interface Fault {
  /** HBase's names: "Get", "Mutate", "Multi", "Scan"; none: all. */
  methods?: string | string[];
  table?: string;
  /** Calls with a row in [from, to). */
  rows?: [string, string];
  /** So many calls pass first. */
  skip?: number;
  /** So many get it; none: all, until it is cleared. */
  times?: number;
  /** The class that they are answered with; without a package: one of HBase's. */
  exception?: string;
  message?: string;
  /** They are answered late, by milliseconds. */
  delay?: number;
  /** The connection closes before or after the call is done. */
  drop?: 'before' | 'after';
  /** The call is done and never answered. */
  loseAnswer?: boolean;
  /** Further fields of docs/test-control.md, e.g. inTransition: "2s". */
  [field: string]: unknown;
}

/** A call that the server got. */
export interface Call {
  number: number;
  timeMs: number;
  protocol: 'hbase' | 'grpc';
  service: string;
  /** HBase's name, e.g. "Multi". */
  method: string;
  table: string;
  rows: string[];
  rowCount: number;
  requestBytes: number;
  answerBytes: number;
  /** "OK", or the class of the exception that was answered. */
  result: string;
  message: string;
  micros: number;
  client: string;
  user: string;
  fault: number;
}

/** A running server. An error of the server has its own message. */
export class Vaquita {
  private constructor();
  /** ZooKeeper's address, by which HBase's clients find the server: "127.0.0.1:port". */
  readonly zookeeper: string;
  /** The address of Vaquita's own API. */
  readonly grpcAddress: string;
  /** An hbase-site.xml for clients of this server. */
  readonly hbaseSite: string;
  readonly properties: Record<string, string>;
  /** Gives the server this state and nothing else: no other tables, namespaces, snapshots or faults, the machine's time. */
  reset(state?: State): Promise<void>;
  createTable(name: string, ...families: string[]): Promise<void>;
  /** Runs commands of HBase's shell, one a line, and returns what they print. */
  seed(script: string): Promise<string>;
  /** Puts records into a table, which is made if it is missing, and returns how many there were. */
  seedCsv(csv: string, options: { table: string; family?: string; key?: string }): Promise<number>;
  /** Makes a table, which must not be there, of a snapshot. */
  seedSnapshot(snapshot: string, table: string): Promise<void>;
  /** Keeps the whole state under a name, for restore. */
  save(name: string): Promise<void>;
  restore(name: string): Promise<void>;
  /** The server's clock stands still, at a time (ms, or a Date) if one is given. Returns its time. */
  freezeTime(at?: number | Date): Promise<Date>;
  /** Moves the server's clock forward; what is due then (TTL, leases, chores) is done. */
  advanceTime(milliseconds: number): Promise<Date>;
  realTime(): Promise<Date>;
  /** Adds a fault and returns its number. */
  addFault(fault: Fault): Promise<number>;
  faults(): Promise<Array<{ id: number; hits: number; matched: number; [field: string]: unknown }>>;
  clearFaults(): Promise<void>;
  /** The last 10,000 calls, or those of them from a number on, the oldest first. */
  calls(filter?: { since?: number; table?: string; method?: string }): Promise<Call[]>;
  /** The number that the next call will have. */
  nextCall(): Promise<number>;
  flush(table: string): Promise<void>;
  /** A major compaction. */
  compact(table: string): Promise<void>;
  /** Splits a table's only region. */
  split(table: string, splitRow: string): Promise<void>;
  /** Any operation of docs/test-control.md, e.g. control("POST", "balance", {}). */
  control(method: string, operation: string, request?: object): Promise<Record<string, unknown>>;
  readonly pid: number;
  readonly isRunning: boolean;
  /** The file of the server's log; it goes when the server is stopped. */
  readonly log: string;
  /** The last 50 lines of the log, under a heading. */
  lastLogLines(): string;
  /** Ends the server. Nothing happens if it has ended. */
  stop(): Promise<void>;
}

/** Starts a server on free ports. The error has the end of its log if it does not start. It ends with this process. */
export function startVaquita(options?: Options): Promise<Vaquita>;

/** The folder with vaquita/v1/*.proto, for gRPC clients. */
export const protoFolder: string;

/** Returns the server's program. The error names what was looked for, and what there is. */
export function findProgram(options?: { environment?: Record<string, string | undefined>; platform?: string }): string;
