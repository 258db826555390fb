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
    ['deadbeef', 'deadbeef-gari'],
    ['a.b', `a-b-${hash('a.b')}-gari`],
    ['0', `g0-${hash('0')}-gari`],
    // Every dash before the hash's dash goes.
    [`${a(46)}...${a(20)}`, `${a(46)}-${hash(`${a(46)}...${a(20)}`)}-gari`],
    [`1${a(60)}`, `g1${a(47)}-${hash(`1${a(60)}`)}-gari`],
    // Not 8 hex digits: as it is.
    ['web-deadbeef-1', 'web-deadbeef-1-gari'],
    ['web-deadbeef0', 'web-deadbeef0-gari'],
    ['web-deadbee', 'web-deadbee-gari'],
    ['web-deadbeeg', 'web-deadbeeg-gari'],
    // No dash before the hash's dash.
    [`${a(48)}-${a(20)}`, `${a(48)}-${hash(`${a(48)}-${a(20)}`)}-gari`],
  ])('%s', (name, expected) => {
    expect(renderedName(name)).toBe(expected);
    expect(expected.length).toBeLessThanOrEqual(63);
  });
});

it('two names can give one, where both the cut and the hash are the same: that must be seen', () => {
  // Found by trying about 100,000 names of this form.
  const [first, second] = [`${a(60)}u1`, `${a(60)}1d3x`];
  expect([hash(first), hash(second)]).toEqual(['9f492c9a', '9f492c9a']);
  expect([first, second].map(renderedName)).toEqual([0, 1].map(() => `${a(49)}-9f492c9a-gari`));
});

describe('labelValue', () => {
  it.each([
    ['web', 'web'],
    ['web.example.com', 'web.example.com'],
    [a(63), a(63)],
    [a(62), a(62)],
    [a(64), `${a(54)}-${hash(a(64))}`],
    [a(253), `${a(54)}-${hash(a(253))}`],
    [`${a(54)}-deadbeeg`, `${a(54)}-deadbeeg`],
    // A label value may hold dots and dashes where it is cut.
    [`${a(53)}.${a(20)}`, `${a(53)}.-${hash(`${a(53)}.${a(20)}`)}`],
    [`${a(54)}-deadbeef`, `${a(54)}-${hash(`${a(54)}-deadbeef`)}`],
    [`${a(53)}-deadbeef`, `${a(53)}-deadbeef`],
  ])('%s', (name, expected) => {
    expect(labelValue(name)).toBe(expected);
    expect(expected.length).toBeLessThanOrEqual(63);
  });
});
