/** The texts of the items of a JSON list, which start at these offsets: numbers keep all their digits. */
export function jsonItemTexts(text: string, starts: readonly number[]): readonly string[] {
  return starts.map((start) => text.slice(start, endOfValue(text, start)));
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return index + 1;
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}
