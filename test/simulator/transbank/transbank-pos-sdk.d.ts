/** What the tests use of the maker's SDK, which brings no types. */
declare module 'transbank-pos-sdk' {
  type Answer = Record<string, unknown> & { successful: boolean; operationNumber: string };

  interface Till {
    /** Opens the port and polls. */
    connect(path: string): Promise<boolean>;
    disconnect(): Promise<boolean>;
    poll(): Promise<boolean>;
    loadKeys(): Promise<Answer>;
    sale(
      amount: number,
      ticket: string,
      withProgress: boolean,
      progress: (step: { responseCode: number }) => void,
    ): Promise<Answer>;
    getLastSale(): Promise<Answer>;
    getTotals(): Promise<Answer>;
    refund(operationNumber: string): Promise<Answer>;
    closeDay(): Promise<Answer>;
  }

  const sdk: { POSIntegrado: new () => Till };
  export default sdk;
}
