import { useEffect, useState } from 'preact/hooks';

/** Where in the page somebody is: everything is in the address, so that it can be shared. */
export interface Place {
  /** `inbox`, `runs`, `run`, `package`, `start`, `overview`, `switches`. */
  readonly view: string;
  readonly id?: string;
  readonly query: URLSearchParams;
}

export function placeOf(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [view = '', id] = path.split('/');
  return { view: view || 'inbox', ...(id ? { id: decoded(id) } : {}), query: new URLSearchParams(query) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function usePlace(): Place {
  const [place, setPlace] = useState(() => placeOf(location.hash));
  useEffect(() => {
    const change = (): void => setPlace(placeOf(location.hash));
    addEventListener('hashchange', change);
    return () => removeEventListener('hashchange', change);
  }, []);
  return place;
}

export function runAddress(id: string, call?: string): string {
  return `#/run/${encodeURIComponent(id)}${call ? `?at=${encodeURIComponent(call)}` : ''}`;
}
