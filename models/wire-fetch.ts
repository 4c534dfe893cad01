import { readErrorBody } from './error-body.ts';
import { networkFault, WireFault } from './wire-fault.ts';

export type Fetch = typeof globalThis.fetch;

/** A reply of 256 KiB with every character escaped and provider fields beside it still fits; more is no reply. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * A `fetch` that has read the whole answer before it returns, within bounds, and throws a WireFault for everything but
 * a 2xx. So that a cut, endless or broken body is found in the same place as a refused connection, and an error's body
 * is read as it came: the provider's client keeps only one of the shapes in use.
 */
export function wireFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    const { response, text } = await onTheWire(async () => {
      const answer = await fetch(input, init);
      return { response: answer, text: await boundedText(answer) };
    });
    if (response.ok) return new Response(text, { headers: { 'content-type': 'text/plain' } });
    const retryAfter = response.headers.get('retry-after');
    throw new WireFault({
      kind: 'status', status: response.status, said: readErrorBody(text), ...(retryAfter === null ? {} : { retryAfter }),
    });
  };
}

async function onTheWire<T>(exchange: () => Promise<T>): Promise<T> {
  try {
    return await exchange();
  } catch (error) {
    throw error instanceof WireFault ? error : new WireFault(networkFault(error));
  }
}

async function boundedText(response: Response): Promise<string> {
  if (!response.body) return '';
  // Chunk by chunk takes its time, and most answers say how long they are; a compressed one says how long it is packed.
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  if (length <= MAX_BODY_BYTES && !response.headers.has('content-encoding')) return response.text();
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  const chunks: AsyncIterable<Uint8Array> = response.body;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) throw new WireFault({ kind: 'bad_reply', what: `more than ${MAX_BODY_BYTES} bytes` });
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
