import { texts } from './equality';
import { type Operator, anyElement, anyOf, defineOperator } from './operator';
import { textOf } from './scalar';

type Search = (text: string, part: string) => boolean;

const searching = (name: string, search: Search): Operator =>
  defineOperator(name, { text: texts, ids: texts, metadata: texts }, (parts) =>
    anyElement(
      anyOf(
        parts.map((part) => (value) => {
          const text = textOf(value);
          return text !== undefined && search(text, part);
        }),
      ),
    ),
  );

export const textual: readonly Operator[] = [
  searching('$starts_with', (text, part) => text.startsWith(part)),
  searching('$ends_with', (text, part) => text.endsWith(part)),
  searching('$contains', (text, part) => text.includes(part)),
];
