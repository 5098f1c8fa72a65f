import type { TaskInput } from './item-task';

/** What one transaction carries out at most, unless the kind of task says otherwise. */
export const itemsMax = 200;
const charactersMax = 131_072;

/** Inputs as chunks of at most `most` and about 128 KB; a larger one goes alone. The same inputs always make the same chunks.
 *  `storedAs`: what is stored of each. */
export async function* chunksOf<Item>(
  inputs: Iterable<TaskInput<Item>> | AsyncIterable<TaskInput<Item>>,
  storedAs: (input: TaskInput<Item>) => TaskInput<Item> = (input) => input,
  most = itemsMax,
): AsyncGenerator<{ count: number; text: string }> {
  let texts: string[] = [];
  let characters = 0;
  const taken = (): { count: number; text: string } => {
    const chunk = { count: texts.length, text: `[${texts.join()}]` };
    [texts, characters] = [[], 0];
    return chunk;
  };
  for await (const input of inputs) {
    const text = JSON.stringify(storedAs(input));
    if (texts.length === most || (texts.length > 0 && characters + text.length > charactersMax))
      yield taken();
    texts.push(text);
    characters += text.length;
  }
  if (texts.length > 0) yield taken();
}
