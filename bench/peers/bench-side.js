/** What these processes share with the bench; this Node reads TypeScript as it is. */
export { serveChild } from '../performance/serve-child.ts';
export { INSTRUCTIONS, recordText, taskText, TOOL } from '../performance/task.ts';
