import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { startVaquita } from 'vaquita';
import { connect } from './client.js';

const hbase = await startVaquita();
const client = connect(hbase.grpcAddress);
after(() => {
  client.close();
  return hbase.stop();
});
beforeEach(() => hbase.reset({ tables: { t: ['f'] }, seed: "create 'short', {NAME => 'f', TTL => 60}" }));

test('faults', async () => {
  const fault = await hbase.addFault({ methods: 'Mutate', table: 't', times: 1, exception: 'RegionTooBusyException', message: 'as ordered' });
  await assert.rejects(client.put('t', 'r', 'q', 'v'), /as ordered/);
  await client.put('t', 'r', 'q', 'v');
  const [{ id, hits }] = await hbase.faults();
  assert.deepEqual({ id, hits }, { id: fault, hits: 1 });
  const calls = await hbase.calls({ method: 'Mutate' });
  assert.deepEqual(calls.map((call) => call.result.replace(/.*\./, '')), ['RegionTooBusyException', 'OK']);
});

test('calls', async () => {
  const since = await hbase.nextCall();
  await client.get('t', 'r');
  const calls = await hbase.calls({ since });
  assert.deepEqual(calls.map(({ method, table, rows }) => ({ method, table, rows })), [{ method: 'Get', table: 't', rows: ['r'] }]);
});

test('time', async () => {
  await client.put('short', 'r', 'q', 'v');
  await hbase.advanceTime(59_000);
  assert.equal(await client.get('short', 'r'), 'v');
  await hbase.advanceTime(2_000);
  assert.equal(await client.get('short', 'r'), undefined);
  const at = new Date('2030-01-02T03:04:05Z');
  assert.deepEqual(await hbase.freezeTime(at), at);
});

test('snapshots seed', async () => {
  await hbase.seed("put 't', 'r', 'f:q', 'v'\nsnapshot 't', 's'");
  await hbase.seedSnapshot('s', 'clone');
  assert.equal(await client.get('clone', 'r'), 'v');
});

test('states', async () => {
  assert.equal(await hbase.seedCsv('id,name\n1,Ann\n2,Ben\n', { table: 'people' }), 2);
  await hbase.save('people');
  await hbase.seed("deleteall 'people', '1'");
  await hbase.restore('people');
  assert.equal(await client.get('people', '1'), 'Ann');
  await assert.rejects(hbase.restore('nothing'), /nothing/);
});
