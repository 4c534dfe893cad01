import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChartData } from '../chart.ts';

const DARK = '(prefers-color-scheme: dark)';

interface ChartProps {
  /** What it shows, in words, for whoever does not see it. */
  readonly label: string;
  readonly data: ChartData;
}

/** Loaded only where one is shown: the rest of the page does without the chart's code. */
export function Chart({ label, data }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const isDark = useIsDark();
  useEffect(() => {
    let remove: (() => void) | undefined;
    let gone = false;
    void import('../chart.ts').then(({ drawChart }) => {
      if (place.current && !gone) remove = drawChart(place.current, data);
    });
    return () => {
      gone = true;
      remove?.();
    };
  }, [JSON.stringify(data), isDark]);
  return (
    <>
      <div ref={place} class="chart" role="img" aria-label={`${label}. The table below has the numbers.`} />
      {data.rows.length > 1 ? <p class="legend">{data.rows.map(({ name, colour }) => <span key={name}><span class="mark" style={{ background: colour }} />{name}</span>)}</p> : null}
    </>
  );
}

/** A canvas keeps the colours that it was drawn with. */
function useIsDark(): boolean {
  const [isDark, setIsDark] = useState(() => matchMedia(DARK).matches);
  useEffect(() => {
    const media = matchMedia(DARK);
    const change = (): void => setIsDark(media.matches);
    media.addEventListener('change', change);
    return () => media.removeEventListener('change', change);
  }, []);
  return isDark;
}
