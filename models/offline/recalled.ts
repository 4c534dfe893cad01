import type { JsonObject } from '../../core/json.ts';
import { BUILT_IN } from '../../core/names.ts';
import { isSameCall, offered } from './decision.ts';
import type { WantedCall } from './decision.ts';
import type { View } from './view.ts';

/** Parts of one long result that are asked for; what is needed later than that is not found. */
const PARTS = 8;
const ELIDED = /^Elided to save space; recall (\d{1,9}\.\d{1,9}) /;
const CUT = /\n\[cut: [^\]\n]{0,200}?recall \{"id":"(\d{1,9}\.\d{1,9})","from":(\d{1,9})\}[^\]\n]{0,100}\]$/;

/** The text of an observation with its missing parts that were recalled, or the `recall` that is next. */
export function recalled(view: View, observation: string, isEnough: (text: string) => boolean): string | WantedCall {
  let text = observation;
  for (let part = 0; part < PARTS; part += 1) {
    const missing = missingPart(text);
    if (!missing || !offered(view, BUILT_IN.recall)) return text;
    if (missing.kept !== '' && isEnough(missing.kept)) return text;
    const call = { tool: BUILT_IN.recall, args: missing.args };
    const found = view.past.findLast((past) => isSameCall(past, call));
    if (!found) return call;
    text = missing.kept + found.text;
  }
  return text;
}

function missingPart(text: string): { readonly kept: string; readonly args: JsonObject } | undefined {
  const elided = ELIDED.exec(text);
  if (elided) return { kept: '', args: { id: elided[1] ?? '' } };
  const cut = CUT.exec(text);
  return cut ? { kept: text.slice(0, cut.index), args: { id: cut[1] ?? '', from: Number(cut[2]) } } : undefined;
}
