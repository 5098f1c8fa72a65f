import { waitUntil } from './wait-until';

type Method = (...args: any[]) => Promise<unknown>;

/** A call whose caller waits for its answer. */
export interface HeldCall {
  /** Waits until the call was made and has its answer. */
  isHeld(): Promise<void>;
  /** Gives the answer to the caller. */
  open(): void;
}

/** Lets the first call of a method of an object of which `when` is true go to its end, and its caller wait until the call is
 *  opened: what others do meanwhile comes between the two. */
export const holdFirst = <Of extends object>(
  of: Of,
  method: keyof Of & string,
  when: (args: any[]) => boolean,
): HeldCall => {
  const holder = of as Record<string, Method>;
  const original = holder[method]!;
  const isOwn = Object.hasOwn(of, method);
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  let isHeld = false;
  holder[method] = async (...args) => {
    const answer = await original.apply(of, args);
    if (isHeld || !when(args)) return answer;
    isHeld = true;
    await opened;
    return answer;
  };
  return {
    isHeld: async () => {
      await waitUntil(() => Promise.resolve(isHeld), { what: `the call of ${method}` });
    },
    open: () => {
      if (isOwn) holder[method] = original;
      else delete holder[method];
      open();
    },
  };
};
