/**
 * The forms of what a till sends, and nothing to check them with: the schemas are made of them, and the till's own client,
 * which brings no package, checks by them before it sends anything.
 */
export const referencePattern = /^[A-Za-z0-9._-]{1,40}$/;
/** As words that follow the field's name, like the others. */
export const referenceForm = 'must be 1 to 40 characters of A–Z, a–z, 0–9, ".", "_" and "-"';

export const conditionCodePattern = /^[A-Za-z0-9]{1,8}$/;
export const conditionCodeForm = 'must be 1 to 8 letters or digits (ISO 8583 field 25 is two digits)';

/** Amount strings: 1–10 digits, a point, two digits. */
export const amountPattern = /^\d{1,10}\.\d{2}$/;
export const amountForm = 'must be a string with digits, a point and two decimals, such as "12.00"';
