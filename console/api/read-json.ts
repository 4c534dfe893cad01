import { ApiError } from './api-error.ts';

/** Above what any verb takes: arguments and texts have 128 KiB each. */
const MAX_BYTES = 512 * 1024;
/** What is too large is still read up to here: a sender that is cut off never reads why. */
const MOST_READ_BYTES = 8 * 1024 * 1024;

/** The JSON in a request's body. @throws ApiError for what is too large or none */
export async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ApiError('usage', 'The body is no JSON.', { cause: error });
  }
}

async function readText({ body }: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    if (!(chunk instanceof Uint8Array)) continue;
    bytes += chunk.length;
    if (bytes <= MAX_BYTES) chunks.push(chunk);
    if (bytes > MOST_READ_BYTES) break;
  }
  if (bytes > MAX_BYTES) throw new ApiError('too_large', `The body is larger than ${MAX_BYTES / 1024} KiB.`);
  return Buffer.concat(chunks).toString();
}
