import { ChatOpenAI } from '@langchain/openai';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { INSTRUCTIONS, recordText, serveChild, taskText, TOOL } from './bench-side.js';

/** LangGraph runs in this process: `createAgent` with a checkpointer, one thread a run. */
const { modelUrl, sqliteFile, postgresUrl } = serveChild.settings;

const checkpointer = postgresUrl ? PostgresSaver.fromConnString(postgresUrl) : SqliteSaver.fromConnString(sqliteFile);
if (postgresUrl) await checkpointer.setup();

const agent = createAgent({
  model: new ChatOpenAI({ model: 'bench', apiKey: 'bench', maxRetries: 0, configuration: { baseURL: modelUrl } }),
  systemPrompt: INSTRUCTIONS,
  tools: [tool(({ n }) => recordText(n), { name: TOOL.name, description: TOOL.description, schema: z.object({ n: z.number().int() }) })],
  checkpointer,
});

async function run(task) {
  const config = { configurable: { thread_id: task.key }, recursionLimit: 3 * task.turns + 20 };
  await agent.invoke({ messages: [{ role: 'user', content: taskText(task) }] }, config);
}

/** Bytes of what is kept of a thread: checkpoints, metadata and pending writes. */
async function storedBytes(key) {
  if (!postgresUrl) {
    const sum = (table, columns) => checkpointer.db.prepare(`SELECT coalesce(sum(${columns}), 0) AS bytes FROM ${table} WHERE thread_id = ?`).get(key).bytes;
    return sum('checkpoints', 'length(checkpoint) + length(metadata)') + sum('writes', 'length(value)');
  }
  const sum = async (table, columns) => {
    const { rows } = await checkpointer.pool.query(`SELECT coalesce(sum(${columns}), 0) AS bytes FROM ${table} WHERE thread_id = $1`, [key]);
    return Number(rows[0].bytes);
  };
  const parts = [
    sum('checkpoints', 'octet_length(checkpoint::text) + octet_length(metadata::text)'),
    sum('checkpoint_blobs', 'octet_length(blob)'),
    sum('checkpoint_writes', 'octet_length(blob)'),
  ];
  return (await Promise.all(parts)).reduce((total, bytes) => total + bytes, 0);
}

serveChild.answer((request) => (request.kind === 'run' ? run(request.task) : storedBytes(request.key)));
serveChild.ready();
