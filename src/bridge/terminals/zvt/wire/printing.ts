/** Print texts of 06 D1 and 06 D3 (ZVT PA00P015, chapter 3; attributes). */

/** The attribute that marks the last line of a receipt: 81..FE. (80 is reserved; FF means line feeds.) */
export function endsReceipt(attribute: number): boolean {
  return attribute > 0x80 && attribute < 0xff;
}
