/** What an e-mail address looks like, roughly: whether it reaches anybody only a message tells. */
export const emailForm = /^[^\s@]+@[^\s@]+$/;
