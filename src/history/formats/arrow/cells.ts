import { type DataType, type DecimalType, Precision, TimeUnit, Type } from '@uwdata/flechette';
import type { SchemaElement } from 'hyparquet-writer';
import { DAY_MS } from '../../../kernel/index.ts';

/** How a column of Arrow is written as Parquet, without rounding. */
export interface Cells {
  readonly element: Omit<SchemaElement, 'name'>;
  /** Converts a value that is not null. Default: none is converted. */
  readonly of?: (value: unknown) => unknown;
}

/** Parquet has no unit of seconds. Times of day are kept in microseconds. */
const UNITS = {
  [TimeUnit.SECOND]: { unit: 'MILLIS', times: 1_000n, nanoseconds: 1_000_000_000n },
  [TimeUnit.MILLISECOND]: { unit: 'MILLIS', times: 1n, nanoseconds: 1_000_000n },
  [TimeUnit.MICROSECOND]: { unit: 'MICROS', times: 1n, nanoseconds: 1_000n },
  [TimeUnit.NANOSECOND]: { unit: 'NANOS', times: 1n, nanoseconds: 1n },
} as const;

/** How a column is written: numbers, times and texts. Lists, bytes and the like become null. */
export function cellsOf(type: DataType): Cells {
  switch (type.typeId) {
    case Type.Dictionary:
      return cellsOf(type.dictionary);
    case Type.Float:
      return { element: { type: type.precision === Precision.SINGLE ? 'FLOAT' : 'DOUBLE' } };
    case Type.Int:
      // INT64 has a sign, and so only half the range.
      if (type.bitWidth === 64 && !type.signed) return asText(String);
      return { element: { type: 'INT64' }, of: big };
    case Type.Timestamp: {
      const { unit, times } = UNITS[type.unit];
      const isAdjustedToUTC = type.timezone !== null;
      const logical = { type: 'TIMESTAMP', isAdjustedToUTC, unit } as const;
      return { element: { type: 'INT64', logical_type: logical }, of: (one) => big(one) * times };
    }
    case Type.Date:
      return {
        element: { type: 'INT32', converted_type: 'DATE' },
        of: (value) => Math.floor(Number(value) / DAY_MS),
      };
    case Type.Time: {
      const { nanoseconds } = UNITS[type.unit];
      const logical = { type: 'TIME', isAdjustedToUTC: false, unit: 'MICROS' } as const;
      const of = (value: unknown): bigint => (big(value) * nanoseconds) / 1_000n;
      return { element: { type: 'INT64', logical_type: logical }, of };
    }
    case Type.Decimal:
      return asText((value) => decimalText(big(value), type));
    case Type.Bool:
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Utf8View:
      return asText(String);
    default:
      return asText(() => null);
  }
}

function asText(of: (value: unknown) => string | null): Cells {
  return { element: { type: 'BYTE_ARRAY', converted_type: 'UTF8' }, of };
}

function big(value: unknown): bigint {
  return BigInt(value as number | bigint);
}

/** A decimal as text: the last `scale` digits of its units are the fraction. */
function decimalText(units: bigint, { scale }: DecimalType): string {
  if (scale <= 0) return String(units * 10n ** BigInt(-scale));
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
