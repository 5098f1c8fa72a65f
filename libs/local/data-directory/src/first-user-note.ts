/** What the first start prints about the first user. `password`: null where none may be shown. */
export const firstUserNote = (login: string, password: string | null): string =>
  password === null
    ? `
The first user is ${login}. npm run users -- reset ${login} makes its password.
`
    : `
The first user is ${login}, its password ${password}
It is shown this once, and is to be changed at the first sign-in.
`;
