import { statusWord } from './refund-policy.ts';
import type { OfferedTool } from './offered-tools.ts';
import type { JsonValue } from '../../core/json.ts';

/** Asked for where the tool does not list its topics. */
const USUAL = ['late delivery', 'cancelled orders', 'orders in transit', 'refunds'];

/** The topics that a policy tool lists: as an enum of its field, or behind "topic:" in its description. */
function topics(tool: OfferedTool): readonly string[] {
  const [field] = tool.required;
  const values = field === undefined ? undefined : tool.fields[field]?.enum;
  const listed = Array.isArray(values) ? (values as readonly JsonValue[]).filter((value) => typeof value === 'string') : [];
  if (listed.length > 0) return listed;
  const described = [tool.description, ...Object.values(tool.fields).map((each) => (typeof each.description === 'string' ? each.description : ''))];
  return described.flatMap(listedTopics);
}

function listedTopics(text: string): readonly string[] {
  const [, list = ''] = /topics?(?: are)?:([^.]{1,500})/i.exec(text) ?? [];
  return list.split(',').map((topic) => topic.trim()).filter((topic) => topic !== '');
}

/** The topic to ask for about an order in this state; '' when the state is not known yet and the question decides. */
export function topicFor(tool: OfferedTool, status: string, question: string): string {
  const known = [...topics(tool), ...USUAL];
  const stem = status === '' ? questionStem(question) : statusWord(status);
  const wanted = stem === 'deliver' ? /late|delay/i : new RegExp(stem, 'i');
  return known.find((topic) => wanted.test(topic)) ?? known[0] ?? 'refunds';
}

function questionStem(question: string): string {
  if (/cancel/i.test(question)) return 'cancel';
  return /in transit|on (?:its|the) way|not (?:yet )?(?:arrived|delivered|here)|where is/i.test(question) ? 'transit' : 'deliver';
}

/** Topics that a failed look-up named, best first, without those that were asked before. */
export function otherTopics(observation: string, asked: readonly string[]): readonly string[] {
  return listedTopics(observation).filter((topic) => !asked.includes(topic));
}
