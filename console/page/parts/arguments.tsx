import type { JsonObject, JsonValue } from '../../../core/json.ts';
import type { EvidenceLink, Place } from '../../api/evidence-links.ts';
import { fieldWords } from '../words.ts';

interface ArgumentsProps {
  readonly args: JsonObject;
  /** What stood there before, where a person has changed it. */
  readonly before?: JsonObject | undefined;
  readonly evidence?: readonly EvidenceLink[];
  readonly onPlace?: (place: Place) => void;
}

/** The exact arguments, a row each; what was changed shows both, what is an id or a number where it comes from. */
export function Arguments({ args, before, evidence = [], onPlace }: ArgumentsProps) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(args)])];
  if (names.length === 0) return <p class="quiet">No arguments.</p>;
  return (
    <table class="arguments">
      <caption class="hidden">Arguments</caption>
      <thead class="hidden"><tr><th scope="col">Field</th><th scope="col">Value</th></tr></thead>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <th scope="row">{fieldWords(name)} <code class="quiet">{name}</code></th>
            <td>
              <Value now={args[name]} before={before ? before[name] : args[name]} />
              {evidence.filter(({ field }) => field === name || field.startsWith(`${name}.`)).map((link) => <Source key={link.field} link={link} onPlace={onPlace} />)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ now, before }: { readonly now: JsonValue | undefined; readonly before: JsonValue | undefined }) {
  const [text, old] = [valueText(now), valueText(before)];
  if (text === old) return <code class="value">{text}</code>;
  return (
    <span class="diff">
      {before === undefined ? null : <del><span class="hidden">was </span>{old}</del>}
      {now === undefined ? null : <ins><span class="hidden">is now </span>{text}</ins>}
    </span>
  );
}

export function valueText(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 1);
}

function Source({ link, onPlace }: { readonly link: EvidenceLink; readonly onPlace: ((place: Place) => void) | undefined }) {
  if (link.places.length === 0) return <div class="source missing">{link.value}: not seen in this run before</div>;
  return (
    <div class="source">
      from {link.places.map((place, i) => (
        <>
          {i > 0 ? ', ' : ''}
          {onPlace ? <button type="button" class="link" onClick={() => onPlace(place)}>{placeWords(place)}</button> : placeWords(place)}
        </>
      ))}
    </div>
  );
}

function placeWords(place: Place): string {
  switch (place.of) {
    case 'task': return 'the task';
    case 'person': return `what ${place.name} said`;
    case 'observation': return `${place.tool} (${place.call})`;
  }
}
