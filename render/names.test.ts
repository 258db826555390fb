import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { labelValue, renderedName } from './names.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
const a = (length: number) => 'a'.repeat(length);

describe('renderedName', () => {
  it.each([
    ['web', 'web-gari'],
    ['web-gari', 'web-gari-gari'],
    [a(58), `${a(58)}-gari`],
    // From here on: cleaned, cut to 49 characters, and the hash of the full name.
    [a(59), `${a(49)}-${hash(a(59))}-gari`],
    [a(63), `${a(49)}-${hash(a(63))}-gari`],
    [a(253), `${a(49)}-${hash(a(253))}-gari`],
    ['web.example.com', `web-example-com-${hash('web.example.com')}-gari`],
    ['1st', `g1st-${hash('1st')}-gari`],
    ['web-deadbeef', `web-deadbeef-${hash('web-deadbeef')}-gari`],
    // Not 8 hex digits: as it is.
    ['web-deadbee', 'web-deadbee-gari'],
    ['web-deadbeeg', 'web-deadbeeg-gari'],
    // No dash before the hash's dash.
    [`${a(48)}-${a(20)}`, `${a(48)}-${hash(`${a(48)}-${a(20)}`)}-gari`],
  ])('%s', (name, expected) => {
    expect(renderedName(name)).toBe(expected);
    expect(expected.length).toBeLessThanOrEqual(63);
  });
});

describe('labelValue', () => {
  it.each([
    ['web', 'web'],
    ['web.example.com', 'web.example.com'],
    [a(63), a(63)],
    [a(64), `${a(54)}-${hash(a(64))}`],
    [`${a(54)}-deadbeef`, `${a(54)}-${hash(`${a(54)}-deadbeef`)}`],
    [`${a(53)}-deadbeef`, `${a(53)}-deadbeef`],
  ])('%s', (name, expected) => {
    expect(labelValue(name)).toBe(expected);
    expect(expected.length).toBeLessThanOrEqual(63);
  });
});
