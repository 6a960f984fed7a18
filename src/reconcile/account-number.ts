/** Blanks and case say nothing in the number of an account. */
export function accountNumber(account: string): string {
  return account.replaceAll(/\s/g, '').toUpperCase();
}
