/** The value of a header; the first one where it came several times. */
export const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;
