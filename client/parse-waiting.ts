import { isJsonObject } from '../core/json.ts';
import type { HeldView, OpenQuestion } from '../core/run.ts';

/** Held calls as persons were told of them; those that this build cannot read are left out. */
export function heldViewsIn(values: readonly unknown[]): readonly HeldView[] {
  return values.filter(isHeldView);
}

function isHeldView(value: unknown): value is HeldView {
  return (
    isJsonObject(value) && isText(value.call) && isText(value.tool) && isJsonObject(value.args) && isText(value.argsHash) && isText(value.why) &&
    typeof value.heldAtMs === 'number' && typeof value.deadlineMs === 'number' && Array.isArray(value.roles) && typeof value.fourEyes === 'boolean'
  );
}

export function questionIn(value: unknown): OpenQuestion | undefined {
  return isQuestion(value) ? value : undefined;
}

function isQuestion(value: unknown): value is OpenQuestion {
  return (
    isJsonObject(value) && isText(value.call) && isText(value.question) && typeof value.askedAtMs === 'number' &&
    (value.form === undefined || isJsonObject(value.form))
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
