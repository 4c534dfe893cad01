import type { CaseworkerClient } from '../../client/types.ts';
import type { ApiRoute } from './route.ts';
import { SWITCH_BODY } from './schemas.ts';

/** Agents and tools, switched off and on for all runs. */
export function switchRoutes({ switches }: CaseworkerClient): readonly ApiRoute[] {
  return [
    {
      method: 'GET', path: '/api/switches', access: 'viewer', summary: 'Agents and tools that were ever switched, those that are off first.',
      answers: { type: 'json', text: '{switches}' },
      handle: async ({ context }) => context.json({ switches: await switches.list() }),
    },
    {
      method: 'POST', path: '/api/switches', access: 'operator', summary: 'Switches an agent, or one of its tools, off or on.', body: SWITCH_BODY,
      answers: { type: 'json', text: 'The switch as it is now.' },
      handle: async ({ context, body, identity: { person: by } }) => {
        const text = (name: string): string | undefined => (typeof body[name] === 'string' ? body[name] : undefined);
        const [agent, tool, reason] = [text('agent') ?? '', text('tool'), text('reason') ?? ''];
        const request = { agent, ...(tool === undefined ? {} : { tool }), by, reason };
        return context.json(await (body.off === true ? switches.disable(request) : switches.enable(request)));
      },
    },
  ];
}
