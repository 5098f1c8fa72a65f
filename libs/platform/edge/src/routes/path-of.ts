/** The path of a request target, without its query. */
export const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';
