import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findProgram, startVaquita } from 'vaquita';

test('servers beside each other', async () => {
  const servers = await Promise.all([1, 2, 3].map((i) => startVaquita({ tables: { [`t${i}`]: ['f'] } })));
  assert.equal(new Set(servers.map((server) => server.pid)).size, 3);
  for (const [i, server] of servers.entries()) assert.match(await server.seed('list'), new RegExp(`t${i + 1}`));
  await Promise.all(servers.map((server) => server.stop()));
  for (const server of servers) {
    assert.equal(server.isRunning, false);
    assert.equal(existsSync(server.log), false);
    await server.stop();
  }
});

test('a server that does not start says why', async () => {
  await assert.rejects(startVaquita({ properties: { 'hbase.regionserver.handler.count': 'many' } }), /exit code(.|\n)*many/);
});

test('a server ends with the process that forgets it', () => {
  const program = "import { startVaquita } from 'vaquita'; console.log((await startVaquita()).pid);";
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  assert.equal(status, 0);
  const end = Date.now() + 10_000;
  while (existsSync(`/proc/${Number(stdout)}`) && Date.now() < end);
  assert.equal(existsSync(`/proc/${Number(stdout)}`), false);
});

test('no folder is left by the process that forgets it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'test-'));
  const program = "import { startVaquita } from 'vaquita'; await startVaquita();";
  const env = { ...process.env, TMPDIR: folder };
  assert.equal(spawnSync(process.execPath, ['--input-type=module', '--eval', program], { env }).status, 0);
  const end = Date.now() + 10_000;
  while (readdirSync(folder).length > 0 && Date.now() < end);
  assert.deepEqual(readdirSync(folder), []);
  rmSync(folder, { recursive: true });
});

test('a server that has died is told', async () => {
  const hbase = await startVaquita();
  process.kill(hbase.pid, 'SIGKILL');
  while (hbase.isRunning) await new Promise((resolve) => setTimeout(resolve, 5));
  await assert.rejects(hbase.reset(), /reset: the server does not run: it was ended by SIGKILL(.|\n)*log/);
  await hbase.stop();
});

test('an option that there is not is refused', async () => {
  await assert.rejects(startVaquita({ table: { t: ['f'] } }), /there is no option table; the options are tables, seed and properties/);
});

test('a missing program is told', () => {
  const environment = {};
  assert.throws(() => findProgram({ environment, platform: 'darwin-arm64' }), /darwin-arm64.*@vaquita\/darwin-arm64.*linux-x64.*this one, darwin-arm64/);
  assert.throws(() => findProgram({ environment: { VAQUITA_BINARY: '/nothing/there' } }), /VAQUITA_BINARY is \/nothing\/there/);
});

test('the command is the program', () => {
  const { stdout } = spawnSync('npx', ['vaquita', 'version'], { encoding: 'utf8' });
  assert.match(stdout, /0\.1\.0/);
});
