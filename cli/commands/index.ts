import type { Command } from 'commander';
import { answerCommand } from './answer.ts';
import { cancelCommand } from './cancel.ts';
import { devCommand } from './dev.ts';
import { doctorCommand } from './doctor.ts';
import { effectsCommand } from './effects.ts';
import { forkCommand } from './fork.ts';
import { listCommand } from './list.ts';
import { messageCommand } from './message.ts';
import { pauseCommand } from './pause.ts';
import { redirectCommand } from './redirect.ts';
import { resolveCommand } from './resolve.ts';
import { resumeCommand } from './resume.ts';
import { runCommand } from './run.ts';
import { showCommand } from './show.ts';
import { startCommand } from './start.ts';
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
  resumeCommand,
  resolveCommand,
  answerCommand,
  messageCommand,
  redirectCommand,
  pauseCommand,
  cancelCommand,
  forkCommand,
  devCommand,
  workerCommand,
  verifyCommand,
  doctorCommand,
];
