import type { AgentDefinition } from '../index.ts';
import { orderDesk } from './order-desk/agent.ts';
import { population } from './population/agent.ts';
import { refunds } from './refunds-with-approval/agent.ts';

/** The agents of the examples: what the command line serves when no other module is named. */
const agents: readonly AgentDefinition[] = [orderDesk, population, refunds];
export default agents;
