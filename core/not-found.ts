/** Sentences that say of what they name that it was looked for and is not there, or could not be looked up. */
const SAYS_SO: readonly RegExp[] = [
  /\bnot\s+(?:be\s+|been\s+)?(?:found|located|identified|exist\w*|retriev\w*|verif\w*|checked|looked\s+up|confirmed|available|recogni[sz]ed|on\s+(?:file|record)|in\s+(?:the|our|any))/i,
  /\b(?:no|any)\s+(?:such\s+|matching\s+|valid\s+|known\s+)?(?:[a-z]+\s+){0,3}(?:(?:with|for|under|by)\s+(?:the\s+|this\s+|that\s+)?(?:id|number|reference|name|code)|exists?|found|record|match\w*|results?)\b/i,
  /\bno\s+[a-z]+\s+(?:(?:id|number|called|named)\s+){0,2}#?[A-Z]{0,10}[-_/]?\d/i,
  /\b(?:does|do|did)(?:n['’]t|\s+not)\s+(?:seem\s+to\s+|appear\s+to\s+)?(?:exist|match|correspond|appear|show|belong|find|return)\b/i,
  /\b(?:could|can|was|were|am|are)(?:n['’]t|not|\s+not)\s+(?:able\s+to\s+)?(?:be\s+)?(?:find|found|locate\w*|look\w*\s+up|retrieve\w*|verify|verified|check\w*|confirm\w*|identify|identified|access\w*|read)\b/i,
  /\b(?:unable|failed|not\s+able|impossible)\s+to\s+(?:be\s+)?(?:find|found|locate|look\s+up|retrieve|verify|check|confirm|identify|access|read)/i,
  /\b(?:found|returned|brought|gave|shows?)\s+(?:no|nothing|neither)\b/i,
  /\b(?:found|exists|valid|known)\s{0,2}:\s{0,2}(?:false|no)\b/i,
  /\bnothing\s+(?:was\s+)?(?:found|known|came\s+up)\b|\bnever\s+found\b|\bno\s+trace\b/i,
  /\b(?:unknown|invalid|non-?existent|missing|wrong|unrecogni[sz]ed)\s+(?:[a-z]+\s+){0,2}(?:id|number|order|invoice|code|reference|record)\b|\b(?:is|are|seems?|looks?)\s+(?:unknown|invalid|missing|non-?existent|wrong|incorrect)\b/i,
  /\b(?:is|was)(?:n['’]t|\s+not)\s+(?:a\s+valid|valid|in|on|an?\s+existing|known)\b/i,
  /\blook-?\s?ups?\s+(?:of\s+\S+\s+)?(?:failed|found\s+nothing|did\s+not)/i,
];

/** How far around an id its sentence and the next ones are read. */
const REACH = 240;

/** Whether the sentence around a place in a text, or the one before or behind it, says that nothing was found. */
export function saysNotFound(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - REACH), index).split(/(?<=[.!?])\s+|\n/).slice(-2).join(' ');
  const after = text.slice(index, index + REACH).split(/(?<=[.!?])\s+|\n/).slice(0, 2).join(' ');
  const around = before + after;
  return SAYS_SO.some((pattern) => pattern.test(around));
}
