import type { Command } from 'commander';
import { answerCommand } from './answer.ts';
import { approveCommand } from './approve.ts';
import { callCommand } from './call.ts';
import { cancelCommand } from './cancel.ts';
import { consoleCommand } from './console.ts';
import { devCommand } from './dev.ts';
import { disableCommand, enableCommand } from './disable.ts';
import { doctorCommand } from './doctor.ts';
import { editCommand } from './edit.ts';
import { effectsCommand } from './effects.ts';
import { forkCommand } from './fork.ts';
import { giveBackCommand } from './give-back.ts';
import { inboxCommand } from './inbox.ts';
import { listCommand } from './list.ts';
import { messageCommand } from './message.ts';
import { pauseCommand } from './pause.ts';
import { redirectCommand } from './redirect.ts';
import { rejectCommand } from './reject.ts';
import { resolveCommand } from './resolve.ts';
import { respondCommand } from './respond.ts';
import { resumeCommand } from './resume.ts';
import { runCommand } from './run.ts';
import { settleCommand } from './settle.ts';
import { showCommand } from './show.ts';
import { startCommand } from './start.ts';
import { takeOverCommand } from './take-over.ts';
import { todoCommand } from './todo.ts';
import { traceCommand } from './trace.ts';
import { verifyCommand } from './verify.ts';
import { workerCommand } from './worker.ts';

/** In the order of the help: try it, run, look, decide, operate. */
export const COMMANDS: readonly (() => Command)[] = [
  startCommand,
  runCommand,
  listCommand,
  showCommand,
  traceCommand,
  effectsCommand,
  inboxCommand,
  approveCommand,
  editCommand,
  rejectCommand,
  respondCommand,
  settleCommand,
  answerCommand,
  messageCommand,
  redirectCommand,
  pauseCommand,
  resumeCommand,
  takeOverCommand,
  callCommand,
  todoCommand,
  giveBackCommand,
  resolveCommand,
  cancelCommand,
  disableCommand,
  enableCommand,
  forkCommand,
  devCommand,
  consoleCommand,
  workerCommand,
  verifyCommand,
  doctorCommand,
];
