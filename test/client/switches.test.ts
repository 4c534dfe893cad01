import { beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../core/run.ts';
import type { Scripts } from '../../models/index.ts';
import { deskAgent, openDesk } from '../support/desk.ts';
import type { Desk } from '../support/desk.ts';
import { speaker } from '../support/speaker.ts';

const MEERA: Person = { name: 'meera', verified: false };

describe('agents and tools are switched off and on', () => {
  const say = speaker('function-calling');
  const scripts: Scripts = {
    looks: [say.call('I look.', 'get_order', { order_id: '88213' }), say.answer('The fee is ₹25.')],
  };
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk({ script: scripts, agents: [deskAgent()] });
  });
  const run = async () => (await desk.run({ task: 'script:looks Order 88213.' })).result;

  test('a tool that is off hands the run over with who switched it off and why; switched on again it runs', async () => {
    expect(await desk.client.switches.disable({ agent: 'desk', tool: 'get_order', by: MEERA, reason: 'the shop is down' })).toMatchObject({ off: true, by: 'meera' });
    expect(await run()).toMatchObject({ endReason: 'hand_over', stops: [expect.objectContaining({ detail: 'switched_off', text: expect.stringContaining('meera: the shop is down') })] });
    await desk.client.switches.enable({ agent: 'desk', tool: 'get_order', by: MEERA });
    expect(await run()).toMatchObject({ endReason: 'final_answer' });
  });

  test('an agent that is off makes no model call', async () => {
    await desk.client.switches.disable({ agent: 'desk', by: MEERA, reason: 'wrong price list' });
    const calls = desk.model.requests().length;
    expect(await run()).toMatchObject({ endReason: 'hand_over', stops: [expect.objectContaining({ detail: 'switched_off' })] });
    expect(desk.model.requests()).toHaveLength(calls);
    await desk.client.switches.enable({ agent: 'desk', by: MEERA, reason: 'mended' });
  });

  test('all that were ever switched are listed, those that are off first; odd names come back as they were', async () => {
    await desk.client.switches.disable({ agent: 'déjà vu/..', tool: 'a b', by: MEERA, reason: 'trial' });
    const list = await desk.client.switches.list();
    expect(list[0]).toMatchObject({ agent: 'déjà vu/..', tool: 'a b', off: true, reason: 'trial', by: 'meera', atMs: expect.any(Number) });
    expect(list).toEqual(expect.arrayContaining([expect.objectContaining({ agent: 'desk', off: false, reason: 'mended' })]));
  });

  test('nothing is switched off without a reason', async () => {
    await expect(desk.client.switches.disable({ agent: 'desk', by: MEERA, reason: ' ' })).rejects.toThrow(/Say why/);
  });
});
