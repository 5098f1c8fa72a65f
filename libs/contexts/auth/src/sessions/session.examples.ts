const first = 'h3kx7cw2mzp9f4rty6bd';
const second = 'correct horse battery staple';

/** Bodies that the API description shows, in the order in which they work. */
export const sessionExamples = {
  signIn: { login: 'admin', password: first },
  changePassword: { current_password: first, password: second },
  passwordAgain: { password: second },
};
