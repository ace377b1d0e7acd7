// The code blocks of docs/testing.md, as they are printed.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startVaquita } from 'vaquita';
import { connect } from './client.js';

// snippet: node-three-lines

// snippet: readme-node

test('a fault delays', async () => {
  // snippet: node-fault
  const client = connect(hbase.grpcAddress);
  const begin = performance.now();
  assert.equal(await client.get('t', 'r'), undefined);
  assert.ok(performance.now() - begin >= 200);
  client.close();
});
