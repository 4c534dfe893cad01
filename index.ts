export { defineAgent } from './tools/define-agent.ts';
export type { AgentDefinition, AgentOptions, CallRule, HandOverRule } from './tools/define-agent.ts';
export type { AgentLimits } from './tools/agent-limits.ts';
export { defineTool } from './tools/define-tool.ts';
export type { InputSchema, ToolContext, ToolDefinition } from './tools/define-tool.ts';
export type { Tool } from './tools/tool.ts';
export { ToolUnavailable, unavailable } from './tools/unavailable.ts';
export type { ContextMarks, CounterRule, Effect, Form } from './core/agent.ts';
export type { PriceTable } from './core/money.ts';
