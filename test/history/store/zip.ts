import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive that a test makes. */
export interface Zipped {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Changes of what the archive says of it. */
  readonly lies?: { readonly size?: number; readonly flags?: number; readonly crc?: number };
}

/** An archive of those files. Source: APPNOTE.TXT, 4.3. */
export function zipOf(files: readonly Zipped[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, lies = {} } of files) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(lies.flags ?? 0, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(lies.crc ?? crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(lies.size ?? bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(offset, 10);
    const made = Buffer.from([20, 0]);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002', 'latin1'), made, fields, central]));
    directory.push(Buffer.from(name));
    const body = [Buffer.from('PK\u0003\u0004', 'latin1'), fields, Buffer.from(name), packed];
    bodies.push(...body);
    offset += body.reduce((sum, { length }) => sum + length, 0);
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, central, end]);
}
