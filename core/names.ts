/** Every string that two sides of a border use. A changed string here breaks running runs: add, don't rename. */

export const WORKFLOW_TYPE = 'agentRun';
export const DEFAULT_TASK_QUEUE = 'caseworker';

export const ACTIVITY = {
  pinAgent: 'pinAgent',
  think: 'think',
  check: 'check',
  notify: 'notify',
  archive: 'archive',
  /** Every tool call: the activity's type is the tool's name, which the worker does not know, so it lands here. */
  act: 'default',
} as const;

/** Changes of the loop that older histories do not have; Temporal notes in each new one that it has them. */
export const PATCH = {
  /** The agent is pinned within the first workflow task. */
  pinLocally: 'pin-locally',
} as const;

/** Actions of the loop itself. A tool of the same name would never be reached, so the names are taken. */
export const BUILT_IN = {
  finalAnswer: 'final_answer',
  askPerson: 'ask_person',
  handOver: 'hand_over',
  todo: 'update_todo',
  recall: 'recall',
} as const;

/** Names that a tool may not have: they are activities, actions or prefixes of Temporal's own. */
export const RESERVED_TOOL_NAMES: readonly string[] = [
  ...Object.values(ACTIVITY),
  ...Object.values(BUILT_IN),
  'finish',
];
export const RESERVED_TOOL_PREFIX = '__temporal';

export const QUERY = {
  /** RunProgress: status, turn, usage; for people and the command line. */
  progress: 'progress',
  /** TranscriptPage: the messages a worker's cache lacks. */
  transcript: 'transcript',
} as const;

/** Custom search attributes: keywords, but the cost, which is a double in the currency beside it. */
export const SEARCH_ATTRIBUTE = {
  agent: 'CaseworkerAgent',
  status: 'CaseworkerStatus',
  endReason: 'CaseworkerEndReason',
  requestedBy: 'CaseworkerRequestedBy',
  cost: 'CaseworkerCost',
  currency: 'CaseworkerCurrency',
} as const;

/** Types of failures that activities throw; the part before the dot says whose fault it is. */
export const FAILURE = {
  modelAuth: 'Model.Auth',
  modelBadRequest: 'Model.BadRequest',
  modelNotFound: 'Model.NotFound',
  modelContextTooLong: 'Model.ContextTooLong',
  modelQuota: 'Model.Quota',
  modelRateLimit: 'Model.RateLimit',
  modelUnavailable: 'Model.Unavailable',
  modelTimeout: 'Model.Timeout',
  modelBadReply: 'Model.BadReply',
  toolUnavailable: 'Tool.Unavailable',
  /** A person has switched the agent off. */
  switchedOff: 'Caseworker.SwitchedOff',
  /** The prompt is larger than what the budget was checked for: not sent. */
  overAllowance: 'Caseworker.OverAllowance',
} as const;
export type FailureType = (typeof FAILURE)[keyof typeof FAILURE];

/** Metrics, in Prometheus' spelling. */
export const METRIC = {
  /** Labels: agent, end_reason, detail. */
  loopsEnded: 'caseworker_loops_ended_total',
  /** One counter for each of `Counters`, label: agent. */
  counterPrefix: 'caseworker_',
} as const;
