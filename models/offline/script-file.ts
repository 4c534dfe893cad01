import { z } from 'zod';
import type { Scripts } from './script.ts';

const object = z.record(z.string(), z.json());
const call = z.strictObject({
  name: z.string(), args: object.optional(), argumentsText: z.string().optional(), id: z.string().optional(), fields: object.optional(),
});
const saying = {
  text: z.string().optional(), calls: z.array(call).optional(), finish: z.string().optional(), message: object.optional(),
  usage: z.union([z.literal('none'), z.literal('zero'), object]).optional(),
};
const status = { status: z.int().min(200).max(599), headers: z.record(z.string(), z.string()).optional(), body: z.json().optional() };
const fault = { fault: z.enum(['hang', 'stall', 'drop', 'reset', 'cut', 'html', 'empty_body']) };
const around = { first: z.array(z.union([z.strictObject(status), z.strictObject(fault)])).optional(), heldBy: z.string().optional() };

const line = z.union([
  z.strictObject({ ...fault, ...around }),
  z.strictObject({ ...status, ...around }),
  z.strictObject({ raw: z.json(), ...around }),
  z.strictObject({ ...saying, ...around }),
]);
const lines = z.array(line);
const file = z.union([lines.transform((script) => ({ default: script })), z.record(z.string(), lines)]);

/** The scripts of a JSON file: a list of lines, or lists by key. Throws an Error that says where it is wrong. */
export function readScripts(text: string): Scripts {
  const read = file.safeParse(JSON.parse(text));
  if (!read.success) throw new Error(`The script cannot be used: ${z.prettifyError(read.error)}`);
  return read.data;
}
