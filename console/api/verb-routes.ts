import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../core/json.ts';
import { payloadProblem } from '../../core/payload-problem.ts';
import { VERBS } from '../../core/verbs.ts';
import type { Verb, VerbPayloads } from '../../core/verbs.ts';
import type { CaseworkerClient, DecisionOutcome } from '../../client/types.ts';
import { ApiError } from './api-error.ts';
import { decisionProblem, editLimits } from './identity.ts';
import type { CallVerb, Identity, Role } from './identity.ts';
import type { ApiRoute, RouteCall } from './route.ts';
import { VERB_BODIES } from './schemas.ts';

interface VerbFacts {
  readonly access: Role;
  readonly summary: string;
}

/** Whoever approves decides held calls and answers questions; what changes the course of a run is the operators'. */
const VERB_ACCESS: Readonly<Record<Verb, VerbFacts>> = {
  approve: { access: 'approver', summary: 'Lets a held call run, with the arguments that the hash names.' },
  edit: { access: 'approver', summary: 'Changes the arguments of a held call; they are checked again, then run.' },
  reject: { access: 'approver', summary: 'A held call does not run; the model reads the reason.' },
  respond: { access: 'approver', summary: "A person's answer stands for a held call's result." },
  answer: { access: 'approver', summary: 'Answers the question that the run asked.' },
  settle: { access: 'operator', summary: 'Says what became of a call whose outcome is unknown.' },
  message: { access: 'operator', summary: 'Tells the run something.' },
  redirect: { access: 'operator', summary: 'Changes the goal or the constraints.' },
  pause: { access: 'operator', summary: 'Nothing more is started: what is under way ends, and the calls in a reply that comes do not run.' },
  resume: { access: 'operator', summary: 'A paused or handed-over run goes on, with a note, a goal or raised limits.' },
  'take-over': { access: 'operator', summary: 'A person holds the run: no model is called.' },
  call: { access: 'operator', summary: 'Runs a tool of the agent, for the person who holds the run.' },
  todo: { access: 'operator', summary: 'Ticks off open items and adds others.' },
  'give-back': { access: 'operator', summary: 'The agent goes on with the run.' },
  resolve: { access: 'operator', summary: "Ends the run with the person's own answer." },
  cancel: { access: 'operator', summary: 'Ends the run; what was done stays done.' },
};

export function verbRoutes(client: CaseworkerClient): readonly ApiRoute[] {
  return VERBS.map((verb) => ({
    method: 'POST' as const, path: `/api/runs/:id/${verb}` as const, ...VERB_ACCESS[verb], body: VERB_BODIES[verb],
    answers: { type: 'json' as const, text: 'What became of the decision: applied, refused (with the reason), or delivered and not yet applied.' },
    handle: (call: RouteCall) => decided(client, verb, call),
  }));
}

async function decided(client: CaseworkerClient, verb: Verb, { context, identity, body, param }: RouteCall): Promise<Response> {
  const id = param('id');
  const allowed = isCallVerb(verb) ? await allowedBody(client, { id, verb, body }, identity) : body;
  const outcome = await sent(client, { id, verb, body: allowed, identity });
  return context.json(outcome);
}

interface Sent {
  readonly id: string;
  readonly verb: Verb;
  readonly body: JsonObject;
  readonly identity: Identity;
}

/** The decision's identity is that of the request: a body names nobody. */
async function sent(client: CaseworkerClient, { id, verb, body, identity }: Sent): Promise<DecisionOutcome> {
  const payload = { id: randomUUID(), ...body, by: identity.person };
  if (!isPayload(verb, payload)) throw new ApiError('usage', `This cannot be sent: ${payloadProblem(verb, payload) ?? 'it is malformed'}.`);
  return client.decide(id, verb, payload);
}

function isPayload<V extends Verb>(verb: V, payload: unknown): payload is VerbPayloads[V] {
  return payloadProblem(verb, payload) === undefined;
}

function isCallVerb(verb: Verb): verb is CallVerb {
  return verb === 'approve' || verb === 'edit' || verb === 'reject' || verb === 'respond';
}

interface AskedCall {
  readonly id: string;
  readonly verb: CallVerb;
  readonly body: JsonObject;
}

/** No call's hash: whatever waits by the time that it arrives was not what this person was shown. */
const NOTHING_SHOWN = 'nothing waited';

/**
 * What is sent for an approver: tools and amounts are looked at here, what a change comes to by the run. A call that does
 * not wait is for the run to refuse, since it knows who was first; should it begin to wait meanwhile, the decision misses it.
 */
async function allowedBody(client: CaseworkerClient, { id, verb, body }: AskedCall, identity: Identity): Promise<JsonObject> {
  const isLimited = identity.grants.every(({ is, tools, upTo }) => is === 'viewer' || tools !== undefined || upTo !== undefined);
  if (!isLimited) return body;
  const progress = await client.progress(id);
  // Without a worker nobody can tell what the call is, and a yes that is left for later would be applied unseen.
  if (!progress) throw new ApiError('unreachable', 'No worker answers for this run, so whether you may decide this call cannot be told.');
  const held = progress.held?.find((one) => one.call === body.call);
  // What was looked at here is what the decision is for: another call's hash gets nowhere.
  if (!held || held.argsHash !== body.argsHash) return { ...body, argsHash: NOTHING_SHOWN };
  const problem = decisionProblem(identity, verb, held);
  if (problem) throw new ApiError('not_allowed', `${problem[0]?.toUpperCase() ?? ''}${problem.slice(1)}.`);
  const upTo = verb === 'edit' ? editLimits(identity, held) : undefined;
  return upTo ? { ...body, upTo: upTo.map(({ amount, currency }) => ({ amount, currency })) } : body;
}
