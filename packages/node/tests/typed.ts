// Checked by tsc --strict, not run.
import { startVaquita, type Call, type Vaquita } from 'vaquita';

const hbase: Vaquita = await startVaquita({ tables: { t: ['f'] }, properties: { 'hbase.master.port': '0' } });
const calls: Call[] = await hbase.calls({ since: await hbase.nextCall() });
console.log(calls.length, await hbase.addFault({ methods: ['Get'], times: 1, drop: 'after' }));
await hbase.stop();
