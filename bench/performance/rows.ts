/** Names of rows, as results and tables have them. */
export const ROW = {
  floorRegular: 'floor, both regular',
  floorLocal: 'floor, tool local',
  promptRegular: 'floor with the prompt, both regular',
  promptLocal: 'floor with the prompt, tool local',
  functions: 'caseworker, function calling, tool local',
  text: 'caseworker, text, tool local',
  functionsRegular: 'caseworker, function calling, both regular',
  textRegular: 'caseworker, text, both regular',
  aiSdkRegular: '@temporalio/ai-sdk, both regular',
  aiSdkLocal: '@temporalio/ai-sdk, tool local',
  langGraphSqlite: 'LangGraph, SQLite',
  langGraphPostgres: 'LangGraph, PostgreSQL',
} as const;

const PEERS: readonly string[] = [ROW.aiSdkRegular, ROW.aiSdkLocal, ROW.langGraphPostgres, ROW.langGraphSqlite];

/** What a subject is set against: the floor of its own shape, and where peers are there, what the project wants to beat. */
export function against(subject: string): readonly string[] {
  switch (subject) {
    case ROW.functions:
    case ROW.text:
      return [ROW.floorLocal, ROW.promptLocal, ...PEERS];
    case ROW.functionsRegular:
    case ROW.textRegular:
      return [ROW.floorRegular, ROW.promptRegular, ...PEERS];
    case ROW.aiSdkRegular: return [ROW.floorRegular];
    case ROW.aiSdkLocal: return [ROW.floorLocal];
    default: return [];
  }
}
