const form = /^[a-z]{1,12}(?:_[a-z]{1,12}){0,2}_[\da-f]{18,32}$/;
const sessionKey = 'ssn_';

/** Whether a text is an id as we make them. Else it is what the caller named something by: source ids may be e-mail addresses,
 *  codes are worth money. Keys of sessions are made alike, and open what is held for one. */
export const isOurId = (text: string): boolean => form.test(text) && !text.startsWith(sessionKey);
