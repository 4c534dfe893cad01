import type { AgentDefinition } from '../index.ts';
import { orderDesk } from './order-desk/agent.ts';
import { population } from './population/agent.ts';

/** The agents of the examples: what the command line serves when no other module is named. */
const agents: readonly AgentDefinition[] = [orderDesk, population];
export default agents;
