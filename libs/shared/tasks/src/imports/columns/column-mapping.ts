import { refuseUpload } from '../csv/file-refusal';

/** What a caller calls the columns of a file, by their headers; null leaves a column out. */
export type ColumnMapping = ReadonlyMap<string, string | null>;

const mappedMax = 500;

const objectIn = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Reads the field `mapping` of a form: a JSON object of headers and the columns that they stand for. Throws `EdgeFailure`
 *  (400). Source: reference 07 §11. */
export const readMapping = (text: string | undefined): ColumnMapping => {
  if (text === undefined) return new Map();
  const parsed = objectIn(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw refuseUpload('Property .mapping must be a JSON object of headers and columns');
  const entries = Object.entries(parsed);
  if (entries.length > mappedMax)
    throw refuseUpload(`Property .mapping should NOT have more than ${mappedMax} properties`);
  const wrong = entries.find(
    ([, column]) => column !== null && (typeof column !== 'string' || column === ''),
  );
  if (wrong) throw refuseUpload(`Property .mapping.${wrong[0]} must be the name of a column, or null`);
  return new Map(entries as [string, string | null][]);
};
