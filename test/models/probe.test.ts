import { describe, expect, test } from 'vitest';
import type { Line, ScriptedRequest } from '../../models/index.ts';
import { startOfflineModel, startScriptedModel } from '../../models/index.ts';
import { OFFLINE_MODEL } from '../../models/index.ts';
import { probeModel } from '../../models/probe.ts';
import type { ProbeReport } from '../../models/probe.ts';
import type { ProbeName } from '../../models/probe-finding.ts';
import { closing } from './servers.ts';

interface Asked {
  readonly report: ProbeReport;
  readonly started: readonly ProbeName[];
  readonly bodies: readonly ScriptedRequest['body'][];
}

/** A server that does everything, but for what a test changes. */
async function probed(change: (request: ScriptedRequest) => Line | undefined = () => undefined, timeoutMs = 20_000): Promise<Asked> {
  const server = closing(await startScriptedModel((request) => change(request) ?? able(request)));
  const asked = await probedAt({ baseURL: server.baseURL, model: 'default' }, timeoutMs);
  return { ...asked, bodies: server.requests().map(({ body }) => body) };
}

async function probedAt({ baseURL, model }: { readonly baseURL: string; readonly model: string }, timeoutMs = 20_000): Promise<Omit<Asked, 'bodies'>> {
  const started: ProbeName[] = [];
  const options = { timeoutMs, signal: new AbortController().signal, onStart: (probe: ProbeName) => started.push(probe) };
  const report = await probeModel({ baseURL, apiKey: 'sk-test-0001', model }, options);
  return { report, started };
}

const ACTION = 'Thought: Look it up.\nAction: get_order\nAction Input: {"order_id":"88213"}';

function able({ body, turn }: ScriptedRequest): Line {
  if (turn > 0) return { text: 'Order 88213 is held in bay 47.' };
  const asked = JSON.stringify(body.messages);
  if (!Array.isArray(body.tools)) return { text: asked.includes('Action Input') ? `${ACTION}\nObservation: made up\nFinal Answer: made up` : 'ready' };
  const ids = asked.includes('88214') ? ['88213', '88214'] : ['88213'];
  return { text: 'I look it up.', calls: ids.map((order_id) => ({ name: 'get_order', args: { order_id } })) };
}

const offersTools = ({ body }: ScriptedRequest) => Array.isArray(body.tools);
const sends = (parameter: string) => ({ body }: ScriptedRequest) => JSON.stringify(body).includes(`"${parameter}":`);

function refusing(parameter: string): Line {
  return { status: 400, body: { error: { message: `Unsupported parameter: '${parameter}'`, type: 'invalid_request_error', param: parameter, code: 'unsupported_parameter' } } };
}

function results({ findings }: ProbeReport): Record<string, string> {
  return Object.fromEntries(findings.map(({ probe, result }) => [probe, result]));
}

const ALL_WORK = {
  'reachable': 'works', 'model known': 'works', 'plain reply': 'works', 'usage': 'works', 'one call': 'works', 'two calls at once': 'works',
  'result round trip': 'works', 'strict schema': 'works', 'stop sequence': 'works', 'text form': 'works',
};

function then({ findings }: ProbeReport, probe: ProbeName): string | undefined {
  return findings.find((found) => found.probe === probe)?.then;
}

describe('a server that does everything', () => {
  test('every probe works and function calling is the form to use', async () => {
    const { report } = await probed();
    expect(results(report)).toEqual(ALL_WORK);
    expect(report).toMatchObject({ form: 'function-calling', leftOut: [] });
    expect(report.findings.map((found) => found.then).join('')).toBe('');
  });

  test('the offline model is one', async () => {
    const server = closing(await startOfflineModel());
    const { report } = await probedAt({ baseURL: server.baseURL, model: OFFLINE_MODEL });
    expect(results(report)).toEqual(ALL_WORK);
  });

  test('is asked at most eight times, with a cap on every reply', async () => {
    const { bodies, started } = await probed();
    expect(bodies).toHaveLength(7);
    expect(started).toHaveLength(8);
    for (const body of bodies) expect(body.max_tokens).toBe(1_024);
  });

  test('the result goes back under the id of the call that it belongs to', async () => {
    const { bodies } = await probed();
    const answered = bodies.find((body) => JSON.stringify(body.messages).includes('"tool"'));
    expect(answered?.messages).toMatchObject([
      { role: 'system' }, { role: 'user' },
      { role: 'assistant', tool_calls: [{ id: 'c00001001', function: { name: 'get_order', arguments: '{"order_id":"88213"}' } }] },
      { role: 'tool', tool_call_id: 'c00001001' },
    ]);
  });
});

describe('a server that does less', () => {
  test('stop is ignored: seen, and the reply is cut again', async () => {
    const { report } = await probed((request) => {
      if (!sends('stop')(request)) return undefined;
      return { raw: { choices: [{ message: { role: 'assistant', content: `${ACTION}\nObservation: made up` }, finish_reason: 'stop' }] } };
    });
    expect(results(report)).toEqual({ ...ALL_WORK, 'stop sequence': 'ignored' });
    expect(then(report, 'stop sequence')).toMatch(/cut again by Caseworker/);
  });

  test('stop is refused with 400: left out, and both forms still work', async () => {
    const { report } = await probed((request) => (sends('stop')(request) ? refusing('stop') : undefined));
    expect(results(report)).toEqual({ ...ALL_WORK, 'stop sequence': 'refused' });
    expect(report).toMatchObject({ form: 'function-calling', leftOut: ['stop'] });
  });

  test('a model that ends by itself before the stop sequence shows nothing about it', async () => {
    const { report } = await probed((request) => (sends('stop')(request) ? { text: 'I would rather not.' } : undefined));
    expect(results(report)).toMatchObject({ 'stop sequence': 'not reached', 'text form': 'ignored' });
  });

  test('tools are refused with 400: the text form is the one to use, and no call is asked for again', async () => {
    const { report, bodies } = await probed((request) => (offersTools(request) ? refusing('tools') : undefined));
    expect(results(report)).toEqual({
      ...ALL_WORK, 'one call': 'refused', 'two calls at once': 'not reached', 'result round trip': 'not reached', 'strict schema': 'not reached',
    });
    expect(report.form).toBe('text');
    expect(bodies.filter((body) => Array.isArray(body.tools))).toHaveLength(1);
  });

  test('tools are ignored: the answer has no call, the text form is the one to use', async () => {
    const { report } = await probed((request) => (offersTools(request) ? { text: 'It is on its way.' } : undefined));
    expect(results(report)).toMatchObject({ 'one call': 'ignored', 'result round trip': 'not reached' });
    expect(report.form).toBe('text');
  });

  test('a call that the server left in the text counts, since it is read there', async () => {
    const { report } = await probed((request) => (offersTools(request) && request.turn === 0
      ? { text: '<tool_call>\n{"name":"get_order","arguments":{"order_id":"88213"}}\n</tool_call>' } : undefined));
    expect(report.findings.find(({ probe }) => probe === 'one call')).toMatchObject({ result: 'works', saw: expect.stringMatching(/as text/) });
    expect(results(report)).toMatchObject({ 'two calls at once': 'ignored', 'result round trip': 'works' });
  });

  test('one call at a time: function calling works, with more turns', async () => {
    const { report } = await probed((request) => (offersTools(request) && request.turn === 0
      ? { calls: [{ name: 'get_order', args: { order_id: '88213' } }] } : undefined));
    expect(results(report)).toEqual({ ...ALL_WORK, 'two calls at once': 'ignored' });
    expect(report.form).toBe('function-calling');
    expect(then(report, 'two calls at once')).toMatch(/more turns/);
  });

  test('a result that cannot be sent back makes function calling useless', async () => {
    const { report } = await probed(({ turn }) => (turn > 0 ? { status: 400 } : undefined));
    expect(results(report)).toMatchObject({ 'one call': 'works', 'result round trip': 'refused' });
    expect(report.form).toBe('text');
  });

  test('strict schemas are refused: left out', async () => {
    const { report } = await probed((request) => (sends('strict')(request) ? refusing('tools[0].function.strict') : undefined));
    expect(results(report)).toEqual({ ...ALL_WORK, 'strict schema': 'refused' });
    expect(report.leftOut).toEqual(['strict']);
  });

  test('strict schemas are ignored: an argument that the schema does not have gets through', async () => {
    const { report } = await probed((request) => (sends('strict')(request)
      ? { calls: [{ name: 'get_order', args: { order_id: '88213', note: 'probe' } }] } : undefined));
    expect(results(report)).toEqual({ ...ALL_WORK, 'strict schema': 'ignored' });
  });

  test.each(['none', 'zero'] as const)('usage that is %s is charged at the reservation', async (usage) => {
    const { report } = await probed((request) => ({ ...able(request), usage }));
    expect(results(report)).toEqual({ ...ALL_WORK, usage: 'ignored' });
    expect(then(report, 'usage')).toMatch(/charged at its reservation/);
  });

  test('replies of prose alone: neither form is of use', async () => {
    const { report } = await probed(() => ({ text: 'I am only a poet.' }));
    expect(report.form).toBeUndefined();
  });

  test('a failure that passes is no refusal, and the other probes go on', async () => {
    const { report } = await probed((request) => (offersTools(request) ? { status: 429 } : undefined));
    expect(results(report)).toMatchObject({ 'one call': 'not reached', 'text form': 'works' });
  });
});

describe('an endpoint that gives no reply ends the probing early', () => {
  test('a wrong key: one request for a reply, and the fix', async () => {
    const { report, bodies } = await probed(() => ({ status: 401, body: { error: { message: 'Incorrect API key: sk-test-0001', code: 'invalid_api_key' } } }));
    expect(results(report)).toMatchObject({ 'reachable': 'works', 'plain reply': 'refused', 'one call': 'not reached', 'text form': 'not reached' });
    expect(report.problem).toMatch(/OPENAI_API_KEY/);
    expect(JSON.stringify(report)).not.toContain('sk-test-0001');
    expect(bodies).toHaveLength(1);
  });

  test('an unknown model: refused, with the nearest of the server\'s own', async () => {
    const server = closing(await startOfflineModel());
    const { report } = await probedAt({ baseURL: server.baseURL, model: 'offline-rule' });
    expect(results(report)).toMatchObject({ 'reachable': 'works', 'model known': 'refused', 'plain reply': 'refused' });
    expect(report.findings[1]?.saw).toBe(`the server has: ${OFFLINE_MODEL}`);
    expect(report.problem).toMatch(/OPENAI_MODEL/);
  });

  test('a server that accepts and never answers: given up after the time-out', async () => {
    const { report, started } = await probed(() => ({ fault: 'hang' }), 200);
    expect(results(report)).toMatchObject({ 'reachable': 'works', 'model known': 'works', 'plain reply': 'not reached' });
    expect(report.findings[2]?.failure).toBe('Model.Timeout');
    expect(started).toEqual(['reachable', 'plain reply']);
  });

  test('nobody at the address: not reachable, and nothing else is asked', async () => {
    const server = await startOfflineModel();
    await server.close();
    const { report, started } = await probedAt({ baseURL: server.baseURL, model: OFFLINE_MODEL });
    expect(new Set(Object.values(results(report)))).toEqual(new Set(['not reached']));
    expect(report.findings[0]?.failure).toBe('Model.Unavailable');
    expect(started).toEqual(['reachable']);
  });

  test('an address that is none: nothing is asked', async () => {
    const { report, started } = await probedAt({ baseURL: 'my server', model: 'x' });
    expect(report.problem).toMatch(/OPENAI_BASE_URL/);
    expect(started).toEqual([]);
  });

  test('an abort ends it with the signal\'s reason', async () => {
    const server = closing(await startScriptedModel(() => ({ fault: 'hang' })));
    const controller = new AbortController();
    const probing = probeModel({ baseURL: server.baseURL, apiKey: '', model: 'default' }, { timeoutMs: 20_000, signal: controller.signal, onStart: () => undefined });
    await server.until((requests) => requests.length === 1);
    controller.abort(new Error('enough'));
    await expect(probing).rejects.toThrow('enough');
  });
});
