import { createHash } from 'node:crypto';

/** Parts that a form may have. */
export const partsMax = 20;

/** Characters of a boundary. Source: RFC 2046. */
export const boundaryLengthMax = 70;

/** The boundary that a Content-Type names; null where it names none, or one that is too long. */
export const boundaryOf = (contentType: string): string | null => {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"\\]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare ?? '';
  return boundary === '' || boundary.length > boundaryLengthMax ? null : boundary;
};

/** Returns a hash of a form, which is the same whatever its boundary is. */
export const fingerprintOfForm = (bytes: Buffer, boundary: string | null): string => {
  const hash = createHash('sha256');
  let from = 0;
  if (boundary !== null) {
    const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
    const first = delimiter.subarray(2);
    if (bytes.subarray(0, first.length).equals(first)) from = first.length;
    // No form with more parts is read, so what is left is hashed as it is: a short boundary may stand there a million times.
    for (let parts = 0; parts <= partsMax; parts += 1) {
      const at = bytes.indexOf(delimiter, from);
      if (at < 0) break;
      hash.update(bytes.subarray(from, at)).update('\0');
      from = at + delimiter.length;
    }
  }
  return hash.update(bytes.subarray(from)).digest('hex');
};
