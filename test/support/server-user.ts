import { acquireServer } from '../../worker/embedded-server.ts';

/** A process of its own that uses the embedded server of a folder, says where it is, and gives it back when its stdin ends. */
const [dataDir = ''] = process.argv.slice(2);
const server = await acquireServer({ dataDir, report: (message) => process.stderr.write(`${message}\n`), ports: 'free' });
process.stdout.write(`${JSON.stringify({ address: server.address, startedByUs: server.startedByUs })}\n`);
process.stdin.on('end', () => void server.release()).resume();
