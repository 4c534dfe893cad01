/** Lower case, one blank around each word: what then holds the other as a part holds whole words of it. */
export function phrase(text: string): string {
  const words = text.toLowerCase().replace(/[^a-z0-9\u00c0-\u1fff\u2c00-\u2dff\u3040-\ufaff]+/g, ' ').trim();
  return words === '' ? '' : ` ${words} `;
}
