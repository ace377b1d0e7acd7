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
beforeEach(() => hbase.reset({ tables: { t: ['f'] } }));

for (const value of ['first', 'second']) {
  test(`writes: ${value}`, async () => {
    assert.equal(await client.get('t', 'r'), undefined);
    await client.put('t', 'r', 'q', value);
    assert.equal(await client.get('t', 'r'), value);
  });
}

test('addresses', () => {
  assert.match(hbase.zookeeper, /^127\.0\.0\.1:\d+$/);
  assert.equal(`${hbase.properties['hbase.zookeeper.quorum']}:${hbase.properties['hbase.zookeeper.property.clientPort']}`, hbase.zookeeper);
  assert.match(hbase.hbaseSite, /hbase\.zookeeper\.property\.clientPort/);
});

test('tables need families', async () => {
  await assert.rejects(hbase.reset({ tables: { u: 'f' } }), /table u needs a list of families/);
});
