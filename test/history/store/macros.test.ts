import { describe, expect, it } from 'vitest';
import { type Database, withDatabase } from '../../../src/history/store/database.ts';

const START = 1_704_067_200_000n;

/** Stamps of 5,000 moments, in a unit of so many to a millisecond, that are misread. */
async function misread(database: Database, unitsOfMs: bigint): Promise<unknown[]> {
  const sql = `SELECT ms, time_ms((ms * ${unitsOfMs})::VARCHAR) AS time
    FROM (SELECT ${START} + 7 * range::HUGEINT AS ms FROM range(5000))
    WHERE time_ms((ms * ${unitsOfMs})::VARCHAR) <> ms::DOUBLE LIMIT 3`;
  return database.rows(sql);
}

describe('time_ms', () => {
  it.each([
    ['milliseconds', 1n],
    ['microseconds', 1_000n],
    ['nanoseconds', 1_000_000n],
  ])('reads whole milliseconds exactly, told in %s', async (_unit, unitsOfMs) => {
    expect(await withDatabase((database) => misread(database, unitsOfMs))).toEqual([]);
  });

  it.each([
    ['1704067214476500000', 1_704_067_214_476.5],
    ['1704067214476000250', 1_704_067_214_476.000_2],
    ['1704067214476500', 1_704_067_214_476.5],
    ['1704067214.4765', 1_704_067_214_476.5],
    ['20240101000014476', 1_704_067_214_476],
    ['638423424000000000', null],
    ['133512192000000000', null],
    ['3915856800000000', null],
    ['1.7040672144765e12', 1_704_067_214_476.5],
    ['1.704067214E9', 1_704_067_214_000],
    ['1.7E12', 1_700_000_000_000],
    ['1.704067214476500000e+12', 1_704_067_214_476.5],
    ['1.704067214476500250e+18', 1_704_067_214_476.500_2],
    ['1.70407E+12', null],
    ['1.70406721e+12', null],
    ['1e99', null],
  ])('keeps the parts of a millisecond of %s', async (text, time) => {
    const sql = `SELECT time_ms('${text}') AS time`;
    expect(await withDatabase((database) => database.row(sql))).toEqual({ time });
  });

  it.each([
    ['2024-07-31 10:00:00 BST', null],
    ['2024-07-31 10:00:00 CET', null],
    ['2024-07-31 10:00:00 IST', null],
    ['2024-07-31 10:00:00 pst', null],
    ['2024-07-31 10:00:00 EST', '15:00'],
    ['2024-07-31 10:00:00 GMT', '10:00'],
    ['2024-07-31 10:00:00 UTC', '10:00'],
    ['2024-07-31 10:00:00 Z', '10:00'],
    ['2024-07-31 10:00:00 America/New_York', '14:00'],
    ['2024-07-31 10:00:00 +0200', '08:00'],
    ['2024-07-31 10:00:00 -05:30', '15:30'],
    ['2024-07-31 10:00:00.000 GMT+0200', '08:00'],
    ['2024-07-31T10:00Z', '10:00'],
    ['2024-07-31 10:00 UTC', '10:00'],
    ['2024-07-31 10:00+02:00', '08:00'],
    ['2024-07-31T10:00-0530', '15:30'],
    ['2024-07-31 10:00 GMT+0200', '08:00'],
    ['2024-07-31 10:00 America/New_York', '14:00'],
    ['2024.07.31 10:00 +02:00', '08:00'],
    ['2024-07-31 10:00 CET', null],
    ['2024-07-31 10:00:00z', '10:00'],
  ])('of %s is at %s: letters may be of several zones', async (text, clock) => {
    const time = clock && Date.parse(`2024-07-31T${clock}Z`);
    const sql = `SELECT time_ms('${text}') AS time`;
    expect(await withDatabase((database) => database.row(sql))).toEqual({ time });
  });

  it.each(['01/03/24 00:00', '24-03-01', '0031-12-01', '12024-05-01', '10000-01-01T00:00:00Z'])(
    'reads no year that has not four digits: %s',
    async (text) => {
      const sql = `SELECT time_ms('${text}') AS time`;
      expect(await withDatabase((database) => database.row(sql))).toEqual({ time: null });
    },
  );
});
