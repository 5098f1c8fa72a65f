import { type FormulaMetadata } from './context';
import { type Value, storedValue } from './value';

const ownValue = (holder: unknown, key: string): unknown =>
  typeof holder === 'object' && holder !== null && !Array.isArray(holder) && Object.hasOwn(holder, key)
    ? (holder as FormulaMetadata)[key]
    : undefined;

/** Reads `key` from metadata: the attribute of that very name, else its parts between dots, object by object. */
export const metadataReader = (
  key: string,
): ((metadata: FormulaMetadata | null | undefined) => Value | null) => {
  const path = key.split('.');
  return (metadata) => {
    const direct = ownValue(metadata, key);
    if (direct !== undefined || path.length === 1) return storedValue(direct);
    return storedValue(path.reduce<unknown>(ownValue, metadata));
  };
};
