import { describe, expect, it } from 'vitest';
import { encodingTrouble } from '../../../../src/history/store/staging/encoding.ts';
import { datasetOf, Store } from '../fixture.ts';

const T = 1_700_000_040_000;
const row = (minute: number, note: string) => `${T + minute * 60_000},1,2,1,2,5,${note}\n`;
const HEADING = 'time,open,high,low,close,volume,note\n';

describe('encodingTrouble', () => {
  it.each<[string, number[], string | undefined]>([
    ['nothing', [], undefined],
    ['UTF-8', [...Buffer.from('a\n\u00e9\u20ac\u{1f600}\n')], undefined],
    [
      'a byte that begins nothing',
      [0x61, 0x0a, 0x62, 0xff, 0x0a],
      'line 2 is no UTF-8 (its byte 2',
    ],
    ['a character that is cut', [0x61, 0xc3], 'line 1 is no UTF-8 (its byte 2 is 0xC3)'],
    ['Latin-1 behind UTF-8', [0xc3, 0xa9, 0xe9, 0x0a], 'line 1 is no UTF-8 (its byte 3 is 0xE9)'],
  ])('tells of %s where it is no UTF-8', async (_what, bytes, told) => {
    const said = await encodingTrouble(new Store().file('x.csv', Uint8Array.from(bytes)));
    if (told === undefined) expect(said).toBeUndefined();
    else expect(said).toContain(told);
  });

  it('finds a place behind the first piece that is read', async () => {
    const long = Buffer.concat([
      Buffer.from(`${'\u20ac'.repeat(50)}\n`.repeat(2_000)),
      Buffer.from([0xe9, 0x0a]),
    ]);
    expect(await encodingTrouble(new Store().file('x.csv', long))).toContain(
      'line 2001 is no UTF-8 (its byte 1 is 0xE9), text as UTF-8 is wanted: `iconv -f',
    );
  });
});

describe('importFiles, of Latin-1,', () => {
  it('names line, byte and encoding where a cell is such', async () => {
    const text = HEADING + row(0, 'a') + row(1, 'caf\u00e9') + row(2, 'b');
    await expect(datasetOf('BTCUSDT.csv', Buffer.from(text, 'latin1'))).rejects.toThrow(
      'Cannot import BTCUSDT.csv: line 3 is no UTF-8 (its byte 28 is 0xE9), text as UTF-8 is ' +
        'wanted: `iconv -f WINDOWS-1252 -t UTF-8` makes it of Latin-1',
    );
  });

  it('names what is wrong with a row though a line above it is such', async () => {
    const text = `# Kurse f\u00fcr alle\n${HEADING}${row(0, 'a')}${row(1, 'b').replace(',5,', ',x,')}`;
    await expect(datasetOf('BTCUSDT.csv', Buffer.from(text, 'latin1'))).rejects.toThrow(
      'Cannot import BTCUSDT.csv: line 4: the volume (column volume) is "x", a number is wanted',
    );
  });
});
