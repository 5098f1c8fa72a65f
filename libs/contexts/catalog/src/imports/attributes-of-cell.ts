import type { Metadata } from '@scrip/contracts/snapshot';
import { refuseRow } from './refuse-row';

// A text in double quotes, as JSON has it, or in single ones.
const texts = /"(?:[^"\\]|\\.)*"|'((?:[^'\\]|\\.)*)'/gs;

const asJson = (cell: string): string =>
  cell.replaceAll(texts, (text, single: string | undefined) =>
    single === undefined ? text : JSON.stringify(single.replaceAll(/\\(.)/gs, '$1')),
  );

const objectIn = (json: string): Metadata | null => {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Metadata) : null;
  } catch {
    return null;
  }
};

/** The attributes that a cell tells: an object whose texts stand in single quotes or double ones, `{'color':'blue'}`.
 *  Throws `EdgeFailure` (400). Source: reference 07 §11. */
export const attributesOf = (cell: string): Metadata => {
  const attributes = objectIn(cell) ?? objectIn(asJson(cell));
  if (!attributes) throw refuseRow("Property .attributes must be an object, such as {'color':'blue'}");
  return attributes;
};
