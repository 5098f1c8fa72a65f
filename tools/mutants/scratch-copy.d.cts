/** Returns the folder of a new copy of the tracked tree, to change and to run. */
export function scratchCopy(): string;
